//! Deep documents: the mean of two readings of a document in English, each of length 1.
//!
//! The teacher reads its gloss, and its vector is projected into the model's space. The model's document encoder reads the
//! document too. The teacher knows what words mean beside each other; the document encoder does not depend on which of
//! several glosses was chosen, and reads as queries are read. The length of a document's vector, 1 at most, says how far
//! the two readings agree.
//!
//! The caller brings the teacher's vectors, so that it decides on how many threads or workers they are computed.

use std::collections::BTreeMap;

use smooth_clir::encoder::{Precision, Rows, Table};
use smooth_clir::index::Document;
use smooth_clir::lexical::gloss::Glosser;
use smooth_clir::math::kernels;
use smooth_clir::model::deep::Deep;
use smooth_clir::model::{Model, QUERY_LANGUAGE};
#[cfg(feature = "teacher")]
use smooth_clir_teacher::Teacher;

use crate::error::Error;

/// What reads documents for a model that a teacher made.
#[derive(Debug)]
pub struct DeepDocuments<'a> {
    model: &'a Model,
    deep: &'a Deep,
    precision: Precision,
    glossers: BTreeMap<String, Glosser<'a>>,
}

/// A document in English, before the teacher has read it.
#[derive(Debug, Clone, PartialEq)]
pub struct Glossed {
    /// Its words in English, for the teacher.
    pub gloss: String,
    /// The reading of the model's document encoder, of length 1.
    light: Vec<f32>,
}

impl<'a> DeepDocuments<'a> {
    /// Reads documents for a model. `origin` is the digest of the folder that the teacher's weights come from; vectors are
    /// rounded to `precision`, that of the index.
    ///
    /// # Errors
    /// [`Error::NoProjection`] if no teacher made the model, [`Error::OtherTeacher`] if another did.
    pub fn new(model: &'a Model, origin: &str, precision: Precision) -> Result<Self, Error> {
        let Some(deep) = model.deep.as_deref() else { return Err(Error::NoProjection) };
        if deep.teacher != origin {
            let (found, expected) = (origin.to_owned(), deep.teacher.clone());
            return Err(Error::OtherTeacher { found, expected });
        }
        Ok(Self { model, deep, precision, glossers: BTreeMap::new() })
    }

    /// Whether documents in a language are read by the teacher as they are, and by the query encoder: they are in English,
    /// and the model has no document encoder for it.
    fn is_read_as_it_is(&self, language: &str) -> bool {
        language == QUERY_LANGUAGE && !self.model.documents.contains_key(language)
    }

    /// Prepares the glosses of a language's documents, once. Those in English need none.
    ///
    /// # Errors
    /// [`Error::NoTranslations`] if the model has no translations of the language.
    pub fn prepare(&mut self, language: &str) -> Result<(), Error> {
        if !self.glossers.contains_key(language) && !self.is_read_as_it_is(language) {
            let query = self.model.query_encoder()?;
            let translator = self.model.translator(language, query);
            let translator =
                translator.ok_or_else(|| Error::NoTranslations(language.to_owned()))?;
            let senses = query.senses(translator.table);
            let glosser = Glosser::new(translator, senses, self.deep.bigrams());
            self.glossers.insert(language.to_owned(), glosser);
        }
        Ok(())
    }

    /// A document of a language that was prepared, in English.
    ///
    /// # Errors
    /// [`Error::NoTranslations`] if it was not prepared, [`Error::Core`] if the model cannot encode the language.
    pub fn gloss(&self, document: &Document<'_>) -> Result<Glossed, Error> {
        let Document { language, text, .. } = *document;
        let gloss = match self.glossers.get(language) {
            Some(glosser) => glosser.text(text),
            None if self.is_read_as_it_is(language) => text.to_owned(),
            None => return Err(Error::NoTranslations(language.to_owned())),
        };
        let light = self.model.encoder_of(language)?.encode(text);
        Ok(Glossed { gloss, light: unit(light) })
    }

    /// The vector of a document, of which the teacher made `vector` of its gloss. One without words has the zero vector.
    pub fn mix(&self, glossed: &Glossed, vector: &[f32]) -> Vec<f32> {
        let read = unit(self.deep.project(vector));
        let both: Vec<f32> = read.iter().zip(&glossed.light).map(|(a, b)| 0.5 * (a + b)).collect();
        Rows::new(Table::new(both.len(), both), self.precision).row(0)
    }

    /// The vectors of some documents.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare) and [`gloss`](Self::gloss); [`Error::Teacher`] if the tokenizer refuses a text.
    #[cfg(feature = "teacher")]
    pub fn encode(
        &mut self,
        teacher: &Teacher,
        documents: &[Document<'_>],
    ) -> Result<Vec<Vec<f32>>, Error> {
        documents.iter().try_for_each(|document| self.prepare(document.language))?;
        let glossed = documents.iter().map(|document| self.gloss(document));
        let glossed = glossed.collect::<Result<Vec<Glossed>, Error>>()?;
        let glosses: Vec<&str> = glossed.iter().map(|glossed| &glossed.gloss[..]).collect();
        let vectors = teacher.encode(&glosses)?;
        let vectors = vectors.chunks_exact(teacher.dimension());
        Ok(glossed.iter().zip(vectors).map(|(glossed, vector)| self.mix(glossed, vector)).collect())
    }
}

/// The vector of the same direction and of length 1; a vector of zeros stays one.
fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let norm = kernels::norm(&vector);
    if norm > 0.0 {
        vector.iter_mut().for_each(|value| *value /= norm);
    }
    vector
}
