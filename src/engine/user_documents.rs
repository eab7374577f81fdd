//! User documents: encoded on the device, from their texts.

use std::collections::HashSet;

use super::Engine;
use crate::Error;
use crate::encoder::{Encoder, Precision, Words};
use crate::index::{Builder, Document, Index};

/// A batch of documents of one language, to be added to an engine. They are encoded by the rows of the
/// model's files, without fine-tuning, as any program with these files would encode them.
#[derive(Debug)]
pub struct UserDocuments {
    language: String,
    encoder: Encoder,
    builder: Builder,
}

impl UserDocuments {
    /// Encodes one more document, whose `language` is that of the batch.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn push(&mut self, document: &Document<'_>) -> Result<Words, Error> {
        let document = Document { language: &self.language, ..*document };
        self.builder.push(&document, &self.encoder)
    }

    /// The number of documents.
    pub fn len(&self) -> usize {
        self.builder.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.builder.is_empty()
    }
}

impl Engine {
    /// Starts a batch of user documents in a language. Those in [`QUERY_LANGUAGE`](crate::model::QUERY_LANGUAGE) are
    /// encoded by the query encoder, where the model has no document encoder for it, and matched with a query's own words.
    ///
    /// # Errors
    /// [`Error::MissingEncoder`] if its document encoder is not here.
    pub fn start_user_documents(&self, language: &str) -> Result<UserDocuments, Error> {
        let mut encoder = self.encoder_of_documents(language)?.clone();
        unlearn(&mut encoder);
        Ok(UserDocuments { language: language.into(), encoder, builder: Builder::new(&self.model) })
    }

    /// Adds user documents. Fine-tuned rows of document encoders apply to them too; documents that the query encoder encodes
    /// keep their vectors.
    ///
    /// # Errors
    /// [`Error::Twice`] where a document of this language has the id of another,
    /// [`Error::Mismatch`] if another engine began them: nothing is added then.
    pub fn add_user_documents(&mut self, documents: UserDocuments) -> Result<(), Error> {
        let UserDocuments { language, builder, .. } = documents;
        if builder.is_empty() {
            return Ok(());
        }
        let index = builder.finish(self.user_precision())?;
        let there = self.indexes.iter().flat_map(|index| ids(index, &language));
        let mut there: HashSet<&str> = there.collect();
        for id in ids(&index, &language) {
            if !there.insert(id) {
                return Err(Error::Twice { what: format!("document `{id}` in {language}") });
            }
        }
        self.add(index)?;
        self.user_indexes.push(self.indexes.len() - 1);
        Ok(())
    }

    /// The user documents as one index, encoded by the rows of the model's files, as [`Index::build`] encodes
    /// their texts. `None` if there are none.
    ///
    /// # Errors
    /// As [`Index::build`].
    pub fn user_documents(&self) -> Result<Option<Index>, Error> {
        if self.user_indexes.is_empty() {
            return Ok(None);
        }
        let mut model = self.model.clone();
        model.documents.values_mut().for_each(unlearn);
        let mut query = self.query.clone();
        unlearn(&mut query);
        let mut builder = Builder::new(&model);
        for index in self.user_indexes.iter().map(|&number| &self.indexes[number]) {
            for place in 0..index.len() {
                let push = |document: &Document<'_>| {
                    let language = document.language;
                    let encoder = match self.is_of_queries(language) {
                        true => &query,
                        false => model.document_encoder(language)?,
                    };
                    builder.push(document, encoder)
                };
                index.with_document(place, push).transpose()?;
            }
        }
        builder.finish(self.user_precision()).map(Some)
    }

    /// Removes the user documents. Returns the numbers that their indexes had, which rise; the indexes
    /// behind them move up. Queries that were [encoded](Self::encode_query) before are out
    /// of date.
    pub fn remove_user_documents(&mut self) -> Vec<usize> {
        let gone = std::mem::take(&mut self.user_indexes);
        gone.iter().rev().for_each(|&number| self.remove(number));
        gone
    }

    fn encoder_of_documents(&self, language: &str) -> Result<&Encoder, Error> {
        if self.is_of_queries(language) {
            return Ok(&self.query);
        }
        self.model.document_encoder(language)
    }

    /// The precision of the first index; 32 bits if there is none.
    fn user_precision(&self) -> Precision {
        self.indexes.first().map_or(Precision::F32, |index| index.vectors().precision())
    }
}

/// The ids of an index's documents in a language, as far as they are here.
fn ids<'a>(index: &'a Index, language: &'a str) -> impl Iterator<Item = &'a str> {
    let places = (0..index.len()).filter(move |&place| index.language(place) == language);
    places.filter_map(|place| Some(index.shown(place)?.id))
}

/// Restores the rows of the model's files.
fn unlearn(encoder: &mut Encoder) {
    let words = encoder.network.words_mut();
    *words = words.unchanged().clone();
}
