//! Rows that replace those of an engine's model.

use super::Engine;
use crate::Error;
use crate::encoder::{Encoder, Rows};
use crate::index::Reencoded;
use crate::model::changes::Changes;
use crate::model::{DOCUMENT, QUERY};

impl Engine {
    /// The encoder of this name: `query`, or `document.` and a language.
    ///
    /// # Errors
    /// [`Error::MissingEncoder`] if it is not here.
    pub fn encoder(&self, name: &str) -> Result<&Encoder, Error> {
        match name.strip_prefix(DOCUMENT) {
            Some(language) => self.model.document_encoder(language),
            None => Ok(&self.query),
        }
    }

    /// The encoders that are loaded, by name.
    pub fn encoders(&self) -> Vec<(String, &Encoder)> {
        let documents = self.model.documents.iter();
        let documents =
            documents.map(|(language, encoder)| (format!("{DOCUMENT}{language}"), encoder));
        std::iter::once((QUERY.to_owned(), &self.query)).chain(documents).collect()
    }

    /// Every row that differs from the model's files.
    pub fn learned(&self) -> Changes {
        let rows = |(name, encoder): (String, &Encoder)| match encoder.network.words() {
            Rows::Changed(rows) => {
                let rows = rows.changes().iter();
                rows.map(|(number, row)| (name.clone(), *number, Some(row.clone()))).collect()
            }
            _ => Vec::new(),
        };
        self.encoders().into_iter().flat_map(rows).collect()
    }

    /// Applies changed rows, and encodes the documents that have their words again; returns the changes
    /// that undo these. Queries that were [encoded](Self::encode_query) before are out of
    /// date.
    ///
    /// # Errors
    /// [`Error::MissingEncoder`] for an encoder that is not here: nothing is changed then.
    pub fn exchange(&mut self, changes: Changes) -> Result<(Changes, Reencoded), Error> {
        for (name, _) in changes.iter() {
            self.encoder(name)?;
        }
        let (mut back, mut reencoded) = (Vec::new(), Reencoded::default());
        for (name, rows) in changes {
            let language = name.strip_prefix(DOCUMENT);
            let encoder = match language {
                Some(language) => self.model.documents.get_mut(language),
                None => Some(&mut self.query),
            };
            let Some(encoder) = encoder else { continue };
            let words = encoder.network.words_mut();
            let changed: Vec<u32> = rows.keys().copied().collect();
            let before = rows.into_iter().map(|(number, row)| (number, words.change(number, row)));
            back.extend(before.map(|(number, row)| (name.clone(), number, row)));
            let Some(language) = language else { continue };
            for index in &mut self.indexes {
                let places = 0..index.len();
                let changed = |row: &u32| changed.binary_search(row).is_ok();
                reencoded += index.encode_again(places, language, encoder, changed);
            }
        }
        Ok((back.into_iter().collect(), reencoded))
    }
}
