//! Model and index files: what is whole is read, and every way of being bad is refused with its
//! code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use ndarray::Array2;
use proptest::prelude::*;
use smooth_clir::Error;
use smooth_clir::encoder::{Encoder, Network, Precision, SparseCode, Table};
use smooth_clir::engine::{Engine, Search};
use smooth_clir::index::{BlockFile, Builder, Document, Index};
use smooth_clir::math::arrays::values_mut;
use smooth_clir::model::{Config, Model};
use smooth_clir::storage::SharedBytes;
use smooth_clir::text::vocabulary::Vocabulary;

/// The [`Error::code`] of each file in `tests/bad`, which `make.py` there makes.
const BAD: &[(&str, &[&str])] = &[
    (
        "not-safetensors",
        &[
            "empty",
            "shorter-than-a-header-length",
            "cut-in-its-header",
            "cut-after-its-header",
            "cut-in-its-data",
            "trailing-byte",
            "header-longer-than-memory",
            "header-not-json",
            "web-page",
            "array-file",
            "index-cut-in-its-data",
        ],
    ),
    (
        "metadata",
        &[
            "no-format",
            "no-version",
            "no-kind",
            "no-config",
            "no-provenance",
            "no-space",
            "another-format",
            "version-before-the-first",
            "version-not-a-number",
            "another-kind",
            "metadata-unknown",
            "config-not-json",
            "provenance-not-json",
            "provenance-a-long-text",
            "extensions-not-a-list",
            "another-encoder",
            "another-text-rule",
            "another-text-rule-version",
            "sparse-code-no-sparsity",
            "sparse-code-of-no-atoms",
            "sparse-code-of-four-atoms",
            "subwords-of-another-rule",
            "subwords-of-no-rows",
            "dimension-0",
            "dimension-huge",
            "dimension-not-whole",
            "epsilon-text",
            "thresholds-not-numbers",
            "languages-not-a-list",
            "index-no-model",
            "index-another-text-rule",
            "index-dimension-0",
            "index-languages-not-names",
            "index-field-named-twice",
            "index-blocks-of-no-documents",
        ],
    ),
    ("newer-version", &["newer-version", "index-newer-version"]),
    ("digest", &["digest-of-other-bytes", "digest-too-short"]),
    ("epsilon", &["epsilon-negative", "epsilon-too-large-for-f32"]),
    ("thresholds", &["thresholds-out-of-order", "thresholds-none"]),
    ("threshold-out-of-reach", &["threshold-out-of-reach"]),
    (
        "missing-tensor",
        &[
            "embedding-missing",
            "scale-missing",
            "lstm-hidden-missing",
            "sparse-code-gram-missing",
            "index-vectors-missing",
            "index-titles-missing",
        ],
    ),
    (
        "unknown-tensor",
        &[
            // Without its vocabulary an encoder is not there, and its embedding is unknown.
            "vocabulary-missing",
            "languages-without-the-documents",
            "tensor-unknown",
            "tensor-unknown-but-another-named",
            "scale-without-8-bits",
            "cnn-as-average",
            "linear-with-a-gram",
            "index-tensor-unknown",
        ],
    ),
    (
        "tensor-type",
        &[
            "embedding-double",
            "vocabulary-of-characters",
            "cnn-linear-half",
            "sparse-code-gram-half",
            "index-vectors-half",
            "index-offsets-signed",
        ],
    ),
    (
        "tensor-shape",
        &[
            "embedding-too-wide",
            "embedding-flat",
            "embedding-transposed",
            "vocabulary-shorter-than-table",
            "vocabulary-longer-than-table",
            "vocabulary-in-two-dimensions",
            "scale-too-short",
            "cnn-filters-of-two-words",
            "cnn-without-filters",
            "lstm-three-gates",
            "lstm-directions-unlike",
            "linear-weight-too-short",
            "sparse-code-gram-of-two-atoms",
            "sparse-code-map-flat",
            "index-vectors-too-wide",
            "index-language-too-short",
            "index-norms-too-short",
            "index-offsets-too-few",
        ],
    ),
    (
        "tensor-value",
        &[
            "embedding-nan",
            "embedding-infinite",
            "embedding-infinite-f16",
            "scale-negative",
            "scale-nan",
            "scale-beyond-f32",
            "lstm-bias-nan",
            "linear-weight-negative",
            "sparse-code-gram-nan",
            "sparse-code-gram-of-longer-atoms",
            "sparse-code-gram-unlike",
            "sparse-code-gram-beyond-1",
            "sparse-code-map-infinite",
            "index-vectors-nan",
            "index-norm-negative",
            "index-norm-nan",
            "index-norm-infinite",
            "index-language-out-of-range",
            "index-offsets-fall",
            "index-offsets-start-late",
            "index-offsets-end-early",
            "index-offsets-beyond-the-end",
            "index-offset-inside-a-character",
        ],
    ),
    ("tensor-text", &["vocabulary-not-utf8", "index-text-not-utf8"]),
    (
        "vocabulary",
        &["vocabulary-unsorted", "vocabulary-repeated", "vocabulary-with-an-empty-word"],
    ),
];

fn bad_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/bad")
}

fn bad(name: &str) -> Vec<u8> {
    fs::read(bad_folder().join(format!("{name}.safetensors"))).unwrap()
}

/// Reads a file as what its name says it would be.
fn refusal(name: &str, bytes: &[u8]) -> Option<Error> {
    if name.starts_with("index-") { Index::read(bytes).err() } else { Model::read(bytes).err() }
}

#[test]
fn every_bad_file_is_refused_with_its_code() {
    for (code, names) in BAD {
        for name in *names {
            match refusal(name, &bad(name)) {
                Some(error) => assert_eq!(error.code(), *code, "{name}: {error}"),
                None => panic!("{name} is accepted"),
            }
        }
    }
}

