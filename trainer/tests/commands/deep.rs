//! Deep documents: `train --teacher` and `index --deep`, with the random BERT of the teacher's own tests.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use predicates::str::contains;
use safetensors::SafeTensors;
use serde_json::Value;
use smooth_clir::encoder::Precision;
use smooth_clir::index::Document;
use smooth_clir::model::Model;
use smooth_clir_indexer::{DeepDocuments, Encoding};
use smooth_clir_teacher::Teacher;

use crate::from::metadata;
use crate::toy::{Place, clir};

const TINY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../teacher/tests/tiny");
/// English words that the tiny teacher knows; the nth is `m{n}` in the documents' language.
const WORDS: [&str; 10] =
    ["the", "rain", "falls", "over", "mountains", "and", "snow", "unknown", "cat", "sleeping"];
const TRAIN: &str = "train --loss contrastive --language xx --pairs pairs.tsv --dimension 6 --subwords 100 \
                     --stems none";

/// Pairs of each way to choose three words.
fn place() -> Place {
    let place = Place::new();
    let mut lines = String::new();
    for a in 0..WORDS.len() {
        for b in a + 1..WORDS.len() {
            for c in b + 1..WORDS.len() {
                let english = [a, b, c].map(|word| WORDS[word]).join(" ");
                lines += &format!("toy\t{a}{b}\t{a}{b}{c}\t{english}\tm{a} m{b} m{c}\n");
            }
        }
    }
    place.write("pairs.tsv", lines);
    place.write("documents.tsv", DOCUMENTS);
    place
}

/// The first is "the rain falls over the mountains", whose vector NumPy computed.
const DOCUMENTS: &str = "first\t\tm0 m1 m2 m3 m0 m4\nsecond\t\tm6, m5 m8.\nempty\t\t\n";

fn trained() -> Place {
    let place = place();
    place.run(&format!("{TRAIN} --teacher {TINY} --out model/")).success();
    place
}

/// A tensor of 32-bit numbers.
fn numbers(path: &Path, name: &str) -> Vec<f64> {
    let bytes = fs::read(path).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let (numbers, _) = file.tensor(name).unwrap().data().as_chunks();
    numbers.iter().map(|bytes| f64::from(f32::from_le_bytes(*bytes))).collect()
}

