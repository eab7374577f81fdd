//! Translations -> those that an index can use.
//!
//! A translation into a word that no document has adds nothing to any score. Those that are left keep their probabilities,
//! because the table notes the sum of all strengths; and each query word keeps its list, so that one whose translations are
//! all left out does not come to stand for itself.

use std::collections::BTreeSet;

use crate::Error;
use crate::lexical::stems::Stems;
use crate::lexical::table::{TranslationTable, number};
use crate::lexical::translation::{Translations, Translator};
use crate::storage::varint;
use crate::text::vocabulary::Vocabulary;

/// The sum of a list of which nothing is left: any number above 0 says that the word has translations.
const NOTHING_LEFT: f32 = 1.0;

impl Translator<'_> {
    /// The translations into words that are among these, and into their stems, for a document encoder that has rows for
    /// `rows` alone.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(crate) fn slim(
        &self,
        words: &Vocabulary,
        rows: &Vocabulary,
    ) -> Result<Translations, Error> {
        let Translations { words: table, stems, frequencies, affixes } = self.table;
        let has = |word: &str| words.row(word).is_some();
        let kept = table.slim([self.document, rows], has)?;
        let all = tokens(&table.documents).zip(frequencies.iter());
        let frequencies: Vec<u8> =
            all.filter(|(word, _)| has(word)).map(|(_, &frequency)| frequency).collect();
        let stems = stems.as_ref().map(|stems| stems.slim(words)).transpose()?;
        let affixes = affixes.clone();
        Ok(Translations { words: kept, stems, frequencies: frequencies.into(), affixes })
    }
}

impl Stems {
    /// The translations into stems of these words.
    fn slim(&self, words: &Vocabulary) -> Result<Self, Error> {
        let end = self.ends[1];
        let stems: BTreeSet<&str> = tokens(words).map(|word| end.of(word)).collect();
        let table = self.table.slim([&self.none; 2], |stem| stems.contains(stem))?;
        Ok(Self { table, ..self.clone() })
    }
}

impl TranslationTable {
    /// The entries of document words that `has` is true of. `document` is the vocabulary that the table was made for, `rows`
    /// the words of it that stay.
    fn slim(
        &self,
        [document, rows]: [&Vocabulary; 2],
        has: impl Fn(&str) -> bool,
    ) -> Result<Self, Error> {
        let documents = Vocabulary::from_tokens(tokens(&self.documents).filter(|word| has(word)))?;
        let renumbered = |(old, strength)| {
            Some((number(&documents, rows, self.document_word(old, document))?, strength))
        };
        let (mut lists, mut starts, mut sums) = (Vec::new(), Vec::new(), Vec::new());
        for word in 0..self.all_query_words() {
            let kept: Vec<(u32, u8)> = self.steps(word).filter_map(renumbered).collect();
            // Words may have been left out before.
            let noted = self.sums.get(word as usize).copied().unwrap_or(0.0);
            sums.push(if noted > 0.0 || kept.len() == self.steps(word).count() {
                noted
            } else if kept.is_empty() {
                NOTHING_LEFT
            } else {
                self.list(word).fold(0.0, |sum, (_, strength)| sum + strength)
            });
            starts.push(lists.len() as u32);
            varint::push(&mut lists, kept.len() as u32);
            let mut before = 0;
            for (number, strength) in kept {
                varint::push(&mut lists, number - before);
                lists.push(strength);
                before = number;
            }
        }
        if sums.iter().all(|&sum| sum == 0.0) {
            sums.clear();
        }
        let queries = self.queries.clone();
        Ok(Self { queries, documents, lists: lists.into(), starts, sums: sums.into() })
    }
}

fn tokens(words: &Vocabulary) -> impl Iterator<Item = &str> {
    (0..words.len()).map(|row| words.token(row))
}
