//! Deep documents: glossed into English, encoded by the teacher, projected into the model's space.

use std::collections::BTreeMap;

use smooth_clir::encoder::Precision;
use smooth_clir::index::{Builder, Document, Index};
use smooth_clir::lexical::gloss::Glosser;
use smooth_clir::model::Model;
use smooth_clir::model::deep::Deep;

use super::teacher::OpenTeacher;
use crate::error::Error;

/// Encodes documents. A document whose gloss has no words has the zero vector.
///
/// # Errors
/// If the model is not made for the teacher, or has no translations of a document's language.
pub fn index(
    model: &Model,
    teacher: &OpenTeacher,
    documents: &[Document<'_>],
    precision: Precision,
) -> Result<Index, Error> {
    let deep = space_of(model, teacher)?;
    let query = model.query_encoder()?;
    let mut glossers: BTreeMap<&str, Glosser<'_>> = BTreeMap::new();
    for document in documents {
        if !glossers.contains_key(document.language) {
            let translator = model.translator(document.language, &query.vocabulary);
            let translator = translator.ok_or(Error::Model { part: "translations" })?;
            glossers.insert(document.language, Glosser::new(translator, query, deep.bigrams()));
        }
    }
    let glosses: Vec<String> =
        documents.iter().map(|document| glossers[document.language].text(document.text)).collect();
    let vectors = teacher.encode(&glosses, "documents")?;
    let mut builder = Builder::deep(model, teacher.digest.clone());
    for (document, vector) in documents.iter().zip(vectors.rows()) {
        builder.push_vector(document, &deep.project(&vector.to_vec()))?;
    }
    Ok(builder.finish(precision)?)
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
