//! A document to be indexed.

/// A document to be indexed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Document<'a> {
    /// Its name, unique in its file.
    pub id: &'a str,
    /// Its language, one of the model's.
    pub language: &'a str,
    /// Its title: shown, not encoded.
    pub title: &'a str,
    /// The heading that its text stands under, empty where there is none: shown, not encoded.
    pub section: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Its fields: names and values. A name may have any number of values.
    pub fields: &'a [(String, String)],
}
