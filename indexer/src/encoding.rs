//! Documents and a model -> the files of an index, some documents at a time.

use smooth_clir::encoder::Precision;
use smooth_clir::index::{Builder, Document};
use smooth_clir::model::Model;

use crate::error::Error;

/// An index whose documents are encoded one at a time, so that progress can be shown between them.
#[derive(Debug)]
pub struct Encoding<'a> {
    model: &'a Model,
    builder: Builder,
}

impl<'a> Encoding<'a> {
    /// An index without documents. The model's document encoders read them.
    pub fn light(model: &'a Model) -> Self {
        Self { model, builder: Builder::new(model) }
    }

    /// An index without documents, whose vectors come from a teacher of this digest.
    pub fn deep(model: &'a Model, teacher: String) -> Self {
        Self { model, builder: Builder::deep(model, teacher) }
    }

    /// Adds a document with its vector, which [`DeepDocuments`](crate::DeepDocuments) gives.
    ///
    /// # Errors
    /// [`Error::Core`]: there is no place for it.
    ///
    /// # Panics
    /// If the vector is of another dimension than the model's.
    pub fn push_vector(&mut self, document: &Document<'_>, vector: &[f32]) -> Result<(), Error> {
        Ok(self.builder.push_vector(document, vector)?)
    }

    /// Encodes one more document.
    ///
    /// # Errors
    /// [`Error::Core`]: the model does not have the document's language, or there is no place for it.
    pub fn push(&mut self, document: &Document<'_>) -> Result<(), Error> {
        let encoder = self.model.document_encoder(document.language)?;
        self.builder.push(document, encoder)?;
        Ok(())
    }

    /// The files of the index by name: its vectors, and blocks of `block` texts.
    ///
    /// # Errors
    /// [`Error::Core`]: the index is too large.
    pub fn finish(
        self,
        precision: Precision,
        block: usize,
    ) -> Result<Vec<(String, Vec<u8>)>, Error> {
        Ok(self.builder.finish(precision)?.write_parts(block))
    }
}
