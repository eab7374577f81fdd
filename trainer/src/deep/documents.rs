//! Deep documents: the mean of two readings of a document in English, each of length 1.
//!
//! The teacher reads its gloss, and its vector is projected into the model's space. The model's document encoder reads the
//! document too. The teacher knows what words mean beside each other; the document encoder does not depend on which of
//! several glosses was chosen, and reads as queries are read. The length of a document's vector, 1 at most, says how far
//! the two readings agree.

use std::collections::BTreeMap;

use rayon::prelude::*;
use smooth_clir::index::Document;
use smooth_clir::lexical::gloss::Glosser;
use smooth_clir::math::kernels;
use smooth_clir::model::Model;
use smooth_clir::model::deep::Deep;

use super::teacher::OpenTeacher;
use super::vectors::Vectors;
use crate::error::Error;

/// Documents that are encoded between two writes of the file of vectors.
const SAVED_TOGETHER: usize = 4096;

/// Encodes the documents that have no vector yet. A document without words has the zero vector.
///
/// # Errors
/// If the model is not made for the teacher, or has no translations of a document's language.
pub fn encode(
    model: &Model,
    teacher: &OpenTeacher,
    documents: &[Document<'_>],
    vectors: &mut Vectors,
) -> Result<(), Error> {
    let deep = space_of(model, teacher)?;
    let query = model.query_encoder()?;
    let mut glossers: BTreeMap<&str, Glosser<'_>> = BTreeMap::new();
    for document in documents {
        if !glossers.contains_key(document.language) {
            let translator = model.translator(document.language, query);
            let translator = translator.ok_or(Error::Model { part: "translations" })?;
            let senses = query.senses(translator.table);
            glossers.insert(document.language, Glosser::new(translator, senses, deep.bigrams()));
        }
    }
    let missing: Vec<&Document<'_>> =
        documents.iter().filter(|document| !vectors.has(document)).collect();
    for (number, some) in missing.chunks(SAVED_TOGETHER).enumerate() {
        let read = |document: &&Document<'_>| {
            let encoder = model.document_encoder(document.language)?;
            let gloss = glossers[document.language].text(document.text);
            Ok((gloss, unit(encoder.encode(document.text))))
        };
        let read = some.par_iter().map(read).collect::<Result<Vec<_>, Error>>()?;
        let (glosses, meant): (Vec<String>, Vec<Vec<f32>>) = read.into_iter().unzip();
        let task = match missing.len().div_ceil(SAVED_TOGETHER) {
            0 | 1 => "documents".to_owned(),
            parts => format!("documents, part {} of {parts}", number + 1),
        };
        let encoded = teacher.encode(&glosses, &task)?;
        for ((document, vector), meant) in some.iter().zip(encoded.rows()).zip(&meant) {
            let read = unit(deep.project(&vector.to_vec()));
            let both = read.iter().zip(meant).map(|(a, b)| 0.5 * (a + b)).collect();
            vectors.insert(document, both);
        }
        vectors.save()?;
    }
    Ok(())
}

/// The vector of the same direction and of length 1; a vector of zeros stays one.
fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let norm = kernels::norm(&vector);
    if norm > 0.0 {
        vector.iter_mut().for_each(|value| *value /= norm);
    }
    vector
}

/// The model's map of this teacher's vectors.
fn space_of<'a>(model: &'a Model, teacher: &OpenTeacher) -> Result<&'a Deep, Error> {
    let Some(deep) = &model.deep else {
        return Err(Error::Model {
            part: "projection of a teacher's vectors (made by train --teacher)",
        });
    };
    if deep.teacher != teacher.digest {
        let problem = format!(
            "is another teacher than the model was trained with: its digest is {}, expected {}",
            teacher.digest, deep.teacher
        );
        return Err(Error::data(teacher.folder(), problem));
    }
    Ok(deep)
}
