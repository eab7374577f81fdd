//! Texts -> the lexical score of each for a query.

use std::sync::Arc;

use smooth_clir::lexical::postings::{Counting, Postings};
use smooth_clir::lexical::score::{LexicalQuery, Matching, Part};
use smooth_clir::lexical::translation::Translations;
use smooth_clir::text::Scratch;

use crate::error::Error;

/// Documents by their words.
#[derive(Debug)]
pub struct Bm25 {
    postings: Postings,
    lengths: Vec<u32>,
}

impl Bm25 {
    /// Counts the words of documents; `translations` are those of their language, which tell what unknown words are made of.
    ///
    /// # Errors
    /// If there are too many.
    pub fn new<'a>(
        documents: impl Iterator<Item = &'a str>,
        translations: Option<Arc<Translations>>,
    ) -> Result<Self, Error> {
        let (mut counting, mut scratch) = (Counting::of(translations), Scratch::default());
        let count = |(place, text)| counting.push(place, text, &mut scratch);
        let lengths = documents.enumerate().map(count).collect();
        Ok(Self { postings: counting.finish()?, lengths })
    }

    /// The score of each document for the words of a query.
    pub fn scores(&self, tokens: &[String], matching: Matching<'_>) -> Vec<f32> {
        let part = Part { postings: &self.postings, lengths: &self.lengths };
        let mut scores = vec![0.0; self.lengths.len()];
        LexicalQuery::new(tokens, &matching, &[part]).score(part, &mut scores);
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_lucenes_over_what_none_can_reach() {
        let bm25 = Bm25::new(["a b b", "a c", "d"].into_iter(), None).unwrap();
        let words = ["b", "d"].map(str::to_owned);
        // N = 3, both words in one document: idf = ln(1 + 2.5 / 1.5) = 0.980829; mean length 2.
        // b: 2 * 2.2 / (2 + 1.2 (0.25 + 0.75 * 3/2)) = 4.4 / 3.65; d: 2.2 / (1 + 1.2 * 0.625) = 2.2 / 1.75.
        // Over 2.2 times the sum of both idf: 0.547945 / 2 and 0.571429 / 2.
        let expected = [0.273_972_6, 0.0, 0.285_714_3];
        for (found, expected) in
            bm25.scores(&words, Matching::Untranslated(None)).iter().zip(expected)
        {
            assert!((f64::from(*found) - expected).abs() < 1e-6, "{found} {expected}");
        }
    }
}
