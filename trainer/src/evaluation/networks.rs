//! How networks rank: their metrics and scores on some pairs.

use rayon::prelude::*;
use smooth_clir::encoder::Network;
use smooth_clir::math::metrics::Metrics;

use super::ranking::{Encoded, MOST_RANKED, Scored, first, metrics, score};
use crate::corpus::{Corpus, Example, Texts};
use crate::data::{Collection, Pool};
use smooth_clir::training::corpus::Graded;

/// The metrics of each query among `examples`, by language. Examples of one query stand together,
/// in the order of the documents' file.
pub fn evaluate(
    epsilon: f32,
    corpus: &Corpus,
    networks: &[Network],
    examples: &[Example],
) -> Vec<(String, Vec<Metrics>)> {
    let of_collection = |(number, texts): (usize, &Texts)| {
        let own: Vec<Example> =
            examples.iter().filter(|e| e.collection as usize == number).copied().collect();
        let scores = scores_of(epsilon, (corpus, number), networks, &own);
        let scored = own.iter().zip(scores).map(|(example, score)| {
            let Example { document, grade, .. } = *example;
            (example.query, Scored { judged: Graded { document, grade }, score })
        });
        let scored: Vec<(u32, Scored)> = scored.collect();
        let of_query = |list: &[(u32, Scored)]| {
            let judged: Vec<Graded> = list.iter().map(|(_, scored)| scored.judged).collect();
            let scored: Vec<Scored> = list.iter().map(|(_, scored)| *scored).collect();
            metrics(&first(scored, list.len()), &judged)
        };
        let lists: Vec<_> = scored.chunk_by(|a, b| a.0 == b.0).collect();
        let metrics = lists.par_iter().filter_map(|list| of_query(list)).collect();
        (corpus.document_vocabularies[texts.language].0.clone(), metrics)
    };
    corpus.collections.iter().enumerate().map(of_collection).collect()
}

/// The metrics of some queries of a corpus of one collection, each ranking all of its documents.
/// Exact copies of a document share its grade.
pub fn evaluate_all(
    epsilon: f32,
    corpus: &Corpus,
    networks: &[Network],
    collection: &Collection,
    queries: &[usize],
) -> Vec<Metrics> {
    let texts = &corpus.collections[0];
    let encoded = Encoded::new(&networks[0], corpus.weights_of(0), &texts.queries);
    let side = texts.language + 1;
    let documents = Encoded::new(&networks[side], corpus.weights_of(side), &texts.documents);
    let pool = Pool::all(collection, |_| true);
    let of_query = |&query: &usize| {
        let candidates = pool.of(collection, query)?;
        let scored = score(&encoded, query, &documents, &candidates, epsilon);
        metrics(&first(scored, MOST_RANKED), &candidates)
    };
    queries.par_iter().filter_map(of_query).collect()
}

/// The score of each example.
pub fn scores(
    epsilon: f32,
    corpus: &Corpus,
    networks: &[Network],
    examples: &[Example],
) -> Vec<f32> {
    let lists = examples.chunk_by(|a, b| a.collection == b.collection);
    let of_list = |list: &[Example]| {
        scores_of(epsilon, (corpus, list[0].collection as usize), networks, list)
    };
    lists.flat_map(of_list).collect()
}

/// What the score of an example is made of, at any epsilon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parts {
    /// The norm of the query's vector.
    pub query_norm: f32,
    /// The norm of the document's vector.
    pub document_norm: f32,
    /// Their dot product.
    pub dot: f32,
}

/// What the score of each example of one collection of a corpus is made of.
pub fn parts(
    collection: (&Corpus, usize),
    networks: &[Network],
    examples: &[Example],
) -> Vec<Parts> {
    let [queries, documents] = encoded(collection, networks, examples);
    let parts = |example: &Example| {
        let (query, document) = (example.query as usize, example.document as usize);
        let (query_norm, document_norm) = (queries.norm(query), documents.norm(document));
        Parts { query_norm, document_norm, dot: queries.dot(query, &documents, document) }
    };
    examples.par_iter().map(parts).collect()
}

/// The scores of examples of one collection.
fn scores_of(
    epsilon: f32,
    collection: (&Corpus, usize),
    networks: &[Network],
    examples: &[Example],
) -> Vec<f32> {
    let [queries, documents] = encoded(collection, networks, examples);
    let score = |example: &Example| {
        queries.score(example.query as usize, &documents, example.document as usize, epsilon)
    };
    examples.par_iter().map(score).collect()
}

/// The queries and the documents of examples of one collection.
fn encoded(
    (corpus, collection): (&Corpus, usize),
    networks: &[Network],
    examples: &[Example],
) -> [Encoded; 2] {
    let texts = &corpus.collections[collection];
    let used = |place: fn(&Example) -> u32, count: usize| {
        let mut used = vec![false; count];
        examples.iter().for_each(|example| used[place(example) as usize] = true);
        used
    };
    let queries = used(|example| example.query, texts.queries.len());
    let documents = used(|example| example.document, texts.documents.len());
    let encoded = |side: usize, texts, wanted: &[bool]| {
        Encoded::of_wanted(&networks[side], corpus.weights_of(side), texts, wanted)
    };
    [
        encoded(0, &texts.queries, &queries),
        encoded(texts.language + 1, &texts.documents, &documents),
    ]
}
