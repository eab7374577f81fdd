//! The compact file of the tiny teacher of `tiny.rs`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // A failure here is a failed test.

use std::collections::BTreeMap;

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors, serialize};
use serde_json::Value;
use smooth_clir::storage::container::Writer;
use smooth_clir_teacher::{Files, Teacher};

const TINY: Files = Files {
    config: include_bytes!("tiny/config.json"),
    tokenizer: include_bytes!("tiny/tokenizer.json"),
    weights: include_bytes!("tiny/model.safetensors"),
    pooling: Some(include_bytes!("tiny/1_Pooling/config.json")),
    modules: Some(include_bytes!("tiny/modules.json")),
    sentence: Some(include_bytes!("tiny/sentence_bert_config.json")),
};
const WORDS: &str = "embeddings.word_embeddings.weight";
const POSITIONS: &str = "embeddings.position_embeddings.weight";

fn texts() -> Vec<String> {
    let entries: Vec<Value> = serde_json::from_slice(include_bytes!("tiny/expected.json")).unwrap();
    entries.iter().map(|entry| entry["text"].as_str().unwrap().to_owned()).collect()
}

fn read(bytes: Vec<u8>) -> Teacher {
    Teacher::read_compact(&bytes.into()).unwrap()
}

fn refused(bytes: Vec<u8>) -> String {
    Teacher::read_compact(&bytes.into()).err().unwrap().to_string()
}

/// Rows of 24 numbers, as integers from -127 to 127 times a scale for each row.
fn rounded(values: &[u8]) -> Vec<u8> {
    let values: Vec<f32> =
        values.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let round = |row: &[f32]| -> Vec<f32> {
        let scale = row.iter().fold(0.0f32, |most, value| most.max(value.abs())) / 127.0;
        row.iter().map(|value| (value / scale).round() * scale).collect()
    };
    values.chunks(24).flat_map(round).flat_map(f32::to_le_bytes).collect()
}

#[test]
fn a_compact_file_gives_the_bits_of_a_folder_whose_embeddings_are_rounded_alike() {
    let tensors = SafeTensors::deserialize(TINY.weights).unwrap();
    let changed: BTreeMap<&str, Vec<u8>> =
        [WORDS, POSITIONS].map(|name| (name, rounded(tensors.tensor(name).unwrap().data()))).into();
    let views = tensors.iter().map(|(name, view)| {
        let data = changed.get(name).map_or(view.data(), |bytes| &bytes[..]);
        (name.to_owned(), TensorView::new(view.dtype(), view.shape().to_vec(), data).unwrap())
    });
    let weights = serialize(views.collect::<Vec<_>>(), None).unwrap();
    let folder = Teacher::read(&Files { weights: &weights, ..TINY }).unwrap();
    let compact = read(TINY.compact().unwrap());
    let (expected, found) = (folder.encode(&texts()).unwrap(), compact.encode(&texts()).unwrap());
    assert_eq!(found, expected);
    assert_ne!(
        found,
        Teacher::read(&TINY).unwrap().encode(&texts()).unwrap(),
        "nothing is rounded"
    );
}

/// Made on x86-64 with AVX-512; `pkg-scripts/test` compares it under WASI too.
#[test]
fn every_host_gives_the_same_bits_of_a_compact_file() {
    let vectors = read(TINY.compact().unwrap()).encode(&texts()).unwrap();
    let bytes: Vec<u8> = vectors.iter().flat_map(|value| value.to_le_bytes()).collect();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write("tests/tiny/compact.bin", &bytes).unwrap();
    }
    assert!(bytes == include_bytes!("tiny/compact.bin"), "the bits have changed");
}

#[test]
fn a_compact_file_states_its_origin_and_has_a_digest_of_its_own() {
    let bytes = TINY.compact().unwrap();
    assert!(bytes == TINY.compact().unwrap(), "not the same bytes each time");
    let folder = Teacher::read(&TINY).unwrap();
    assert_eq!(folder.digest(), folder.origin());
    let (_, metadata) = SafeTensors::read_metadata(&bytes).unwrap();
    let metadata = metadata.metadata().clone().unwrap();
    assert_eq!(metadata["teacher"], folder.origin());
    let compact = read(bytes);
    assert_eq!(compact.origin(), folder.origin());
    assert_eq!(compact.digest(), metadata["digest"]);
    assert_ne!(compact.digest(), folder.digest());
    // Another pooling is another teacher.
    let other = Files { pooling: None, ..TINY }.compact().unwrap();
    assert_ne!(read(other).origin(), folder.origin());
}

#[test]
fn settings_that_a_folder_lacks_are_missing_in_its_file_too() {
    let files = Files { pooling: None, modules: None, sentence: None, ..TINY };
    let compact = read(files.compact().unwrap());
    // Without them positions are those of config.json, 12, and a text of 14 tokens has two windows as before.
    let text = "the rain falls over the mountains the rain falls over the mountains";
    let (found, folder) = (compact.encode(&[text]).unwrap(), Teacher::read(&files).unwrap());
    let expected = folder.encode(&[text]).unwrap();
    let agreement: f32 = found.iter().zip(&expected).map(|(a, b)| a * b).sum();
    assert!(agreement > 0.999, "{agreement}");
}

