//! Makes the golden files: `cargo run --example golden`.
//!
//! A model and an index of invented words and texts, and the bits that they give natively.
//! `tests/same_bits.rs` holds every host to them; `tests/reference/same_bits.py` has checked them
//! against NumPy.

#![allow(clippy::unwrap_used)] // It is run by hand.

use std::collections::BTreeMap;
use std::path::Path;

use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::index::{Document, Index};
use smooth_clir::model::{Config, Model};
use smooth_clir::random::Random;
use smooth_clir::vocabulary::Vocabulary;

mod scenario;

use scenario::DIMENSION;

const FRENCH: &str = "pluie montagne lac barque pain sel vieille neige l'eau forêt";
const THAI: &str = "ฝนตกบนภูเขา เรือเก่าในทะเลสาบ ขนมปังกับเกลือ";

fn encoder(texts: &str, random: &mut Random, deviation: f32) -> Encoder {
    let tokens = smooth_clir::text::tokens(texts);
    let vocabulary = Vocabulary::from_tokens(tokens.iter().map(String::as_str)).unwrap();
    let values = random.normals(vocabulary.len() * DIMENSION, deviation);
    Encoder { vocabulary, network: Network::Average(Table::new(DIMENSION, values)) }
}

fn main() {
    let mut random = Random::new(7, "golden");
    let query =
        encoder("rain over the mountains old boat on lake bread and salt", &mut random, 0.7);
    let french = encoder(FRENCH, &mut random, 0.9);
    let thai = encoder(THAI, &mut random, 0.2);
    let model = Model {
        config: Config {
            encoder: "average".into(),
            dimension: DIMENSION,
            epsilon: 0.5,
            thresholds: vec![0.2, 0.7],
            languages: vec!["fr".into(), "th".into()],
        },
        provenance: r#"{"sources":["invented"]}"#.into(),
        space: "golden".into(),
        query: Some(query),
        documents: BTreeMap::from([("fr".into(), french), ("th".into(), thai)]),
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
    });
    let thai = THAI.split(' ').enumerate().map(|(i, text)| Document {
        id: ["t0", "t1", "t2"][i],
        language: "th",
        title: "ชื่อ",
        text,
    });
    let index = Index::build(&model, french.chain(thai), Precision::F32).unwrap();

    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    std::fs::write(folder.join("model.safetensors"), model.write(Precision::F32)).unwrap();
    std::fs::write(folder.join("index.safetensors"), index.write(Precision::F32)).unwrap();
    std::fs::write(folder.join("vectors.tsv"), scenario::vectors(&model)).unwrap();
    std::fs::write(folder.join("scores.tsv"), scenario::scores(model, index)).unwrap();
    std::fs::write(folder.join("steps.tsv"), scenario::steps()).unwrap();
}
