//! A model -> the smaller model that an index needs to be searched.
//!
//! What a visitor of a site fetches is the query encoder and the translations of a language, and most of either says nothing
//! of the site. A slim model has the translations into words and stems that the index's documents have and, if wanted, rows
//! for the query words of most use alone. It is a model of its own, and the index becomes one of its own: other files of the
//! full model, and other indexes, are refused beside it. To encode further documents takes the full model.
//!
//! With all rows, a query gets the same bits as from the full model, unless it has a word in a language of documents that the
//! query encoder does not know and no document has: that word is unknown now, and is read as the nearest known spelling.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::Index;
use crate::Error;
use crate::encoder::Encoder;
use crate::lexical::slim::Replaced;
use crate::model::Model;
use crate::storage::container::sha256_hex;
use crate::text::vocabulary::Vocabulary;

/// What a slim model keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Slimming {
    /// The largest number of query words with a row; `None` for all. Those that are left out stay known words, with their
    /// translations.
    pub query_words: Option<usize>,
}

impl Index {
    /// The files, by name, of the part of `model` that searches of this index need. The index belongs to them afterwards, and
    /// must be written after this. Nothing of a model's map of deep documents is needed to search them.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if another model made the index; [`Error::MissingEncoder`] without the query encoder or that of a
    /// language of the documents; [`Error::TooLarge`].
    pub fn slim_model(
        &mut self,
        model: &Model,
        slimming: Slimming,
    ) -> Result<Vec<(String, Vec<u8>)>, Error> {
        if self.model != model.space || self.dimension() != model.config.dimension {
            let (found, expected) = (self.model.clone(), model.space.clone());
            return Err(Error::Mismatch { what: "the index".into(), found, expected });
        }
        let mut slim = self.slim(model, slimming)?;
        // The space of a model is a digest: of this one, of its files as they would be in the space of the full model.
        let files = slim.write_parts_as_they_are();
        let bytes: Vec<&[u8]> = files.iter().map(|(_, bytes)| &bytes[..]).collect();
        slim.space = sha256_hex(&bytes);
        self.model.clone_from(&slim.space);
        Ok(slim.write_parts_as_they_are())
    }

    fn slim(&self, model: &Model, slimming: Slimming) -> Result<Model, Error> {
        let before = model.query_encoder()?;
        let query = before.only(&self.rows_of_use(model, before, slimming))?;
        let (mut documents, mut translations) = (BTreeMap::new(), BTreeMap::new());
        let is_new = |language: &&String| !self.is_of_queries(model, language);
        for language in self.languages.iter().filter(is_new) {
            let encoder = model.document_encoder(language)?;
            let terms = self.words(language).map(|part| part.postings.terms());
            let none = Vocabulary::default();
            let mut vocabularies = [&none, &none];
            if !encoder.is_translated() {
                let rows = 0..encoder.vocabulary.len() as u32;
                let has = |row: &u32| {
                    let word = encoder.vocabulary.token(*row as usize);
                    terms.is_none_or(|terms| terms.row(word).is_some())
                };
                let rows: Vec<u32> = rows.filter(has).collect();
                documents.insert(language.clone(), encoder.only(&rows)?);
            }
            if let Some(own) = documents.get(language) {
                vocabularies = [&encoder.vocabulary, &own.vocabulary];
            }
            if let Some(table) = model.translations.get(language) {
                let [before_, after] = vocabularies;
                let words = Replaced { before: &before.vocabulary, after: &query.vocabulary };
                let table =
                    table.slim(terms, words, Replaced { before: before_, after }, |_| true)?;
                translations.insert(language.clone(), Arc::new(table));
            }
        }
        let mut slim = Model {
            config: model.config.clone(),
            provenance: provenance(model, &query),
            space: model.space.clone(),
            query: Some(query),
            documents,
            translations,
            deep: None,
        };
        slim.translate();
        Ok(slim)
    }

    /// Whether documents of a language are read by the query encoder.
    fn is_of_queries(&self, model: &Model, language: &str) -> bool {
        language == crate::model::QUERY_LANGUAGE && !model.documents.contains_key(language)
    }

    /// The rows that are kept, rising: first those of words that documents have or that have a translation that documents have,
    /// then the others; of either the most frequent.
    fn rows_of_use(&self, model: &Model, query: &Encoder, slimming: Slimming) -> Vec<u32> {
        let count = query.vocabulary.len();
        let mut rows: Vec<u32> = (0..count as u32).collect();
        let Some(most) = slimming.query_words.filter(|&most| most < count) else { return rows };
        let is_found: Vec<bool> = rows
            .iter()
            .map(|&row| self.finds(model, query, query.vocabulary.token(row as usize)))
            .collect();
        let weight = |row: u32| query.weights.as_ref().map_or(1.0, |all| all[row as usize]);
        rows.sort_by(|&a, &b| {
            let found = is_found[b as usize].cmp(&is_found[a as usize]);
            found.then(weight(a).total_cmp(&weight(b))).then(a.cmp(&b))
        });
        rows.truncate(most);
        rows.sort_unstable();
        rows
    }

    /// Whether a document has a word or one of its translations.
    fn finds(&self, model: &Model, query: &Encoder, word: &str) -> bool {
        let is_there = |language: &String| {
            let Some(part) = self.words(language) else { return false };
            let Some(translator) = model.translator(language, query) else { return false };
            let has = |(term, _): &(&str, f32)| part.postings.terms().row(term).is_some();
            translator.translations(word).iter().any(has)
        };
        self.has_word(word) || self.languages.iter().any(is_there)
    }
}

/// The provenance of a slim model: what it was made of, and the sources of that with their licences.
fn provenance(model: &Model, query: &Encoder) -> String {
    let full: Value = serde_json::from_str(&model.provenance).unwrap_or_default();
    json!({
        "slim": { "from": model.space, "query-words": query.vocabulary.len() },
        "sources": full["sources"],
    })
    .to_string()
}
