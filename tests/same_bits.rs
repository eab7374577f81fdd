//! Vectors, scores, rankings and training steps are the same bits on every host: these tests run
//! natively, in Node, and in a page and a worker of a browser, against files made natively.

#![allow(clippy::unwrap_used)] // A failure here is a failed test.

#[path = "golden/scenario.rs"]
mod scenario;

use smooth_clir::index::Index;
use smooth_clir::model::Model;
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// The files of one network.
struct Golden {
    model: &'static [u8],
    index: &'static [u8],
    vectors: &'static str,
    scores: &'static str,
}

const GOLDEN: [Golden; 3] = [
    Golden {
        model: include_bytes!("golden/model.safetensors"),
        index: include_bytes!("golden/index.safetensors"),
        vectors: include_str!("golden/vectors.tsv"),
        scores: include_str!("golden/scores.tsv"),
    },
    Golden {
        model: include_bytes!("golden/cnn-model.safetensors"),
        index: include_bytes!("golden/cnn-index.safetensors"),
        vectors: include_str!("golden/cnn-vectors.tsv"),
        scores: include_str!("golden/cnn-scores.tsv"),
    },
    Golden {
        model: include_bytes!("golden/lstm-model.safetensors"),
        index: include_bytes!("golden/lstm-index.safetensors"),
        vectors: include_str!("golden/lstm-vectors.tsv"),
        scores: include_str!("golden/lstm-scores.tsv"),
    },
];

impl Golden {
    fn model(&self) -> Model {
        Model::read(self.model).unwrap()
    }

    fn index(&self) -> Index {
        Index::read(self.index).unwrap()
    }
}

fn assert_same_lines(found: &str, golden: &str) {
    for (found, golden) in found.lines().zip(golden.lines()) {
        assert_eq!(found, golden);
    }
    assert_eq!(found.lines().count(), golden.lines().count());
}

#[test]
fn query_vectors_are_the_golden_bits() {
    for golden in GOLDEN {
        assert_same_lines(&scenario::vectors(&golden.model()), golden.vectors);
    }
}

#[test]
fn documents_encoded_here_are_those_of_the_golden_index() {
    for golden in GOLDEN {
        let (model, index) = (golden.model(), golden.index());
        for place in 0..index.len() {
            let encoder = model.document_encoder(index.language(place)).unwrap();
            let bits = |vector: &[f32]| vector.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(
                bits(&encoder.encode(index.shown(place).unwrap().text)),
                bits(&index.vector(place))
            );
        }
        assert_eq!(index.len(), 43);
    }
}

#[test]
fn scores_and_rankings_are_the_golden_ones() {
    for golden in GOLDEN {
        let found = scenario::scores(golden.model(), golden.index());
        assert_same_lines(&found, golden.scores);
    }
}

#[test]
fn training_steps_leave_the_golden_weights() {
    assert_same_lines(&scenario::steps(), include_str!("golden/steps.tsv"));
}

#[test]
fn dot_products_with_many_vectors_are_the_golden_bits() {
    assert_same_lines(&scenario::dots(), include_str!("golden/dots.tsv"));
}
