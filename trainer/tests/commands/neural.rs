//! The encoders with layers from end to end, on the built-in corpus.

use predicates::prelude::*;

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
