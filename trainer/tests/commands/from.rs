//! Trainings on grades that begin with a model trained on pairs.

use std::fs;

use crate::toy::{Place, TEXTS, clir, document, figures, ideas, query};
use safetensors::SafeTensors;
use serde_json::Value;

/// The ideas that the general model knows.
const KNOWN: usize = 7;
const TUNE: &str = "train data --language xx --from general --epochs 10 --negatives 10 \
                    --batch-size 32 --learning-rate 0.02";

/// A folder of ten ideas, and a general model of seven of them and of a word of its own.
fn place() -> Place {
    let place = Place::new();
    let known = (0..TEXTS).filter(|&text| ideas(text).iter().all(|&idea| idea < KNOWN));
    let pair = |text| format!("toy\t{}\t{text}\t{}\t{}\n", text / 2, query(text), document(text));
    place.write("pairs.tsv", known.map(pair).collect::<String>());
    let entry = |idea: usize| format!("words\tw{idea}\tm{idea}\n");
    let words = (0..KNOWN).map(entry).collect::<String>();
    place.write("lexicon.tsv", words + "words\thorse\tfarasi\n");
    place
        .run(
            "train --loss contrastive --language xx --pairs pairs.tsv --lexicon lexicon.tsv \
             --dimension 16 --subwords 200 --batch-size 12 --epochs 25 --out general",
        )
        .success();
    place
}

/// A value of a model's metadata.
pub fn metadata(place: &Place, model: &str, key: &str) -> Value {
    let bytes = fs::read(place.path(model)).unwrap();
    let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
    serde_json::from_str(&header.metadata().as_ref().unwrap()[key]).unwrap()
}

fn tensor(place: &Place, model: &str, name: &str) -> Vec<u8> {
    let bytes = fs::read(place.path(model)).unwrap();
    SafeTensors::deserialize(&bytes).unwrap().tensor(name).unwrap().data().to_vec()
}

/// The words of a side, each with its row and its weight as the file has them.
fn words(place: &Place, model: &str, side: &str) -> Vec<(String, Vec<u8>, Vec<u8>)> {
    let part = |name: &str| tensor(place, model, &format!("{side}.{name}"));
    let (rows, weights) = (part("embedding"), part("weight"));
    let joined = String::from_utf8(part("vocabulary")).unwrap();
    let rows = rows.chunks(16 * 4).zip(weights.chunks(4));
    let words = joined.split('\n').zip(rows);
    words.map(|(word, (row, weight))| (word.into(), row.into(), weight.into())).collect()
}

/// The metrics of the test queries among all documents.
fn ranked(place: &Place, model: &str, options: &str) -> Value {
    place.json(&format!("evaluate {model} data --candidates all {options} --json"))
}

fn map(result: &Value) -> f64 {
    result["metrics"]["MAP"].as_f64().unwrap()
}

#[test]
fn a_model_that_went_on_from_another_ranks_the_folder_better_and_translates_as_before() {
    let place = place();
    for precision in ["f32", "i8"] {
        place.run(&format!("{TUNE} --precision {precision} --out tuned")).success();
        let [before, after] =
            ["general", "tuned"].map(|model| map(&ranked(&place, model, "--dense 1")));
        assert!(after > before + 0.1, "{precision}: MAP {before}, then {after}");
        let both = map(&ranked(&place, "tuned", ""));
        let lexical = ranked(&place, "tuned", "--dense 0");
        assert!(both > map(&lexical), "{precision}: {both} {lexical}");
        // Words translate, and translations count, as they did.
        let general = ranked(&place, "general", "--dense 0");
        assert_eq!(figures(&lexical["metrics"]), figures(&general["metrics"]));
    }
}

#[test]
fn thresholds_are_found_for_the_grades_and_are_of_scs_alone() {
    let place = place();
    place.run(&format!("{TUNE} --out tuned")).success();
    let grades = |model: &str, options: &str| ranked(&place, model, options)["grades"].clone();
    let accuracy = |grades: &Value| grades["macro_accuracy"].as_f64().unwrap();
    assert_eq!(grades("general", ""), Value::Null, "no threshold was found for it");
    let after = accuracy(&grades("tuned", ""));
    assert!(after > 0.6, "{after}");
    assert_eq!(grades("tuned", ""), grades("tuned", "--dense 1"));
    place.run(&format!("{TUNE} --thresholds 0.25,0.5 --out given")).success();
    let thresholds = &metadata(&place, "given", "config")["thresholds"];
    assert_eq!(*thresholds, serde_json::json!([0.25, 0.5]));
}

