//! What `evaluate` says beside the metrics, in which direction it ranks, and what `metrics` reads.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::toy::{NAMES, Place, QUICK, TEXTS, figures};
use serde_json::Value;

const SPLITS: [&str; 3] = ["train", "validation", "test"];

/// The grade of each query and document.
fn grades(place: &Place) -> HashMap<(String, String), u8> {
    let line = |line: &str| {
        let [query, document, grade] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        ((query.to_owned(), document.to_owned()), grade.parse().unwrap())
    };
    place.read("data/relevance.tsv").lines().map(line).collect()
}

/// The scores in a run by query and document.
fn scores(run: &str) -> BTreeMap<(String, String), f64> {
    let line = |line: &str| {
        let column: Vec<&str> = line.split(' ').collect();
        ((column[0].to_owned(), column[2].to_owned()), column[4].parse().unwrap())
    };
    run.lines().map(line).collect()
}

/// The queries of each split, as a run of it has them.
fn queries(place: &Place, options: &str) -> BTreeMap<&'static str, BTreeSet<String>> {
    let of = |split| {
        place.output(&format!("evaluate m data --split {split} --run r {options}"));
        (split, scores(&place.read("r")).into_keys().map(|(query, _)| query).collect())
    };
    SPLITS.into_iter().map(of).collect()
}

fn trained() -> Place {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m")).success();
    place
}

// ---- grades --------------------------------------------------------------------------------

#[test]
fn grades_and_bins_are_those_of_the_scores_in_the_run() {
    let place = Place::new();
    // Narrow thresholds, so that a model of a moment predicts every grade.
    place.run(&format!("{QUICK} --thresholds 0.02,0.1 --out m")).success();
    let result = place.json("evaluate m data --candidates all --run r --json");
    let relevance = grades(&place);
    let mut confusion = [[0u64; 3]; 3];
    let mut bins = [0u64; 10];
    for (pair, score) in scores(&place.read("r")) {
        let truth = relevance.get(&pair).copied().unwrap_or(0);
        let predicted = usize::from(score > 0.02) + usize::from(score > 0.1);
        confusion[usize::from(truth)][predicted] += 1;
        bins[((score + 1.0) * 5.0) as usize] += 1;
    }
    let predicted: Vec<u64> =
        (0..3).map(|grade| confusion.map(|row| row[grade]).iter().sum()).collect();
    assert!(predicted.iter().all(|&count| count > 0), "{confusion:?}");
    let grades = &result["grades"];
    assert_eq!(grades["confusion"], serde_json::json!(confusion));
    let share =
        |grade: usize| confusion[grade][grade] as f64 / confusion[grade].iter().sum::<u64>() as f64;
    let expected = (share(0) + share(1) + share(2)) / 3.0;
    assert!((grades["macro_accuracy"].as_f64().unwrap() - expected).abs() < 1e-12);
    assert!(grades["kappa"].as_f64().unwrap() < 1.0);
    let counts: Vec<u64> = grades["reliability"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bin| bin["count"].as_u64().unwrap())
        .collect();
    assert_eq!(counts, bins);
}

#[test]
fn the_table_shows_the_grades_that_json_gives() {
    let place = trained();
    let grades = place.json("evaluate m data --json")["grades"].clone();
    let table = place.output("evaluate m data");
    let rows: Vec<Vec<&str>> =
        table.lines().map(|line| line.split_whitespace().collect()).collect();
    for (grade, row) in grades["confusion"].as_array().unwrap().iter().enumerate() {
        let counts: Vec<String> = row.as_array().unwrap().iter().map(Value::to_string).collect();
        let expected = [vec![grade.to_string()], counts].concat();
        assert!(rows.iter().any(|row| *row == expected), "{expected:?} is not in {table}");
    }
    for (name, key) in [("macro accuracy", "macro_accuracy"), ("kappa", "kappa")] {
        let value = format!("{:.4}", grades[key].as_f64().unwrap());
        let line = table.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(line.ends_with(&value), "{line}");
    }
}

