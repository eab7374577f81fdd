//! `evaluation.json`, beside a model in a folder: what it was tested on, and what its scores there
//! are made of.
//!
//! With the numbers of the model as it was tested, which `--refit` replaces, its metrics can be
//! computed at any epsilon without that model.

use std::collections::HashMap;

use serde::Serialize;
use smooth_clir::encoder::Network;
use smooth_clir::model::Model;

use crate::corpus::{Example, Prepared};
use crate::data::Collection;
use crate::evaluation::networks::{Parts, parts};

/// What the file is called.
pub const NAME: &str = "evaluation.json";

/// The test queries of all collections.
#[derive(Debug, Serialize)]
pub struct EvaluationFile {
    queries: Vec<Query>,
    collections: Vec<Documents>,
}

#[derive(Debug, PartialEq, Eq, Hash, Clone, Serialize)]
struct Query {
    id: String,
    text: String,
}

/// The documents that the queries of a collection rank, with their norms.
#[derive(Debug, Serialize)]
struct Documents {
    language: String,
    documents: Vec<String>,
    norms: Vec<f32>,
    judged: Vec<Judged>,
}

/// A query by its place, with its norm; the documents that it ranks by their places, in the order
/// of the documents' file, with their grades and dot products.
#[derive(Debug, Serialize)]
struct Judged {
    query: usize,
    norm: f32,
    documents: Vec<usize>,
    grades: Vec<u8>,
    dots: Vec<f32>,
}

#[derive(Debug, Serialize)]
struct Whole<'a> {
    format: &'static str,
    version: u32,
    /// The model's `space`.
    model: &'a str,
    epsilon: f32,
    thresholds: &'a [f32],
    /// Whether the model beside it was trained once more, on all queries.
    refit: bool,
    #[serde(flatten)]
    evaluation: EvaluationFile,
}

impl EvaluationFile {
    /// The test queries as these networks see them.
    pub fn new(collections: &[Collection], prepared: &Prepared, networks: &[Network]) -> Self {
        let mut queries = Queries::default();
        let documents = |(number, collection): (usize, &Collection)| {
            let own = prepared.test.iter().filter(|example| example.collection as usize == number);
            let own: Vec<Example> = own.copied().collect();
            let parts = parts((&prepared.corpus, number), networks, &own);
            Documents::new(collection, &own, &parts, &mut queries)
        };
        let collections = collections.iter().enumerate().map(documents).collect();
        Self { queries: queries.list, collections }
    }

    /// The file that stands beside this model.
    pub fn into_json(self, model: &Model, refit: bool) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(&Whole {
            format: "smooth-clir-evaluation",
            version: 1,
            model: &model.space,
            epsilon: model.config.epsilon,
            thresholds: &model.config.thresholds,
            refit,
            evaluation: self,
        })
    }
}

impl Documents {
    /// `examples` are in the order of queries and, for each, of the documents' file.
    fn new(
        collection: &Collection,
        examples: &[Example],
        parts: &[Parts],
        queries: &mut Queries,
    ) -> Self {
        let mut used: Vec<(u32, f32)> = examples
            .iter()
            .zip(parts)
            .map(|(example, parts)| (example.document, parts.document_norm))
            .collect();
        used.sort_unstable_by_key(|(document, _)| *document);
        used.dedup_by_key(|(document, _)| *document);
        let place = |example: &Example| used.partition_point(|(at, _)| *at < example.document);
        let pairs: Vec<(&Example, &Parts)> = examples.iter().zip(parts).collect();
        let of_query = |pairs: &[(&Example, &Parts)]| {
            let (example, Parts { query_norm, .. }) = pairs[0];
            let query = &collection.queries[example.query as usize];
            Judged {
                query: queries.place(Query { id: query.id.clone(), text: query.text.clone() }),
                norm: *query_norm,
                documents: pairs.iter().map(|(example, _)| place(example)).collect(),
                grades: pairs.iter().map(|(example, _)| example.grade).collect(),
                dots: pairs.iter().map(|(_, parts)| parts.dot).collect(),
            }
        };
        let judged = pairs.chunk_by(|a, b| a.0.query == b.0.query).map(of_query).collect();
        let id = |place: u32| collection.documents[place as usize].id.clone();
        Self {
            language: collection.language.clone(),
            documents: used.iter().map(|(document, _)| id(*document)).collect(),
            norms: used.iter().map(|(_, norm)| *norm).collect(),
            judged,
        }
    }
}

/// Queries, each once: collections may share them.
#[derive(Debug, Default)]
struct Queries {
    list: Vec<Query>,
    places: HashMap<Query, usize>,
}

impl Queries {
    fn place(&mut self, query: Query) -> usize {
        *self.places.entry(query).or_insert_with_key(|query| {
            self.list.push(query.clone());
            self.list.len() - 1
        })
    }
}
