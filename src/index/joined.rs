//! Indexes of one model -> one.

use super::{Builder, Index};
use crate::Error;
use crate::encoder::Rows;
use crate::lexical::postings::Counting;

impl Index {
    /// The index of the documents of all parts, in their order; nothing is encoded again.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if they are of different models or precisions, [`Error::OtherTeacher`] if of different
    /// teachers, [`Error::MissingTexts`] for a block of texts that has not been added, [`Error::TooLarge`].
    pub fn joined(parts: &[&Self]) -> Result<Self, Error> {
        let (model, dimension) = parts
            .first()
            .map_or_else(Default::default, |part| (part.model.clone(), part.dimension()));
        if let Some(other) = parts.iter().find(|part| part.model != model) {
            let found = other.model.clone();
            return Err(Error::Mismatch { what: "the index".into(), found, expected: model });
        }
        let teacher = parts.first().and_then(|part| part.teacher.clone());
        if let Some(other) = parts.iter().find(|part| part.teacher != teacher) {
            let named = |teacher: &Option<String>| teacher.clone().unwrap_or_else(|| "none".into());
            let (found, expected) = (named(&other.teacher), named(&teacher));
            return Err(Error::OtherTeacher { found, expected });
        }
        let vectors: Vec<&Rows> = parts.iter().map(|part| &part.vectors).collect();
        let vectors = Rows::joined(&vectors).ok_or_else(|| Error::Mismatch {
            what: "the precision of the vectors".into(),
            found: "several".into(),
            expected: "one".into(),
        })?;
        let counted = parts.iter().filter_map(|part| part.words.as_ref());
        let languages = counted.flat_map(|words| words.languages());
        let counted = languages.map(|language| (language.clone(), Counting::default())).collect();
        let mut builder = Builder::counting(model, dimension, counted);
        for part in parts {
            // Words stay as they were counted.
            let words = part.words.as_ref();
            for place in 0..part.len() {
                let added = part.with_document(place, |document| match words {
                    Some(_) => builder.show(document),
                    None => builder.add(document),
                });
                added.ok_or_else(|| Error::MissingTexts { block: part.block_of(place) })??;
            }
            words.into_iter().for_each(|words| builder.add_words(words));
        }
        Ok(Self { teacher, ..builder.with_vectors(vectors)? })
    }
}
