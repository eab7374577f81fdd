//! What a method has learned: texts -> scores.

use std::sync::Arc;

use smooth_clir::encoder::Precision;
use smooth_clir::lexical::score::Matching;
use smooth_clir::math::kernels;
use smooth_clir::model::Model;
use smooth_clir::text;

use super::bags::Weighted;
use super::lexicon::Lexicon;
use super::psq::Psq;
use super::topics::Topics;
use crate::data::Direction;
use crate::error::Error;
use crate::evaluation::bm25::Bm25;
use crate::evaluation::hybrid::{Hybrid, Lexical};

/// The scores of all documents for a query.
pub type Scorer<'a> = Box<dyn Fn(usize) -> Vec<f32> + Sync + 'a>;

/// What a method has learned.
#[derive(Debug)]
pub enum Trained {
    /// Encoders, for queries in English, and for queries in the other language where these are not
    /// the same.
    Model {
        /// English asks.
        there: Box<Model>,
        /// The other language asks; its documents are called as the other language is.
        back: Option<Box<Model>>,
    },
    /// Topics of both languages.
    Topics(Box<Topics>, [Weighted; 2]),
    /// Nothing: words stand for themselves.
    Bm25,
    /// The words of a lexicon.
    TranslatedBm25(Lexicon),
    /// Translations.
    Psq(Psq),
    /// Two methods; the score is the sum of theirs, weighted.
    Combined {
        /// The methods.
        methods: Arc<[Trained; 2]>,
        /// The second's share.
        share: f32,
    },
}

impl Trained {
    /// What it takes in a file: rows of 8 bits, topics in numbers of 4 bytes.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Model { .. } => self.file().map_or(0, |file| file.len()),
            Self::Topics(topics, words) => {
                let words = words.iter().map(|words| words.vocabulary.as_joined().len());
                topics.bytes_f32() + words.sum::<usize>()
            }
            Self::Bm25 => 0,
            Self::TranslatedBm25(lexicon) => lexicon.bytes(),
            Self::Psq(psq) => psq.bytes(),
            Self::Combined { methods, .. } => methods.iter().map(Self::bytes).sum(),
        }
    }

    /// What training itself chose on the validation queries, for people; empty where nothing.
    pub fn chosen(&self) -> String {
        match self {
            Self::Combined { share, .. } => format!(", share {share}"),
            _ => String::new(),
        }
    }

    /// The file that a browser loads, where there is one.
    pub fn file(&self) -> Option<Vec<u8>> {
        match self {
            Self::Model { there, .. } => Some(there.write(Precision::I8)),
            _ => None,
        }
    }

    /// The function that scores all documents for a query: English queries score documents of the language if the direction is
    /// forward, and the other way round if it is back.
    ///
    /// # Errors
    /// If there are too many words.
    pub fn scorer<'a>(
        &'a self,
        (language, direction): (&str, Direction),
        [queries, documents]: [&'a [&'a str]; 2],
    ) -> Result<Scorer<'a>, Error> {
        let (query_side, document_side) = match direction {
            Direction::Forward => (0, 1),
            Direction::Back => (1, 0),
        };
        let all = 0..documents.len();
        Ok(match self {
            Self::Model { there, back } => {
                let (model, direction) = match (direction, back) {
                    (Direction::Back, Some(back)) => (back, Direction::Forward),
                    _ => (there, direction),
                };
                let hybrid = Hybrid::new(model, (language, direction), [queries, documents], None)?;
                Box::new(move |query| hybrid.scores(query, all.clone()))
            }
            Self::Topics(topics, words) => {
                let vectors = |side: usize, texts: &[&str]| -> Vec<Vec<f32>> {
                    let counts = words[side].counts(texts.iter().copied());
                    topics.infer_all(side, &counts)
                };
                let (queries, documents) =
                    (vectors(query_side, queries), vectors(document_side, documents));
                Box::new(move |query| {
                    let cosine = |document: &Vec<f32>| cosine(&queries[query], document);
                    documents.iter().map(cosine).collect()
                })
            }
            Self::Bm25 => {
                let bm25 = Bm25::new(documents.iter().copied(), None)?;
                Box::new(move |query| {
                    bm25.scores(&text::tokens(queries[query]), Matching::Untranslated(None))
                })
            }
            Self::TranslatedBm25(lexicon) => {
                let bm25 = Bm25::new(documents.iter().copied(), None)?;
                Box::new(move |query| {
                    bm25.scores(
                        &lexicon.translate(query_side, queries[query]),
                        Matching::Untranslated(None),
                    )
                })
            }
            Self::Psq(psq) => {
                let words = [&psq.words[query_side], &psq.words[document_side]];
                let table = psq.tables[query_side].clone();
                let lexical = Lexical::new(table, (words, None), documents.iter().copied())?;
                Box::new(move |query| lexical.scores(&text::tokens(queries[query])))
            }
            Self::Combined { methods, share } => {
                let scorer =
                    |method: &'a Self| method.scorer((language, direction), [queries, documents]);
                let (first, second, share) = (scorer(&methods[0])?, scorer(&methods[1])?, *share);
                Box::new(move |query| {
                    let scores = first(query).into_iter().zip(second(query));
                    scores.map(|(first, second)| (1.0 - share) * first + share * second).collect()
                })
            }
        })
    }
}

/// The cosine of two vectors; 0 where one is zero.
fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let norms = kernels::norm(a) * kernels::norm(b);
    if norms > 0.0 { kernels::dot(a, b) / norms } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_combined_score_is_the_weighted_sum_of_both() {
        let lexicon = [["rain", "pluie"], ["sun", "soleil"]];
        let lexicon = Lexicon::of(lexicon);
        let (queries, documents) = (["rain sun"], ["rain neige", "pluie", "soleil soleil"]);
        let scores = |trained: &Trained| {
            let texts: [&[&str]; 2] = [&queries, &documents];
            trained.scorer(("fr", Direction::Forward), texts).unwrap()(0)
        };
        let [plain, translated] = [Trained::Bm25, Trained::TranslatedBm25(lexicon.clone())];
        let (first, second) = (scores(&plain), scores(&translated));
        assert!(first[0] > 0.0 && second[1] > 0.0 && second[2] > 0.0);
        let methods = Arc::new([plain, translated]);
        let combined = scores(&Trained::Combined { methods, share: 0.25 });
        for ((found, x), y) in combined.iter().zip(first).zip(second) {
            assert!((found - (0.75 * x + 0.25 * y)).abs() < 1e-6, "{found} {x} {y}");
        }
    }

    #[test]
    fn cosines_are_of_any_lengths_and_0_with_zero() {
        assert!((cosine(&[3.0, 4.0], &[10.0, 0.0]) - 0.6).abs() < 1e-6);
        assert_eq!(cosine(&[3.0, 4.0], &[0.0, 0.0]), 0.0);
    }
}