#[test]
fn every_bad_file_has_its_code_here() {
    let listed: BTreeSet<String> =
        BAD.iter().flat_map(|(_, names)| names.iter().map(|&name| name.into())).collect();
    let there = fs::read_dir(bad_folder()).unwrap().map(|entry| entry.unwrap().path());
    let there = there.filter(|path| path.extension().is_some_and(|x| x == "safetensors"));
    let there: BTreeSet<String> =
        there.map(|path| path.file_stem().unwrap().to_str().unwrap().into()).collect();
    assert_eq!(listed, there);
    assert_eq!(BAD.iter().map(|(_, names)| names.len()).sum::<usize>(), there.len());
}

#[test]
fn a_refusal_says_what_was_found_and_what_was_expected() {
    for (name, parts) in [
        ("newer-version", &["version 2", "reads version 1"][..]),
        ("version-before-the-first", &["`version`", "\"0\""]),
        ("another-format", &["`format`", "\"pt\"", "\"smooth-clir\""]),
        ("another-kind", &["`kind`", "\"tokenizer\"", "\"model\""]),
        ("embedding-double", &["`query.embedding`", "F64", "F32 or F16 or I8"]),
        ("embedding-too-wide", &["`query.embedding`", "[3, 4]", "[3, 3]"]),
        ("embedding-nan", &["`query.embedding`, element 5", "NaN", "finite"]),
        ("embedding-infinite", &["`document.fr.embedding`, element 9", "-inf", "finite"]),
        ("vocabulary-unsorted", &["`query.vocabulary`, token 1", "`bread` is out of order"]),
        ("vocabulary-not-utf8", &["`query.vocabulary`", "byte 12"]),
        ("tensor-unknown", &["`query.bias`", "`extensions`"]),
        ("scale-negative", &["`query.scale`, element 1", "-0.02", "0 or more"]),
        ("epsilon-negative", &["`epsilon` must be a finite number of 0 or more, got -0.5"]),
        ("thresholds-out-of-order", &["[0.4, 0.1]"]),
        // (sqrt 3 / (sqrt 3 + 0.5))^2 is 0.6021.
        ("threshold-out-of-reach", &["0.9", "dimension 3", "epsilon 0.5", "0.602"]),
        ("cnn-filters-of-two-words", &["`query.convolution.weight`", "[5, 6]", "[5, 9]"]),
        ("lstm-directions-unlike", &["`query.backward.bias`", "[12]", "[8]"]),
        ("sparse-code-of-four-atoms", &["`config/sparsity`", "4", "1 to 3"]),
        ("sparse-code-gram-of-longer-atoms", &["`query.gram`, element 0", "2 is not 1"]),
        ("metadata-unknown", &["`author`", "nobody"]),
        ("subwords-of-another-rule", &["`config/subwords`"]),
        ("subwords-of-no-rows", &["`config/subwords`"]),
        ("provenance-not-json", &["\"by hand\""]),
        (
            "provenance-a-long-text",
            &["\"by hand, by hand, by hand, by hand, by hand, by hand, by han…\""],
        ),
        ("index-field-named-twice", &["`config/fields`", "a sorted list"]),
        ("index-blocks-of-no-documents", &["`config/block`", "from 1"]),
        ("index-norm-negative", &["`norms`, element 1", "-1", "0 or more"]),
        ("index-offset-inside-a-character", &["`titles.offsets`, element 1", "1 is not"]),
        ("index-language-out-of-range", &["`language`, element 2", "1 is not"]),
    ] {
        let said = refusal(name, &bad(name)).unwrap().to_string();
        for part in parts {
            assert!(said.contains(part), "{name}: no {part:?} in {said}");
        }
    }
}

// ---- files that Python wrote ---------------------------------------------------------------

const BY_PYTHON: &[u8] = include_bytes!("../good/by-python.safetensors");
const INDEX_BY_PYTHON: &[u8] = include_bytes!("../good/index-by-python.safetensors");

#[test]
fn files_by_python_give_the_vectors_and_rankings_that_numpy_computes() {
    let model = Model::read(BY_PYTHON).unwrap();
    let mut engine = Engine::new(model.clone()).unwrap();
    engine.add(Index::read(INDEX_BY_PYTHON).unwrap()).unwrap();
    let number = |text: &str| text.parse::<f64>().unwrap();
    let (mut vectors, mut rankings) = (0, 0);
    for line in include_str!("../good/by-python.tsv").lines() {
        let column: Vec<&str> = line.split('\t').collect();
        if column[0] == "vector" {
            let vector = model.query_encoder().unwrap().encode(column[1]);
            assert_eq!(vector.len(), column.len() - 2);
            for (x, expected) in vector.iter().zip(&column[2..]) {
                assert!((f64::from(*x) - number(expected)).abs() < 1e-6, "{line}: {vector:?}");
            }
            vectors += 1;
            continue;
        }
        let epsilon = Some(column[2].parse().unwrap());
        let search = Search { query: column[1], epsilon, limit: 10, ..Search::default() };
        let hits = engine.search(search).unwrap();
        assert_eq!(hits.len(), 3);
        for (hit, expected) in hits.iter().zip(column[3..].chunks(2)) {
            assert_eq!(hit.id, expected[0], "{line}");
            assert!((f64::from(hit.score) - number(expected[1])).abs() < 1e-6, "{line}: {hit:?}");
        }
        rankings += 1;
    }
    assert_eq!((vectors, rankings), (3, 9));
    let search = Search { query: "sun", limit: 1, language: Some("fr"), ..Search::default() };
    let hit = engine.search(search).unwrap().remove(0);
    assert_eq!((hit.id, hit.title, hit.text, hit.language), ("a", "Été", "été soleil", "fr"));
}

#[test]
fn networks_by_python_are_read() {
    for (bytes, kind) in [
        (&include_bytes!("../good/cnn-by-python.safetensors")[..], "cnn"),
        (include_bytes!("../good/lstm-by-python.safetensors"), "lstm"),
    ] {
        let model = Model::read(bytes).unwrap();
        assert_eq!(model.query_encoder().unwrap().network.kind(), kind);
        assert!(model.query_encoder().unwrap().encode("rain").iter().all(|&x| x > 0.0));
    }
}

