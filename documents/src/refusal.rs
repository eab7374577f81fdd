//! Every way in which a person's own file is refused, with a code for programs.

use crate::error::Error;

/// Why a file is refused, and where in it. Records and lines are counted from 1.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// As a file of a collection.
    #[error(transparent)]
    Reader(#[from] Error),
    /// The bytes are no UTF-8.
    #[error("line {line}: not UTF-8")]
    NotUtf8 {
        /// The line.
        line: u64,
    },
    /// A line or a record has no end.
    #[error("line {line}: longer than {most} bytes, the most it may have")]
    TooLong {
        /// The line.
        line: u64,
        /// The limit.
        most: u64,
    },
    /// A page is too long to be read whole.
    #[error("longer than {most} bytes, the most a page may have")]
    LongPage {
        /// The limit.
        most: u64,
    },
    /// A table without a header has too many columns to tell what they are.
    #[error(
        "line {line}: {found} columns, expected text; title, text; or id, title, text; or a header that names `text`"
    )]
    Columns {
        /// The line.
        line: u64,
        /// Its columns.
        found: usize,
    },
    /// A header names no column of texts.
    #[error("line 1: the header names no column `text`; found {found}")]
    NoTextColumn {
        /// The names that it has.
        found: String,
    },
    /// A record has other columns than the first.
    #[error("line {line}: {found} columns, expected {first} as in the first line")]
    OtherColumns {
        /// The line.
        line: u64,
        /// Its columns.
        found: usize,
        /// Those of the first.
        first: usize,
    },
    /// The JSON is broken.
    #[error("line {line}: not JSON: {problem}")]
    NotJson {
        /// The line.
        line: u64,
        /// As the parser says it.
        problem: String,
    },
    /// A value that stands for a document is none.
    #[error("record {record}: found {found}, expected an object with `text`")]
    NotObject {
        /// The record.
        record: u64,
        /// The kind of value.
        found: &'static str,
    },
    /// A field of an object cannot be read.
    #[error("record {record}: `{name}` is neither a string nor a number")]
    NotText {
        /// The record.
        record: u64,
        /// The field.
        name: String,
    },
    /// There is no text in it.
    #[error("no text")]
    Empty,
}

impl Refusal {
    /// The code, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Reader(Error::Read(_)) => "unreadable",
            Self::Reader(Error::Limit { .. }) => "page-limit",
            Self::Reader(_) => "document",
            Self::NotUtf8 { .. } => "not-utf8",
            Self::TooLong { .. } => "too-long",
            Self::LongPage { .. } => "page-too-long",
            Self::Columns { .. } => "columns",
            Self::NoTextColumn { .. } => "no-text-column",
            Self::OtherColumns { .. } => "other-columns",
            Self::NotJson { .. } => "not-json",
            Self::NotObject { .. } => "not-object",
            Self::NotText { .. } => "not-text",
            Self::Empty => "empty",
        }
    }

    /// The line, if the refusal names one.
    pub fn line(&self) -> Option<u64> {
        match self {
            Self::NotUtf8 { line }
            | Self::TooLong { line, .. }
            | Self::Columns { line, .. }
            | Self::OtherColumns { line, .. }
            | Self::NotJson { line, .. } => Some(*line),
            Self::NoTextColumn { .. } => Some(1),
            _ => None,
        }
    }

    /// The record, if the refusal names one.
    pub fn record(&self) -> Option<u64> {
        match self {
            Self::NotObject { record, .. } | Self::NotText { record, .. } => Some(*record),
            _ => None,
        }
    }

    /// The values that were found and expected, in the order in which the message names them.
    pub fn values(&self) -> Vec<String> {
        match self {
            Self::Reader(error) => vec![error.to_string()],
            Self::TooLong { most, .. } | Self::LongPage { most } => vec![most.to_string()],
            Self::Columns { found, .. } => vec![found.to_string()],
            Self::NoTextColumn { found } => vec![found.clone()],
            Self::OtherColumns { found, first, .. } => vec![found.to_string(), first.to_string()],
            Self::NotJson { problem, .. } => vec![problem.clone()],
            Self::NotObject { found, .. } => vec![(*found).to_owned()],
            Self::NotText { name, .. } => vec![name.clone()],
            Self::NotUtf8 { .. } | Self::Empty => Vec::new(),
        }
    }
}
