//! Documents to search, from what sites and collections keep them in.

mod fields;
mod front_matter;
mod html;
mod markdown;
mod pages;
mod passages;
mod records;
mod sitemap;

use std::path::{Path, PathBuf};

use super::tsv::shown;
use super::{collection, layout};
use crate::error::Error;
use fields::{Fields, Wanted};
use pages::Page;

/// A page is cut into passages of so many words where nothing else is said.
const PAGE_WORDS: usize = 200;

/// A document to be indexed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// Its name.
    pub id: String,
    /// Its title: shown, not encoded.
    pub title: String,
    /// Its text.
    pub text: String,
    /// The names and values of those of its fields that were asked for.
    pub fields: Fields,
}

/// How documents are read.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// Their language.
    pub language: &'a str,
    /// The most words of a passage; where it is not given, only pages are cut.
    pub words: Option<usize>,
    /// The names of the fields that are kept.
    pub fields: &'a [String],
}

/// A document as it was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Found {
    id: String,
    title: String,
    parts: Vec<Part>,
    fields: Fields,
}

/// A paragraph, or what else stands by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Part {
    /// The id of the heading that it stands under, which an address can point to.
    anchor: Option<String>,
    text: String,
}

/// The files that [`read`] reads.
///
/// # Errors
/// If a folder or a sitemap cannot be read.
pub fn files(path: &Path, language: &str) -> Result<Vec<PathBuf>, Error> {
    let pages = match path.is_dir() {
        true => match layout::documents(path, language) {
            Some(file) => return Ok(vec![file]),
            None => pages::pages(path)?,
        },
        false if is_sitemap(path) => sitemap::pages(path)?.0,
        false => Vec::new(),
    };
    let own = (!path.is_dir()).then(|| path.to_owned());
    Ok(own.into_iter().chain(pages.into_iter().map(|page| page.path)).collect())
}

/// Reads documents from a file, by its name's ending (JSON Lines, CSV, a sitemap's pages, else
/// tab-separated), or from a folder: its file of documents, or its pages. Longer ones are cut into
/// passages.
///
/// # Errors
/// What is wrong, and in which file and line.
pub fn read(path: &Path, reading: Reading<'_>) -> Result<Vec<Document>, Error> {
    let Reading { language, words, fields } = reading;
    let mut wanted = Wanted::new(fields);
    let (found, words) = if path.is_dir() {
        match layout::documents(path, language) {
            Some(file) => (from_tsv(&file)?, words),
            None => {
                let what = || {
                    let pages = format!("pages with words in them ({})", pages::ENDINGS.join(", "));
                    layout::no_documents(path, language, &pages)
                };
                (from_pages(&pages::pages(path)?, &mut wanted, what)?, words.or(Some(PAGE_WORDS)))
            }
        }
    } else if is_sitemap(path) {
        let (pages, missing) = sitemap::pages(path)?;
        for address in missing {
            eprintln!("{}: left out, it has no file beside the sitemap", shown(&address));
        }
        let what = || Error::data(path, "none of its pages has words");
        (from_pages(&pages, &mut wanted, what)?, words.or(Some(PAGE_WORDS)))
    } else {
        let found = match &*ending(path) {
            "jsonl" | "ndjson" => records::read_json_lines(path, &mut wanted)?,
            "csv" => records::read_csv(path, &mut wanted)?,
            _ => from_tsv(path)?,
        };
        (found, words)
    };
    wanted.check()?;
    Ok(passages::cut(found, words))
}

fn is_sitemap(path: &Path) -> bool {
    ending(path) == "xml"
}

fn ending(path: &Path) -> String {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ending.to_ascii_lowercase()
}

/// Pages with words; an error where there is none.
fn from_pages(
    pages: &[Page],
    wanted: &mut Wanted<'_>,
    none: impl FnOnce() -> Error,
) -> Result<Vec<Found>, Error> {
    let found = pages::read(pages, wanted)?;
    if found.is_empty() { Err(none()) } else { Ok(found) }
}

fn from_tsv(path: &Path) -> Result<Vec<Found>, Error> {
    let (documents, _) = collection::read_documents(path)?;
    let found = |collection::Document { id, title, text }| Found {
        id,
        title,
        parts: vec![Part::plain(text)],
        fields: Fields::new(),
    };
    Ok(documents.into_iter().map(found).collect())
}

impl Part {
    fn plain(text: String) -> Self {
        Self { anchor: None, text }
    }
}
