//! The limits of the core: what is just below one or at it is read, what is above it is refused, by a message
//! that names it. Their values stand in `docs/limits.md`, which a test compares.

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;
use std::path::Path;

use smooth_clir::Error;
use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::engine::Engine;
use smooth_clir::index::{Builder, Document, Index};
use smooth_clir::limits;
use smooth_clir::model::{Config, Model};
use smooth_clir::storage::container::Reader;
use smooth_clir::text::vocabulary::Vocabulary;

const KIND: &str = "test";

/// The sizes below a limit, at it and above it.
fn around(limit: usize) -> RangeInclusive<usize> {
    limit - 1..=limit + 1
}

/// A file of this header, and no data.
fn file(header: &str) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header.as_bytes()].concat()
}

/// A file with more lines of metadata and more tensors than it must have.
fn file_with(metadata: &str, tensors: &str) -> Vec<u8> {
    let needed = r#""format":"smooth-clir","kind":"test","version":"1""#;
    file(&format!(r#"{{"__metadata__":{{{needed}{metadata}}}{tensors}}}"#))
}

fn tensor(name: &str, shape: &str) -> String {
    format!(r#","{name}":{{"dtype":"U8","shape":{shape},"data_offsets":[0,0]}}"#)
}

/// Why a file is refused, if it is.
fn refusal(bytes: &[u8]) -> Option<String> {
    Reader::open(bytes, KIND).err().map(|error| error.to_string())
}

/// Holds that sizes up to the limit are taken, and one above it is refused with these words.
fn holds(limit: usize, refused: impl Fn(usize) -> Option<String>, words: &str) {
    for size in around(limit) {
        let why = refused(size);
        assert_eq!(why.is_some(), size > limit, "{size} of {limit}: {why:?}");
        assert!(why.is_none_or(|why| why.contains(words) && why.len() < 1000), "{size}");
    }
}

/// A model of one word for the queries and one for each language.
fn model(languages: &[String], dimension: usize) -> Model {
    let encoder = |word: &str| {
        let vocabulary = Vocabulary::from_tokens([word]).unwrap();
        let row = Table::new(dimension, vec![0.5; dimension]);
        Encoder::new(vocabulary, Network::Average(row.into()))
    };
    Model {
        config: Config {
            encoder: "average".into(),
            dimension,
            epsilon: 0.5,
            thresholds: vec![0.1],
            languages: languages.to_vec(),
            subwords: 0,
            calibration: BTreeMap::new(),
            probability: Default::default(),
            packs: Vec::new(),
        },
        provenance: "{}".into(),
        space: "the space".into(),
        query: Some(encoder("rain")),
        documents: languages.iter().map(|name| (name.clone(), encoder("pluie"))).collect(),
        translations: BTreeMap::new(),
        deep: None,
    }
}

fn french() -> Model {
    model(&["fr".into()], 1)
}

fn of_document<'a>(language: &'a str, fields: &'a [(String, String)]) -> Document<'a> {
    Document { id: "1", language, text: "pluie", fields, ..Document::default() }
}

fn message<T>(done: Result<T, Error>) -> Option<String> {
    done.err().map(|error| error.to_string())
}

#[test]
fn a_header_has_at_most_its_bytes() {
    let padded = |size: usize| {
        let short = file_with("", "").len() - 8;
        refusal(&file_with("", &" ".repeat(size - short)))
    };
    holds(limits::HEADER_BYTES as usize, padded, "more than 1048576");
}

#[test]
fn a_file_has_at_most_so_many_tensors() {
    let with = |count: usize| {
        let tensors: String = (0..count).map(|name| tensor(&name.to_string(), "[0]")).collect();
        refusal(&file_with("", &tensors))
    };
    holds(limits::TENSORS, with, "it has more than 8192 tensors");
}

#[test]
fn a_tensor_has_at_most_so_many_dimensions() {
    let with =
        |count: usize| refusal(&file_with("", &tensor("x", &format!("{:?}", vec![0; count]))));
    holds(limits::TENSOR_DIMENSIONS, with, "tensor `x` has 9 dimensions, more than 8");
}

#[test]
fn a_name_in_a_header_has_at_most_its_bytes() {
    let of_tensor = |size: usize| refusal(&file_with("", &tensor(&"x".repeat(size), "[0]")));
    holds(limits::NAME_BYTES, of_tensor, "a name of 257 bytes, more than 256");
    let of_metadata = |size: usize| {
        let name = "x".repeat(size);
        let extensions = format!(r#","extensions":"[\"{name}\"]","{name}":"""#);
        refusal(&file_with(&extensions, ""))
    };
    holds(limits::NAME_BYTES, of_metadata, "a name of 257 bytes, more than 256");
}

#[test]
fn a_model_has_at_most_so_many_languages_with_short_names() {
    let read = |languages: &[String]| {
        let bytes = model(languages, 1).write(Precision::F32);
        message(Model::read(&bytes))
    };
    let many =
        |count: usize| read(&(0..count).map(|name| format!("l{name:03}")).collect::<Vec<_>>());
    holds(limits::LANGUAGES, many, "a list of at most 256 names of at most 256 bytes");
    // Names of tensors have the language's in them.
    let most = limits::NAME_BYTES - "document..vocabulary".len();
    let long = |size: usize| read(&["x".repeat(size)]);
    holds(most, long, "a name of 257 bytes");
}

#[test]
fn an_index_has_at_most_so_many_languages_with_short_names() {
    let many = |count: usize| {
        let names: Vec<String> = (0..count).map(|name| name.to_string()).collect();
        let mut builder = Builder::new(&french());
        let mut added =
            names.iter().map(|name| builder.push_vector(&of_document(name, &[]), &[0.5]));
        message(added.find(Result::is_err).unwrap_or(Ok(())))
    };
    holds(limits::LANGUAGES, many, "languages: 257 is more than the file format holds (256)");
    let long = |size: usize| {
        let name = "x".repeat(size);
        message(Builder::new(&french()).push_vector(&of_document(&name, &[]), &[0.5]))
    };
    holds(limits::NAME_BYTES, long, "bytes of a language's name: 257 is more");
}

#[test]
fn an_index_has_at_most_so_many_fields_with_short_names() {
    let build = |fields: Vec<(String, String)>| {
        let index = Index::build(&french(), [of_document("fr", &fields)], Precision::F32);
        // What is built is read.
        index.and_then(|index| Index::read(&index.write()))
    };
    let many = |count: usize| {
        message(build((0..count).map(|name| (name.to_string(), String::new())).collect()))
    };
    holds(limits::FIELDS, many, "fields: 257 is more than the file format holds (256)");
    let long = |size: usize| message(build(vec![("x".repeat(size), String::new())]));
    holds(limits::NAME_BYTES, long, "bytes of a field's name: 257 is more");
}

#[test]
fn an_index_whose_blocks_would_be_too_many_has_larger_ones() {
    for (documents, files) in [
        (limits::BLOCKS - 1, limits::BLOCKS - 1),
        (limits::BLOCKS, limits::BLOCKS),
        (limits::BLOCKS + 1, limits::BLOCKS.div_ceil(2) + 1),
    ] {
        let one = |_| of_document("fr", &[]);
        let index = Index::build(&french(), (0..documents).map(one), Precision::F32).unwrap();
        let parts = index.write_parts(1);
        assert_eq!(parts.len() - 1, files, "{documents}");
        let read = Index::read(&parts[0].1).unwrap();
        assert_eq!(read.missing_texts().count(), files);
    }
}

#[test]
fn a_vector_has_at_most_so_many_numbers() {
    let with = |dimension: usize| {
        let bytes = model(&["fr".into()], dimension).write(Precision::F32);
        message(Model::read(&bytes))
    };
    holds(limits::DIMENSIONS, with, "a number from 1 to 4096");
}

#[test]
fn a_query_has_at_most_its_bytes() {
    let engine = Engine::new(french()).unwrap();
    let with = |size: usize| message(engine.encode_query(&"a".repeat(size)));
    holds(limits::QUERY_BYTES, with, "`query` must have at most 1048576 bytes, got 1048577");
}

#[test]
fn of_a_long_text_the_first_words_are_explained() {
    let words = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    let vocabulary = Vocabulary::from_tokens(words).unwrap();
    let rows = Table::new(1, vec![0.5; words.len()]);
    let mut model = french();
    model.query = Some(Encoder::new(vocabulary, Network::Average(rows.into())));
    let index = Index::build(&model, [of_document("fr", &[])], Precision::F32).unwrap();
    let mut engine = Engine::new(model).unwrap();
    engine.add(index).unwrap();
    let nine = limits::EXPLAINED_WORDS / 9;
    for (length, explained) in [(nine - 1, 9), (nine, 9), (nine + 1, 8)] {
        let query = words.join(" ") + &" a".repeat(length - words.len());
        let found = engine.explain(&query, 0, None, None).unwrap().unwrap().query;
        assert!(found.iter().map(|word| &word.token).eq(&words[..explained]), "{length}");
    }
}

#[test]
fn messages_show_the_beginning_of_a_long_text() {
    for size in around(limits::SHOWN_CHARACTERS).chain([100_000]) {
        let token = "é".repeat(size);
        let message = message(Vocabulary::from_joined("v", format!("ê\n{token}"))).unwrap();
        let is_whole = message.contains(&format!("`{token}`"));
        assert_eq!(is_whole, size <= limits::SHOWN_CHARACTERS, "{size}");
        assert!(message.len() < 200, "{message}");
    }
}

#[test]
fn files_of_models_that_differ_are_shown_where_they_do() {
    let languages: Vec<String> = (0..20).map(|name| format!("l{name}")).collect();
    let [mut one, mut other] = [model(&languages, 1), model(&languages, 1)];
    one.documents.clear();
    other.query = None;
    other.config.thresholds = vec![0.25];
    let error = one.join(other).unwrap_err();
    assert_eq!(error.code(), "mismatch");
    let message = error.to_string();
    assert!(message.contains(r#""thresholds":[0.25]"#) && message.contains("[0.1]"), "{message}");
}

/// The names and values of the constants of a source, those of a module with its name before theirs.
fn constants(source: &str) -> Vec<(String, String)> {
    let (mut module, mut found) = (String::new(), Vec::new());
    for line in source.lines() {
        if let Some(name) = line.strip_prefix("pub mod ") {
            module = format!("{}::", name.trim_end_matches(" {"));
        }
        if line == "}" {
            module.clear();
        }
        let line = line.trim();
        let Some(constant) = line.strip_prefix("pub const ").or(line.strip_prefix("export const "))
        else {
            continue;
        };
        let (name, value) = constant.trim_end_matches(';').split_once(" = ").unwrap();
        let name = name.split(':').next().unwrap();
        found.push((format!("{module}{name}"), value_of(value)));
    }
    found
}

/// A value as the page has it.
fn value_of(value: &str) -> String {
    if let Some(seconds) = value.strip_prefix("Duration::from_secs(") {
        return format!("{} s", seconds.trim_end_matches(')'));
    }
    let number = |text: &str| text.trim().replace('_', "").parse::<u64>().unwrap();
    let value = match (value.split_once("<<"), value.split_once("**")) {
        (Some((factor, shift)), _) => number(factor) << number(shift),
        (_, Some((base, power))) => number(base).pow(number(power) as u32),
        _ => number(value),
    };
    let digits = value.to_string();
    let groups =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap());
    groups.collect::<Vec<_>>().join(",")
}

#[test]
fn the_page_of_limits_has_them_all_with_their_values() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
    let page = read("docs/limits.md");
    let mut rows = Vec::new();
    for path in [
        "src/limits.rs",
        "documents/src/limits.rs",
        "teacher/src/limits.rs",
        "trainer/src/limits.rs",
        "npm/src/limits.ts",
        "www/src/views/documents/limits.ts",
    ] {
        let start =
            page.find(&format!(": `{path}`")).unwrap_or_else(|| panic!("no part about {path}"));
        let part = page[start..].split("\n## ").next().unwrap();
        let found = constants(&read(path));
        assert!(found.len() > 3, "{path}");
        for (name, value) in found {
            let row = format!("\n| `{name}` | {value} |");
            assert!(part.contains(&row), "{path}: no row {row}");
            rows.push(row);
        }
    }
    // And none that is no longer there.
    assert_eq!(page.matches("\n| `").count(), rows.len());
}
