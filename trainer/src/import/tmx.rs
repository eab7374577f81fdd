//! TMX 1.4: translation memories.

use std::path::Path;
use std::sync::Arc;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use super::compressed;
use super::options::Tmx;
use super::progress::Progress;
use super::whole::{self, Whole};
use super::xml::{Xml, push_reference};
use crate::error::Error;
use crate::limits::import::{SEGMENT_BYTES, XML_DEPTH};

/// Elements within a segment whose content is markup of another program.
const CODES: [&str; 5] = ["bpt", "ept", "ph", "it", "ut"];

/// Does the import.
///
/// # Errors
/// If the file is no TMX, or has nothing in the two languages, or the output cannot be written.
pub fn run(options: &Tmx) -> Result<(), Error> {
    let path = &options.file;
    let progress = Arc::new(Progress::new("tmx", compressed::length(path)?));
    let mut out = Whole::new(&options.out)?;
    let (mut written, mut others) = (0u64, 0u64);
    read(path, &progress, [&options.from, &options.to], &mut |number, unit| {
        let [Some(from), Some(to)] = &unit.texts else {
            others += 1;
            return Ok(());
        };
        written += 1;
        let number = number.to_string();
        let id = if unit.id.is_empty() { &number } else { &unit.id };
        out.row(&[&options.set, &number, id, from, to])
    })?;
    if written == 0 {
        let problem = format!("no unit has both {} and {}", options.from, options.to);
        return Err(Error::data(path, problem));
    }
    whole::finish([out])?;
    progress
        .finish(&format!("{written} pairs, {others} units left out because a language is missing"));
    Ok(())
}

/// A text in two languages.
#[derive(Debug, Default)]
pub struct Unit {
    id: String,
    texts: [Option<String>; 2],
}

/// Calls `take` with each unit and its number.
///
/// # Errors
/// If the file cannot be read, is no TMX, or is cut short, and what `take` refuses.
pub fn read(
    path: &Path,
    progress: &Arc<Progress>,
    languages: [&str; 2],
    take: &mut dyn FnMut(u64, Unit) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut xml = Xml::new(path, compressed::open(path, progress)?);
    let (mut open, mut unit) = (Vec::<String>::new(), Unit::default());
    let (mut side, mut segment, mut number) = (None, String::new(), 0);
    let mut complete = false;
    loop {
        // How deep in elements of a segment, and whether in one that is another program's.
        let at = open.iter().position(|name| name == "seg");
        let kept = at.is_some_and(|at| !open[at..].iter().any(|name| CODES.contains(&&name[..])));
        let mut opened = None;
        let mut closed = false;
        match xml.next()? {
            Event::Start(start) => {
                let name = start.local_name().as_ref().to_owned();
                match &name[..] {
                    "tu" => unit = Unit { id: attribute(&start, &["tuid"]), ..Unit::default() },
                    "tuv" => {
                        let language = attribute(&start, &["xml:lang", "lang"]);
                        side = languages.iter().position(|wanted| is_of(&language, wanted));
                    }
                    "seg" => segment.clear(),
                    _ => {}
                }
                opened = Some(name);
            }
            Event::End(_) => closed = true,
            Event::Text(text) if kept => segment.push_str(&text.xml10_content()),
            Event::CData(text) if kept => segment.push_str(&text.xml10_content()),
            Event::GeneralRef(reference) if kept => push_reference(&reference, &mut segment),
            Event::Eof => break,
            _ => {}
        }
        if segment.len() > SEGMENT_BYTES {
            return Err(xml.wrong(format!("a segment of more than {SEGMENT_BYTES} bytes")));
        }
        if let Some(name) = opened {
            if open.is_empty() && name != "tmx" {
                return Err(xml.wrong("not TMX: expected <tmx> at the start"));
            }
            if open.len() == XML_DEPTH {
                return Err(xml.wrong(format!("elements nested deeper than {XML_DEPTH}")));
            }
            open.push(name);
        }
        if closed {
            let name = open.pop().unwrap_or_default();
            match &name[..] {
                "seg" => {
                    let text = segment.split_whitespace().collect::<Vec<_>>().join(" ");
                    // The first of a language is its segment.
                    if let Some(side) = side
                        && unit.texts[side].is_none()
                        && !text.is_empty()
                    {
                        unit.texts[side] = Some(text);
                    }
                }
                "tuv" => side = None,
                "tu" => {
                    number += 1;
                    take(number, std::mem::take(&mut unit))?;
                }
                "tmx" => complete = true,
                _ => {}
            }
        }
    }
    match complete {
        true => Ok(()),
        false => Err(xml.wrong("it ends before </tmx>: the file is cut short")),
    }
}

/// Whether a language is the one wanted, in any region: `en-US` is `en`.
fn is_of(language: &str, wanted: &str) -> bool {
    let language = language.replace('_', "-").to_lowercase();
    let wanted = wanted.to_lowercase();
    language == wanted || language.strip_prefix(&wanted).is_some_and(|rest| rest.starts_with('-'))
}

/// The first of some attributes that is there, or nothing.
fn attribute(start: &BytesStart<'_>, names: &[&str]) -> String {
    let value = |name: &&str| {
        let found = start.attributes().flatten().find(|found| found.key.as_ref() == *name)?;
        found.normalized_value(XmlVersion::Implicit1_0).ok().map(|value| value.into_owned())
    };
    names.iter().find_map(value).unwrap_or_default()
}
