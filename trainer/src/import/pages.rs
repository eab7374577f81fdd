//! The pages of a dump `XXwiki-DATE-pages-articles.xml`.

use std::io::BufRead;
use std::path::Path;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use super::titles::normal;
use super::xml::{Xml, push_reference};
use crate::data::tsv::shown;
use crate::error::Error;
use crate::limits::import::{PAGE_BYTES, XML_DEPTH};

/// What a dump says of its wiki.
#[derive(Debug, Default)]
pub struct Site {
    /// Prefixes of links that are no text: of files and categories, in small letters.
    pub dropped: Vec<String>,
    /// Names of other namespaces.
    others: Vec<String>,
}

/// A page of the main namespace.
#[derive(Debug, Default)]
pub struct Page {
    /// Its number.
    pub id: u32,
    /// Its title, with spaces.
    pub title: String,
    /// The title of the page that it leads to, where it is a redirect.
    pub redirect: Option<String>,
    /// Its wikitext; empty where it was not wanted.
    pub text: String,
}

/// Calls `take` with each page of the main namespace, and with what the dump says of its wiki; the text
/// is there where `wants` the page's number.
///
/// # Errors
/// If the file cannot be read, is no dump of `wiki`, or is cut short.
pub fn read_pages(
    path: &Path,
    reader: Box<dyn BufRead>,
    wiki: &str,
    wants: &dyn Fn(u32) -> bool,
    take: &mut dyn FnMut(&Site, Page) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut dump = Dump { xml: Xml::new(path, reader), wiki, site: Site::default(), wants };
    dump.site.dropped = ["file", "image", "category", "media"].map(str::to_owned).to_vec();
    dump.read(take)
}

/// What an element is for us.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Mediawiki,
    Database,
    Namespace,
    Page,
    Title,
    Number,
    Id,
    Revision,
    Text,
    Other,
}

fn tag_of(name: &[u8]) -> Tag {
    match name {
        b"mediawiki" => Tag::Mediawiki,
        b"dbname" => Tag::Database,
        b"namespace" => Tag::Namespace,
        b"page" => Tag::Page,
        b"title" => Tag::Title,
        b"ns" => Tag::Number,
        b"id" => Tag::Id,
        b"revision" => Tag::Revision,
        b"text" => Tag::Text,
        _ => Tag::Other,
    }
}

struct Dump<'a> {
    xml: Xml<'a>,
    wiki: &'a str,
    site: Site,
    wants: &'a dyn Fn(u32) -> bool,
}

