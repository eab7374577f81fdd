//! A document, as it was found and as it is indexed.

use std::sync::Arc;

use smooth_clir::index;

use crate::fields::Fields;

/// A document to be indexed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// Its name.
    pub id: String,
    /// Its title: shown, not encoded.
    pub title: String,
    /// The heading that its text stands under, empty where there is none: shown, not encoded.
    pub section: String,
    /// Its text.
    pub text: String,
    /// Its language; empty where nothing told it.
    pub language: String,
    /// The names and values of those of its fields that were asked for.
    pub fields: Fields,
}

impl Document {
    /// As it is given to be indexed.
    pub fn to_index(&self) -> index::Document<'_> {
        let Self { id, title, section, text, language, fields } = self;
        index::Document { id, language, title, section, text, fields }
    }
}

/// A document as it was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Its name.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its paragraphs.
    pub parts: Vec<Part>,
    /// The language that it states, if it does.
    pub language: Option<String>,
    /// Its fields.
    pub fields: Fields,
    /// The line of its file that it begins in; 0 for a page.
    pub line: u64,
}

/// Takes a document as it was found, or says what is wrong with it.
pub type Take<'a> = &'a mut dyn FnMut(Found) -> Result<(), String>;

/// A paragraph, or what else stands by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    /// The heading that it stands under.
    pub heading: Option<Arc<Heading>>,
    /// Whether it is this heading itself.
    pub is_heading: bool,
    /// Its text.
    pub text: String,
    /// Its language; empty where nothing told it.
    pub language: Arc<str>,
}

/// A heading of a document.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heading {
    /// Its level, from 1.
    pub level: u8,
    /// The id by which an address can lead to it, if there is one.
    pub anchor: Option<Arc<str>>,
    /// Its text, cut where it is long.
    pub text: String,
}

impl Part {
    /// A paragraph under no heading.
    pub fn plain(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}
