//! A query and a document with their grade, and batches of them as rows.

use std::collections::HashSet;

use smooth_clir::training::step::Pair;

use super::rows::Corpus;

/// A query and a document of a collection, and how relevant it is.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// Which collection.
    pub collection: u32,
    /// Which query.
    pub query: u32,
    /// Which document.
    pub document: u32,
    /// The grade.
    pub grade: u8,
}

impl Corpus {
    /// A batch as rows.
    pub fn pairs(&self, batch: &[Example]) -> Vec<Pair<'_>> {
        let pair = |example: &Example| {
            let texts = &self.collections[example.collection as usize];
            Pair {
                query: &texts.queries[example.query as usize],
                document: &texts.documents[example.document as usize],
                language: texts.language,
                grade: example.grade,
            }
        };
        batch.iter().map(pair).collect()
    }

    /// How many words a batch's texts have, and how many different rows those have.
    pub fn words_and_rows(&self, batch: &[Example]) -> (usize, usize) {
        let pairs = self.pairs(batch);
        let texts =
            pairs.iter().flat_map(|pair| [(0, pair.query), (pair.language + 1, pair.document)]);
        let words = texts.flat_map(|(side, rows)| rows.iter().map(move |&row| (side, row)));
        (words.clone().count(), words.collect::<HashSet<_>>().len())
    }
}
