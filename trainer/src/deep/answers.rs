//! Rows of query words learn from written queries and the documents that answer them.

use std::collections::{BTreeMap, HashMap};

use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::index::Document;
use smooth_clir::model::Model;

use super::asked::weights_of;
use super::distil::{Query, Sentences, distil};
use super::documents::encode;
use super::teacher::OpenTeacher;
use super::vectors::Vectors;
use crate::error::Error;

/// Written queries of a language's documents.
#[derive(Debug, Clone, Default)]
pub struct Answered {
    /// The queries, each with the place of the document that answers it.
    queries: Vec<(String, usize)>,
    /// The documents, in the order of their places.
    documents: Vec<String>,
    places: HashMap<String, usize>,
}

impl Answered {
    /// Adds a query and the document that answers it, which may answer others too.
    pub fn add(&mut self, [query, document]: [&str; 2]) {
        let place = match self.places.get(document) {
            Some(&place) => place,
            None => {
                self.places.insert(document.to_owned(), self.documents.len());
                self.documents.push(document.to_owned());
                self.documents.len() - 1
            }
        };
        self.queries.push((query.to_owned(), place));
    }

    /// How many queries there are.
    pub fn len(&self) -> usize {
        self.queries.len()
    }
}

/// The query encoder `unrounded`, which is that of the model before its rows were rounded, after it has learnt to find
/// each query's document among those of others. The vectors of documents are those that the model and the teacher give.
///
/// # Errors
/// If the model was not made by the teacher.
pub fn learn_answers(
    (model, unrounded): (&Model, &Encoder),
    teacher: &OpenTeacher,
    answered: &BTreeMap<&str, Answered>,
    seed: u64,
) -> Result<Encoder, Error> {
    let dimension = model.config.dimension;
    let (mut words, mut vectors) = (Vec::new(), Vec::new());
    for (language, Answered { queries, documents, .. }) in answered {
        let document = |text| Document { language, text, ..Document::default() };
        let documents: Vec<_> = documents.iter().map(|text| document(text)).collect();
        let mut encoded = Vectors::open(None, model, Precision::F32)?;
        encode(model, teacher, &documents, &mut encoded)?;
        for (query, place) in queries {
            words.push(unrounded.vocabulary.rows(query));
            vectors
                .extend_from_slice(encoded.of(&documents[*place]).unwrap_or(&vec![0.0; dimension]));
        }
    }
    let mut rows = unrounded.network.words().widened().values().to_vec();
    let sentences = Sentences { words: &words, vectors: &vectors };
    distil(&mut rows, dimension, &weights_of(unrounded), (sentences, Query::Whole), seed);
    let network = Network::Average(Table::new(dimension, rows).into());
    Ok(Encoder { network, ..unrounded.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_of_several_queries_is_there_once() {
        let pairs = [["storm", "une tempête"], ["sea", "la mer"], ["wind", "une tempête"]];
        let mut found = Answered::default();
        pairs.into_iter().for_each(|pair| found.add(pair));
        assert_eq!(found.documents, ["une tempête", "la mer"]);
        let places: Vec<usize> = found.queries.iter().map(|(_, place)| *place).collect();
        assert_eq!(places, [0, 1, 0]);
    }
}