#[test]
fn a_word_gets_a_row_where_training_moved_it_and_all_others_stay_as_they_were() {
    let place = place();
    place.run(&format!("{TUNE} --out first")).success();
    // A word of a test query alone.
    place.run("evaluate first data --qrels test.txt").success();
    let id = place.read("test.txt").split(' ').next().unwrap().to_owned();
    let text: usize = id[1..].parse().unwrap();
    place.replace(
        "data/queries.tsv",
        &format!("{}\n", query(text)),
        &format!("{} zebra\n", query(text)),
    );
    place.run(&format!("{TUNE} --out tuned")).success();
    let names = |model: &str, side: &str| -> Vec<String> {
        words(&place, model, side).into_iter().map(|(word, ..)| word).collect()
    };
    let all = |letter: &str, count: usize, own: &str| -> Vec<String> {
        let ideas = (0..count).map(|idea| format!("{letter}{idea}"));
        let mut all: Vec<String> = ideas.chain([own.to_owned()]).collect();
        all.sort();
        all
    };
    for (side, letter, own) in [("query", "w", "horse"), ("document.xx", "m", "farasi")] {
        assert_eq!(names("general", side), all(letter, KNOWN, own));
        assert_eq!(names("tuned", side), all(letter, crate::toy::IDEAS, own));
        let of = |model: &str, word: &str| {
            words(&place, model, side).into_iter().find(|(name, ..)| name == word).unwrap()
        };
        assert!(of("general", own) == of("tuned", own));
        let word = format!("{letter}0");
        let (before, after) = (of("general", &word), of("tuned", &word));
        assert!(before.1 != after.1 && before.2 == after.2);
        // A new word weighs what one made of its n-grams does.
        assert_eq!(of("tuned", &format!("{letter}9")).2, 1f32.to_le_bytes());
    }
    assert!(
        tensor(&place, "general", "subword.embedding")
            == tensor(&place, "tuned", "subword.embedding")
    );
}

#[test]
fn the_same_model_data_and_options_give_the_same_bytes_on_any_number_of_threads() {
    let place = place();
    let train = |threads: &str, options: &str, out: &str| {
        let line = format!("{} {options} --out {out}", TUNE.replace("--epochs 10", "--epochs 2"));
        let mut command = clir();
        command.env("RAYON_NUM_THREADS", threads).current_dir(place.root.path());
        command.args(line.split_whitespace()).assert().success();
        fs::read(place.path(out)).unwrap()
    };
    let bytes = train("1", "", "one");
    assert!(train("3", "", "three") == bytes);
    assert!(train("1", "--seed 2", "seed") != bytes);
}

#[test]
fn a_training_that_is_stopped_goes_on_from_the_same_model_only() {
    let place = place();
    let line = TUNE.replace("--epochs 10", "--epochs 100 --save-every 0");
    place.run(&format!("{line} --out whole")).success();
    place.begin_and_kill(&format!("{line} --out cut"), "cut.training");
    fs::copy(place.path("whole"), place.path("other")).unwrap();
    let other = format!("{line} --out cut --resume").replace("--from general", "--from other");
    let assert = place.run(&format!("{other} --thresholds 0.3,0.5")).code(1);
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(said.contains("with from"), "{said}");
    place.run(&format!("{line} --out cut --resume")).success();
    assert!(fs::read(place.path("whole")).unwrap() == fs::read(place.path("cut")).unwrap());
}

#[test]
fn a_model_tells_what_it_went_on_from() {
    let place = place();
    place.run(&format!("{TUNE} --out tuned/")).success();
    let part = "tuned/document.xx.safetensors";
    let config = metadata(&place, part, "config");
    assert_eq!(config["epsilon"], 0.1);
    let weights = &config["calibration"]["xx"];
    let sum = weights["dense"].as_f64().unwrap() + weights["lexical"].as_f64().unwrap();
    assert!((sum - 1.0).abs() < 1e-6, "{weights}");
    let provenance = metadata(&place, part, "provenance");
    assert_eq!(provenance["options"]["loss"], "sosl");
    assert_eq!(provenance["options"]["from"].as_str().unwrap().len(), 64);
    assert_eq!(provenance["from"], metadata(&place, "general", "provenance"));
}

#[test]
fn what_does_not_go_with_a_model_to_begin_with_is_refused_and_nothing_written() {
    let place = place();
    place.run(&format!("{} --out paper", crate::toy::QUICK)).success();
    let tune = format!("{TUNE} --out out/m");
    for (options, expected) in [
        ("--init lsi", "--init"),
        ("--init-deviation 0.1", "--init-deviation"),
        ("--pairs pairs.tsv", "--pairs"),
        ("--refit", "--refit"),
        ("--loss contrastive", "--pairs"),
        ("--encoder cnn", "only the average encoder"),
        ("--dimension 8", "--dimension 8: that of general is 16"),
        ("--epsilon 0.5", "--epsilon 0.5: that of general is 0.1"),
        ("--language yy data", "one --language"),
    ] {
        place.refuses(&format!("{tune} {options}"), 2, &[expected]);
    }
    for (from, language, expected) in [
        ("paper", "xx", "no n-grams"),
        ("nowhere", "xx", "cannot be read"),
        ("general", "yy", "no document encoder for `yy`"),
    ] {
        let line = format!("train data --language {language} --from {from} --out out/m");
        place.refuses(&line, 1, &[expected]);
    }
    place.refuses("theory general data", 1, &["n-grams"]);
    place.run("train data --language xx --from general --out general").code(2);
}
