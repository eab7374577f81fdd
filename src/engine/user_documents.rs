//! User documents: encoded on the device, from their texts.

use std::collections::HashSet;

use super::Engine;
use crate::Error;
use crate::encoder::{Encoder, Precision, Words};
use crate::index::{Builder, Document, Index};

/// Documents of one language on their way into an engine: encoded by the rows of the model's files,
/// whatever was learned, as any program with these files would encode them.
#[derive(Debug)]
pub struct UserDocuments {
    language: String,
    encoder: Encoder,
    builder: Builder,
}

impl UserDocuments {
    /// Encodes one more document.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn push(
        &mut self,
        id: &str,
        title: &str,
        text: &str,
        fields: &[(String, String)],
    ) -> Result<Words, Error> {
        let document = Document { id, language: &self.language, title, text, fields };
        self.builder.push(&document, &self.encoder)
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.builder.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.builder.is_empty()
    }
}

impl Engine {
    /// Starts to take user documents in a language.
    ///
    /// # Errors
    /// [`Error::MissingEncoder`] if its document encoder is not here.
    pub fn begin_own(&self, language: &str) -> Result<UserDocuments, Error> {
        let mut encoder = self.model.document_encoder(language)?.clone();
        unlearn(&mut encoder);
        Ok(UserDocuments { language: language.into(), encoder, builder: Builder::new(&self.model) })
    }

    /// Adds user documents. What was learned holds for them too.
    ///
    /// # Errors
    /// [`Error::Twice`] where a document of this language has the id of another,
    /// [`Error::Mismatch`] if another engine began them: nothing is added then.
    pub fn add_own(&mut self, own: UserDocuments) -> Result<(), Error> {
        let UserDocuments { language, builder, .. } = own;
        if builder.is_empty() {
            return Ok(());
        }
        let index = builder.finish(self.own_precision())?;
        let there = self.indexes.iter().flat_map(|index| ids(index, &language));
        let mut there: HashSet<&str> = there.collect();
        for id in ids(&index, &language) {
            if !there.insert(id) {
                return Err(Error::Twice { what: format!("document `{id}` in {language}") });
            }
        }
        self.add(index)?;
        self.own.push(self.indexes.len() - 1);
        Ok(())
    }

    /// The user documents, in one index, by the rows of the model's files: what
    /// [`Index::build`] makes of their texts. `None` if there is none.
    ///
    /// # Errors
    /// As [`Index::build`].
    pub fn own(&self) -> Result<Option<Index>, Error> {
        if self.own.is_empty() {
            return Ok(None);
        }
        let mut model = self.model.clone();
        model.documents.values_mut().for_each(unlearn);
        let mut builder = Builder::new(&model);
        for index in self.own.iter().map(|&number| &self.indexes[number]) {
            for place in 0..index.len() {
                let push = |document: &Document<'_>| {
                    builder.push(document, model.document_encoder(document.language)?)
                };
                index.with_document(place, push).transpose()?;
            }
        }
        builder.finish(self.own_precision()).map(Some)
    }

    /// Removes the user documents. Gives back the numbers that their indexes
    /// had, rising; those behind them move up. Queries that were [encoded](Self::encode_query) before are out
    /// of date.
    pub fn remove_own(&mut self) -> Vec<usize> {
        let gone = std::mem::take(&mut self.own);
        gone.iter().rev().for_each(|&number| self.remove(number));
        gone
    }

    /// That of the first index, or else of 32 bits.
    fn own_precision(&self) -> Precision {
        self.indexes.first().map_or(Precision::F32, |index| index.vectors().precision())
    }
}

/// The ids of an index's documents in a language, as far as they are here.
fn ids<'a>(index: &'a Index, language: &'a str) -> impl Iterator<Item = &'a str> {
    let places = (0..index.len()).filter(move |&place| index.language(place) == language);
    places.filter_map(|place| Some(index.shown(place)?.id))
}

/// Goes back to the rows of the model's files.
fn unlearn(encoder: &mut Encoder) {
    let words = encoder.network.words_mut();
    *words = words.unchanged().clone();
}