impl Dump<'_> {
    fn read(
        &mut self,
        take: &mut dyn FnMut(&Site, Page) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut open: Vec<Tag> = Vec::new();
        let mut page = Reading::default();
        let mut text = String::new();
        let mut namespace = String::new();
        let mut complete = false;
        loop {
            // What an event says is taken out of it before the reader is asked anything else.
            let kept = self.keeps(&open, &page);
            let step = match self.xml.next()? {
                Event::Start(start) => {
                    let tag = tag_of(start.local_name().as_ref().as_bytes());
                    if tag == Tag::Namespace {
                        namespace = attribute(&start, "key");
                    }
                    Step::Open(tag)
                }
                Event::Empty(start) if start.local_name().as_ref() == "redirect" => {
                    Step::Redirect(attribute(&start, "title"))
                }
                Event::End(_) => Step::Close,
                Event::Text(event) if kept => {
                    text.push_str(&event.xml10_content());
                    Step::Text
                }
                Event::CData(event) if kept => {
                    text.push_str(&event.xml10_content());
                    Step::Text
                }
                Event::GeneralRef(reference) if kept => {
                    push_reference(&reference, &mut text);
                    Step::Text
                }
                Event::Eof => break,
                _ => Step::Text,
            };
            match step {
                Step::Open(tag) => {
                    if open.is_empty() && tag != Tag::Mediawiki {
                        return Err(self
                            .xml
                            .wrong("not a dump of pages: expected <mediawiki> at the start"));
                    }
                    if open.len() == XML_DEPTH {
                        return Err(self
                            .xml
                            .wrong(format!("elements nested deeper than {XML_DEPTH}")));
                    }
                    open.push(tag);
                    text.clear();
                    if tag == Tag::Page {
                        page = Reading::default();
                    }
                }
                Step::Redirect(title) if page.redirect.is_none() => page.redirect = Some(title),
                Step::Redirect(_) => {}
                Step::Text if text.len() > PAGE_BYTES => {
                    return Err(self.xml.wrong(format!("a text of more than {PAGE_BYTES} bytes")));
                }
                Step::Text => {}
                Step::Close => {
                    match (open.last(), open.len().checked_sub(2).map(|above| open[above])) {
                        (Some(Tag::Database), _) => self.check_wiki(&text)?,
                        (Some(Tag::Namespace), _) => self.add_namespace(&namespace, &text),
                        (Some(Tag::Title), Some(Tag::Page)) => page.title = Some(normal(&text)),
                        (Some(Tag::Number), Some(Tag::Page)) => page.namespace = Some(text.clone()),
                        (Some(Tag::Id), Some(Tag::Page)) => {
                            let id = text.trim().parse();
                            let id = id.map_err(|_| {
                                self.xml.wrong(format!("page id `{}`", shown(&text)))
                            })?;
                            page.id = Some(id);
                        }
                        (Some(Tag::Text), Some(Tag::Revision)) => {
                            page.text = std::mem::take(&mut text);
                        }
                        (Some(Tag::Page), _) => {
                            if let Some(page) = self.finish(std::mem::take(&mut page))? {
                                take(&self.site, page)?;
                            }
                        }
                        _ => {}
                    }
                    complete = open.pop() == Some(Tag::Mediawiki) && open.is_empty();
                    text.clear();
                }
            }
        }
        match complete {
            true => Ok(()),
            false => Err(self.xml.wrong("it ends before </mediawiki>: the file is cut short")),
        }
    }

    /// Whether text here is kept.
    fn keeps(&self, open: &[Tag], page: &Reading) -> bool {
        match open.last() {
            Some(Tag::Database | Tag::Namespace | Tag::Title | Tag::Number | Tag::Id) => true,
            Some(Tag::Text) => page.redirect.is_none() && page.id.is_some_and(self.wants),
            _ => false,
        }
    }

    fn check_wiki(&self, name: &str) -> Result<(), Error> {
        match name == self.wiki {
            true => Ok(()),
            false => {
                let (name, wiki) = (shown(name), self.wiki);
                Err(self.xml.wrong(format!("a dump of `{name}`, expected `{wiki}`")))
            }
        }
    }

    fn add_namespace(&mut self, key: &str, name: &str) {
        let small = name.to_lowercase();
        match key {
            "0" => {}
            "-2" | "6" | "14" => self.site.dropped.push(small),
            _ => self.site.others.push(small),
        }
    }

    /// The page, if it is of the main namespace. Old dumps do not say which it is.
    fn finish(&self, page: Reading) -> Result<Option<Page>, Error> {
        let (Some(id), Some(title)) = (page.id, page.title) else {
            return Err(self.xml.wrong("a page without an id or without a title"));
        };
        let is_main = match page.namespace {
            Some(number) => number.trim() == "0",
            None => title.split_once(':').is_none_or(|(prefix, _)| {
                let prefix = prefix.to_lowercase();
                !self.site.dropped.contains(&prefix) && !self.site.others.contains(&prefix)
            }),
        };
        let redirect = page.redirect.or_else(|| redirect(&page.text)).map(|title| normal(&title));
        Ok(is_main.then_some(Page { id, title, redirect, text: page.text }))
    }
}

/// What there is of a page so far.
#[derive(Debug, Default)]
struct Reading {
    id: Option<u32>,
    title: Option<String>,
    namespace: Option<String>,
    redirect: Option<String>,
    text: String,
}

enum Step {
    Open(Tag),
    Redirect(String),
    Text,
    Close,
}

/// Where a text leads that is a redirect in any language: `#REDIRECT [[title]]`.
fn redirect(text: &str) -> Option<String> {
    let (word, rest) = text.trim_start().strip_prefix('#')?.split_once("[[")?;
    let word = word.trim_end_matches(|c: char| c == ':' || c.is_whitespace());
    let is_word = word.chars().count() <= 32 && word.chars().all(|c| c.is_alphabetic() || c == '-');
    let title = rest.split(['|', ']', '#', '\n']).next()?;
    (is_word && !word.is_empty() && rest.contains("]]")).then(|| title.to_owned())
}

/// An attribute's value, empty where there is none.
fn attribute(start: &BytesStart<'_>, name: &str) -> String {
    let found = start.attributes().flatten().find(|attribute| attribute.key.as_ref() == name);
    let value = found.and_then(|found| {
        found.normalized_value(XmlVersion::Implicit1_0).ok().map(|value| value.into_owned())
    });
    value.unwrap_or_default()
}