#[test]
fn encoders_of_other_methods_by_python_give_the_vectors_of_hand_computation() {
    let linear = Model::read(include_bytes!("../good/linear-by-python.safetensors")).unwrap();
    // ((1.5, 0.5, -0.75) + (-0.25, 2, 1)) / 2: all words weigh the same.
    assert_eq!(linear.query_encoder().unwrap().encode("rain sun"), [0.625, 1.25, 0.125]);
    let codes = Model::read(include_bytes!("../good/sparse-code-by-python.safetensors")).unwrap();
    // (1, 0.5, -1): the first atom comes before the third, with which it has nothing in common, and
    // takes the second's 0.5 with it.
    assert_eq!(codes.document_encoder("fr").unwrap().encode("pluie"), [1.0, 0.0, -1.0]);
    // (1.5, 0.5, -0.75): the first leaves -0.25 for the second, so that the third is next. All of the
    // map is 0.5, and 1.5 - 0.75 is halved.
    assert_eq!(codes.query_encoder().unwrap().encode("rain"), [0.375; 3]);
}

#[test]
fn what_extensions_name_is_left_alone() {
    let extended = Model::read(include_bytes!("../good/with-extensions.safetensors")).unwrap();
    assert_eq!(extended, Model::read(BY_PYTHON).unwrap());
}

// ---- files that this library wrote ---------------------------------------------------------

fn encoder(words: &[&str], first: f32) -> Encoder {
    let vocabulary = Vocabulary::from_tokens(words.iter().copied()).unwrap();
    let values = (0..4 * words.len()).map(|i| first + i as f32 * 0.37 * [1.0, -1.0][i % 2]);
    let table = Table::new(4, values.collect());
    Encoder::new(vocabulary, Network::Average(table.into()))
}

fn model() -> Model {
    let encoders = [
        ("fr".to_owned(), encoder(&["pain", "pluie", "été"], 0.3)),
        ("sw".to_owned(), encoder(&["mkate", "mvua", "ng'ombe"], -0.2)),
    ];
    let config = Config {
        encoder: "average".into(),
        dimension: 4,
        epsilon: 0.5,
        thresholds: vec![0.1, 0.4],
        languages: vec!["fr".into(), "sw".into()],
        subwords: 0,
        calibration: Default::default(),
        probability: Default::default(),
        packs: Vec::new(),
    };
    Model {
        config,
        provenance: r#"{"seed":1,"note":"\"digest\":\"none\""}"#.into(),
        space: "a training".into(),
        query: Some(encoder(&["bread", "cow", "rain", "summer"], 0.1)),
        documents: BTreeMap::from(encoders),
        translations: BTreeMap::new(),
        deep: None,
    }
}

/// A model whose words have weights, and whose encoders share a table of n-grams.
fn weighing_model() -> Model {
    let mut model = model();
    model.config.subwords = 5;
    let subwords =
        Arc::new(Table::new(4, (0..20).map(|i| (i as f32 * 0.7).sin()).collect()).into());
    for encoder in model.query.iter_mut().chain(model.documents.values_mut()) {
        let count = encoder.vocabulary.len();
        encoder.weights = Some((1..=count).map(|at| at as f32 / count as f32).collect());
        encoder.subwords = Some(Arc::clone(&subwords));
    }
    model
}

fn index_of(model: &Model, precision: Precision) -> Index {
    let document =
        |id, language, title, text| Document { id, language, title, text, ..Document::default() };
    let documents = [
        document("a", "fr", "L'été", "la pluie en été"),
        document("b", "fr", "", "rien de connu"),
        document("ç", "sw", "Ng'ombe", "mvua na ng'ombe"),
    ];
    Index::build(model, documents, precision).unwrap()
}

/// A model file and an index file, in each precision that there is.
fn written() -> Vec<(&'static str, Vec<u8>)> {
    let model = model();
    vec![
        ("model", model.write(Precision::F32)),
        ("model of 16 bits", model.write(Precision::F16)),
        ("model of 8 bits", model.write(Precision::I8)),
        ("model with weights and n-grams", weighing_model().write(Precision::F32)),
        ("model with weights and n-grams of 8 bits", weighing_model().write(Precision::I8)),
        ("index-", index_of(&model, Precision::F32).write()),
        ("index- of 8 bits", index_of(&model, Precision::I8).write()),
    ]
}

fn header_length(bytes: &[u8]) -> usize {
    8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize
}

#[test]
fn what_is_written_is_read_back_the_same() {
    for model in [model(), weighing_model()] {
        let bytes = model.write(Precision::F32);
        let read = Model::read(&bytes).unwrap();
        assert_eq!(read, model);
        assert_eq!(read.write(Precision::F32), bytes);
    }
    let model = model();
    for precision in [Precision::F32, Precision::I8] {
        let index = index_of(&model, precision);
        assert_eq!(Index::read(&index.write()).unwrap(), index);
    }
    assert!(written().iter().all(|(name, bytes)| refusal(name, bytes).is_none()));
}

#[test]
fn an_index_has_documents_in_english_as_the_query_encoder_reads_them() {
    let model = model();
    let document = |id, language, text| Document { id, language, text, ..Document::default() };
    let documents = [document("a", "en", "rain in summer"), document("b", "fr", "pluie")];
    let index = Index::build(&model, documents, Precision::F32).unwrap();
    assert_eq!(index.vector(0), model.query_encoder().unwrap().encode("rain in summer"));
    assert_eq!(index.languages, ["en", "fr"]);
    // A document encoder of its own comes first.
    let mut other = model.clone();
    other.documents.insert("en".into(), encoder(&["rain"], 0.7));
    let index = Index::build(&other, documents, Precision::F32).unwrap();
    assert_eq!(index.vector(0), other.documents["en"].encode("rain in summer"));
    let unknown = Index::build(&model, [document("a", "de", "Regen")], Precision::F32);
    assert_eq!(unknown.unwrap_err().code(), "missing-encoder");
}

