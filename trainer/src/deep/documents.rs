//! The vectors of deep documents, computed on all threads and kept in a file.

use rayon::prelude::*;
use smooth_clir::index::Document;
use smooth_clir::model::Model;
use smooth_clir_indexer::{DeepDocuments, Error as Refused, Glossed};

use super::teacher::OpenTeacher;
use super::vectors::{PROJECTION, Vectors};
use crate::error::Error;

/// Documents that are encoded between two writes of the file of vectors, at least.
const SAVED_TOGETHER: usize = 4096;

/// Encodes the documents that have no vector yet. A document without words has the zero vector.
///
/// # Errors
/// If the model is not made for the teacher, or has no translations of a document's language; if the vectors are of another
/// teacher.
pub fn encode(
    model: &Model,
    teacher: &OpenTeacher,
    documents: &[Document<'_>],
    vectors: &mut Vectors,
) -> Result<(), Error> {
    let told = |refused| refusal(teacher, refused);
    let mut deep =
        DeepDocuments::new(model, teacher.origin(), vectors.precision()).map_err(told)?;
    vectors.come_from(teacher.digest())?;
    for document in documents {
        deep.prepare(document.language).map_err(told)?;
    }
    let missing: Vec<&Document<'_>> =
        documents.iter().filter(|document| !vectors.has(document)).collect();
    let mut begin = 0;
    while begin < missing.len() {
        // The file is written whole: the larger it is, the more is added to it at a time.
        let more = SAVED_TOGETHER.max(vectors.len() / 2).min(missing.len() - begin);
        let some = &missing[begin..begin + more];
        let glossed = some.par_iter().map(|document| deep.gloss(document).map_err(told));
        let glossed = glossed.collect::<Result<Vec<Glossed>, Error>>()?;
        let task = match more == missing.len() {
            true => "documents".to_owned(),
            false => format!("documents {} to {} of {}", begin + 1, begin + more, missing.len()),
        };
        let glosses: Vec<&str> = glossed.iter().map(|glossed| &glossed.gloss[..]).collect();
        let encoded = teacher.encode(&glosses, &task)?;
        let mixed = glossed.par_iter().enumerate();
        let mixed = mixed.map(|(row, glossed)| deep.mix(glossed, &encoded.row(row).to_vec()));
        for (document, vector) in some.iter().zip(mixed.collect::<Vec<_>>()) {
            vectors.insert(document, vector);
        }
        vectors.save()?;
        begin += more;
    }
    Ok(())
}

/// Why deep documents are refused, with the place of the teacher where that is the reason.
fn refusal(teacher: &OpenTeacher, refused: Refused) -> Error {
    match refused {
        Refused::Core(error) => Error::Core(error),
        Refused::NoProjection => Error::Model { part: PROJECTION },
        Refused::NoTranslations(_) => Error::Model { part: "translations" },
        refused => Error::data(teacher.path(), refused.to_string()),
    }
}
