//! A random BERT of 24 dimensions, with the vectors that NumPy computes for it (`tests/make.py`).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // A failure here is a failed test.

use serde_json::Value;
use smooth_clir_teacher::{Files, Teacher};

const TINY: Files = Files {
    config: include_bytes!("tiny/config.json"),
    tokenizer: include_bytes!("tiny/tokenizer.json"),
    weights: include_bytes!("tiny/model.safetensors"),
    pooling: Some(include_bytes!("tiny/1_Pooling/config.json")),
    modules: Some(include_bytes!("tiny/modules.json")),
    sentence: Some(include_bytes!("tiny/sentence_bert_config.json")),
};

/// The texts of `expected.json`.
fn expected() -> Vec<Value> {
    serde_json::from_slice(include_bytes!("tiny/expected.json")).unwrap()
}

fn texts() -> Vec<String> {
    expected().iter().map(|entry| entry["text"].as_str().unwrap().to_owned()).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn tiny<'a>(change: impl FnOnce(&mut Files<'a>)) -> Teacher {
    let mut files: Files<'a> = TINY;
    change(&mut files);
    Teacher::read(&files).unwrap()
}

fn refused<'a>(change: impl FnOnce(&mut Files<'a>)) -> String {
    let mut files: Files<'a> = TINY;
    change(&mut files);
    Teacher::read(&files).err().unwrap().to_string()
}

/// The cosine of our vector and NumPy's, both of length 1.
fn agreement(ours: &[f32], expected: &[f64]) -> f64 {
    assert_eq!(ours.len(), expected.len());
    ours.iter().zip(expected).map(|(ours, expected)| f64::from(*ours) * expected).sum()
}

fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = std::str::from_utf8(bytes).unwrap();
    assert!(text.contains(from), "{from} is not in {text}");
    text.replace(from, to).into_bytes()
}

#[test]
fn tokens_are_those_of_the_tokenizers_own_library() {
    let teacher = tiny(|_| {});
    for entry in expected() {
        let tokens = teacher.tokens(entry["text"].as_str().unwrap()).unwrap();
        assert_eq!(serde_json::to_value(tokens).unwrap(), entry["tokens"]);
    }
}

#[test]
fn vectors_agree_with_numpy() {
    let teacher = tiny(|_| {});
    assert_eq!(teacher.dimension(), 24);
    let vectors = teacher.encode(&texts()).unwrap();
    for (vector, entry) in vectors.chunks(24).zip(expected()) {
        let agreement = agreement(vector, &numbers(&entry["mean"]));
        assert!(agreement > 0.9995, "{}: {agreement}", entry["text"]);
    }
}

#[test]
fn the_first_token_is_taken_where_the_pooling_says_so() {
    let pooling = replaced(TINY.pooling.unwrap(), "mean_tokens", "cls_token");
    let teacher = tiny(|files| files.pooling = Some(&pooling));
    // The last text is in two windows.
    let texts = &texts()[..5];
    for (vector, entry) in teacher.encode(texts).unwrap().chunks(24).zip(expected()) {
        let agreement = agreement(vector, &numbers(&entry["first"]));
        assert!(agreement > 0.9995, "{}: {agreement}", entry["text"]);
    }
}

#[test]
fn no_vector_depends_on_the_texts_beside_it() {
    let teacher = tiny(|_| {});
    let texts = texts();
    let alone: Vec<f32> = texts.iter().flat_map(|text| teacher.encode(&[text]).unwrap()).collect();
    assert_eq!(teacher.encode(&texts).unwrap(), alone);
    let many: Vec<&String> = texts.iter().cycle().take(500).collect();
    for (place, vector) in teacher.encode(&many).unwrap().chunks(24).enumerate() {
        assert_eq!(vector, &alone[place % texts.len() * 24..][..24]);
    }
}

/// Made on x86-64 with AVX-512; `pkg-scripts/test` compares it under WASI too.
#[test]
fn every_host_gives_the_same_bits() {
    let vectors = tiny(|_| {}).encode(&texts()).unwrap();
    let bytes: Vec<u8> = vectors.iter().flat_map(|value| value.to_le_bytes()).collect();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write("tests/tiny/vectors.bin", &bytes).unwrap();
    }
    assert!(bytes == include_bytes!("tiny/vectors.bin"), "the bits have changed");
}

#[test]
fn vectors_have_length_one_only_where_a_module_normalises() {
    let length = |vector: &[f32]| vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    let vector = tiny(|_| {}).encode(&["snow"]).unwrap();
    assert!((length(&vector) - 1.0).abs() < 1e-6);
    let modules = br#"[{"type": "sentence_transformers.models.Transformer"}]"#;
    let longer = tiny(|files| files.modules = Some(modules)).encode(&["snow"]).unwrap();
    assert!(length(&longer) > 1.5, "{}", length(&longer));
    for (value, longer_value) in vector.iter().zip(&longer) {
        assert!((value - longer_value / length(&longer)).abs() < 1e-6);
    }
}

#[test]
fn a_text_without_tokens_is_the_zero_vector() {
    assert_eq!(tiny(|_| {}).encode(&["", " \n"]).unwrap(), [0.0; 48]);
    assert_eq!(tiny(|_| {}).encode::<&str>(&[]).unwrap(), [0.0; 0]);
}

