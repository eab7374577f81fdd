//! Batches of examples as rows.

use std::collections::HashSet;

use smooth_clir::training::corpus::{self, Example};
use smooth_clir::training::step::Pair;

use super::rows::Corpus;

impl Corpus {
    /// A batch as rows.
    pub fn pairs(&self, batch: &[Example]) -> Vec<Pair<'_>> {
        corpus::pairs(&self.collections, batch)
    }

    /// How many words a batch's texts have, and how many different rows those have.
    pub fn words_and_rows(&self, batch: &[Example]) -> (usize, usize) {
        let pairs = self.pairs(batch);
        let texts =
            pairs.iter().flat_map(|pair| [(0, pair.query), (pair.language + 1, pair.document)]);
        let words = texts.flat_map(|(encoder, rows)| rows.iter().map(move |&row| (encoder, row)));
        (words.clone().count(), words.collect::<HashSet<_>>().len())
    }
}
