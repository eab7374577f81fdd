//! A collection: its pages and files of records become documents, each of a language.

use std::io::BufRead;

use crate::document::{Document, Found};
use crate::error::Error;
use crate::fields::Wanted;
use crate::page::{self, Page};
use crate::passages;
use crate::records::{self, RecordFormat};
use crate::report::Report;

/// The most words of a passage of a page, where nothing else is said.
pub const PAGE_WORDS: usize = 200;

/// The language of queries.
pub const ENGLISH: &str = "en";

/// What becomes of documents in English, which a model from English to other languages has no document encoder for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum English {
    /// They are indexed as English documents, by the query encoder.
    #[default]
    Index,
    /// They are left out.
    Skip,
    /// They are taken for documents of the language that was given.
    Keep,
}

/// How a collection is read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reading<'a> {
    /// The language of documents that do not state another; `None`, if it is to be told by their words.
    pub language: Option<&'a str>,
    /// The languages that can be indexed, without that of queries: documents in others are left out.
    pub languages: &'a [String],
    /// What becomes of documents in English.
    pub english: English,
    /// The most words of a passage; `None` cuts pages only, into passages of 200.
    pub words: Option<usize>,
    /// The names of the fields that are kept.
    pub fields: &'a [String],
}

/// A collection that is being read. Pages are kept until it is [finished](Self::finish): what they share is known
/// only then.
#[derive(Debug)]
pub struct Collection<'a> {
    reading: Reading<'a>,
    wanted: Wanted<'a>,
    documents: Vec<Document>,
    pages: Vec<Found>,
    report: Report,
}

/// The documents of a collection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Read {
    /// Those that are to be indexed: of records, then of pages, in the order of reading.
    pub documents: Vec<Document>,
    /// What was left out, and why.
    pub report: Report,
}

impl<'a> Collection<'a> {
    /// An empty collection.
    pub fn new(reading: Reading<'a>) -> Self {
        let wanted = Wanted::new(reading.fields);
        Self {
            reading,
            wanted,
            documents: Vec::new(),
            pages: Vec::new(),
            report: Report::default(),
        }
    }

    /// Adds a page. A page without words is left out.
    ///
    /// # Errors
    /// What is wrong with it. It is left out then, and others can be added.
    pub fn page(&mut self, page: &Page<'_>) -> Result<(), Error> {
        match page::read(page, &mut self.wanted) {
            Ok(Some(found)) => self.pages.push(found),
            Ok(None) => self.report.leave_out(page.place, "it has no words", false),
            Err(error) => {
                self.leave_out(page.place, &error, true);
                return Err(error);
            }
        }
        Ok(())
    }

    /// Notes that a file is left out; `is_wrong` says whether something is wrong with it.
    pub fn leave_out(&mut self, place: &str, reason: impl std::fmt::Display, is_wrong: bool) {
        self.report.leave_out(place, reason, is_wrong);
    }

    /// Adds the documents of a file of records.
    ///
    /// # Errors
    /// What is wrong, and in which line.
    pub fn records(&mut self, format: RecordFormat, reader: impl BufRead) -> Result<(), Error> {
        let mut documents = std::mem::take(&mut self.documents);
        let read = self.each_record(format, reader, &mut |document| {
            documents.push(document);
            Ok(())
        });
        self.documents = documents;
        read
    }

    /// Calls `take` with each document of a file of records, of any length; it says what is wrong with one. The
    /// documents are not added.
    ///
    /// # Errors
    /// As [`records`](Self::records).
    pub fn each_record(
        &mut self,
        format: RecordFormat,
        reader: impl BufRead,
        take: &mut dyn FnMut(Document) -> Result<(), String>,
    ) -> Result<(), Error> {
        let Self { reading, wanted, report, .. } = self;
        let mut cut = |found: Found| {
            cut(found, reading.words, reading, report)
                .map_err(|error| error.to_string())?
                .into_iter()
                .try_for_each(&mut *take)
        };
        records::read(format, reader, wanted, &mut cut)
    }

    /// Its documents.
    ///
    /// # Errors
    /// [`Error::NoField`], if no document had a field that was asked for.
    pub fn finish(mut self) -> Result<Read, Error> {
        for found in self.pages {
            let place = found.id.clone();
            let words = Some(self.reading.words.unwrap_or(PAGE_WORDS));
            match cut(found, words, &self.reading, &mut self.report) {
                Ok(passages) => self.documents.extend(passages),
                Err(error) => self.report.leave_out(&place, error, true),
            }
        }
        self.wanted.check()?;
        Ok(Read { documents: self.documents, report: self.report })
    }
}

/// The passages of a document that are indexed.
fn cut(
    mut found: Found,
    words: Option<usize>,
    reading: &Reading<'_>,
    report: &mut Report,
) -> Result<Vec<Document>, Error> {
    let stated = found.language.take().or(reading.language.map(str::to_owned));
    let language = stated.or_else(|| reading.languages.first().cloned()).unwrap_or_default();
    let mut passages = passages::cut(found, words)?;
    for passage in &mut passages {
        passage.language.clone_from(&language);
    }
    let is_known = language == ENGLISH || reading.languages.contains(&language);
    let count = report.languages.entry(language).or_default();
    if !is_known {
        count.left_out += passages.len() as u64;
        return Ok(Vec::new());
    }
    count.indexed += passages.len() as u64;
    Ok(passages)
}
