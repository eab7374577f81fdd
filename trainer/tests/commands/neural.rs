//! The encoders with layers from end to end, on the built-in corpus.

#[cfg(feature = "neural")]
use std::collections::BTreeMap;

#[cfg(feature = "neural")]
use crate::toy::*;
use predicates::prelude::*;
#[cfg(feature = "neural")]
use safetensors::SafeTensors;

#[cfg(not(feature = "neural"))]
#[test]
fn a_program_built_without_them_says_so() {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("smooth-clir");
    let train = ["train", "--encoder", "cnn", "--out", "model.safetensors"];
    let told = predicate::str::contains("--features neural");
    let folder = tempfile::tempdir().unwrap();
    command.current_dir(&folder).args(train).assert().code(2).stderr(told);
}

/// Runs a command line in a folder, its words separated by spaces.
#[cfg(feature = "neural")]
fn run(folder: &tempfile::TempDir, line: &str) -> assert_cmd::assert::Assert {
    let mut command = assert_cmd::cargo::cargo_bin_cmd!("smooth-clir");
    command.current_dir(folder).args(line.split_whitespace()).assert().success()
}

#[cfg(feature = "neural")]
#[test]
fn a_model_with_layers_is_trained_evaluated_indexed_searched_and_verified() {
    for encoder in ["cnn", "lstm", "lstm-first"] {
        let folder = tempfile::tempdir().unwrap();
        let train = format!(
            "train --language fr --encoder {encoder} --epochs 1 --negatives 1 --dimension 16 \
             --batch-size 512 --out model.safetensors"
        );
        run(&folder, &train);
        run(&folder, "evaluate model.safetensors --json").stdout(predicate::str::contains("MAP"));
        run(&folder, "index model.safetensors --out index.safetensors");
        run(&folder, "search model.safetensors index.safetensors rain --limit 3")
            .stdout(predicate::function(|shown: &str| !shown.trim().is_empty()));
        run(&folder, "verify model.safetensors index.safetensors")
            .stdout(predicate::str::contains("dimension 16"));
    }
}

/// What paper 1, section 5.1 says of its networks, and nothing that the options here say: 64 dimensions;
/// a window of 3 words, 300 filters and a layer with 64 outputs, or 64 hidden units in each of two
/// directions and a layer with 64 outputs that reads both. A cell of an LSTM has four gates.
#[cfg(feature = "neural")]
#[test]
fn networks_have_the_papers_sizes_and_settings_where_nothing_else_is_said() {
    let convolution: &[(&str, &[usize])] = &[
        ("convolution.bias", &[300]),
        ("convolution.weight", &[300, 3 * 64]),
        ("linear.bias", &[64]),
        ("linear.weight", &[64, 300]),
    ];
    let recurrent: &[(&str, &[usize])] = &[
        ("backward.bias", &[4 * 64]),
        ("backward.hidden", &[4 * 64, 64]),
        ("backward.input", &[4 * 64, 64]),
        ("forward.bias", &[4 * 64]),
        ("forward.hidden", &[4 * 64, 64]),
        ("forward.input", &[4 * 64, 64]),
        ("linear.bias", &[64]),
        ("linear.weight", &[64, 2 * 64]),
    ];
    let place = Place::new();
    for (encoder, layers, batch) in
        [("cnn", convolution, 128.0), ("lstm", recurrent, 64.0), ("lstm-first", recurrent, 64.0)]
    {
        let train = "train data --language xx --epochs 1 --negatives 1 --out";
        place.run(&format!("{train} {encoder}.safetensors --encoder {encoder}")).success();
        let bytes = std::fs::read(place.path(&format!("{encoder}.safetensors"))).unwrap();
        let file = SafeTensors::deserialize(&bytes).unwrap();
        let mut found: BTreeMap<String, Vec<usize>> =
            file.iter().map(|(name, tensor)| (name.to_owned(), tensor.shape().to_vec())).collect();
        found.retain(|name, _| !name.ends_with(".vocabulary"));
        let mut expected = BTreeMap::new();
        for side in ["query", "document.xx"] {
            // The toy has ten words in each language.
            expected.insert(format!("{side}.embedding"), vec![IDEAS, 64]);
            let shape =
                |(name, shape): &(&str, &[usize])| (format!("{side}.{name}"), shape.to_vec());
            expected.extend(layers.iter().map(shape));
        }
        assert_eq!(found, expected, "{encoder}");
        let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
        let provenance = &header.metadata().as_ref().unwrap()["provenance"];
        let provenance: serde_json::Value = serde_json::from_str(provenance).unwrap();
        let options = &provenance["options"];
        for (name, expected) in
            [("dropout", 0.4), ("learning-rate", 0.001), ("decay", 0.95), ("batch-size", batch)]
        {
            assert_eq!(options[name].as_f64(), Some(expected), "{encoder}: {name}");
        }
    }
}

#[cfg(feature = "neural")]
#[test]
fn shared_layers_are_the_same_for_queries_and_documents_and_words_are_not() {
    let place = Place::new();
    let train = "train data --language xx --epochs 1 --negatives 1 --encoder cnn --out";
    // Which parts of a model's two networks are the same.
    let same = |name: &str, parts: &[&str]| -> Vec<bool> {
        let bytes = std::fs::read(place.path(name)).unwrap();
        let file = SafeTensors::deserialize(&bytes).unwrap();
        let tensor = |name: String| file.tensor(&name).unwrap().data().to_vec();
        let is_same =
            |part: &&str| tensor(format!("query.{part}")) == tensor(format!("document.xx.{part}"));
        parts.iter().map(is_same).collect()
    };
    let parts =
        ["convolution.weight", "convolution.bias", "linear.weight", "linear.bias", "embedding"];
    place.run(&format!("{train} shared.safetensors --shared-layers")).success();
    assert_eq!(same("shared.safetensors", &parts), [true, true, true, true, false]);
    place.run(&format!("{train} separate.safetensors")).success();
    assert_eq!(same("separate.safetensors", &parts), [false; 5]);
}
