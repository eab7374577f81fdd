//! The reader of a collection: its pages and files of records become documents.

use std::io::BufRead;

use crate::document::{Document, Found};
use crate::error::Error;
use crate::fields::Wanted;
use crate::page::{self, Page};
use crate::passages;
use crate::records::{self, RecordFormat};

/// The most words of a passage of a page, where nothing else is said.
pub const PAGE_WORDS: usize = 200;

/// How documents are read.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// Their language.
    pub language: &'a str,
    /// The most words of a passage; `None` cuts pages only, into passages of 200.
    pub words: Option<usize>,
    /// The names of the fields that are kept.
    pub fields: &'a [String],
}

/// Reads documents, and remembers which fields they had.
#[derive(Debug)]
pub struct Reader<'a> {
    reading: Reading<'a>,
    wanted: Wanted<'a>,
}

/// A page that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PageRead {
    /// Its passages.
    Documents(Vec<Document>),
    /// Why it is not a document of the collection.
    LeftOut(String),
}

impl<'a> Reader<'a> {
    /// A reader of documents of one language.
    pub fn new(reading: Reading<'a>) -> Self {
        Self { reading, wanted: Wanted::new(reading.fields) }
    }

    /// Calls `take` with each document of a file of records; it says what is wrong with one.
    ///
    /// # Errors
    /// What is wrong, and in which line.
    pub fn records(
        &mut self,
        format: RecordFormat,
        reader: impl BufRead,
        take: &mut dyn FnMut(Document) -> Result<(), String>,
    ) -> Result<(), Error> {
        let words = self.reading.words;
        let mut cut = |found: Found| {
            let passages = passages::cut(found, words).map_err(|error| error.to_string())?;
            passages.into_iter().try_for_each(&mut *take)
        };
        records::read(format, reader, &mut self.wanted, &mut cut)
    }

    /// Reads a page.
    ///
    /// # Errors
    /// If its front matter cannot be read and fields are asked for; [`Error::Limit`], if the page is to be left out.
    pub fn page(&mut self, page: &Page<'_>) -> Result<PageRead, Error> {
        let words = self.reading.words.unwrap_or(PAGE_WORDS);
        Ok(match page::read(page, Some(self.reading.language), &mut self.wanted)? {
            Ok((found, _)) => PageRead::Documents(passages::cut(found, Some(words))?),
            Err(reason) => PageRead::LeftOut(reason),
        })
    }

    /// Refuses a field that was asked for and that no document had.
    ///
    /// # Errors
    /// [`Error::NoField`].
    pub fn check_fields(&self) -> Result<(), Error> {
        self.wanted.check()
    }
}