#[test]
fn a_folder_that_cannot_be_read_has_no_compact_file() {
    let problem = |files: Files| files.compact().err().unwrap().to_string();
    assert_eq!(
        problem(Files { weights: &TINY.weights[..TINY.weights.len() - 1], ..TINY }),
        "model.safetensors: incomplete metadata, file not fully covered"
    );
    let text = std::str::from_utf8(TINY.config).unwrap();
    let config = text.replace("\"vocab_size\": 20", "\"vocab_size\": 19");
    assert_eq!(
        problem(Files { config: config.as_bytes(), ..TINY }),
        "tokenizer.json: it has 20 tokens, but config.json says 19"
    );
}

#[test]
fn a_file_that_is_cut_or_changed_anywhere_is_refused() {
    let whole = TINY.compact().unwrap();
    for length in (0..whole.len()).step_by(101) {
        refused(whole[..length].to_vec());
    }
    for place in (0..whole.len()).step_by(101) {
        let mut changed = whole.clone();
        changed[place] ^= 1;
        refused(changed);
    }
}

type Tensors = BTreeMap<String, (Dtype, Vec<usize>, Vec<u8>)>;

/// The compact file with other contents and a digest that fits them.
fn signed(kind: &str, change: impl FnOnce(&mut Tensors)) -> Vec<u8> {
    let bytes = TINY.compact().unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let mut tensors: Tensors = file
        .iter()
        .map(|(name, view)| {
            (name.to_owned(), (view.dtype(), view.shape().to_vec(), view.data().to_vec()))
        })
        .collect();
    change(&mut tensors);
    let mut writer = Writer::new(kind);
    writer.metadata("teacher", "0".repeat(64));
    for (name, (dtype, shape, data)) in &tensors {
        let numbers = || data.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        match dtype {
            Dtype::F32 => writer.f32(name, shape, &numbers().collect::<Vec<_>>()),
            Dtype::I8 => {
                writer.i8(name, shape, &data.iter().map(|byte| *byte as i8).collect::<Vec<_>>());
            }
            _ => writer.bytes(name, data),
        }
    }
    writer.into_bytes()
}

#[test]
fn a_file_with_a_fitting_digest_and_other_contents_is_refused() {
    assert_eq!(read(signed("teacher", |_| {})).origin(), "0".repeat(64));
    const WEIGHT: &str = "encoder.layer.0.intermediate.dense.weight";
    let scale = format!("{WEIGHT}.scale");
    let first = |value: f32| {
        move |tensors: &mut Tensors, name: &str| {
            tensors.get_mut(name).unwrap().2[..4].copy_from_slice(&value.to_le_bytes());
        }
    };
    let without = |name: &str| signed("teacher", |all| drop(all.remove(name)));
    let with = |name: &str, content: &[u8]| {
        signed("teacher", |all| {
            let shape = vec![content.len()];
            all.insert(name.to_owned(), (Dtype::U8, shape, content.to_vec()));
        })
    };
    let weight = format!("tensor `{WEIGHT}` ");
    let cases = [
        (signed("model", |_| {}), "metadata `kind`: found \"model\", expected \"teacher\""),
        (without(WEIGHT), &format!("{weight}is missing")),
        (without(&scale), &format!("tensor `{scale}` is missing")),
        (without("config.json"), "tensor `config.json` is missing"),
        (without("tokenizer.json"), "tensor `tokenizer.json` is missing"),
        (
            signed("teacher", |all| all.get_mut(WEIGHT).unwrap().1.reverse()),
            &format!("{weight}has shape [24, 40], expected [40, 24]"),
        ),
        (
            signed("teacher", |all| first(f32::NAN)(all, &scale)),
            &format!("tensor `{scale}`, element 0: NaN is not finite and 0 or more"),
        ),
        (
            signed("teacher", |all| first(-1.0)(all, &scale)),
            &format!("tensor `{scale}`, element 0: -1 is not finite and 0 or more"),
        ),
        (
            signed("teacher", |all| first(f32::NAN)(all, "embeddings.LayerNorm.bias")),
            "tensor `embeddings.LayerNorm.bias`, element 0: NaN is not finite",
        ),
        (with("more", b"0"), "tensor `more` is unknown and not named under `extensions`"),
        (with("tokenizer.json", b"{}"), "tokenizer.json: "),
        (with("config.json", b"{}"), "config.json: missing field `model_type`"),
        (with("modules.json", b"[]]"), "modules.json: trailing characters"),
        (with(WEIGHT, b"0"), &format!("{weight}has type U8, expected I8")),
    ];
    for (bytes, expected) in cases {
        let message = refused(bytes);
        assert!(message.starts_with(expected), "{message}, expected {expected}");
    }
    // The library of the format writes no digest.
    let view = TensorView::new(Dtype::U8, vec![1], &[0]).unwrap();
    let metadata = [("format", "smooth-clir"), ("version", "1"), ("kind", "teacher")];
    let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    let bytes = serialize([("config.json", view)], Some(metadata)).unwrap();
    let message = refused(bytes);
    assert_eq!(message, "metadata `digest`: found nothing, expected a value");
}
