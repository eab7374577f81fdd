//! Inputs that fuzzing found to reach new code, and those that once broke something, once more.

#[path = "../../fuzz/src/checks.rs"]
mod checks;

use std::fs;
use std::path::Path;

use smooth_clir::index::{BlockFile, Index};
use smooth_clir::model::Model;

fn inputs(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target);
    let inputs: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| fs::read(entry.unwrap().path()).unwrap())
        .collect();
    assert!(!inputs.is_empty());
    inputs
}

#[test]
fn models_are_refused_or_whole() {
    let accepted = inputs("model").into_iter().filter_map(|bytes| Model::read(&bytes).ok());
    assert!(accepted.map(checks::model).count() > 0);
}

#[test]
fn indexes_and_their_texts_are_refused_or_whole() {
    let inputs = inputs("index");
    let indexes = inputs.iter().filter_map(|bytes| Index::read(bytes).ok());
    assert!(indexes.map(checks::index).count() > 0);
    let blocks = inputs.iter().filter_map(|bytes| BlockFile::read(bytes.clone()).ok());
    assert!(blocks.map(checks::block).count() > 0);
}

#[test]
fn what_was_learned_and_any_text_is_read_without_a_panic() {
    inputs("learned").iter().for_each(|bytes| checks::learned(bytes));
    let texts = inputs("text").into_iter().filter_map(|bytes| String::from_utf8(bytes).ok());
    assert!(texts.map(|text| checks::text(&text)).count() > 0);
}
