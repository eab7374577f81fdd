//! Pairs that are kept.

use super::Pair;

/// A [`Pair`] that holds its rows itself.
#[derive(Debug, Clone, PartialEq)]
pub struct OwnedPair {
    /// The query's rows in the query table.
    pub query: Vec<u32>,
    /// The document's rows in its language's table.
    pub document: Vec<u32>,
    /// Which document table.
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

/// Pairs that were kept, as a batch.
pub fn pairs(owned: &[OwnedPair]) -> Vec<Pair<'_>> {
    owned.iter().map(OwnedPair::pair).collect()
}