#[test]
fn grades_of_several_languages_add_up() {
    let place = Place::new();
    place
        .run("train --language fr --language sw --dimension 8 --epochs 1 --negatives 5 --out m")
        .success();
    let result = place.json("evaluate m --json");
    let count = |of: &Value, row: usize, column: usize| {
        of["grades"]["confusion"][row][column].as_u64().unwrap()
    };
    let languages = &result["languages"];
    let mut all = 0;
    for (row, column) in (0..3).flat_map(|row| (0..3).map(move |column| (row, column))) {
        let parts = count(&languages["fr"], row, column) + count(&languages["sw"], row, column);
        assert_eq!(count(&result, row, column), parts);
        all += parts;
    }
    assert!(all > 500, "{result}");
}

// ---- direction -----------------------------------------------------------------------------

#[test]
fn a_pair_scores_the_same_in_both_directions_and_documents_have_their_querys_split() {
    let place = trained();
    let mut forward = BTreeMap::new();
    let mut back = BTreeMap::new();
    for split in SPLITS {
        let line = format!("evaluate m data --candidates all --split {split} --run r");
        place.output(&line);
        let there = scores(&place.read("r"));
        place.output(&format!("{line} --direction back"));
        let again = scores(&place.read("r"));
        let asked: BTreeSet<String> = there.keys().map(|(q, _)| q.replace('q', "d")).collect();
        let answered: BTreeSet<String> = again.keys().map(|(d, _)| d.clone()).collect();
        assert_eq!(asked, answered, "{split}");
        forward.extend(there);
        back.extend(again);
    }
    assert_eq!(forward.len(), TEXTS * TEXTS);
    assert_eq!(back.len(), TEXTS * TEXTS);
    for ((query, document), score) in forward {
        // A tie is written a little lower.
        let other = back[&(document.clone(), query.clone())];
        assert!((score - other).abs() < 1e-6, "{query} {document}: {score} {other}");
    }
}

#[test]
fn figures_of_the_way_back_are_those_of_the_grades_turned_round() {
    let place = trained();
    let turned: String =
        grades(&place).iter().map(|((q, d), grade)| format!("{d} 0 {q} {grade}\n")).collect();
    let result =
        place.json("evaluate m data --direction back --candidates all --run r --qrels j --json");
    // The qrels of the split's documents alone, from the file of grades.
    let asked: BTreeSet<String> = scores(&place.read("r")).into_keys().map(|(d, _)| d).collect();
    let lines = turned.lines().filter(|line| asked.contains(line.split(' ').next().unwrap()));
    let turned: BTreeSet<&str> = lines.collect();
    let written = place.read("j");
    assert_eq!(written.lines().collect::<BTreeSet<_>>(), turned);
    let measured = place.json("metrics --run r --qrels j --json");
    assert_eq!(measured["queries"], result["queries"]);
    for name in NAMES {
        let (one, other) = (figures(&result["metrics"])[name], figures(&measured["metrics"])[name]);
        assert!((one - other).abs() < 1e-9, "{name}: {one} {other}");
    }
}

#[test]
fn a_document_of_queries_in_several_splits_is_no_test_where_one_was_trained_on() {
    let place = trained();
    let splits = queries(&place, "");
    let (trained_on, tested) = (splits["train"].first().unwrap(), splits["test"].first().unwrap());
    let document = tested.replace('q', "d");
    let back = || queries(&place, "--direction back");
    assert!(back()["test"].contains(&document));
    let pair = format!("{trained_on}\t{document}\t");
    let kept = place.read("data/relevance.tsv");
    let kept: String = kept
        .lines()
        .filter(|line| !line.starts_with(&pair))
        .map(|line| format!("{line}\n"))
        .collect();
    place.write("data/relevance.tsv", kept + &pair + "2\n");
    let back = back();
    assert!(back["train"].contains(&document) && !back["test"].contains(&document));
}

