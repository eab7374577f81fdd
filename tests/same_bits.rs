//! Vectors, scores, rankings and training steps are the same bits on every host: these tests run
//! natively, in Node, in a page and a worker of a browser, and under WASI, against files made natively.

#![allow(clippy::unwrap_used)] // A failure here is a failed test.

#[path = "golden/scenario.rs"]
mod scenario;

use smooth_clir::index::Index;
use smooth_clir::math::kernels;
use smooth_clir::math::random::Random;
use smooth_clir::math::similarity::from_parts;
use smooth_clir::model::Model;
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
use wasm_bindgen_test::wasm_bindgen_test as test;

/// The files of one network.
struct Golden {
    model: &'static [u8],
    index: &'static [u8],
    vectors: &'static str,
    scores: &'static str,
}

const GOLDEN: [Golden; 5] = [
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
    Golden {
        model: include_bytes!("golden/linear-model.safetensors"),
        index: include_bytes!("golden/linear-index.safetensors"),
        vectors: include_str!("golden/linear-vectors.tsv"),
        scores: include_str!("golden/linear-scores.tsv"),
    },
    Golden {
        model: include_bytes!("golden/sparse-code-model.safetensors"),
        index: include_bytes!("golden/sparse-code-index.safetensors"),
        vectors: include_str!("golden/sparse-code-vectors.tsv"),
        scores: include_str!("golden/sparse-code-scores.tsv"),
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

/// Few and many documents, of lengths that the loops are made for and of others.
const SHAPES: [(usize, usize); 8] =
    [(64, 300), (64, 3), (67, 9), (16, 131), (48, 129), (192, 130), (80, 7), (5, 9)];

#[test]
fn many_dot_products_are_those_of_one_by_one() {
    for (dimension, count) in SHAPES {
        let mut random = Random::new(1, "vectors");
        let (query, vectors) =
            (random.normals(dimension, 1.0), random.normals(dimension * count, 1.0));
        // As many are done as there is room for, however many there are.
        for room in [count, count - 1, count / 2, 1] {
            let mut found = vec![0.0; room];
            kernels::dots(&query, &vectors, &mut found);
            for (vector, found) in vectors.chunks_exact(dimension).zip(found) {
                let expected = kernels::dot(&query, vector);
                assert_eq!(found.to_bits(), expected.to_bits(), "{dimension}, {count}, {room}");
            }
        }
    }
}

#[test]
fn products_of_minus_zero_sum_to_plus_zero() {
    let mut found = [7.0; 9];
    kernels::dots(&[-1.0; 64], &[0.0; 64 * 9], &mut found);
    assert_eq!(found.map(f32::to_bits), [0; 9]);
}

#[test]
fn dot_products_of_integers_are_exact() {
    for (dimension, count) in SHAPES {
        let mut random = Random::new(1, "integers");
        let query: Vec<i16> = (0..dimension).map(|_| random.next_u64() as i16 / 2).collect();
        let vectors: Vec<i8> = (0..dimension * count).map(|_| random.next_u64() as i8).collect();
        for room in [count, count - 1, count / 2, 1] {
            let mut found = vec![0; room];
            kernels::dots_of_integers(&query, &vectors, &mut found);
            for (vector, found) in vectors.chunks_exact(dimension).zip(found) {
                let products = query.iter().zip(vector).map(|(&a, &b)| i64::from(a) * i64::from(b));
                let expected: i64 = products.sum();
                assert_eq!(i64::from(found), expected, "{dimension}, {count}, {room}");
            }
        }
    }
}

#[test]
fn many_scores_are_those_of_one_by_one() {
    let mut random = Random::new(1, "scores");
    let (dots, mut norms) = (random.normals(131, 3.0), random.uniforms(131, 4.0));
    norms.iter_mut().for_each(|norm| *norm = norm.abs());
    norms[7] = 0.0;
    for (query_norm, epsilon) in [(2.5, 0.5), (2.5, 0.0), (0.0, 0.0)] {
        let mut found = vec![7.0; 131];
        kernels::scores(&dots, query_norm, &norms, epsilon, &mut found);
        for ((dot, norm), found) in dots.iter().zip(&norms).zip(found) {
            let expected = from_parts(*dot, query_norm, *norm, epsilon);
            assert_eq!(found.to_bits(), expected.to_bits());
        }
    }
}
