//! A model with its indexes.

use std::collections::BTreeMap;

use crate::Error;
use crate::encoder::Encoder;
use crate::index::{BlockFile, Index};
use crate::model::Model;

/// A model with a query encoder, and the indexes that it made.
#[derive(Debug)]
pub struct Engine {
    pub(super) model: Model,
    pub(super) query: Encoder,
    pub(super) indexes: Vec<Index>,
    /// The numbers of the indexes of user documents.
    #[cfg(feature = "learn")]
    pub(super) user_indexes: Vec<usize>,
}

impl Engine {
    /// An engine without documents.
    ///
    /// # Errors
    /// [`Error::MissingEncoder`] if the model has no query encoder.
    pub fn new(mut model: Model) -> Result<Self, Error> {
        let query = model.query_encoder()?.clone();
        model.query = None;
        Ok(Self {
            model,
            query,
            indexes: Vec::new(),
            #[cfg(feature = "learn")]
            user_indexes: Vec::new(),
        })
    }

    /// Adds an index. What was learned before holds for its documents too.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if another model made it.
    #[cfg_attr(not(feature = "learn"), expect(unused_mut))]
    pub fn add(&mut self, mut index: Index) -> Result<(), Error> {
        let (found, expected) = (&index.model, &self.model.space);
        if found != expected || index.dimension() != self.model.config.dimension {
            let (found, expected) = (found.clone(), expected.clone());
            return Err(Error::Mismatch { what: "the index".into(), found, expected });
        }
        #[cfg(feature = "learn")]
        index.catch_up(0..index.len(), &self.model);
        self.indexes.push(index);
        Ok(())
    }

    /// The model, without its query encoder.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The query encoder.
    pub fn query(&self) -> &Encoder {
        &self.query
    }

    /// The indexes, in the order in which they were added.
    pub fn indexes(&self) -> &[Index] {
        &self.indexes
    }

    /// The languages of the documents, in the order in which they were added.
    pub fn languages(&self) -> Vec<&str> {
        let mut languages: Vec<&str> = Vec::new();
        for language in self.indexes.iter().flat_map(|index| &index.languages) {
            if !languages.contains(&language.as_str()) {
                languages.push(language);
            }
        }
        languages
    }

    /// Of each field that documents have, how many have which value.
    pub fn fields(&self) -> BTreeMap<&str, BTreeMap<&str, usize>> {
        let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        for index in &self.indexes {
            index.each_value(|name, value, count| {
                *counts.entry(name).or_default().entry(value).or_default() += count;
            });
        }
        counts
    }

    /// All blocks of texts that have not been added, as [`missing`](Self::missing) names them.
    pub fn missing_texts(&self) -> Vec<(usize, usize)> {
        let numbered = self.indexes.iter().enumerate();
        let of_index = |(number, index): (usize, &Index)| {
            index.missing_texts().map(|block| (number, block)).collect::<Vec<_>>()
        };
        numbered.flat_map(of_index).collect()
    }

    /// Adds a block of the texts of an index.
    ///
    /// # Errors
    /// [`Error::NoSuchIndex`]; as [`Index::add_texts`].
    pub fn add_texts(&mut self, index: usize, file: BlockFile) -> Result<(), Error> {
        let (number, count) = (index, self.indexes.len());
        let Some(index) = self.indexes.get_mut(number) else {
            return Err(Error::NoSuchIndex { number, count });
        };
        #[cfg(feature = "learn")]
        let block = file.number();
        index.add_texts(file)?;
        #[cfg(feature = "learn")]
        index.catch_up(index.places(block), &self.model);
        Ok(())
    }

    /// Forgets a block of the texts of an index: its documents are found as before, and shown once it is added again.
    pub fn forget_texts(&mut self, index: usize, block: usize) {
        if let Some(index) = self.indexes.get_mut(index) {
            index.forget_texts(block);
        }
    }

    /// The place among all of the first document of this id, and of this language if one is given;
    /// `None` where no text that is here has it.
    pub fn find(&self, id: &str, language: Option<&str>) -> Option<usize> {
        let mut first_place = 0;
        for index in &self.indexes {
            let is = |&place: &usize| {
                index.shown(place).is_some_and(|shown| shown.id == id)
                    && language.is_none_or(|language| index.language(place) == language)
            };
            if let Some(place) = (0..index.len()).find(is) {
                return Some(first_place + place);
            }
            first_place += index.len();
        }
        None
    }

    /// The index of a place among all documents, and the place there.
    pub(crate) fn place(&self, mut position: usize) -> Option<(usize, usize)> {
        for (number, index) in self.indexes.iter().enumerate() {
            if position < index.len() {
                return Some((number, position));
            }
            position -= index.len();
        }
        None
    }
}
