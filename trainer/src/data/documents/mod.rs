//! Documents to search, from what sites and collections keep them in.

mod document;
mod fields;
mod front_matter;
mod gathering;
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
use crate::files::Within;
pub use document::Document;
use document::{Found, Part, Take};
use fields::{Fields, Wanted};
use pages::Page;

/// A page is cut into passages of so many words where nothing else is said.
const PAGE_WORDS: usize = 200;

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

/// Documents that were found, and not yet read.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    kind: SourceKind,
}

#[derive(Debug)]
enum SourceKind {
    /// A file of documents.
    File(PathBuf),
    /// The pages of a folder or a sitemap, and the addresses of those that are not there.
    Pages { pages: Vec<Page>, missing: Vec<String> },
}

impl Source {
    /// What is at a path: a file of documents, a folder with one or with pages, or a sitemap with its
    /// pages.
    ///
    /// # Errors
    /// If a folder or a sitemap cannot be read.
    pub fn find(path: &Path, language: &str) -> Result<Self, Error> {
        let kind = if path.is_dir() {
            match layout::documents(path, language) {
                Some(file) => {
                    let within = Within::new(path)?;
                    if within.leads_out(&file) {
                        let problem = format!("{}: name the file itself", within.told());
                        return Err(Error::data(&file, problem));
                    }
                    SourceKind::File(file)
                }
                None => SourceKind::Pages { pages: pages::pages(path)?, missing: Vec::new() },
            }
        } else if ending(path) == "xml" {
            let (pages, missing) = sitemap::pages(path)?;
            SourceKind::Pages { pages, missing }
        } else {
            SourceKind::File(path.to_owned())
        };
        Ok(Self { path: path.to_owned(), kind })
    }

    /// The files that are read.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let (file, pages) = match &self.kind {
            SourceKind::File(file) => (file, &[][..]),
            SourceKind::Pages { pages, .. } => (&self.path, &pages[..]),
        };
        std::iter::once(&**file).chain(pages.iter().map(|page| &*page.path))
    }

    /// Reads all documents: see [`each`](Self::each).
    ///
    /// # Errors
    /// As [`each`](Self::each).
    pub fn read(&self, reading: Reading<'_>) -> Result<Vec<Document>, Error> {
        let mut documents = Vec::new();
        self.each(reading, &mut |document| {
            documents.push(document);
            Ok(())
        })?;
        Ok(documents)
    }

    /// Calls `take` with each document, each file read by its name's ending (JSON Lines, CSV, a
    /// page's, else tab-separated); it says what is wrong with one. Longer ones are cut into passages.
    ///
    /// # Errors
    /// What is wrong, and in which file and line.
    pub fn each(
        &self,
        reading: Reading<'_>,
        take: &mut dyn FnMut(Document) -> Result<(), String>,
    ) -> Result<(), Error> {
        let mut wanted = Wanted::new(reading.fields);
        let pages = matches!(self.kind, SourceKind::Pages { .. });
        let words = reading.words.or(pages.then_some(PAGE_WORDS));
        let mut is_empty = true;
        let mut cut = |found| {
            is_empty = false;
            passages::cut(found, words).into_iter().try_for_each(&mut *take)
        };
        match &self.kind {
            SourceKind::File(file) => each_of_file(file, &mut wanted, &mut cut)?,
            SourceKind::Pages { pages, missing } => {
                for address in missing {
                    eprintln!("{}: left out, it has no file beside the sitemap", shown(address));
                }
                pages::read(pages, reading.language, &mut wanted, &mut cut)?;
            }
        }
        if is_empty {
            return Err(self.without_words(reading.language));
        }
        wanted.check()
    }

    fn without_words(&self, language: &str) -> Error {
        if !self.path.is_dir() {
            return Error::data(&self.path, format!("none of its pages has words in {language}"));
        }
        let pages = format!("pages with words in them ({})", pages::ENDINGS.join(", "));
        layout::no_documents(&self.path, language, &pages)
    }
}

fn each_of_file(path: &Path, wanted: &mut Wanted<'_>, take: Take<'_>) -> Result<(), Error> {
    match &*ending(path) {
        "jsonl" | "ndjson" => records::read_json_lines(path, wanted, take),
        "csv" => records::read_csv(path, wanted, take),
        _ => each_of_tsv(path, take),
    }
}

fn ending(path: &Path) -> String {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    ending.to_ascii_lowercase()
}

fn each_of_tsv(path: &Path, take: Take<'_>) -> Result<(), Error> {
    let mut found = |collection::Document { id, title, text }| {
        take(Found { id, title, parts: vec![Part::plain(text)], fields: Fields::new() })
    };
    collection::each_document(path, &mut found).map(drop)
}
