//! The `space` of a file is shown and stored elsewhere: it may contain nothing with a meaning there.

use std::fs;

use smooth_clir::Error;
use smooth_clir::engine::Engine;
use smooth_clir::index::{BlockFile, Index};
use smooth_clir::model::Model;

/// Characters that end a string, a statement, a line or an element, or colour a terminal.
const HOSTILE: [&str; 12] = [
    "'",
    "\"",
    "\\",
    ";",
    "`",
    "a\nb",
    "\u{1b}[31m",
    "<b>",
    "{a}",
    "",
    "é",
    "01234567890123456789012345678901234567890123456789012345678901234",
];

/// A golden file with another value under a key of its metadata.
fn file(name: &str, key: &str, value: &str) -> Vec<u8> {
    let bytes = fs::read(format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let length = u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    let (header, data) = bytes[8..].split_at(length);
    let mut header: serde_json::Value = serde_json::from_slice(header).unwrap();
    let metadata = header["__metadata__"].as_object_mut().unwrap();
    // A file that was made by hand states no digest.
    metadata.remove("digest");
    assert!(metadata.insert(key.into(), value.into()).is_some(), "{name} has no {key}");
    let mut header = header.to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    [&(header.len() as u64).to_le_bytes()[..], &header, data].concat()
}

fn check<T>(name: &str, key: &str, read: impl Fn(&[u8]) -> Result<T, Error>) {
    for good in ["golden", "by Python", "a-b_c.9", &"f".repeat(64)] {
        assert!(read(&file(name, key, good)).is_ok(), "{name}: {good}");
    }
    for hostile in HOSTILE {
        match read(&file(name, key, hostile)).err() {
            Some(Error::Metadata { key: found, expected, .. }) => {
                assert_eq!(found, key, "{name}: {hostile:?}");
                assert!(expected.contains("ASCII letters"), "{expected}");
            }
            other => panic!("{name}: {hostile:?}: {other:?}"),
        }
    }
}

#[test]
fn no_file_belongs_to_what_could_mean_something_elsewhere() {
    check("model.safetensors", "space", Model::read);
    check("index.safetensors", "model", Index::read);
    check("parts/texts.0.safetensors", "space", |bytes| BlockFile::read(bytes.to_vec()));
}

#[test]
fn no_index_expects_texts_of_such_a_name() {
    let name = "parts/index.safetensors";
    let bytes = fs::read(format!("{}/tests/golden/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let length = u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    let header: serde_json::Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    let config = header["__metadata__"]["config"].as_str().unwrap();
    let mut config: serde_json::Value = serde_json::from_str(config).unwrap();
    for hostile in HOSTILE {
        config["texts"][0] = hostile.into();
        let refused = Index::read(&file(name, "config", &config.to_string()));
        assert_eq!(refused.unwrap_err().code(), "metadata", "{hostile:?}");
    }
}

#[test]
fn texts_of_a_block_that_no_index_has_are_refused() {
    let read = |name: &str| {
        fs::read(format!("{}/tests/golden/parts/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
    };
    let model = fs::read(format!("{}/tests/golden/model.safetensors", env!("CARGO_MANIFEST_DIR")));
    let mut engine = Engine::new(Model::read(&model.unwrap()).unwrap()).unwrap();
    engine.add(Index::read(&read("index.safetensors")).unwrap()).unwrap();
    let name = "parts/texts.0.safetensors";
    for block in [u64::MAX, 1 << 40] {
        let bytes = file(name, "config", &format!("{{\"block\":{block}}}"));
        let texts = BlockFile::read(bytes).unwrap();
        assert_eq!(engine.add_texts(0, texts).unwrap_err().code(), "wrong-block");
    }
}
