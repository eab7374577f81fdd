//! `language add`, with the random BERT of the teacher's own tests: each way to choose three of ten words is a sentence.

use std::fs;

use predicates::prelude::*;
use predicates::str::contains;
use safetensors::SafeTensors;
use serde_json::Value;

use crate::from::metadata;
use crate::toy::{Place, clir};

const TINY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../teacher/tests/tiny");
const WORDS: [&str; 10] =
    ["the", "rain", "falls", "over", "mountains", "and", "snow", "unknown", "cat", "sleeping"];

/// Sentences of ten sets, the words of the other language as a rule makes them.
fn sentences(sets: usize, word: impl Fn(usize, usize) -> String) -> String {
    let mut lines = String::new();
    for set in 0..sets {
        for a in 0..WORDS.len() {
            for b in a + 1..WORDS.len() {
                for c in b + 1..WORDS.len() {
                    let english = [a, b, c].map(|word| WORDS[word]).join(" ");
                    let other = [a, b, c].map(|number| word(number, set)).join(" ");
                    lines += &format!("toy{set}\t{a}{b}\t{a}{b}{c}\t{english}\t{other}\n");
                }
            }
        }
    }
    lines
}

/// A model of xx, and sentences of yy.
fn place() -> Place {
    let place = Place::new();
    place.write("xx.tsv", sentences(20, |word, _| format!("m{word}")));
    place.write("yy.tsv", sentences(20, |word, _| format!("n{word}")));
    place
        .run(&format!(
            "train --loss contrastive --language xx --pairs xx.tsv --dimension 6 --subwords 0 --stems none \
             --teacher {TINY} --out model/"
        ))
        .success();
    place
}

const ADD: &str = "language add model --language yy --pairs yy.tsv";

