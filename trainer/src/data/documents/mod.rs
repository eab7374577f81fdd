//! Documents to search, from what sites and collections keep them in.

mod html;
mod markdown;
mod pages;
mod passages;
mod records;

use std::path::{Path, PathBuf};

use super::collection::{self, Document};
use super::layout;
use crate::error::Error;

/// A page is cut into passages of so many words where nothing else is said.
const PAGE_WORDS: usize = 200;

/// A document as it was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Found {
    id: String,
    title: String,
    parts: Vec<Part>,
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
/// If a folder cannot be read.
pub fn files(path: &Path, language: &str) -> Result<Vec<PathBuf>, Error> {
    if !path.is_dir() {
        return Ok(vec![path.into()]);
    }
    match layout::documents(path, language) {
        Some(file) => Ok(vec![file]),
        None => Ok(pages::places(path)?.iter().map(|place| path.join(place)).collect()),
    }
}

/// Reads documents from a file, by its name's ending (JSON Lines, CSV, else tab-separated), or from a
/// folder: its file of documents, or its pages. Longer ones are cut into passages of at most
/// `words` words; where that is not given, only pages are.
///
/// # Errors
/// What is wrong, and in which file and line.
pub fn read(path: &Path, language: &str, words: Option<usize>) -> Result<Vec<Document>, Error> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let (found, words) = if path.is_dir() {
        match layout::documents(path, language) {
            Some(file) => (from_tsv(&file)?, words),
            None => (from_pages(path, language)?, words.or(Some(PAGE_WORDS))),
        }
    } else {
        let found = match ending.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" => records::read_json_lines(path)?,
            "csv" => records::read_csv(path)?,
            _ => from_tsv(path)?,
        };
        (found, words)
    };
    Ok(passages::cut(found, words))
}

fn from_pages(folder: &Path, language: &str) -> Result<Vec<Found>, Error> {
    let found = pages::read(folder)?;
    if found.is_empty() {
        let pages = format!("pages with words in them ({})", pages::ENDINGS.join(", "));
        return Err(layout::no_documents(folder, language, &pages));
    }
    Ok(found)
}

fn from_tsv(path: &Path) -> Result<Vec<Found>, Error> {
    let (documents, _) = collection::read_documents(path)?;
    let found = |Document { id, title, text }| Found { id, title, parts: vec![Part::plain(text)] };
    Ok(documents.into_iter().map(found).collect())
}

impl Part {
    fn plain(text: String) -> Self {
        Self { anchor: None, text }
    }
}
