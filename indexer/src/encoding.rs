//! Documents and a model -> the files of an index, some documents at a time.

use smooth_clir::encoder::Precision;
use smooth_clir::index::{Builder, Document, Slimming};
use smooth_clir::model::Model;

use crate::error::Error;

/// An index that is being made. Documents are added one at a time, so that a host can show progress between them.
#[derive(Debug)]
pub struct Encoding {
    model: Model,
    builder: Builder,
}

impl Encoding {
    /// An index without documents, which the model's encoders of their languages will read.
    pub fn light(model: Model) -> Self {
        let builder = Builder::new(&model);
        Self { model, builder }
    }

    /// An index without documents, whose vectors come from a teacher of this digest.
    pub fn deep(model: Model, teacher: String) -> Self {
        let builder = Builder::deep(&model, teacher);
        Self { model, builder }
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
        let encoder = self.model.encoder_of(document.language)?;
        self.builder.push(document, encoder)?;
        Ok(())
    }

    /// The files of the index, with blocks of `block` texts, and, if it is `slim`, those of the part of the model that its
    /// searches need, with the whole files of the languages `asked`: the index belongs to that part then.
    ///
    /// # Errors
    /// [`Error::Core`]: the index is too large.
    pub fn finish(
        self,
        precision: Precision,
        block: usize,
        slim: bool,
        asked: &[String],
    ) -> Result<Files, Error> {
        let mut index = self.builder.finish(precision)?;
        let model = match slim {
            true => {
                index.slim_model(&self.model, Slimming { rows: Some(Slimming::ROWS), asked })?
            }
            false => Vec::new(),
        };
        Ok(Files { index: index.write_parts(block), model })
    }
}

/// The files of an index, by name.
#[derive(Debug)]
pub struct Files {
    /// Its vectors, and its blocks of texts.
    pub index: Vec<(String, Vec<u8>)>,
    /// The slim model; empty where the index belongs to the whole model.
    pub model: Vec<(String, Vec<u8>)>,
}
