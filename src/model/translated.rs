//! Document encoders that are made of translations: a document word is the mean of the query words that it may stand for.
//!
//! Such an encoder takes no room in a file. The row of a word times its weight is the sum of the rows of its senses, each
//! times its weight and its share: the mean of a text has the direction of that of the query words that its words may
//! stand for. The weight of a word is the inverse of its own frequency, as that of query words.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Model;
use crate::encoder::{Encoder, Mixed, Network, Parts, Rows};
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

    fn frequency(&self, row: u32) -> f32 {
        frequency(self.weights.as_deref(), row)
    }
}

/// The share of all words that the word of a query's row has, as its weight tells.
fn frequency(weights: Option<&[f32]>, row: u32) -> f32 {
    SMOOTHING * (weight(weights, row).recip() - 1.0)
}

/// The weight of a row.
fn weight(weights: Option<&[f32]>, row: u32) -> f32 {
    weights.map_or(1.0, |weights| weights[row as usize])
}

fn translated(query: &Encoder, base: Arc<Rows>, table: &Arc<Translations>) -> Encoder {
    let words = table.document_words_without_row();
    let count = words.len();
    let weights: Vec<f32> = (0..count as u32).map(|word| document_weight(table, word)).collect();
    let (translations, of_query) = (table.clone(), query.weights.clone());
    let rows = Mixed::new(base, count, move || parts(&translations, of_query.as_deref()));
    Encoder {
        weights: Some(weights.into()),
        subwords: query.subwords.clone(),
        affixes: table.affixes.clone(),
        ..Encoder::new(words.clone(), Network::Average(Rows::Mixed(rows)))
    }
}

/// The weight of a document word of a table, by its number.
fn document_weight(table: &Translations, number: u32) -> f32 {
    SMOOTHING / (SMOOTHING + table.frequency(number))
}

/// What the rows of a table's document words are made of; `weights` are those of the query encoder's rows.
fn parts(table: &Translations, weights: Option<&[f32]>) -> Parts {
    let senses = table.senses(|row| frequency(weights, row));
    let without_row = table.query_words_without_row().len() as u32;
    let mut parts = Parts::default();
    for number in 0..table.document_words_without_row().len() as u32 {
        let known = senses.of(number).iter().filter_map(|sense| {
            let row = sense.word.checked_sub(without_row)?;
            Some((row, sense.share * weight(weights, row)))
        });
        let own = document_weight(table, number);
        parts.push(known.map(|(row, part)| (row, part / own)));
    }
    parts
}
