//! Explanations of scores.

use ndarray::Array2;
use smooth_clir::encoder::{Encoder, Network, Precision, SparseCode, Table};
use smooth_clir::engine::{Engine, Search};
use smooth_clir::index::{Document, Index};
use smooth_clir::model::{Config, Model};
use smooth_clir::text::vocabulary::Vocabulary;

/// Two words for each encoder: rows of length 2, in the vocabulary's order.
fn encoder(words: [&str; 2], rows: [f32; 4]) -> Encoder {
    Encoder::new(
        Vocabulary::from_tokens(words).unwrap(),
        Network::Average(Table::new(2, rows.to_vec()).into()),
    )
}

fn engine() -> Engine {
    engine_of("average", |encoder| encoder)
}

/// An engine whose encoders are replaced.
fn engine_of(kind: &str, change: impl Fn(Encoder) -> Encoder) -> Engine {
    let encoder = |words, rows| change(encoder(words, rows));
    let model = Model {
        config: Config {
            encoder: kind.into(),
            dimension: 2,
            epsilon: 0.5,
            thresholds: vec![0.2, 0.6],
            languages: vec!["fr".into()],
            subwords: 0,
            calibration: Default::default(),
            probability: Default::default(),
            packs: Vec::new(),
        },
        provenance: "{}".into(),
        space: "the space".into(),
        query: Some(encoder(["rain", "salt"], [1.0, 0.0, 0.0, 1.0])),
        documents: [("fr".to_owned(), encoder(["pluie", "sel"], [2.0, 0.0, 0.0, 1.0]))].into(),
        translations: Default::default(),
        deep: None,
    };
    let document =
        |id| Document { id, language: "fr", text: "pluie sel, inconnu", ..Document::default() };
    let index = Index::build(&model, [document("a"), document("b")], Precision::F32).unwrap();
    let mut engine = Engine::new(model).unwrap();
    engine.add(index).unwrap();
    engine
}

/// By the formula, in f64: the mean of rows through tanh, and SCS.
fn score(query: &[[f64; 2]], document: &[[f64; 2]], epsilon: f64) -> f64 {
    let vector = |rows: &[[f64; 2]]| {
        [0, 1].map(|at| {
            libm::tanh(rows.iter().map(|row| row[at]).sum::<f64>() / rows.len().max(1) as f64)
        })
    };
    let (q, d) = (vector(query), vector(document));
    let norm = |v: [f64; 2]| (v[0] * v[0] + v[1] * v[1]).sqrt();
    (q[0] * d[0] + q[1] * d[1]) / ((norm(q) + epsilon) * (norm(d) + epsilon))
}

const RAIN: [f64; 2] = [1.0, 0.0];
const SALT: [f64; 2] = [0.0, 1.0];
const PLUIE: [f64; 2] = [2.0, 0.0];
const SEL: [f64; 2] = [0.0, 1.0];

fn close(found: f32, expected: f64) {
    assert!((f64::from(found) - expected).abs() < 1e-6, "{found}, expected {expected}");
}

#[test]
fn the_contribution_of_a_word_is_the_score_less_the_one_without_it() {
    let engine = engine();
    let found = engine.explain("Rain, rain, and salt!", 1, Some(2.0), None).unwrap().unwrap();
    let document = [PLUIE, SEL];
    let whole = score(&[RAIN, RAIN, SALT], &document, 2.0);
    close(found.score, whole);
    let words: Vec<&str> = found.query.iter().map(|word| word.token.as_str()).collect();
    assert_eq!(words, ["rain", "and", "salt"]);
    close(found.query[0].contribution.unwrap(), whole - score(&[SALT], &document, 2.0));
    assert_eq!(found.query[1].contribution, None, "a word without a row changes nothing");
    close(found.query[2].contribution.unwrap(), whole - score(&[RAIN], &document, 2.0));

    let query = [RAIN, RAIN, SALT];
    let words: Vec<&str> = found.document.iter().map(|word| word.token.as_str()).collect();
    assert_eq!(words, ["pluie", "sel", "inconnu"]);
    close(found.document[0].contribution.unwrap(), whole - score(&query, &[SEL], 2.0));
    close(found.document[1].contribution.unwrap(), whole - score(&query, &[PLUIE], 2.0));
    assert_eq!(found.document[2].contribution, None);
}

#[test]
fn so_it_is_for_other_methods() {
    let linear = engine_of("linear", |encoder| Encoder {
        network: Network::Linear(encoder.network.words().clone()),
        weights: Some([3.0, 1.0].into()),
        ..encoder
    });
    // Queries (3, 1) / 4, without salt (1, 0); the document (3 (2, 0) + (0, 1)) / 4 = (6, 1) / 4.
    let cosine = |q: [f64; 2], d: [f64; 2]| {
        (q[0] * d[0] + q[1] * d[1]) / (libm::hypot(q[0], q[1]) * libm::hypot(d[0], d[1]))
    };
    let found = linear.explain("rain salt", 0, Some(0.0), None).unwrap().unwrap();
    let whole = cosine([3.0, 1.0], [6.0, 1.0]);
    close(found.score, whole);
    close(found.query[1].contribution.unwrap(), whole - cosine([1.0, 0.0], [6.0, 1.0]));
    close(found.document[0].contribution.unwrap(), whole - cosine([3.0, 1.0], [0.0, 1.0]));

    let codes = engine_of("sparse_code", |encoder| {
        let (words, gram) = (encoder.network.words().clone(), Array2::eye(2));
        let network = SparseCode { words, gram, map: None, sparsity: 1 };
        Encoder { network: Network::SparseCode(network), ..encoder }
    });
    // One atom each: of two words' the larger, the first of two as large. The document is (1, 0).
    let found = codes.explain("rain salt", 0, Some(0.0), None).unwrap().unwrap();
    close(found.score, 1.0);
    // Without rain the other atom is chosen, which the document has nothing of.
    let contributions: Vec<_> = found.query.iter().map(|word| word.contribution).collect();
    assert_eq!(contributions, [Some(1.0), Some(0.0)]);
    assert_eq!(found.document[0].contribution, Some(1.0));
}

#[test]
fn the_parts_are_those_that_a_search_gives() {
    let engine = engine();
    let search = Search { query: "rain", limit: 1, ..Search::default() };
    let hit = engine.search(search).unwrap().remove(0);
    let place = engine.find(hit.id, Some("fr")).unwrap();
    let found = engine.explain("rain", place, None, None).unwrap().unwrap();
    assert_eq!(
        (found.score, found.dot, found.document_norm),
        (hit.score, hit.dot, hit.document_norm)
    );
    let encoded = engine.encode_query("rain").unwrap();
    assert_eq!(encoded.query().unwrap().norm(), found.query_norm);
    assert_eq!(engine.dots(&encoded), [hit.dot; 2]);
    // The only word: without it nothing is known, which scores 0.
    assert_eq!(found.query[0].contribution, Some(hit.score));
}

#[test]
fn what_is_not_there_is_not_explained_and_nothing_known_scores_nothing() {
    let engine = engine();
    assert_eq!(engine.explain("rain", 2, None, None), Ok(None));
    assert_eq!(engine.find("c", None), None);
    let nothing = engine.explain("zzyzx", 0, None, None).unwrap().unwrap();
    assert_eq!(
        (nothing.score, nothing.query_norm, nothing.query[0].contribution),
        (0.0, 0.0, None)
    );
    assert_eq!(engine.explain("rain", 0, Some(-1.0), None).unwrap_err().code(), "epsilon");
}
