//! Vectors, scores, rankings and training steps are the same bits on every host: these tests run
//! natively, in Node, and in a page and a worker of a browser, against files made natively.

#![allow(clippy::unwrap_used)] // A failure here is a failed test.

#[path = "golden/scenario.rs"]
mod scenario;

use smooth_clir::index::Index;
use smooth_clir::model::Model;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

fn model() -> Model {
    Model::read(include_bytes!("golden/model.safetensors")).unwrap()
}

fn index() -> Index {
    Index::read(include_bytes!("golden/index.safetensors")).unwrap()
}

fn assert_same_lines(found: &str, golden: &str) {
    for (found, golden) in found.lines().zip(golden.lines()) {
        assert_eq!(found, golden);
    }
    assert_eq!(found.lines().count(), golden.lines().count());
}

#[test]
fn query_vectors_are_the_golden_bits() {
    assert_same_lines(&scenario::vectors(&model()), include_str!("golden/vectors.tsv"));
}

#[test]
fn documents_encoded_here_are_those_of_the_golden_index() {
    let (model, index) = (model(), index());
    for place in 0..index.len() {
        let encoder = model.document_encoder(index.language(place)).unwrap();
        let bits = |vector: &[f32]| vector.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&encoder.encode(index.texts.get(place))), bits(index.vector(place)));
    }
    assert_eq!(index.len(), 43);
}

#[test]
fn scores_and_rankings_are_the_golden_ones() {
    let found = scenario::scores(model(), index());
    assert_same_lines(&found, include_str!("golden/scores.tsv"));
}

#[test]
fn training_steps_leave_the_golden_weights() {
    assert_same_lines(&scenario::steps(), include_str!("golden/steps.tsv"));
}
