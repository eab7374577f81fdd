//! Makes the golden files: `cargo run --example golden`.
//!
//! For each network a model and an index of invented words and texts, and the bits that they give
//! natively.
//! `tests/same_bits.rs` holds every host to them; `tests/reference/same_bits.py` has checked them
//! against NumPy.

#![allow(clippy::unwrap_used)] // It is run by hand.

use std::collections::BTreeMap;
use std::path::Path;

use ndarray::Array2;
use smooth_clir::encoder::{
    Cell, Convolution, Encoder, Linear, Network, Precision, ReadOut, Recurrent, SparseCode, Table,
    WINDOW,
};
use smooth_clir::index::{Document, Index};
use smooth_clir::math::arrays::{into_values, of_rows};
use smooth_clir::math::random::Random;
use smooth_clir::model::{Config, Model};
use smooth_clir::text::vocabulary::Vocabulary;

mod scenario;

use scenario::DIMENSION;

const FRENCH: &str = "pluie montagne lac barque pain sel vieille neige l'eau forêt";
const THAI: &str = "ฝนตกบนภูเขา เรือเก่าในทะเลสาบ ขนมปังกับเกลือ";

/// Each kind and the prefix of its files.
const KINDS: [(&str, &str); 5] = [
    ("average", ""),
    ("cnn", "cnn-"),
    ("lstm", "lstm-"),
    ("linear", "linear-"),
    ("sparse_code", "sparse-code-"),
];
const FILTERS: usize = 19;
const HIDDEN: usize = 5;
const SPARSITY: usize = 3;

fn network(kind: &str, words: Table, random: &mut Random) -> Network {
    let mut table = |rows: usize, columns: usize| {
        let deviation = 1.0 / (columns as f32).sqrt();
        of_rows(columns, random.normals(rows * columns, deviation))
    };
    let mut linear = |outputs, inputs| Linear {
        weight: table(outputs, inputs),
        bias: into_values(table(outputs, 1)),
    };
    match kind {
        "cnn" => Network::Convolution(Convolution {
            words: words.into(),
            filters: linear(FILTERS, WINDOW * DIMENSION),
            output: linear(DIMENSION, FILTERS),
        }),
        "lstm" => {
            let output = linear(DIMENSION, 2 * HIDDEN);
            let mut cell = || Cell {
                input: table(4 * HIDDEN, DIMENSION),
                hidden: table(4 * HIDDEN, HIDDEN),
                bias: into_values(table(4 * HIDDEN, 1)),
            };
            let (forward, backward) = (cell(), cell());
            Network::Recurrent(Recurrent {
                words: words.into(),
                forward,
                backward,
                output,
                read_out: ReadOut::Last,
            })
        }
        "linear" => Network::Linear(words.into()),
        "sparse_code" => {
            let words = with_unit_columns(words);
            let map = Some(table(DIMENSION, DIMENSION));
            let gram = gram(&words);
            Network::SparseCode(SparseCode { words: words.into(), gram, map, sparsity: SPARSITY })
        }
        _ => Network::Average(words.into()),
    }
}

/// A dictionary: each column is an atom.
fn with_unit_columns(mut words: Table) -> Table {
    for column in 0..DIMENSION {
        let places = (column..words.values().len()).step_by(DIMENSION);
        let square: f32 = places.clone().map(|at| words.values()[at] * words.values()[at]).sum();
        places.for_each(|at| words.values_mut()[at] /= square.sqrt());
    }
    words
}

/// The columns' dot products.
fn gram(words: &Table) -> Array2<f32> {
    let column = |at: usize| words.values().iter().skip(at).step_by(DIMENSION);
    let dot = |a: usize, b: usize| column(a).zip(column(b)).map(|(a, b)| a * b).sum::<f32>();
    Array2::from_shape_fn((DIMENSION, DIMENSION), |(a, b)| dot(a, b))
}

fn encoder(kind: &str, texts: &str, random: &mut Random, deviation: f32) -> Encoder {
    let tokens = smooth_clir::text::tokens(texts);
    let vocabulary = Vocabulary::from_tokens(tokens.iter().map(String::as_str)).unwrap();
    let values = random.normals(vocabulary.len() * DIMENSION, deviation);
    let words = vocabulary.len();
    let network = network(kind, Table::new(DIMENSION, values), random);
    let weights = ["linear", "sparse_code"].contains(&kind);
    let weights = weights.then(|| random.uniforms(words, 0.5).iter().map(|x| x + 1.0).collect());
    Encoder { weights, ..Encoder::new(vocabulary, network) }
}

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for (kind, prefix) in KINDS {
        let (model, index) = model_and_index(kind);
        let write = |name: &str, bytes: &[u8]| {
            std::fs::write(folder.join(format!("{prefix}{name}")), bytes).unwrap();
        };
        write("model.safetensors", &model.write(Precision::F32));
        write("index.safetensors", &index.write());
        write("vectors.tsv", scenario::vectors(&model).as_bytes());
        write("scores.tsv", scenario::scores(model, index).as_bytes());
    }
    std::fs::write(folder.join("steps.tsv"), scenario::steps()).unwrap();
    std::fs::write(folder.join("dots.tsv"), scenario::dots()).unwrap();
    let parts = folder.join("parts");
    std::fs::create_dir_all(&parts).unwrap();
    for (name, bytes) in model_and_index("average").1.write_parts(10) {
        std::fs::write(parts.join(name), bytes).unwrap();
    }
}

fn model_and_index(kind: &str) -> (Model, Index) {
    let mut random = Random::new(7, "golden");
    let query =
        encoder(kind, "rain over the mountains old boat on lake bread and salt", &mut random, 0.7);
    let mut french = encoder(kind, FRENCH, &mut random, 0.9);
    let mut thai = encoder(kind, THAI, &mut random, 0.2);
    // Queries' codes are taken to those of documents.
    for encoder in [&mut french, &mut thai] {
        if let Network::SparseCode(network) = &mut encoder.network {
            network.map = None;
        }
    }
    let model = Model {
        config: Config {
            encoder: kind.into(),
            dimension: DIMENSION,
            epsilon: 0.5,
            thresholds: vec![0.2, 0.7],
            languages: vec!["fr".into(), "th".into()],
            subwords: 0,
            calibration: Default::default(),
            probability: Default::default(),
            packs: Vec::new(),
        },
        provenance: r#"{"sources":["invented"]}"#.into(),
        space: "golden".into(),
        query: Some(query),
        documents: BTreeMap::from([("fr".into(), french), ("th".into(), thai)]),
        translations: Default::default(),
        deep: None,
    };

    let words: Vec<&str> = FRENCH.split(' ').collect();
    let texts: Vec<String> = (0..40)
        .map(|_| {
            let count = random.below(12);
            (0..count).map(|_| words[random.below(words.len())]).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let ids: Vec<String> = (0..texts.len()).map(|i| format!("d{i}")).collect();
    let french = ids.iter().zip(&texts).map(|(id, text)| Document {
        id,
        language: "fr",
        title: "titre",
        text,
        ..Document::default()
    });
    let thai = THAI.split(' ').enumerate().map(|(i, text)| Document {
        id: ["t0", "t1", "t2"][i],
        language: "th",
        title: "ชื่อ",
        text,
        ..Document::default()
    });
    let index = Index::build(&model, french.chain(thai), Precision::F32).unwrap();
    (model, index)
}
