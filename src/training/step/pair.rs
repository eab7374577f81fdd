//! A query and a document of known relevance, borrowed or owned.

/// A query and a document, as row numbers of their tables in text order, and the grade.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// The query's rows in the query table.
    pub query: &'a [u32],
    /// The document's rows in its language's table.
    pub document: &'a [u32],
    /// The number of the document table: 0 for the first language.
    pub language: usize,
    /// The grade, below the loss's number of grades.
    pub grade: u8,
}

impl<'a> Pair<'a> {
    /// The document's rows if it is in this language, else none.
    pub(super) fn document_in(&self, language: usize) -> &'a [u32] {
        if self.language == language { self.document } else { &[] }
    }
}

/// A [`Pair`] that owns its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnedPair {
    /// The query's rows in the query table.
    pub query: Vec<u32>,
    /// The document's rows in its language's table.
    pub document: Vec<u32>,
    /// The number of the document table.
    pub language: usize,
    /// The grade.
    pub grade: u8,
}

impl From<&Pair<'_>> for OwnedPair {
    fn from(pair: &Pair<'_>) -> Self {
        let &Pair { query, document, language, grade } = pair;
        Self { query: query.into(), document: document.into(), language, grade }
    }
}

impl OwnedPair {
    fn pair(&self) -> Pair<'_> {
        let Self { query, document, language, grade } = self;
        Pair { query, document, language: *language, grade: *grade }
    }
}

/// Borrows owned pairs as a batch.
pub fn pairs(owned: &[OwnedPair]) -> Vec<Pair<'_>> {
    owned.iter().map(OwnedPair::pair).collect()
}
