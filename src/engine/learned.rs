//! Rows that an engine takes over in place of its model's.

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
    pub fn encoder(&self, side: &str) -> Result<&Encoder, Error> {
        match side.strip_prefix(DOCUMENT) {
            Some(language) => self.model.document_encoder(language),
            None => Ok(&self.query),
        }
    }

    /// The encoders that are loaded, by name.
    pub fn sides(&self) -> Vec<(String, &Encoder)> {
        let documents = self.model.documents.iter();
        let documents = documents.map(|(language, side)| (format!("{DOCUMENT}{language}"), side));
        std::iter::once((QUERY.to_owned(), &self.query)).chain(documents).collect()
    }

    /// Every row that is not that of the model's files.
    pub fn learned(&self) -> Changes {
        let rows = |(side, encoder): (String, &Encoder)| match encoder.network.words() {
            Rows::Changed(rows) => {
                let rows = rows.changes().iter();
                rows.map(|(number, row)| (side.clone(), *number, Some(row.clone()))).collect()
            }
            _ => Vec::new(),
        };
        self.sides().into_iter().flat_map(rows).collect()
    }

    /// Takes over changed rows and encodes again the documents that have their words; gives back
    /// the changes that take these back. Queries that were [encoded](Self::encode_query) before are out of
    /// date.
    ///
    /// # Errors
    /// [`Error::MissingEncoder`] for an encoder that is not here: nothing is changed then.
    pub fn exchange(&mut self, changes: Changes) -> Result<(Changes, Reencoded), Error> {
        for (side, _) in changes.iter() {
            self.encoder(side)?;
        }
        let (mut back, mut reencoded) = (Vec::new(), Reencoded::default());
        for (side, rows) in changes {
            let language = side.strip_prefix(DOCUMENT);
            let encoder = match language {
                Some(language) => self.model.documents.get_mut(language),
                None => Some(&mut self.query),
            };
            let Some(encoder) = encoder else { continue };
            let words = encoder.network.words_mut();
            let changed: Vec<u32> = rows.keys().copied().collect();
            let before = rows.into_iter().map(|(number, row)| (number, words.change(number, row)));
            back.extend(before.map(|(number, row)| (side.clone(), number, row)));
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
