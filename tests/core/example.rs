//! Pairs of texts to take steps on.

use smooth_clir::training::step::Pair;

/// A pair of texts, as rows of their tables.
#[derive(Debug, Clone, Default)]
pub struct Example {
    pub query: Vec<u32>,
    pub document: Vec<u32>,
    pub language: usize,
    pub grade: u8,
}

impl Example {
    pub fn pair(&self) -> Pair<'_> {
        let Self { query, document, language, grade } = self;
        Pair { query, document, language: *language, grade: *grade }
    }
}

pub fn pairs(batch: &[Example]) -> Vec<Pair<'_>> {
    batch.iter().map(Example::pair).collect()
}
