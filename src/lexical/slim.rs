//! Translations -> those that an index can use.
//!
//! A translation into a word that no document has adds nothing to any score. Without such translations, those that are
//! left keep their probabilities, because the table notes the sum of all strengths, and a query word keeps its entry, so
//! that it does not come to stand for itself.

use std::collections::BTreeSet;

use crate::Error;
use crate::lexical::stems::Stems;
use crate::lexical::table::{TranslationTable, number};
use crate::lexical::translation::Translations;
use crate::storage::varint;
use crate::text::vocabulary::Vocabulary;

/// The sum of a list of which nothing is left: any number above 0 says that the word has translations.
const NOTHING_LEFT: f32 = 1.0;

/// Vocabularies of an encoder: the one that a table was made for, and the one that takes its place, which has no other
/// words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Replaced<'a> {
    /// That of the table.
    pub before: &'a Vocabulary,
    /// The new one.
    pub after: &'a Vocabulary,
}

impl Translations {
    /// The translations into words of these documents, for encoders with other words. `terms` are all words that the documents
    /// have; without them, all translations are kept. Query words that lost their rows keep an entry, if they had translations or `is_kept` says so.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(crate) fn slim(
        &self,
        terms: Option<&Vocabulary>,
        query: Replaced<'_>,
        document: Replaced<'_>,
        is_kept: impl Fn(&str) -> bool,
    ) -> Result<Self, Error> {
        let has = |word: &str| terms.is_none_or(|terms| terms.row(word).is_some());
        let words = self.words.slim(query, document, has, is_kept)?;
        let frequency = |word: usize| {
            let before = self.words.documents.row(words.documents.token(word))?;
            self.frequencies.get(before as usize).copied()
        };
        let frequencies: Vec<u8> = (0..words.documents.len()).filter_map(frequency).collect();
        let stems = match (&self.stems, terms) {
            (Some(stems), Some(terms)) => Some(stems.slim(terms)?),
            (stems, _) => stems.clone(),
        };
        Ok(Self { words, stems, frequencies: frequencies.into() })
    }
}

impl Stems {
    /// The translations into stems of words that documents have.
    fn slim(&self, terms: &Vocabulary) -> Result<Self, Error> {
        let end = self.ends[1];
        let there: BTreeSet<&str> = tokens(terms).map(|word| end.of(word)).collect();
        let none = Replaced { before: &self.none, after: &self.none };
        let table = self.table.slim(none, none, |stem| there.contains(stem), |_| false)?;
        Ok(Self { table, ..self.clone() })
    }
}

impl TranslationTable {
    /// The entries of document words that `has` is true of.
    fn slim(
        &self,
        query: Replaced<'_>,
        document: Replaced<'_>,
        has: impl Fn(&str) -> bool,
        is_kept: impl Fn(&str) -> bool,
    ) -> Result<Self, Error> {
        let documents = Vocabulary::from_tokens(tokens(&self.documents).filter(|word| has(word)))?;
        let new_number = |old: u32| {
            let word = self.document_word(old, document.before);
            number(&documents, document.after, word)
        };
        let keeps_entry = |word: &&str| {
            let old = query.before.row(word).map(|row| row + self.queries.len() as u32);
            let has_list = old.is_some_and(|old| self.steps(old).next().is_some());
            query.after.row(word).is_none() && (has_list || is_kept(word))
        };
        let lost = tokens(query.before).filter(keeps_entry);
        let queries = Vocabulary::from_tokens(tokens(&self.queries).chain(lost))?;
        let (mut lists, mut starts, mut sums) = (Vec::new(), Vec::new(), Vec::new());
        for word in tokens(&queries).chain(tokens(query.after)) {
            starts.push(lists.len() as u32);
            let old = number(&self.queries, query.before, word);
            let all: Vec<(u32, u8)> = old.into_iter().flat_map(|old| self.steps(old)).collect();
            let kept: Vec<(u32, u8)> = all
                .iter()
                .filter_map(|&(old, strength)| Some((new_number(old)?, strength)))
                .collect();
            let noted = old.and_then(|old| self.sums.get(old as usize).copied()).unwrap_or(0.0);
            sums.push(match old {
                Some(old) if noted == 0.0 && kept.len() < all.len() => {
                    let sum = self.list(old).fold(0.0, |sum, (_, strength)| sum + strength);
                    if kept.is_empty() { NOTHING_LEFT } else { sum }
                }
                _ => noted,
            });
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
        Ok(Self { queries, documents, lists: lists.into(), starts, sums: sums.into() })
    }
}

fn tokens(words: &Vocabulary) -> impl Iterator<Item = &str> {
    (0..words.len()).map(|row| words.token(row))
}