#[test]
fn a_long_text_is_read_to_its_end() {
    let teacher = tiny(|_| {});
    let long = "the rain falls over ".repeat(5000);
    let vectors = teacher.encode(&[&long[..], &format!("{long}cat")]).unwrap();
    assert!(vectors.iter().all(|value| value.is_finite()));
    assert_ne!(vectors[..24], vectors[24..]);
}

#[test]
fn files_that_are_no_json_are_refused() {
    assert_eq!(
        refused(|files| files.config = b"{"),
        "config.json: EOF while parsing an object at line 1 column 1"
    );
    assert_eq!(
        refused(|files| files.tokenizer = b""),
        "tokenizer.json: EOF while parsing a value at line 1 column 0"
    );
    assert_eq!(
        refused(|files| files.sentence = Some(b"[]")),
        "sentence_bert_config.json: invalid length 0, expected struct Sentence with 1 element at line 1 column 2"
    );
}

#[test]
fn encoders_of_another_kind_are_refused() {
    for (from, to, message) in [
        ("\"bert\"", "\"roberta\"", "`model_type` is `roberta`, expected `bert`"),
        ("\"gelu\"", "\"relu\"", "`hidden_act` is `relu`, expected `gelu`"),
        ("24", "0", "`hidden_size` is 0, expected 1 to 8192"),
        ("40", "9000", "`intermediate_size` is 9000, expected 1 to 8192"),
        (": 3", ": 5", "`num_attention_heads` is 5, expected a divisor of `hidden_size`, 24"),
        ("1e-12", "-1", "`layer_norm_eps` is -1, expected 0 to 1"),
    ] {
        let config = replaced(TINY.config, from, to);
        assert_eq!(refused(|files| files.config = &config), format!("config.json: {message}"));
    }
    // At a limit the sizes are taken, and the weights are not of such a size.
    let sizes = [
        ("\"intermediate_size\": 40", 8192),
        ("\"num_hidden_layers\": 2", 64),
        ("\"vocab_size\": 20", 1 << 20),
        ("\"max_position_embeddings\": 12", 1 << 14),
    ];
    for (line, most) in sizes {
        let name = line.split(':').next().unwrap();
        for size in [most - 1, most, most + 1] {
            let config = replaced(TINY.config, line, &format!("{name}: {size}"));
            let message = refused(|files| files.config = &config);
            assert_eq!(
                message.contains(&format!("expected 1 to {most}")),
                size > most,
                "{message}"
            );
        }
    }
    let pooling = replaced(TINY.pooling.unwrap(), "mean_tokens", "max_tokens");
    assert_eq!(
        refused(|files| files.pooling = Some(&pooling)),
        "1_Pooling/config.json: `pooling_mode` is max_tokens, expected mean_tokens or cls_token"
    );
    let pooling = replaced(TINY.pooling.unwrap(), "24", "25");
    assert_eq!(
        refused(|files| files.pooling = Some(&pooling)),
        "1_Pooling/config.json: `word_embedding_dimension` is 25, expected 24, the `hidden_size` of config.json"
    );
    let modules = br#"[{"type": "sentence_transformers.models.Dense"}]"#;
    assert_eq!(
        refused(|files| files.modules = Some(modules)),
        "modules.json: `type` is `sentence_transformers.models.Dense`, expected Transformer, Pooling or Normalize"
    );
}

#[test]
fn weights_that_do_not_fit_are_refused() {
    assert_eq!(
        refused(|files| files.weights = &TINY.weights[..TINY.weights.len() - 1]),
        "model.safetensors: incomplete metadata, file not fully covered"
    );
    let renamed = with_header(|header| header.replace("output.dense.bias", "output.dense.BIAS"));
    assert_eq!(
        refused(|files| files.weights = &renamed),
        "model.safetensors: there is no tensor `encoder.layer.0.attention.output.dense.bias`"
    );
    let config = replaced(TINY.config, "\"intermediate_size\": 40", "\"intermediate_size\": 41");
    assert_eq!(
        refused(|files| files.config = &config),
        "model.safetensors: `encoder.layer.0.intermediate.dense.weight` is F32 [40, 24], expected F32 [41, 24]"
    );
    let mut poisoned = TINY.weights.to_vec();
    let last = poisoned.len() - 4;
    poisoned[last..].copy_from_slice(&f32::NAN.to_le_bytes());
    let message = refused(|files| files.weights = &poisoned);
    assert!(message.starts_with("model.safetensors: `"), "{message}");
    assert!(message.contains("` has the value NaN at "), "{message}");
}

#[test]
fn a_tokenizer_with_more_tokens_than_rows_is_refused() {
    let config = replaced(TINY.config, "\"vocab_size\": 20", "\"vocab_size\": 19");
    assert_eq!(
        refused(|files| files.config = &config),
        "tokenizer.json: it has 20 tokens, but config.json says 19"
    );
}

/// The weights with their header changed, without a change of its length.
fn with_header(change: impl FnOnce(&str) -> String) -> Vec<u8> {
    let length = u64::from_le_bytes(TINY.weights[..8].try_into().unwrap()) as usize;
    let header = change(std::str::from_utf8(&TINY.weights[8..8 + length]).unwrap());
    assert_eq!(header.len(), length);
    [&TINY.weights[..8], header.as_bytes(), &TINY.weights[8 + length..]].concat()
}