/// NumPy's vector of a text of `expected.json`.
fn expected(text: &str) -> Vec<f64> {
    let file = fs::read(Path::new(TINY).join("expected.json")).unwrap();
    let texts: Value = serde_json::from_slice(&file).unwrap();
    let entry = texts.as_array().unwrap().iter().find(|entry| entry["text"] == text).unwrap();
    entry["mean"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

/// The vector of the same direction and of length 1.
fn unit(vector: &[f64]) -> Vec<f64> {
    let norm = vector.iter().map(|value| value * value).sum::<f64>().sqrt();
    vector.iter().map(|value| value / norm).collect()
}

#[test]
fn a_training_weighs_deep_documents_by_a_share_of_their_own() {
    let place = place();
    // Of so many chapters some are kept back, which weights are fitted on.
    let pairs = place.read("pairs.tsv");
    let sets = (0..10).map(|set| pairs.replace("toy\t", &format!("toy{set}\t")));
    place.write("pairs.tsv", sets.collect::<String>());
    place.run(&format!("{TRAIN} --teacher {TINY} --out model/")).success();
    let config = metadata(&place, "model/query.safetensors", "config");
    let calibration = &config["calibration"]["xx"];
    let [deep, light] = ["deep", "dense"].map(|name| calibration[name].as_f64().unwrap());
    assert!(deep > 0.0 && deep < 1.0 && deep != light, "{calibration}");
}

#[test]
fn a_document_is_the_mean_of_what_the_teacher_and_the_words_of_queries_make_of_it() {
    let place = trained();
    place
        .run(&format!("index model documents.tsv --deep {TINY} --out index.safetensors"))
        .success();
    let centre = numbers(&place.path("model/deep.safetensors"), "deep.centre");
    let projection = numbers(&place.path("model/deep.safetensors"), "deep.projection");
    let text = "the rain falls over the mountains";
    let teacher = expected(text);
    let centred: Vec<f64> = teacher.iter().zip(&centre).map(|(value, mean)| value - mean).collect();
    let dot = |row: &[f64]| row.iter().zip(&centred).map(|(a, b)| a * b).sum::<f64>();
    let read = unit(&projection.chunks(24).map(dot).collect::<Vec<_>>());

    // The words of queries stand in order in the file, those of the teacher among them.
    let rows = numbers(&place.path("model/query.safetensors"), "query.embedding");
    let weights = numbers(&place.path("model/query.safetensors"), "query.weight");
    let mut words = [&WORDS[..], &["moun", "un", "sleep"]].concat();
    words.sort_unstable();
    let mut sum = [0.0; 6];
    for word in text.split(' ') {
        let row = words.iter().position(|known| *known == word).unwrap();
        for (sum, value) in sum.iter_mut().zip(&rows[6 * row..]) {
            *sum += weights[row] * value;
        }
    }
    let vectors = numbers(&place.path("index.safetensors"), "vectors");
    for ((read, meant), found) in read.iter().zip(unit(&sum)).zip(&vectors[..6]) {
        let expected = (read + meant) / 2.0;
        // The teacher rounds its weights to 8 bits; and words have other translations that are weak.
        assert!((found - expected).abs() < 0.05, "{found} and {expected}");
    }
    assert_eq!(vectors[12..], [0.0; 6], "a document without words");
    // The directions are of length 1, and at right angles.
    for (a, first) in projection.chunks(24).enumerate() {
        for (b, second) in projection.chunks(24).enumerate() {
            let product: f64 = first.iter().zip(second).map(|(x, y)| x * y).sum();
            assert!((product - if a == b { 1.0 } else { 0.0 }).abs() < 1e-5);
        }
    }
}

#[test]
fn an_added_document_moves_no_other_vector() {
    let place = trained();
    place.run(&format!("index model documents.tsv --deep {TINY} --out few.safetensors")).success();
    place.write(
        "documents.tsv",
        format!("{DOCUMENTS}more\t\tm9 m9 m7\nlong\t\t{}\n", "m1 m5 ".repeat(40)),
    );
    place.run(&format!("index model documents.tsv --deep {TINY} --out more.safetensors")).success();
    let [few, more] =
        ["few", "more"].map(|name| numbers(&place.path(&format!("{name}.safetensors")), "vectors"));
    assert_eq!((few.len(), more.len()), (3 * 6, 5 * 6));
    assert_eq!(more[..few.len()], few);
}

#[test]
fn vectors_in_a_file_need_no_teacher_and_only_new_documents_are_computed() {
    let place = trained();
    let index = "index model documents.tsv --precision i8";
    let file = |name: &str| fs::read(place.path(name)).unwrap();
    place.run(&format!("{index} --deep {TINY} --out plain.safetensors")).success();
    place
        .run(&format!("{index} --deep {TINY} --vectors v.safetensors --out first.safetensors"))
        .success();
    place.run(&format!("{index} --vectors v.safetensors --out second.safetensors")).success();
    assert!(file("first.safetensors") == file("plain.safetensors"), "the file changes the index");
    assert!(file("second.safetensors") == file("plain.safetensors"), "the teacher was needed");

    place.write("documents.tsv", format!("{DOCUMENTS}more\t\tm9 m9 m7\n"));
    let expected = "v.safetensors: has no vector of 1 of 4 documents, the first of which is more: compute them with --deep";
    let out = "--vectors v.safetensors --out third.safetensors";
    place.refuses(&format!("{index} {out}"), 1, &[expected]);
    let before = file("v.safetensors").len();
    let run = place.run(&format!("{index} --deep {TINY} {out}")).success();
    assert!(String::from_utf8_lossy(&run.get_output().stderr).contains("documents: 1 texts"));
    assert!(file("v.safetensors").len() > before);

    // A file that is cut, and one of another model.
    place.write("half.safetensors", &file("v.safetensors")[..before / 2]);
    place.refuses(&format!("{index} --vectors half.safetensors --out x.safetensors"), 1, &["half"]);
    place.run(&format!("{TRAIN} --seed 2 --teacher {TINY} --out model/")).success();
    let expected = "v.safetensors: has vectors of another model: its space is ";
    place.refuses(&format!("{index} {out}"), 1, &[expected]);
}

#[test]
fn deep_documents_are_appended_in_segments_and_ranked_as_in_one_index() {
    let place = trained();
    let append = "index model documents.tsv --append --segment 2 --out grown/";
    place.run(&format!("{append} --deep {TINY}")).success();
    place.write("documents.tsv", format!("{DOCUMENTS}more\t\tm9 m9 m7\n"));
    place.run(&format!("{append} --deep {TINY}")).success();
    place
        .run(&format!("index model documents.tsv --deep {TINY} --out whole.safetensors"))
        .success();
    let hits = |index: &str| {
        let found = place.json(&format!("search model {index} sleeping --dense 1 --json"));
        let hit = |hit: &Value| (hit["id"].clone(), hit["score"].clone());
        found["hits"].as_array().unwrap().iter().map(hit).collect::<Vec<_>>()
    };
    let whole = hits("whole.safetensors");
    assert!(whole.len() >= 3, "{whole:?}");
    assert_eq!(hits("grown"), whole);
    place.write("documents.tsv", "other\t\tm1\n");
    let expected = "its documents were encoded by a teacher: --deep must be as it was";
    place.refuses(append, 1, &[expected]);
}

#[test]
fn the_same_data_give_the_same_files_on_any_number_of_threads() {
    let place = place();
    let files = |threads: &str| {
        let run = |line: &str| {
            let mut command = clir();
            command.current_dir(place.root.path()).args(line.split_whitespace());
            command.env("RAYON_NUM_THREADS", threads).assert().success();
        };
        run(&format!("{TRAIN} --teacher {TINY} --out m{threads}/"));
        run(&format!("index m{threads} documents.tsv --deep {TINY} --out i{threads}.safetensors"));
        let model =
            |name: &str| fs::read(place.path(&format!("m{threads}/{name}.safetensors"))).unwrap();
        let index = fs::read(place.path(&format!("i{threads}.safetensors"))).unwrap();
        [model("query"), model("document.xx"), model("deep"), index]
    };
    assert!(files("1") == files("3"), "the bytes differ");
}

#[test]
fn vectors_that_a_training_keeps_spare_the_next_one_the_teacher_and_change_no_byte() {
    let place = place();
    let train = format!("{TRAIN} --teacher {TINY} --teacher-vectors kept.safetensors");
    place.run(&format!("{TRAIN} --teacher {TINY} --out plain/")).success();
    place.run(&format!("{train} --out first/")).success().stderr(contains("words: "));
    place.run(&format!("{train} --out second/")).success().stderr(contains("words: ").not());
    let query = |model: &str| fs::read(place.path(&format!("{model}/query.safetensors"))).unwrap();
    assert!(query("plain") == query("first") && query("first") == query("second"));
    // What is not such a file is refused, and stays as it is.
    let pairs = fs::read(place.path("pairs.tsv")).unwrap();
    let other = format!("{TRAIN} --teacher {TINY} --teacher-vectors pairs.tsv --out third/");
    place.run(&other).code(1).stderr(contains("pairs.tsv"));
    assert_eq!(fs::read(place.path("pairs.tsv")).unwrap(), pairs);
}

#[test]
fn documents_without_a_teacher_are_read_by_translations_and_have_no_rows_of_their_own() {
    let place = place();
    place.run(&format!("{TRAIN} --teacher {TINY} --out model.safetensors")).success();
    let bytes = fs::read(place.path("model.safetensors")).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    assert!(!file.names().iter().any(|name| name.starts_with("document.")), "{:?}", file.names());
    let result = place.json("evaluate model.safetensors --pairs pairs.tsv --dense 1 --json");
    let accuracy = result["sets"]["toy"]["en-xx"]["accuracy@1"].as_f64().unwrap();
    // Of 120 texts; at random one in 120 is right.
    assert!(accuracy > 0.3, "{result}");
}

#[test]
fn queries_know_the_words_of_the_pairs_and_the_words_that_are_one_token_of_the_teacher() {
    let place = place();
    let rows = |out: &str, name: &str| {
        let bytes = fs::read(place.path(out)).unwrap();
        SafeTensors::deserialize(&bytes).unwrap().tensor(name).unwrap().shape()[0]
    };
    place.run(&format!("{TRAIN} --teacher {TINY} --out model.safetensors")).success();
    // "moun", "un" and "sleep" begin words of the pairs, and are words to the teacher.
    assert_eq!(rows("model.safetensors", "query.embedding"), WORDS.len() + 3);
    let most = "--most-query-words 5";
    place.run(&format!("{TRAIN} --teacher {TINY} {most} --out few.safetensors")).success();
    assert_eq!(rows("few.safetensors", "query.embedding"), 5);
}

#[test]
fn the_words_of_written_queries_turn_to_the_documents_that_answer_them() {
    let place = place();
    let lines = (0..8000).map(|number| match number % 2 {
        0 => format!("asked\t{number}\t{number}\tcat\tm1 m2 m3 m4\n"),
        _ => format!("asked\t{number}\t{number}\tsnow\tm8 m9\n"),
    });
    place.write("asked.tsv", lines.collect::<String>());
    place.write("documents.tsv", "answer\t\tm1 m2 m3 m4\nother\t\tm8 m9\n");
    // By how much the first document scores more for "cat" than the other, which is of its translation.
    let preference = |options: &str| {
        place.run(&format!("{TRAIN} --teacher {TINY} {options} --out model/")).success();
        place
            .run(&format!("index model documents.tsv --deep {TINY} --out index.safetensors"))
            .success();
        let found = place.json("search model index.safetensors cat --dense 1 --json");
        let hits = found["hits"].as_array().unwrap();
        let score = |id: &str| {
            let hit = hits.iter().find(|hit| hit["id"] == id);
            hit.map_or(0.0, |hit| hit["score"].as_f64().unwrap())
        };
        score("answer") - score("other")
    };
    let before = preference("");
    let after = preference("--queries asked.tsv");
    assert!(before < 0.0 && after > before + 0.3, "{before} {after}");
}

#[test]
fn typed_queries_are_ranked_over_the_vectors_of_a_file() {
    let place = place();
    let train = TRAIN.replace("--language xx", "--language fr");
    place.run(&format!("{train} --teacher {TINY} --out model/")).success();
    place.write("typed.tsv", "keywords\t*\tgranary\train over the mountains\n");
    let evaluate = "evaluate model --typed typed.tsv --vectors v.safetensors --json";
    let vectors = format!("--deep {TINY} --vectors v.safetensors --out index.safetensors");
    place.run(&format!("index model documents.tsv {vectors}")).success();
    let expected = "v.safetensors: has no vector of 608 of 608 documents";
    place.refuses(evaluate, 1, &[expected]);
    place.run(&format!("index model {vectors}")).success();
    assert_eq!(place.json(evaluate)["queries"], 1);
    place.refuses("evaluate model --vectors v.safetensors", 2, &["--typed"]);
}

#[test]
fn options_of_a_training_that_a_teacher_spares_are_refused() {
    let place = place();
    for option in
        ["--epochs 3", "--repeat 2", "--objective sosl", "--most-translations 0", "--most-words 9"]
    {
        let out = place.run(&format!("{TRAIN} --teacher {TINY} {option} --out model/")).code(2);
        let name = if option.ends_with('0') { option } else { option.split(' ').next().unwrap() };
        out.stderr(contains(format!("{name}: not supported with --teacher")));
    }
}

#[test]
fn a_compact_teacher_indexes_for_the_model_of_its_folder_and_the_index_says_so() {
    let place = trained();
    place.run(&format!("compact-teacher {TINY} --out tiny.safetensors")).success();
    place.run(&format!("compact-teacher {TINY} --out again.safetensors")).success();
    let file = |name: &str| fs::read(place.path(name)).unwrap();
    assert!(file("tiny.safetensors") == file("again.safetensors"), "the bytes differ");

    let index = "index model documents.tsv --precision i8";
    place
        .run(&format!("index model documents.tsv --deep {TINY} --out whole.safetensors"))
        .success();
    place
        .run("index model documents.tsv --deep tiny.safetensors --out small.safetensors")
        .success();
    let said = |name: &str, key: &str| {
        let bytes = file(name);
        let (_, head) = SafeTensors::read_metadata(&bytes).unwrap();
        head.metadata().as_ref().unwrap()[key].clone()
    };
    assert_eq!(said("small.safetensors", "teacher"), said("tiny.safetensors", "digest"));
    let folder = said("model/deep.safetensors", "teacher");
    assert_eq!(said("whole.safetensors", "teacher"), folder);
    assert_eq!(said("tiny.safetensors", "teacher"), folder);
    let [whole, small] = ["whole", "small"]
        .map(|name| numbers(&place.path(&format!("{name}.safetensors")), "vectors"));
    assert_ne!(whole, small);
    for (whole, small) in whole.chunks(6).zip(small.chunks(6)).take(2) {
        let cosine: f64 = unit(whole).iter().zip(unit(small)).map(|(a, b)| a * b).sum();
        assert!(cosine > 0.999, "{cosine}");
    }

    // Vectors of the one are not mixed with those of the other.
    let kept = "--vectors v.safetensors --out x.safetensors";
    place.run(&format!("{index} --deep tiny.safetensors {kept}")).success();
    place.run(&format!("{index} --append --deep tiny.safetensors --out grown/")).success();
    place.write("documents.tsv", format!("{DOCUMENTS}more\t\tm9 m9 m7\n"));
    let expected = "v.safetensors: has vectors of another teacher: its digest is ";
    place.refuses(&format!("{index} --deep {TINY} {kept}"), 1, &[expected]);
    let expected = "its documents were encoded by another teacher: --deep must be as it was";
    place.refuses(&format!("{index} --append --deep {TINY} --out grown/"), 1, &[expected]);
    place.run(&format!("{index} --deep tiny.safetensors {kept}")).success();
    place.run(&format!("{index} --append --deep tiny.safetensors --out grown/")).success();

    let expected = "tiny.safetensors: is also an input or another output";
    for out in ["--out tiny.safetensors", "--vectors tiny.safetensors --out x.safetensors"] {
        place.refuses(&format!("{index} --deep tiny.safetensors {out}"), 2, &[expected]);
    }
}

#[test]
fn a_model_that_a_compact_teacher_made_takes_the_folder_too() {
    let place = place();
    place.run(&format!("compact-teacher {TINY} --out tiny.safetensors")).success();
    place.run(&format!("{TRAIN} --teacher tiny.safetensors --out model/")).success();
    place
        .run(&format!("index model documents.tsv --deep {TINY} --out index.safetensors"))
        .success();
    place
        .run("index model documents.tsv --deep tiny.safetensors --out small.safetensors")
        .success();
    // Vectors that a training keeps are those of one teacher.
    let train = format!("{TRAIN} --teacher-vectors kept.safetensors --out other/");
    place.run(&format!("{train} --teacher tiny.safetensors")).success();
    let expected = "kept.safetensors: has vectors of another teacher: its digest is ";
    place.refuses(&format!("{train} --teacher {TINY}"), 1, &[expected]);
    let expected = "tiny.safetensors: is also an input or another output";
    let train = format!("{TRAIN} --teacher tiny.safetensors --out tiny.safetensors");
    place.refuses(&train, 2, &[expected]);
}

#[test]
fn folders_and_files_that_are_no_teacher_are_refused() {
    let place = trained();
    place.refuses("compact-teacher nowhere --out tiny.safetensors", 1, &["nowhere: is no folder"]);
    place.run(&format!("compact-teacher {TINY} --out tiny.safetensors")).success();
    let index =
        |teacher: &str| format!("index model documents.tsv --deep {teacher} --out x.safetensors");
    let expected = "documents.tsv: not a whole safetensors file";
    place.refuses(&index("documents.tsv"), 1, &[expected]);
    let expected = "model.safetensors: metadata `format`: found nothing";
    place.refuses(&index(&format!("{TINY}/model.safetensors")), 1, &[expected]);
    let mut bytes = fs::read(place.path("tiny.safetensors")).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    place.write("damaged.safetensors", &bytes);
    let expected = "damaged.safetensors: digest ";
    place.refuses(&index("damaged.safetensors"), 1, &[expected]);

    let other = place.path("other");
    fs::create_dir_all(&other).unwrap();
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        fs::copy(Path::new(TINY).join(name), other.join(name)).unwrap();
    }
    place.run("compact-teacher other --out other.safetensors").success();
    let expected =
        "other.safetensors: is another teacher than the model was trained with: its digest is ";
    place.refuses(&index("other.safetensors"), 1, &[expected]);
    let expected = "is also an input or another output";
    place.refuses("compact-teacher other --out other/model.safetensors", 2, &[expected]);
}

#[test]
fn the_indexer_without_files_gives_the_bytes_of_the_command() {
    let place = place();
    place.run(&format!("compact-teacher {TINY} --out tiny.safetensors")).success();
    place.run(&format!("{TRAIN} --teacher {TINY} --out model.safetensors")).success();
    let file = |name: &str| fs::read(place.path(name)).unwrap();
    let model = Model::read(&file("model.safetensors")).unwrap();
    let teacher = Teacher::read_compact(&file("tiny.safetensors").into()).unwrap();
    for (name, precision) in [("f32", Precision::F32), ("i8", Precision::I8)] {
        place
            .run(&format!(
                "index model.safetensors documents.tsv --deep tiny.safetensors --precision {name} --block 2 --out {name}/"
            ))
            .success();
        let documents: Vec<Document<'_>> = DOCUMENTS
            .lines()
            .map(|line| {
                let [id, title, text] = line.split('\t').collect::<Vec<_>>()[..] else { panic!() };
                Document { id, title, text, language: "xx", ..Document::default() }
            })
            .collect();
        let mut deep = DeepDocuments::new(&model, teacher.origin(), precision).unwrap();
        let mut encoding = Encoding::deep(model.clone(), teacher.digest().to_owned());
        // One at a time, as a worker would that has no more.
        for document in &documents {
            let vectors = deep.encode(&teacher, std::slice::from_ref(document)).unwrap();
            encoding.push_vector(document, &vectors[0]).unwrap();
        }
        let files = encoding.finish(precision, 2, false, &[]).unwrap().index;
        assert_eq!(files.len(), 3);
        for (path, bytes) in files {
            assert!(bytes == file(&format!("{name}/{path}")), "{name}/{path}");
        }
    }
}

#[test]
fn the_file_of_vectors_is_written_seldom_when_it_is_large() {
    let place = trained();
    let documents = (0..20_000).map(|number| format!("{number}\t\tm1 name{number}\n"));
    place.write("documents.tsv", documents.collect::<String>());
    let index = format!("index model documents.tsv --deep {TINY} --vectors v.safetensors");
    let run = place.run(&format!("{index} --out index.safetensors")).success();
    let told = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    let parts: Vec<&str> = told.lines().filter(|line| line.starts_with("documents ")).collect();
    assert_eq!(
        parts,
        [
            "documents 1 to 4096 of 20000: 4096 texts",
            "documents 4097 to 8192 of 20000: 4096 texts",
            "documents 8193 to 12288 of 20000: 4096 texts",
            "documents 12289 to 18432 of 20000: 6144 texts",
            "documents 18433 to 20000 of 20000: 1568 texts",
        ]
    );
}

#[test]
fn teachers_that_cannot_be_used_are_refused() {
    let place = place();
    place.refuses(&format!("{TRAIN} --teacher nowhere --out m/"), 1, &["nowhere: is no folder"]);
    place.write_in("half", "config.json", "{}");
    place.refuses(
        &format!("{TRAIN} --teacher half --out m/"),
        1,
        &["half/tokenizer.json: cannot be read"],
    );
    let train = TRAIN.replace("--dimension 6", "--dimension 25");
    let expected = "--dimension 25: the teacher's vectors have 24 dimensions";
    place.refuses(&format!("{train} --teacher {TINY} --out m/"), 2, &[expected]);
    place.refuses(&format!("train --teacher {TINY} --out m/"), 2, &["--pairs"]);

    place.run(&format!("{TRAIN} --out plain/")).success();
    let index = format!("documents.tsv --deep {TINY} --out index.safetensors");
    let expected = "the model has no projection of a teacher's vectors (made by train --teacher)";
    place.refuses(&format!("index plain {index}"), 1, &[expected]);

    place.run(&format!("{TRAIN} --teacher {TINY} --out model/")).success();
    let other = place.path("other");
    fs::create_dir_all(other.join("1_Pooling")).unwrap();
    for name in ["config.json", "tokenizer.json", "model.safetensors", "modules.json"] {
        fs::copy(Path::new(TINY).join(name), other.join(name)).unwrap();
    }
    place.refuses(
        "index model documents.tsv --deep other --out index.safetensors",
        1,
        &["other: is another teacher than the model was trained with: its digest is "],
    );
    assert!(!place.path("index.safetensors").exists());
}