/// The names of the tensors of a file.
fn tensors(bytes: &[u8]) -> Vec<String> {
    let header = &bytes[8..header_length(bytes)];
    let header: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(header).unwrap();
    header.into_iter().map(|(name, _)| name).filter(|name| name != "__metadata__").collect()
}

#[test]
fn sections_are_written_where_a_document_has_one_and_read_back() {
    let model = model();
    let index_of = |sections: [&'static str; 3]| {
        let document = |(at, section)| {
            let id = ["a", "b", "c"][at];
            Document { id, language: "fr", text: "la pluie", section, ..Document::default() }
        };
        let documents = sections.into_iter().enumerate().map(document);
        Index::build(&model, documents, Precision::F32).unwrap()
    };
    let has_sections =
        |bytes: &[u8]| tensors(bytes).iter().any(|name| name.starts_with("sections"));
    let without = index_of(["", "", ""]);
    assert!(!has_sections(&without.write()));
    let sections = ["", "Été", ""];
    let index = index_of(sections);
    let read = Index::read(&index.write()).unwrap();
    assert_eq!(read, index);
    for (place, section) in sections.iter().enumerate() {
        assert_eq!(read.shown(place).unwrap().section, *section);
        assert_eq!(
            read.with_document(place, |document| document.section.len()).unwrap(),
            section.len()
        );
        assert_eq!(without.shown(place).unwrap().section, "");
    }
    let files = index.write_parts(1);
    let written: Vec<bool> = files.iter().map(|(_, bytes)| has_sections(bytes)).collect();
    assert_eq!(written, [false, false, true, false]);
    let read = Index::read(&files[0].1).unwrap();
    for (_, bytes) in &files[1..] {
        read.add_texts(BlockFile::read(bytes.clone()).unwrap()).unwrap();
    }
    assert_eq!(read.shown(1).unwrap().section, "Été");
    let joined = Index::joined(&[&without, &index]).unwrap();
    assert_eq!(joined.shown(4).unwrap().section, "Été");
}

#[test]
fn headers_are_sorted_and_tensors_aligned() {
    for (name, bytes) in written() {
        let end = header_length(&bytes);
        assert_eq!(end % 8, 0, "{name}");
        let header = std::str::from_utf8(&bytes[8..end]).unwrap().trim_end();
        // Parsed, an object is sorted: unparsed it must have been so.
        let header_again: serde_json::Value = serde_json::from_str(header).unwrap();
        assert_eq!(header_again.to_string(), header, "{name}");
        for (tensor, entry) in header_again.as_object().unwrap() {
            if tensor == "__metadata__" {
                continue;
            }
            let start = entry["data_offsets"][0].as_u64().unwrap();
            let width = match entry["dtype"].as_str().unwrap() {
                "F32" | "U32" => 4,
                "F16" => 2,
                _ => 1,
            };
            assert_eq!(start % width, 0, "{name}: {tensor}");
        }
    }
}

#[test]
fn every_beginning_of_a_file_is_refused() {
    for (name, bytes) in written() {
        for length in 0..bytes.len() {
            match refusal(name, &bytes[..length]) {
                Some(error) => assert_eq!(error.code(), "not-safetensors", "{name} to {length}"),
                None => panic!("the first {length} bytes of {name} are accepted"),
            }
        }
    }
}

#[test]
fn a_file_with_bytes_after_its_end_is_refused() {
    for (name, bytes) in written() {
        for after in [&[0u8][..], b" ", b"\n", &bytes] {
            let error = refusal(name, &[&bytes, after].concat()).unwrap();
            assert_eq!(error.code(), "not-safetensors", "{name}");
        }
    }
}

#[test]
fn every_byte_of_a_header_counts() {
    for (name, bytes) in written() {
        let mut changed = bytes.clone();
        for at in 0..header_length(&bytes) {
            // One bit each; and the blanks that pad it, which mean nothing, as other blanks.
            for flip in [1, 2, 4, 8, 16, 32, 64, 128, 0xff, b' ' ^ b'\n'] {
                changed[at] = bytes[at] ^ flip;
                let accepted = refusal(name, &changed).is_none();
                assert!(!accepted, "{name} is accepted with byte {at} flipped by {flip:#x}");
            }
            changed[at] = bytes[at];
        }
    }
}

#[test]
fn every_byte_of_the_data_counts() {
    for (name, bytes) in written() {
        let mut changed = bytes.clone();
        for at in header_length(&bytes)..bytes.len() {
            changed[at] ^= 1;
            match refusal(name, &changed) {
                Some(error) => {
                    // Where numbers stay numbers and words stay words only the digest tells.
                    let codes =
                        ["digest", "tensor-value", "tensor-text", "tensor-shape", "vocabulary"];
                    assert!(codes.contains(&error.code()), "{name}, byte {at}: {error}");
                }
                None => panic!("{name} is accepted with byte {at} changed"),
            }
            changed[at] = bytes[at];
        }
    }
    // The first data of a model of 32 bits are the lowest bits of a weight.
    let mut bytes = model().write(Precision::F32);
    let first = header_length(&bytes);
    bytes[first] ^= 1;
    assert_eq!(Model::read(&bytes).unwrap_err().code(), "digest");
}

#[test]
fn an_index_is_no_model_and_a_model_no_index() {
    for (name, bytes) in written() {
        let refused = if name.starts_with("index") {
            Model::read(&bytes).unwrap_err()
        } else {
            Index::read(&bytes).unwrap_err()
        };
        assert_eq!(refused.code(), "metadata", "{name}");
    }
}

