//! How networks rank: their metrics and scores on some pairs.

use rayon::prelude::*;
use smooth_clir::encoder::Network;
use smooth_clir::math::metrics::Metrics;

use super::ranking::{Encoded, Scored, first, metrics};
use crate::corpus::{Corpus, Example, Judgements, Texts};
use smooth_clir::training::corpus::Graded;

/// The number of queries that are ranked at once.
const AT_ONCE: usize = 16;

/// Epsilon of each norm of smooth cosine similarity, usually one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Epsilons {
    /// That of the query's norm.
    pub query: f32,
    /// That of the document's norm.
    pub document: f32,
}

impl From<f32> for Epsilons {
    fn from(epsilon: f32) -> Self {
        [epsilon; 2].into()
    }
}

impl From<[f32; 2]> for Epsilons {
    fn from([query, document]: [f32; 2]) -> Self {
        Self { query, document }
    }
}

/// The metrics of each query among `examples`, by language. Examples of one query stand together,
/// in the order of the documents' file.
pub fn evaluate(
    epsilon: impl Into<Epsilons>,
    corpus: &Corpus,
    networks: &[Network],
    examples: &[Example],
) -> Vec<(String, Vec<Metrics>)> {
    let epsilon = epsilon.into();
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

/// The metrics of each query among `examples`, each ranking all documents of its collection. Exact
/// copies of a document share its grade. Examples of one query stand together.
pub fn evaluate_all(
    epsilon: impl Into<Epsilons>,
    corpus: &Corpus,
    networks: &[Network],
    judged: &[Judgements],
    examples: &[Example],
) -> Vec<Metrics> {
    let epsilons = epsilon.into();
    let mut all = Vec::new();
    for own in examples.chunk_by(|a, b| a.collection == b.collection) {
        let number = own[0].collection as usize;
        let texts = &corpus.collections[number];
        let wanted: Vec<usize> =
            own.chunk_by(|a, b| a.query == b.query).map(|list| list[0].query as usize).collect();
        let [mut queries, _] = encoded((corpus, number), networks, own);
        queries.shift_norms(epsilons.query - epsilons.document);
        let side = texts.language + 1;
        let documents = Encoded::new(&networks[side], corpus.weights_of(side), &texts.documents);
        let of_queries = |wanted: &[usize]| {
            let all = queries.all_scores(wanted, &documents, epsilons.document);
            let ranked = wanted.iter().zip(all);
            let metrics =
                ranked.filter_map(|(&query, scores)| judged[number].metrics(query, &scores));
            metrics.collect::<Vec<_>>()
        };
        all.extend(wanted.par_chunks(AT_ONCE).flat_map_iter(of_queries).collect::<Vec<_>>());
    }
    all
}

/// The score of each example.
pub fn scores(
    epsilon: impl Into<Epsilons>,
    corpus: &Corpus,
    networks: &[Network],
    examples: &[Example],
) -> Vec<f32> {
    let epsilons = epsilon.into();
    let lists = examples.chunk_by(|a, b| a.collection == b.collection);
    let of_list = |list: &[Example]| {
        scores_of(epsilons, (corpus, list[0].collection as usize), networks, list)
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
    epsilons: Epsilons,
    collection: (&Corpus, usize),
    networks: &[Network],
    examples: &[Example],
) -> Vec<f32> {
    let [mut queries, documents] = encoded(collection, networks, examples);
    queries.shift_norms(epsilons.query - epsilons.document);
    let score = |example: &Example| {
        let (query, document) = (example.query as usize, example.document as usize);
        queries.score(query, &documents, document, epsilons.document)
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

#[cfg(test)]
mod tests {
    use smooth_clir::math::random::Random;

    use super::*;
    use crate::data::collection::{Document, Query};
    use crate::data::{Collection, Pool};
    use crate::evaluation::ranking::MOST_RANKED;

    #[test]
    fn metrics_of_all_documents_are_those_of_the_sorted_ranking_with_ties_copies_and_a_long_tail() {
        let mut random = Random::new(1, "judgements");
        for count in [3, 40, 2500] {
            let document = |place: usize| Document {
                id: place.to_string(),
                title: String::new(),
                // Each ninth text is that of the document before.
                text: format!("text {}", place - usize::from(place % 9 == 8)),
            };
            let query = |place: usize| Query {
                id: place.to_string(),
                title: String::new(),
                text: String::new(),
                belongs_to: None,
            };
            let judged = |_| -> Vec<Graded> {
                let mut places: Vec<u32> = (0..count as u32).collect();
                random.shuffle(&mut places);
                let grades = [2, 1, 1, 0, 2].into_iter().zip(places);
                grades.map(|(grade, document)| Graded { document, grade }).collect()
            };
            let collection = Collection {
                path: Default::default(),
                language: "xx".into(),
                queries: (0..20).map(query).collect(),
                documents: (0..count).map(document).collect(),
                judged: (0..20).map(judged).collect(),
            };
            let judgements = Judgements::of(&collection);
            let pool = Pool::all(&collection, |_| true);
            for query in 0..20 {
                // Few different scores, so many are equal.
                let score = |_| (1.0 - random.below(count / 2 + 2) as f32) * 0.01;
                let scores: Vec<f32> = (0..count).map(score).collect();
                let candidates = pool.of(&collection, query).unwrap();
                let scored = candidates.iter().zip(&scores);
                let scored = scored.map(|(&judged, &score)| Scored { judged, score }).collect();
                let expected = metrics(&first(scored, MOST_RANKED), &candidates);
                assert_eq!(judgements.metrics(query, &scores), expected);
            }
        }
    }
}