#[test]
fn on_the_way_back_negatives_are_never_copies_of_a_graded_query() {
    let place = Place::new();
    let queries = place.read("data/queries.tsv");
    place.write("data/queries.tsv", queries.clone() + &queries.replace("q", "copy"));
    place.run(&format!("{QUICK} --out m")).success();
    let relevance = grades(&place);
    place.output("evaluate m data --direction back --split train --write-candidates c");
    let (mut copies, mut irrelevant) = (0, 0);
    for line in place.read("c").lines() {
        let [document, query, grade] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let original = (query.replace("copy", "q"), document.to_owned());
        assert_eq!(grade != "0", relevance.contains_key(&original), "{line}");
        copies += u32::from(query.starts_with("copy"));
        irrelevant += u32::from(grade == "0");
    }
    let asked = place
        .read("c")
        .lines()
        .map(|line| line.split('\t').next().unwrap().to_owned())
        .collect::<BTreeSet<_>>();
    assert_eq!(irrelevant as usize, 5 * asked.len());
    assert!(copies > 20, "{copies}");
}

#[test]
fn queries_only_trained_on_are_no_candidates_on_the_way_back() {
    let place = Place::new();
    place.run("train --language fr --dimension 8 --epochs 1 --negatives 5 --out m").success();
    place.output("evaluate m --direction back --candidates all --write-candidates c");
    let candidates = place.read("c");
    assert!(candidates.lines().count() > 1000);
    assert!(!candidates.contains(".name\t"), "a title is a candidate");
    assert!(candidates.lines().all(|line| line.split('\t').next().unwrap().ends_with(".fr")));
}

#[test]
fn a_pairs_file_has_no_direction_for_it_is_ranked_in_both() {
    let place = trained();
    place.write("pairs", "toy\tg\t1\tw1\tm1\n");
    let line = "evaluate m --pairs pairs --direction back";
    place.refuses(line, 2, &["--direction", "cannot be used with"]);
}

// ---- metrics -------------------------------------------------------------------------------

#[test]
fn odd_but_legal_trec_files_are_read_as_trec_eval_reads_them() {
    let place = Place::new();
    // Spaces, tabs and empty lines; scores with exponents and signs; a rank that says otherwise;
    // an id with a no-break space; an unjudged document, a negative grade; lines in any order.
    place.write("j", "q1\t0  a\u{a0}b\t2\n\n  q1 0 b 1\r\nq1 0 c -1\nq2 0 a 2");
    place.write(
        "r",
        " q1 Q0 b 7 2.5E-1 x\nq1  Q0\tz 1 +3e-1 x \r\n\nq1 Q0 a\u{a0}b 9 .2 x\nq2 Q0 a 1 -1e30 x",
    );
    let result = place.json("metrics --run r --qrels j --json");
    // q1: z (unjudged), b, a; q2: a.
    let log2_3 = 1.584_962_500_721_156;
    let gain = (1.0 / log2_3 + 2.0 / 2.0) / (2.0 + 1.0 / log2_3);
    let precision = (1.0 / 2.0 + 2.0 / 3.0) / 2.0;
    let of_first = [0.0, 1.0, 0.4, gain, precision, 1.0 / 3.0, 0.5];
    let of_second = [1.0, 1.0, 0.2, 1.0, 1.0, 1.0, 1.0];
    assert_eq!(result["queries"], 2);
    for (name, (a, b)) in NAMES.iter().zip(of_first.iter().zip(of_second)) {
        let found = figures(&result["metrics"])[*name];
        assert!((found - (a + b) / 2.0).abs() < 1e-12, "{name}: {found}");
    }
}

#[test]
fn queries_that_are_only_in_one_of_run_and_qrels_are_told() {
    let place = Place::new();
    place.write("j", "q1 0 a 2\nq2 0 a 2\nq3 0 a 2\nq4 0 a 1\n");
    place.write("r", "q1 Q0 a 1 1 x\nq5 Q0 a 1 1 x\nq6 Q0 a 1 1 x\nq7 Q0 a 1 1 x\n");
    let assert = place.run("metrics --run r --qrels j").success();
    let told = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(
        told,
        "queries not in the run, counted as zero: 2\n\
         queries without a document of grade 2 in the qrels, left out: 1\n\
         queries of the run that are not in the qrels, left out: 3\n"
    );
    place.write("j", "q1 0 a 2\n");
    place.write("r", "q1 Q0 a 1 1 x\n");
    place.run("metrics --run r --qrels j").success().stderr("");
}