#[test]
fn models_of_16_and_8_bits_are_near_those_of_32() {
    let model = model();
    let encoders = |model: &Model| -> Vec<Table> {
        let documents = model.documents.values().map(|encoder| encoder.network.words().widened());
        model
            .query
            .iter()
            .map(|encoder| encoder.network.words().widened())
            .chain(documents)
            .collect()
    };
    let close = |precision, step: fn(&[f32], f32) -> f32| {
        let read = Model::read(&model.write(precision)).unwrap();
        assert_eq!(read.config, model.config);
        for (exact, near) in encoders(&model).iter().zip(encoders(&read)) {
            assert_ne!(*exact, near, "nothing was rounded");
            for row in 0..exact.len() {
                for (x, y) in exact.row(row).iter().zip(near.row(row)) {
                    assert!((x - y).abs() <= step(exact.row(row), *x), "{precision:?}: {x} {y}");
                }
            }
        }
    };
    // Half a unit in the last of 11 binary places; half of a 127th of the row's largest.
    close(Precision::F16, |_, x| x.abs() / 2048.0);
    close(Precision::I8, |row, _| {
        row.iter().fold(0.0f32, |most, x| most.max(x.abs())) / 127.0 * 0.501
    });
}

#[test]
fn what_is_read_in_place_is_what_is_read() {
    let model = model();
    for precision in [Precision::F32, Precision::F16, Precision::I8] {
        let bytes = model.write(precision);
        let read = Model::read(&bytes).unwrap();
        assert_eq!(Model::read_in_place(bytes.clone()).unwrap(), read);
        // Wherever it lies in memory, and in the precision that it has: it is written as it was.
        assert_eq!(read.write(precision), bytes);
        let index = index_of(&model, precision);
        assert_eq!(Index::read_in_place(index.write()).unwrap(), index);
    }
}

#[test]
fn an_index_of_8_bits_ranks_nearly_as_one_of_32() {
    let model = model();
    let scores = |precision| {
        let mut engine = Engine::new(model.clone()).unwrap();
        let bytes = index_of(&model, precision).write();
        engine.add(Index::read(&bytes).unwrap()).unwrap();
        let search = Search { query: "rain cow", limit: 3, ..Search::default() };
        let hits = engine.search(search).unwrap();
        hits.iter().map(|hit| (hit.id.to_owned(), hit.score)).collect::<Vec<_>>()
    };
    let (exact, near) = (scores(Precision::F32), scores(Precision::I8));
    for ((id, score), (near_id, near_score)) in exact.iter().zip(&near) {
        assert_eq!(id, near_id);
        assert!((score - near_score).abs() < 0.01, "{exact:?} {near:?}");
    }
    assert_ne!(exact, near);
}

#[test]
fn an_index_in_parts_ranks_without_its_texts_and_shows_them_when_they_are_added() {
    let model = model();
    let whole = index_of(&model, Precision::I8);
    let search = Search { query: "rain cow", limit: 10, ..Search::default() };
    let mut engine = Engine::new(model.clone()).unwrap();
    engine.add(whole.clone()).unwrap();
    let expected = engine.search(search).unwrap();
    for size in [1, 2, 100] {
        let parts = whole.write_parts(size);
        assert_eq!(parts.len(), 1 + whole.len().div_ceil(size));
        let mut engine = Engine::new(model.clone()).unwrap();
        engine.add(Index::read_in_place(parts[0].1.clone()).unwrap()).unwrap();
        let mut encoded = engine.encode_query(search.query).unwrap();
        let ranked = engine.rank(&mut encoded, search).unwrap();
        assert_eq!(engine.search(search).unwrap_err().code(), "missing-texts");
        let missing = engine.missing(&ranked);
        assert!(!missing.is_empty());
        let all: Vec<_> = (0..parts.len() - 1).map(|block| (0, block)).collect();
        assert_eq!(engine.missing_texts(), all);
        for &(index, block) in &missing {
            let (name, bytes) = &parts[1 + block];
            assert_eq!(*name, format!("texts.{block}.safetensors"));
            engine.add_texts(index, BlockFile::read(bytes.clone()).unwrap()).unwrap();
        }
        assert_eq!(engine.missing(&ranked), []);
        assert!(engine.missing_texts().iter().all(|block| !missing.contains(block)));
        assert_eq!(engine.hits(&encoded, search, &ranked).unwrap(), expected);
        assert_eq!(engine.search(search).unwrap(), expected);
    }
}

#[test]
fn texts_that_are_forgotten_are_missing_until_they_are_added_again() {
    let model = model();
    let parts = index_of(&model, Precision::I8).write_parts(2);
    let block = |number: usize| BlockFile::read(parts[1 + number].1.clone()).unwrap();
    let search = Search { query: "rain cow", limit: 10, ..Search::default() };
    let mut engine = Engine::new(model).unwrap();
    engine.add(Index::read_in_place(parts[0].1.clone()).unwrap()).unwrap();
    engine.add_texts(0, block(0)).unwrap();
    engine.add_texts(0, block(1)).unwrap();
    let expected = format!("{:?}", engine.search(search).unwrap());
    engine.forget_texts(0, 1);
    assert_eq!(engine.missing_texts(), [(0, 1)]);
    assert_eq!(engine.search(search).unwrap_err().code(), "missing-texts");
    engine.add_texts(0, block(1)).unwrap();
    assert_eq!(format!("{:?}", engine.search(search).unwrap()), expected);
    // There is no such block, and no such index.
    engine.forget_texts(0, 9);
    engine.forget_texts(1, 0);
    assert_eq!(engine.missing_texts(), []);
}

#[test]
fn texts_in_the_file_of_their_index_are_not_forgotten() {
    let mut index = index_of(&model(), Precision::I8);
    index.forget_texts(0);
    assert!(index.shown(0).is_some());
}

#[test]
fn a_block_of_texts_is_the_same_file_as_long_as_its_documents_are() {
    let model = model();
    let parts = |texts: &[&str]| {
        let document = |text| Document { id: "d", language: "fr", text, ..Document::default() };
        let documents = texts.iter().copied().map(document);
        Index::build(&model, documents, Precision::I8).unwrap().write_parts(2)
    };
    let before = parts(&["a", "b", "c", "d", "e"]);
    let after = parts(&["a", "b", "c", "X", "e", "f"]);
    let same = before.iter().zip(&after).map(|(before, after)| before == after);
    assert_eq!(same.collect::<Vec<_>>(), [false, true, false, false]);
    let read = Index::read(&after[0].1).unwrap();
    read.add_texts(BlockFile::read(before[1].1.clone()).unwrap()).unwrap();
    let changed = BlockFile::read(before[2].1.clone()).unwrap();
    assert_eq!(read.add_texts(changed).unwrap_err().code(), "mismatch");
}

