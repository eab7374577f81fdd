//! Probabilistic structured queries: IBM Model 1 learned from the pairs, and BM25 over the counts that
//! a query's words are expected to have (`smooth_clir::lexical::score`, `smooth_clir::lexical::translation`).

use std::sync::Arc;

use smooth_clir::lexical::translation::Translations;
use smooth_clir::text::vocabulary::Vocabulary;

use crate::alignment::{self, Settings, Take};
use crate::error::Error;
use crate::evaluation::hybrid::turned;
use crate::train::contrastive::{Counts, Kept, table};

/// Which translations of a word are kept.
const KEPT: Kept = Kept { share: 0.003, most: 20 };

/// Learned translations, from English to the other language and back.
#[derive(Debug)]
pub struct Psq {
    /// The table of each direction.
    pub tables: [Arc<Translations>; 2],
    /// The words of each language.
    pub words: [Vocabulary; 2],
}

impl Psq {
    /// Learns from texts that translate each other.
    ///
    /// # Errors
    /// If there are too many words.
    pub fn train(pairs: &[[&str; 2]]) -> Result<Self, Error> {
        let vocabulary = |side: usize| -> Result<Vocabulary, Error> {
            let mut counts = Counts::default();
            pairs.iter().for_each(|pair| counts.add(pair[side]));
            Ok(Vocabulary::from_tokens(counts.words())?)
        };
        let words = [vocabulary(0)?, vocabulary(1)?];
        let rows: Vec<[Vec<u32>; 2]> =
            pairs.iter().map(|pair| [0, 1].map(|side| words[side].rows(pair[side]))).collect();
        let rows: Vec<[&[u32]; 2]> = rows.iter().map(|[a, b]| [&a[..], &b[..]]).collect();
        let texts = |take: Take<'_>| {
            take(&rows);
            Ok::<(), Error>(())
        };
        let found = alignment::translations(texts, &Settings::default())?;
        let [english, foreign] = &words;
        let there = table(&found, KEPT, [english, foreign], [english, foreign])?;
        let back = turned(&there, english, foreign)?;
        Ok(Self { tables: [Arc::new(there), Arc::new(back)], words })
    }

    /// Bytes of its table and words in a model's file.
    pub fn bytes(&self) -> usize {
        let words = self.words.iter().map(|words| words.as_joined().len()).sum::<usize>();
        self.tables[0].bytes() + words
    }
}