#[test]
fn irrelevant_documents_do_not_depend_on_the_split_of_their_query() {
    // One draw for each query among 400 documents: where the draws of a split lie on average.
    let place = Place::new();
    let texts = 400;
    let line = |name: &str, text: usize| format!("{name}{text}\tTitle\tm{} m{}\n", text % 10, text);
    let [queries, documents] =
        ["q", "d"].map(|name| (0..texts).map(|text| line(name, text)).collect::<String>());
    place.write("data/queries.tsv", queries);
    place.write("data/documents.tsv", documents);
    place.write(
        "data/relevance.tsv",
        (0..texts).map(|text| format!("q{text}\td{text}\t2\n")).collect::<String>(),
    );
    place.run("train data --language xx --dimension 4 --thresholds 0,0.1 --epochs 1 --negatives 1 --out m").success();
    for split in ["train", "validation", "test"] {
        let line = format!("evaluate m data --split {split} --write-candidates c");
        place.run(&line).success();
        let drawn: Vec<f64> = place
            .read("c")
            .lines()
            .filter(|line| line.ends_with("\t0"))
            .map(|line| line.split('\t').nth(1).unwrap()[1..].parse().unwrap())
            .collect();
        let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
        // Of 400 evenly drawn, with a deviation of 13 for the mean of 80.
        assert!((mean - 200.0).abs() < 45.0, "{split}: {mean} of {} draws", drawn.len());
    }
}

#[test]
fn a_model_in_a_folder_lies_beside_what_its_scores_on_the_test_queries_were_made_of() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m/")).success();
    place.output("evaluate m data --run run");
    let read = |name: &str| -> Value { serde_json::from_str(&place.read(name)).unwrap() };
    let file = read("m/evaluation.json");
    assert_eq!(
        (&file["format"], &file["refit"]),
        (&"smooth-clir-evaluation".into(), &false.into())
    );
    let number = |value: &Value| value.as_f64().unwrap();
    let list = |value: &Value| value.as_array().unwrap().clone();
    let grades = grades(&place);
    let epsilon = number(&file["epsilon"]);
    let mut made = BTreeMap::new();
    for collection in list(&file["collections"]) {
        for judged in list(&collection["judged"]) {
            let query = &file["queries"][judged["query"].as_u64().unwrap() as usize];
            let query_norm = number(&judged["norm"]);
            let documents = list(&judged["documents"]).into_iter().zip(list(&judged["grades"]));
            for ((document, grade), dot) in documents.zip(list(&judged["dots"])) {
                let document = document.as_u64().unwrap() as usize;
                let norm = number(&collection["norms"][document]);
                let id = collection["documents"][document].as_str().unwrap();
                let pair = (query["id"].as_str().unwrap().to_owned(), id.to_owned());
                assert_eq!(grade, grades.get(&pair).copied().unwrap_or(0), "{pair:?}");
                let score = number(&dot) / ((query_norm + epsilon) * (norm + epsilon));
                made.insert(pair, score);
            }
        }
    }
    let run = scores(&place.read("run"));
    assert_eq!(made.keys().collect::<Vec<_>>(), run.keys().collect::<Vec<_>>());
    for (pair, score) in run {
        assert!((made[&pair] - score).abs() < 1e-6, "{pair:?}: {} and {score}", made[&pair]);
    }

    // Trained once more, the model is another; what it was tested on and how is not.
    place.run(&format!("{QUICK} --refit --out again/")).success();
    let again = read("again/evaluation.json");
    assert_eq!(again["refit"], true);
    assert_ne!(again["model"], file["model"]);
    for same in ["queries", "collections", "epsilon", "thresholds"] {
        assert_eq!(again[same], file[same], "{same}");
    }
}