#[test]
fn a_pack_finds_documents_beside_the_model_whose_files_stay_as_they_are() {
    let place = place();
    let files = ["query", "deep", "document.xx"].map(|name| format!("model/{name}.safetensors"));
    let before = files.each_ref().map(|file| fs::read(place.path(file)).unwrap());
    place.write("words.tsv", "list\tsnow\tnix\nlist\tsnow\tnix\n");
    place.write("card.json", r#"{"sources":[{"name":"Toy","licence":"CC0"}]}"#);
    place
        .run(&format!("{ADD} --lexicon words.tsv --sources card.json --teacher {TINY}"))
        .success()
        .stderr(
            contains("weight of the dense score")
                .and(contains("share of the dense score of deep documents")),
        )
        .stderr(contains("median").not());
    assert_eq!(before, files.each_ref().map(|file| fs::read(place.path(file)).unwrap()));
    let config = metadata(&place, "model/document.yy.safetensors", "config");
    assert_eq!(config["languages"], serde_json::json!(["yy"]));
    assert_eq!(config["pack"], serde_json::json!({ "version": 1 }));
    assert_eq!(config["calibration"].as_object().unwrap().len(), 1);
    let provenance = metadata(&place, "model/document.yy.safetensors", "provenance");
    assert_eq!(provenance["sources"][0]["name"], "Toy");
    assert_eq!(provenance["data"].as_array().unwrap().len(), 2);
    let card: Value = serde_json::from_str(&place.read("model/card.yy.json")).unwrap();
    assert_eq!(card["bytes"], fs::read(place.path("model/document.yy.safetensors")).unwrap().len());
    place.run("verify model").success().stdout(contains("documents in yy").and(contains("xx")));
    place.write("documents.tsv", "a\t\tn1 n2\nb\t\tn8 n9\nc\t\tnix\n");
    place.run("index model documents.tsv --language yy --out index.safetensors").success();
    for (query, first) in [("rain falls", "a"), ("cat sleeping", "b"), ("snow", "c")] {
        let mut search = clir();
        search.current_dir(place.root.path());
        let search = search.args(["search", "model", "index.safetensors", query, "--json"]);
        let found: Value = serde_json::from_slice(&search.output().unwrap().stdout).unwrap();
        assert_eq!(found["hits"][0]["id"], first, "{query}: {found}");
    }
    // The same data give the same bytes, on any number of threads, in any folder.
    let mut again = clir();
    again.current_dir(place.root.path()).env("RAYON_NUM_THREADS", "1");
    let line =
        format!("{ADD} --lexicon words.tsv --sources card.json --teacher {TINY} --out again/");
    again.args(line.split_whitespace()).assert().success();
    let packs = ["model", "again"]
        .map(|folder| fs::read(place.path(&format!("{folder}/document.yy.safetensors"))).unwrap());
    assert!(packs[0] == packs[1]);
}

#[test]
fn translations_of_a_pack_serve_another_model_as_an_alignment_would() {
    let place = place();
    let train = "train --loss contrastive --language xx --pairs xx.tsv --dimension 6 --subwords 0 --stems none --seed 2";
    place.run(&format!("{train} --most-query-words 8 --teacher {TINY} --out other/")).success();
    place.run(ADD).success();
    let add = "language add other --language yy --pairs yy.tsv";
    place.run(&format!("{add} --out aligned/")).success();
    place.run(&format!("{add} --translations model --out taken/")).success();
    let packs = ["aligned", "taken"]
        .map(|folder| fs::read(place.path(&format!("{folder}/document.yy.safetensors"))).unwrap());
    assert!(packs[0] == packs[1]);
    place.refuses(
        &format!("{add} --translations other --out third/"),
        1,
        &["other", "has no translations of yy"],
    );
}

#[test]
fn a_pack_is_no_larger_than_it_may_be() {
    let place = place();
    // Words of two letters each, which are many.
    let word = |word: usize, set: usize| format!("n{word}w{set} n{word}v{set} n{word}u{set}");
    place.write("yy.tsv", sentences(10, word));
    place.run(&format!("{ADD} --out large/")).success();
    let bytes = |folder: &str| {
        fs::metadata(place.path(&format!("{folder}/document.yy.safetensors"))).unwrap().len()
    };
    let most = bytes("large") - 200;
    place
        .run(&format!("{ADD} --most-bytes {most} --out small/"))
        .success()
        .stderr(contains("left out are translations"));
    assert!(bytes("small") <= most, "{} and {most}", bytes("small"));
}

#[test]
fn without_a_teacher_a_pack_has_the_median_share_and_says_so() {
    let place = place();
    place
        .run(ADD)
        .success()
        .stderr(contains("the median of the model's languages: no teacher was given"));
    let share = |file: &str, language: &str| {
        metadata(&place, file, "config")["calibration"][language]["deep"].clone()
    };
    let own = share("model/query.safetensors", "xx");
    assert!(own.is_number());
    assert_eq!(share("model/document.yy.safetensors", "yy"), own);
}

#[test]
fn stems_are_of_the_end_that_forms_of_a_word_share() {
    let place = place();
    // Each set has forms of its own.
    for (form, expected) in [("head", "stems head"), ("tail", "stems tail")] {
        let word = |word: usize, set: usize| {
            let root =
                ["kalo", "mesi", "poru", "tiva", "luno", "rako", "seme", "vupi", "galu", "dofe"]
                    [word];
            let letters = ["ab", "ce", "di", "fo", "gu", "ha", "je", "ki", "lo", "mu"][set];
            // Too long for an affix: words have no bases.
            let letters = letters.repeat(3);
            match form {
                "head" => format!("{root}{letters}"),
                _ => format!("{letters}{root}"),
            }
        };
        place.write("yy.tsv", sentences(10, word));
        place.run(&format!("{ADD} --out {form}/")).success().stderr(contains(expected));
        let card: Value =
            serde_json::from_str(&place.read(&format!("{form}/card.yy.json"))).unwrap();
        assert_eq!(card["stems"], form);
    }
}

#[test]
fn a_script_without_spaces_is_read_by_pairs_of_characters_and_has_no_stems() {
    let place = place();
    let characters: Vec<char> = "雨雪山猫眠落知上下中".chars().collect();
    place.write(
        "yy.tsv",
        sentences(10, |word, _| format!("{0}{0}", characters[word])).replace("toy", "t"),
    );
    place.run(ADD).success().stderr(contains("written without spaces"));
    let card: Value = serde_json::from_str(&place.read("model/card.yy.json")).unwrap();
    assert_eq!((&card["written-without-spaces"], &card["stems"]), (&true.into(), &"none".into()));
}

#[test]
fn more_text_tells_how_frequent_words_are() {
    let place = place();
    place.write("text.txt", "n1 ".repeat(100_000));
    place.run(&format!("{ADD} --out without/")).success();
    place.run(&format!("{ADD} --text text.txt --out with/")).success();
    let frequencies = ["without", "with"].map(|folder| {
        let bytes = fs::read(place.path(&format!("{folder}/document.yy.safetensors"))).unwrap();
        let file = SafeTensors::deserialize(&bytes).unwrap();
        file.tensor("translation.yy.frequencies").unwrap().data().to_vec()
    });
    // In steps of 6 %: from a tenth of all words to nearly all, and from a tenth to a few thousandths.
    let [without, with] = frequencies;
    assert!(with[1] > without[1] + 30 && with[0] < without[0] - 30, "{without:?} {with:?}");
}

#[test]
fn few_pairs_are_told_with_what_to_expect() {
    let place = place();
    place.write("yy.tsv", sentences(1, |word, _| format!("n{word}")));
    let warned = contains("warning: yy: ").and(contains("pairs of sentences are few"));
    place.run(ADD).success().stderr(warned.and(contains("too few pairs were kept back")));
}

const ENGLISH: &str = "The old man walked slowly down to the harbour because he wanted to see the boats before the storm came in from the sea";
const GERMAN: &str = "Der alte Mann ging langsam zum Hafen hinunter, weil er die Boote sehen wollte, bevor der Sturm vom Meer hereinkam";
const DUTCH: &str = "De oude man liep langzaam naar de haven omdat hij de boten wilde zien voordat de storm van zee binnenkwam";

#[test]
fn pairs_in_another_language_or_swapped_are_refused_with_line_and_share() {
    let place = place();
    let lines = |columns: [&str; 2]| {
        (0..200)
            .map(|line| format!("s\tg\t{line}\t{}\t{}\n", columns[0], columns[1]))
            .collect::<String>()
    };
    let line = "language add model --language de --pairs de.tsv";
    for (columns, expected) in [
        (
            [GERMAN, ENGLISH],
            "de.tsv, line 1: the columns are swapped: column 5 is in English in 100 % of the file",
        ),
        ([ENGLISH, DUTCH], "de.tsv, line 1: column 5 is in nl in 100 % of the file; expected de"),
        ([ENGLISH, ENGLISH], "de.tsv, line 1: column 5 is in en in 100 % of the file; expected de"),
        (
            [DUTCH, GERMAN],
            "de.tsv, line 1: column 4 is in nl in 100 % of the file; expected English",
        ),
        (
            [ENGLISH, "⠓⠑⠇⠇⠕ ⠺⠕⠗⠇⠙"],
            "de.tsv, line 1: the text rule finds no word in column 5 of 200 of 200 lines",
        ),
        (
            [ENGLISH, "einewortschlangeohneleerzeichenzwischendenwörtern"],
            "the words of column 5 have 49 letters on average",
        ),
    ] {
        place.write("de.tsv", lines(columns));
        place.refuses(line, 1, &[expected]);
        assert!(!place.path("model/document.de.safetensors").exists());
    }
    // A part of a file is told.
    place.write(
        "de.tsv",
        lines([ENGLISH, GERMAN])
            + &lines([ENGLISH, DUTCH])
                .lines()
                .take(60)
                .map(|line| format!("{line}\n"))
                .collect::<String>(),
    );
    place.run(line).success().stderr(contains("column 5 is in nl in 2").and(contains("from line")));
    place.write("de.tsv", "s\tg\t1\tone\teins\ns\tg\t2\ttwo\n");
    place.refuses(
        "language add model --language de --pairs de.tsv --out other/",
        1,
        &["de.tsv, line 2", "5"],
    );
    assert!(!place.path("other").exists());
}

#[test]
fn a_model_without_a_query_encoder_and_an_output_that_is_there_are_refused() {
    let place = place();
    fs::create_dir(place.path("part")).unwrap();
    fs::copy(
        place.path("model/document.xx.safetensors"),
        place.path("part/document.xx.safetensors"),
    )
    .unwrap();
    fs::create_dir(place.path("empty")).unwrap();
    let add = |model: &str| format!("language add {model} --language yy --pairs yy.tsv --out out/");
    place.refuses(&add("part"), 1, &["part", "has no query encoder"]);
    place.refuses(&add("empty"), 1, &["empty", "query.safetensors"]);
    place.refuses(&add("nowhere"), 1, &["nowhere"]);
    place.write("model/document.yy.safetensors", "something");
    place.refuses(ADD, 1, &["document.yy.safetensors", "is there already", "--out"]);
    assert_eq!(place.read("model/document.yy.safetensors"), "something");
    place.refuses(
        "language add model --language yy --pairs yy.tsv --out yy.tsv",
        1,
        &["is there already"],
    );
    place.refuses("language add model --language yy", 2, &["--pairs"]);
}