#[test]
fn texts_of_other_documents_or_of_no_block_are_refused() {
    let model = model();
    let index = index_of(&model, Precision::I8);
    let read = Index::read_in_place(index.write_parts(2)[0].1.clone()).unwrap();
    let file = |size: usize, number: usize| {
        BlockFile::read(index.write_parts(size)[1 + number].1.clone()).unwrap()
    };
    // Cut otherwise: a block of another length, and one beyond the last.
    assert_eq!(read.add_texts(file(1, 0)).unwrap_err().code(), "mismatch");
    let error = read.add_texts(file(1, 2)).unwrap_err();
    let expected = "block 2 of 1 documents does not fit an index of 2 blocks of 2";
    assert_eq!((error.code(), &*error.to_string()), ("wrong-block", expected));
    read.add_texts(file(2, 0)).unwrap();
    assert_eq!(read.shown(0), index.shown(0));
    // An index in one file takes none.
    assert_eq!(index.add_texts(file(2, 0)).unwrap_err().code(), "wrong-block");
    // A file of texts is neither a model nor an index, and the other way round.
    let texts = index.write_parts(2)[1].1.clone();
    assert!(Index::read(&texts).is_err() && Model::read(&texts).is_err());
    assert!(BlockFile::read(index.write()).is_err());
}

/// Words of other methods have weights; queries of a sparse code have a map.
fn model_of_another_method(kind: &str) -> Model {
    let mut model = Model { config: Config { encoder: kind.into(), ..model().config }, ..model() };
    let identity = |times: f32| times * Array2::<f32>::eye(4);
    for encoder in model.query.iter_mut().chain(model.documents.values_mut()) {
        encoder.weights = Some((0..encoder.vocabulary.len()).map(|at| 0.5 + at as f32).collect());
        let words = std::mem::take(encoder.network.words_mut());
        encoder.network = match kind {
            "linear" => Network::Linear(words),
            _ => {
                let gram = identity(1.0);
                Network::SparseCode(SparseCode { words, gram, map: None, sparsity: 3 })
            }
        };
    }
    if let Some(Network::SparseCode(query)) =
        model.query.as_mut().map(|encoder| &mut encoder.network)
    {
        query.map = Some(identity(-0.5));
    }
    model
}

