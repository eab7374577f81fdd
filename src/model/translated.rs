//! Document encoders that are made of translations: a document word is the mean of the query words that it may stand for.
//!
//! Such an encoder takes no room in a file. The row of a word times its weight is the sum of the rows of its senses, each
//! times its weight and its share: the mean of a text has the direction of that of the query words that its words may
//! stand for. The weight of a word is the inverse of its own frequency, as that of query words.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Model;
use crate::encoder::{Encoder, Mixed, Network, Rows};
use crate::lexical::senses::{Sense, Senses};
use crate::lexical::translation::Translations;

/// Smooth inverse frequency's a (Arora et al., 2017): a word weighs a / (a + frequency).
pub const SMOOTHING: f32 = 1e-3;

impl Model {
    /// Makes the document encoders of languages that have translations alone, of the rows of the query encoder.
    pub fn translate(&mut self) {
        if let Some(query) = self.query.take() {
            self.translate_by(&query);
            self.query = Some(query);
        }
    }

    /// As [`translate`](Self::translate), of the rows of `query`.
    pub(crate) fn translate_by(&mut self, query: &Encoder) {
        let mut base = self.documents.values().find_map(|encoder| match encoder.network.words() {
            Rows::Mixed(rows) => Some(rows.base.clone()),
            _ => None,
        });
        let mut made = BTreeMap::new();
        for (language, table) in &self.translations {
            if !self.documents.contains_key(language) {
                let base =
                    base.get_or_insert_with(|| Arc::new(query.network.words().unchanged().clone()));
                made.insert(language.clone(), translated(query, base.clone(), table));
            }
        }
        self.documents.extend(made);
    }
}

impl Encoder {
    /// Whether it is made of translations, so that no file has it and no training changes it.
    pub fn is_translated(&self) -> bool {
        matches!(self.network.words().unchanged(), Rows::Mixed(_))
    }

    /// The senses of the document words of a table, by the frequencies that the weights of words tell.
    pub fn senses(&self, table: &Translations) -> Senses {
        table.senses(|row| self.frequency(row))
    }

    /// The senses of some document words of a table, by their numbers.
    pub(crate) fn senses_of(&self, table: &Translations, numbers: &[u32]) -> Vec<Vec<Sense>> {
        table.senses_of(|row| self.frequency(row), numbers)
    }

    /// The query word that each document word of a table most likely stands for.
    pub(crate) fn likeliest(&self, table: &Translations) -> Vec<Option<u32>> {
        table.likeliest(|row| self.frequency(row))
    }

    /// The share of all words that a row's word has, as its weight tells.
    fn frequency(&self, row: u32) -> f32 {
        SMOOTHING * (self.weight(row).recip() - 1.0)
    }

    /// The weight of a row.
    fn weight(&self, row: u32) -> f32 {
        self.weights.as_ref().map_or(1.0, |weights| weights[row as usize])
    }
}

fn translated(query: &Encoder, base: Arc<Rows>, table: &Translations) -> Encoder {
    let senses = query.senses(table);
    let words = table.document_words_without_row();
    let without_row = table.query_words_without_row().len() as u32;
    let (mut rows, mut weights) = (Mixed::new(base), Vec::with_capacity(words.len()));
    for number in 0..words.len() as u32 {
        let known = senses.of(number).iter().filter_map(|sense| {
            let row = sense.word.checked_sub(without_row)?;
            Some((row, sense.share * query.weight(row)))
        });
        let weight = SMOOTHING / (SMOOTHING + table.frequency(number));
        rows.push(known.map(|(row, part)| (row, part / weight)));
        weights.push(weight);
    }
    Encoder {
        weights: Some(weights.into()),
        subwords: query.subwords.clone(),
        affixes: table.affixes.clone(),
        ..Encoder::new(words.clone(), Network::Average(Rows::Mixed(rows)))
    }
}
