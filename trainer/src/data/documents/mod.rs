//! Documents to search: the files that a path leads to, read by the crate of readers.

mod pages;
mod sitemap;

use std::path::{Path, PathBuf};

use smooth_clir_documents as documents;
pub use smooth_clir_documents::{Document, Reading};
use smooth_clir_documents::{PageRead, Reader, RecordFormat};

use super::tsv::shown;
use super::{layout, tsv};
use crate::error::Error;
use crate::files::Within;
use pages::PageFile;

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
    Pages { pages: Vec<PageFile>, missing: Vec<String> },
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
                    if let Some(problem) = within.refusal(&file) {
                        let problem = format!("{problem}: name the file itself");
                        return Err(Error::data(&file, problem));
                    }
                    SourceKind::File(file)
                }
                None => SourceKind::Pages { pages: pages::pages(path)?, missing: Vec::new() },
            }
        } else if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml")) {
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
        let mut reader = Reader::new(reading);
        let mut is_empty = true;
        let mut take = |document| {
            is_empty = false;
            take(document)
        };
        match &self.kind {
            SourceKind::File(file) => {
                let format = RecordFormat::of(&file.to_string_lossy());
                reader
                    .records(format, tsv::open(file)?, &mut take)
                    .map_err(|error| Error::documents(file, error))?;
            }
            SourceKind::Pages { pages, missing } => {
                for address in missing {
                    eprintln!("{}: left out, it has no file beside the sitemap", shown(address));
                }
                for page in pages {
                    read_page(page, &mut reader, &mut take)?;
                }
            }
        }
        if is_empty {
            return Err(self.without_words(reading.language));
        }
        reader.check_fields().map_err(|error| Error::documents(&self.path, error))
    }

    fn without_words(&self, language: &str) -> Error {
        if !self.path.is_dir() {
            return Error::data(&self.path, format!("none of its pages has words in {language}"));
        }
        let pages = format!("pages with words in them ({})", documents::ENDINGS.join(", "));
        layout::no_documents(&self.path, language, &pages)
    }
}

fn read_page(
    page: &PageFile,
    reader: &mut Reader<'_>,
    take: &mut dyn FnMut(Document) -> Result<(), String>,
) -> Result<(), Error> {
    let path = &page.path;
    let text = pages::text_of(path)?;
    let reason = match reader.page(&page.with_text(&text)) {
        Ok(PageRead::Documents(passages)) => {
            let mut passages = passages.into_iter();
            return passages.try_for_each(take).map_err(|problem| Error::data(path, problem));
        }
        Ok(PageRead::LeftOut(reason)) => reason,
        Err(error @ documents::Error::Limit { .. }) => error.to_string(),
        Err(error) => return Err(Error::documents(path, error)),
    };
    eprintln!("{}: left out, {reason}", path.display());
    Ok(())
}