#[test]
fn models_of_other_methods_come_back_as_written_in_every_precision() {
    for kind in ["linear", "sparse_code"] {
        let model = model_of_another_method(kind);
        assert_eq!(Model::read(&model.write(Precision::F32)).unwrap(), model);
        assert_eq!(model.description().contains(r#""sparsity":3"#), kind == "sparse_code");
        for precision in
            [Precision::F32, Precision::F16, Precision::I8, Precision::I4, Precision::I2]
        {
            let once = Model::read(&model.write(precision)).unwrap();
            let parts = once.write_parts(precision).into_iter().map(|(_, bytes)| bytes);
            assert_eq!(Model::read_parts(parts).unwrap(), once, "{kind} {precision:?}");
            // Only the words' rows are rounded.
            let mut rounded = once.clone();
            let encoders = rounded.query.iter_mut().chain(rounded.documents.values_mut());
            let exact = model.query.iter().chain(model.documents.values());
            for (encoder, exact) in encoders.zip(exact) {
                let (found, exact) = (encoder.network.words_mut(), exact.network.words());
                // Half a step of 2 bits, of a row's largest number, or more where it is cut off.
                for (row, exact) in
                    found.widened().view().rows().into_iter().zip(exact.widened().view().rows())
                {
                    let largest = exact.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
                    for (x, exact) in row.iter().zip(exact) {
                        assert!(
                            (x - exact).abs() < 0.5 * largest + 0.1,
                            "{precision:?}: {x} {exact}"
                        );
                    }
                }
                *found = exact.clone();
            }
            assert_eq!(rounded, model);
        }
    }
}

#[test]
fn models_without_tanh_may_have_epsilon_0_and_thresholds_beyond_the_reach_of_tanh() {
    let mut model = model_of_another_method("linear");
    model.config.thresholds = vec![0.1, 0.9];
    for epsilon in [0.0, 0.5] {
        model.config.epsilon = epsilon;
        assert_eq!(Model::read(&model.write(Precision::F32)).unwrap(), model);
    }
    // With tanh no score exceeds (2 / 2.5)^2 = 0.64.
    model.config.encoder = "average".into();
    assert_eq!(model.config.check().unwrap_err().code(), "threshold-out-of-reach");
}

// ---- parts and pairs of files --------------------------------------------------------------

#[test]
fn the_parts_of_a_model_in_any_order_are_the_model() {
    for model in [model(), weighing_model()] {
        let parts = model.write_parts(Precision::F32);
        let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
        let expected = ["query.safetensors", "document.fr.safetensors", "document.sw.safetensors"];
        assert_eq!(names, expected);
        let bytes: Vec<Vec<u8>> = parts.into_iter().map(|(_, bytes)| bytes).collect();
        assert_eq!(Model::read_parts(bytes.clone()).unwrap(), model);
        assert_eq!(Model::read_parts(bytes.into_iter().rev()).unwrap(), model);
    }
}

#[test]
fn document_sides_have_their_n_grams_from_the_query_side_or_say_that_they_lack_them() {
    let model = weighing_model();
    let parts = model.write_parts(Precision::F32);
    let [query, french, swahili] = [0, 1, 2].map(|part| Model::read(&parts[part].1).unwrap());
    let error = french.document_encoder("fr").unwrap_err();
    let expected = "the model has no query encoder, whose file holds the table of n-grams; \
                    it has a document encoder for `fr`";
    assert_eq!((error.code(), &*error.to_string()), ("missing-encoder", expected));
    let mut both = french;
    both.join(query).unwrap();
    both.join(swahili).unwrap();
    for language in ["fr", "sw"] {
        let expected = model.document_encoder(language).unwrap().encode("unseen mot");
        assert!(expected.iter().any(|&x| x != 0.0));
        assert_eq!(both.document_encoder(language).unwrap().encode("unseen mot"), expected);
    }
}

#[test]
fn a_weight_below_0_and_a_table_of_n_grams_of_another_size_are_refused() {
    let mut model = weighing_model();
    model.query.as_mut().unwrap().weights = Some([1.0, -0.5, 1.0, 1.0].into());
    assert_eq!(Model::read(&model.write(Precision::F32)).unwrap_err().code(), "tensor-value");
    let mut model = weighing_model();
    model.config.subwords = 6;
    assert_eq!(Model::read(&model.write(Precision::F32)).unwrap_err().code(), "tensor-shape");
}

#[test]
fn a_part_alone_does_what_it_can_and_says_what_it_lacks() {
    let parts = model().write_parts(Precision::F32);
    let [query, french, _] = [0, 1, 2].map(|part| Model::read(&parts[part].1).unwrap());
    assert!(query.query_encoder().is_ok() && french.document_encoder("fr").is_ok());
    let refused = |error: Error, code, message| {
        assert_eq!((error.code(), &*error.to_string()), (code, message));
    };
    refused(
        query.document_encoder("fr").unwrap_err(),
        "missing-encoder",
        "the model has no document encoder for `fr`; it has a query encoder",
    );
    refused(
        french.document_encoder("sw").unwrap_err(),
        "missing-encoder",
        "the model has no document encoder for `sw`; it has a document encoder for `fr`",
    );
    refused(
        Engine::new(french).unwrap_err(),
        "missing-encoder",
        "the model has no query encoder; it has a document encoder for `fr`",
    );
    let nothing = Model::read_parts(Vec::<Vec<u8>>::new()).unwrap_err();
    refused(nothing, "no-files", "no model files were given");
}

#[test]
fn parts_of_different_trainings_are_refused() {
    let (one, other) = (model(), Model { space: "another".into(), ..model() });
    let [one, other] = [one, other].map(|model| model.write_parts(Precision::F32));
    let error = Model::read_parts([one[0].1.clone(), other[1].1.clone()]).unwrap_err();
    assert_eq!(error.code(), "mismatch");
    let said = error.to_string();
    assert!(said.contains("a training") && said.contains("another"), "{said}");
}

#[test]
fn parts_of_one_training_that_say_different_things_of_it_are_refused() {
    let other = Model { config: Config { epsilon: 0.25, ..model().config }, ..model() };
    let [one, other] = [model(), other].map(|model| model.write_parts(Precision::F32));
    let error = Model::read_parts([one[0].1.clone(), other[1].1.clone()]).unwrap_err();
    assert_eq!(error.code(), "mismatch");
    assert!(error.to_string().contains(r#""epsilon":0.25"#), "{error}");
}

#[test]
fn a_part_given_twice_is_refused() {
    let parts = model().write_parts(Precision::F32);
    for (part, name) in [(0, "query encoder"), (1, "document encoder of fr")] {
        let error = Model::read_parts([parts[part].1.clone(), parts[part].1.clone()]).unwrap_err();
        assert_eq!(error.code(), "twice");
        assert!(error.to_string().contains(name), "{error}");
    }
    let whole = model().write(Precision::F32);
    let error = Model::read_parts([whole.clone(), parts[2].1.clone()]).unwrap_err();
    assert_eq!(error.code(), "twice");
}

#[test]
fn an_index_of_another_model_is_refused_by_the_engine() {
    let other = Model { space: "another".into(), ..model() };
    let mut engine = Engine::new(model()).unwrap();
    let error = engine.add(index_of(&other, Precision::F32)).unwrap_err();
    assert_eq!(error.code(), "mismatch");
    let said = error.to_string();
    assert!(said.contains("a training") && said.contains("another"), "{said}");
    assert!(engine.indexes().is_empty());
    // Of the same name, but of vectors of another length.
    let mut by_python = Index::read(INDEX_BY_PYTHON).unwrap();
    by_python.model = model().space;
    assert_eq!(engine.add(by_python).unwrap_err().code(), "mismatch");
}

#[test]
fn a_document_in_a_language_that_the_model_lacks_is_refused() {
    let document = Document { id: "x", language: "de", ..Document::default() };
    let error = Index::build(&model(), [document], Precision::F32).unwrap_err();
    assert_eq!(error.code(), "missing-encoder");
}

#[test]
fn the_digest_that_a_host_computed_is_taken_if_it_is_the_stated_one_and_computed_anew_if_not() {
    let whole = model().write(Precision::F32);
    let mut changed = whole.clone();
    *changed.last_mut().unwrap() ^= 1;
    let text = String::from_utf8_lossy(&whole);
    let (_, stated) = text.split_once("\"digest\":\"").unwrap();
    let stated: Vec<u8> =
        (0..32).map(|at| u8::from_str_radix(&stated[2 * at..2 * at + 2], 16).unwrap()).collect();
    let read = |bytes: &[u8], digest: &[u8]| {
        let file = SharedBytes::from(bytes.to_vec()).with_digest(digest);
        Model::read_in_place(file).map(|_| ()).map_err(|error| error.code())
    };
    assert_eq!(read(&whole, &stated), Ok(()));
    assert_eq!(read(&changed, &stated), Ok(()), "the host answers for it");
    for digest in [&[7; 32][..], &stated[..31], &[]] {
        assert_eq!(read(&whole, digest), Ok(()));
        assert_eq!(read(&changed, digest), Err("digest"));
    }
}

// ---- anything at all -----------------------------------------------------------------------

/// A file whose bytes have been changed here and there.
fn damaged(bytes: &[u8], changes: &[(prop::sample::Index, u8)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (at, byte) in changes {
        let at = at.index(bytes.len());
        bytes[at] = *byte;
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Without a digest a change may go unnoticed; what is read then still works.
    #[test]
    fn files_without_a_digest_are_refused_or_usable_whatever_was_changed(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4)
    ) {
        let model = Model::read(&damaged(BY_PYTHON, &changes));
        if let Ok(mut engine) = model.and_then(Engine::new) {
            let _ = engine.add(Index::read(INDEX_BY_PYTHON).unwrap());
            let search = Search { query: "sun rain", limit: 9, ..Search::default() };
            for hit in engine.search(search).unwrap() {
                prop_assert!(hit.score.is_finite());
            }
        }
        if let Ok(index) = Index::read(&damaged(INDEX_BY_PYTHON, &changes)) {
            for place in 0..index.len() {
                let _ = index.shown(place);
                let _ = (index.language(place), index.vector(place));
                prop_assert!(index.norm(place) >= 0.0);
            }
        }
    }

    #[test]
    fn bytes_that_are_no_file_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Model::read(&bytes).is_err());
        prop_assert!(Index::read(&bytes).is_err());
    }
}

#[test]
fn rows_of_four_and_two_bits_come_back_as_they_were_written_in_half_and_a_quarter_of_the_bytes() {
    // What half a step may be, of numbers of 1 at most, or more where some are cut off.
    let precisions = [(Precision::I4, 0.5), (Precision::I2, 0.75)];
    for (dimension, (precision, most)) in
        [4, 5, 16, 17].into_iter().flat_map(|n| precisions.map(|p| (n, p)))
    {
        let mut model = model();
        model.config.dimension = dimension;
        for encoder in model.query.iter_mut().chain(model.documents.values_mut()) {
            let values =
                (0..encoder.vocabulary.len() * dimension).map(|at| (at as f32 * 0.7).sin());
            *encoder.network.words_mut() = Table::new(dimension, values.collect()).into();
        }
        let once = Model::read(&model.write(precision)).unwrap();
        let twice = Model::read(&once.write(precision)).unwrap();
        assert_eq!(once, twice);
        let encoder = |model: &Model| model.query.clone().unwrap().network.words().widened();
        for (exact, found) in encoder(&model).values().iter().zip(encoder(&once).values()) {
            assert!((exact - found).abs() < most, "{exact} {found}");
        }
        let embedding = |precision| {
            let bytes = model.write(precision);
            let tensors = safetensors::SafeTensors::deserialize(&bytes).unwrap();
            tensors.tensor("query.embedding").unwrap().data().len()
        };
        assert_eq!(embedding(Precision::I8), 4 * dimension);
        assert_eq!(embedding(Precision::I4), 4 * dimension.div_ceil(2));
        assert_eq!(embedding(Precision::I2), 4 * 2 * dimension.div_ceil(8));
    }
}

#[test]
fn rows_of_eight_bits_are_rounded_again_to_be_written_in_four() {
    let eight = Model::read(&model().write(Precision::I8)).unwrap();
    let four = Model::read(&eight.write(Precision::I4)).unwrap();
    let rows = |model: &Model| model.query.clone().unwrap().network.words().widened();
    for (row, four) in rows(&eight).values().chunks(4).zip(rows(&four).values().chunks(4)) {
        let most = row.iter().fold(0.0f32, |most, x| most.max(x.abs()));
        // 7 steps either way, of which the last may be cut off.
        assert!(row.iter().zip(four).all(|(x, y)| (x - y).abs() <= most / 2.0), "{row:?} {four:?}");
    }
}

// ---- a sparse code's matrix ----------------------------------------------------------------

#[test]
fn a_matrix_that_is_no_gram_matrix_is_refused_where_it_is_wrong() {
    let with = |changes: &[(usize, f32)]| {
        let mut model = model_of_another_method("sparse_code");
        let Some(Network::SparseCode(query)) =
            model.query.as_mut().map(|encoder| &mut encoder.network)
        else {
            panic!("no sparse code");
        };
        changes.iter().for_each(|&(at, x)| values_mut(&mut query.gram)[at] = x);
        Model::read(&model.write(Precision::F32))
    };
    // Two equal atoms.
    assert!(with(&[(4, 1.0), (1, 1.0)]).is_ok());
    for (changes, at) in [
        (&[(4, 0.5)][..], 4),
        (&[(9, 1.5), (6, 1.5)], 9),
        (&[(9, 0.5), (6, -0.5)], 9),
        (&[(15, 0.9)], 15),
    ] {
        let said = with(changes).unwrap_err().to_string();
        assert!(said.contains(&format!("`query.gram`, element {at}")), "{said}");
    }
}

#[test]
fn a_language_too_many_for_an_index_is_refused() {
    let model = model();
    let encoder = model.document_encoder("fr").unwrap();
    let mut builder = Builder::new(&model);
    assert!(builder.is_empty());
    let languages: Vec<String> = (0..257).map(|number| format!("x{number}")).collect();
    let mut push = |language: &str| {
        builder.push(&Document { id: language, language, ..Document::default() }, encoder)
    };
    for language in &languages[..256] {
        push(language).unwrap();
    }
    let error = push(&languages[256]).unwrap_err();
    assert_eq!((error.code(), error.to_string().contains("257")), ("too-large", true));
    assert_eq!((builder.len(), builder.is_empty()), (256, false));
}

#[test]
fn an_index_that_was_read_in_parts_has_no_texts_to_write() {
    let parts = index_of(&model(), Precision::F32).write_parts(100);
    let read = Index::read(&parts[0].1).unwrap();
    assert_eq!(read.write_parts(1).len(), 1);
    read.add_texts(BlockFile::read(parts[1].1.clone()).unwrap()).unwrap();
    assert_eq!(read.write_parts(1).len(), 1);
}

#[test]
fn a_word_that_only_its_n_grams_tell_is_known() {
    let tokens = |model: Model| Engine::new(model).unwrap().tokens("rain xylophone").unwrap();
    let known = |model| tokens(model).iter().map(|token| token.known).collect::<Vec<_>>();
    assert_eq!(known(weighing_model()), [true, true]);
    assert_eq!(known(model()), [true, false]);
}
