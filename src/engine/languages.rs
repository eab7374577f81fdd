//! Adds and removes languages.

use super::Engine;
use crate::Error;
use crate::model::Model;

impl Engine {
    /// Adds further encoders of the same training, or language packs.
    ///
    /// # Errors
    /// As [`Model::join`]; [`Error::Twice`] for the query encoder, which is here.
    pub fn add_encoders(&mut self, model: Model) -> Result<(), Error> {
        if model.query.is_some() {
            return Err(Error::Twice { what: "the query encoder".into() });
        }
        if model.space == self.model.space {
            model.check_translations(&self.query)?;
        }
        self.model.join(model)?;
        self.model.share(self.query.subwords.clone());
        self.model.translate_by(&self.query);
        Ok(())
    }

    /// Removes the documents of a language, and its document encoder with its translations. Returns the
    /// numbers of the removed indexes, which rise; the indexes behind them move up.
    /// Queries that were [encoded](Self::encode_query) before are out of date.
    ///
    /// # Errors
    /// [`Error::UnknownLanguage`] if nothing is of this language, [`Error::SharedIndex`] if an index has
    /// documents of other languages too: nothing is changed then.
    pub fn remove_language(&mut self, language: &str) -> Result<Vec<usize>, Error> {
        let mut gone = Vec::new();
        for (number, index) in self.indexes.iter().enumerate() {
            if index.languages.iter().any(|name| name == language) {
                gone.push(number);
                if index.languages.len() > 1 {
                    return Err(Error::SharedIndex { language: language.into() });
                }
            }
        }
        if gone.is_empty() && !self.model.documents.contains_key(language) {
            let (language, available) = (language.into(), self.languages().join(", "));
            return Err(Error::UnknownLanguage { language, available });
        }
        // BTreeMap's `remove` would be 2 % of the module for the browser.
        let documents = std::mem::take(&mut self.model.documents).into_iter();
        self.model.documents.extend(documents.filter(|(name, _)| name != language));
        let translations = std::mem::take(&mut self.model.translations).into_iter();
        self.model.translations.extend(translations.filter(|(name, _)| name != language));
        gone.iter().rev().for_each(|&number| self.remove(number));
        Ok(gone)
    }

    /// Removes an index; those behind it move up.
    pub(super) fn remove(&mut self, number: usize) {
        self.indexes.remove(number);
        #[cfg(feature = "learn")]
        {
            self.user_indexes.retain(|&index| index != number);
            let behind = self.user_indexes.iter_mut().filter(|index| **index > number);
            behind.for_each(|index| *index -= 1);
        }
    }
}
