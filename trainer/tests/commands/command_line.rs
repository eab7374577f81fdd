//! The command line from end to end, on a language small enough to know the answers.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::toy::{LEARN, NAMES, Place, QUICK, TEXTS, clir, document, figures, query, write_toy};
use predicates::prelude::*;
use serde_json::Value;
use smooth_clir::encoder::Precision;
use smooth_clir::index::Index;
use smooth_clir::model::Model;
use smooth_clir_documents::{Collection, Document, Page, PageFormat, Reading};

fn assert_same_figures(one: &Value, other: &Value) {
    assert_eq!(one["queries"], other["queries"]);
    let (one, other) = (figures(&one["metrics"]), figures(&other["metrics"]));
    assert_eq!(one.len(), NAMES.len());
    for name in NAMES {
        assert!((one[name] - other[name]).abs() < 1e-6, "{name}: {one:?} {other:?}");
    }
}

// ---- train, evaluate -----------------------------------------------------------------------

#[test]
fn what_was_trained_ranks_unseen_queries_far_better_than_chance() {
    let place = Place::new();
    place.run(&format!("{LEARN} --out m.safetensors")).success();
    let result = place.json("evaluate m.safetensors data --json");
    // Of at least eleven documents chance puts the right one first once in eleven.
    assert!(figures(&result["metrics"])["P_mr@1"] > 0.6, "{result}");
    assert!(figures(&result["metrics"])["MAP"] > 0.7, "{result}");
}

#[test]
fn evaluate_prints_one_object_with_every_metric_in_its_range() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    let mut queries = 0;
    for split in ["train", "validation", "test"] {
        let result = place.json(&format!("evaluate m.safetensors data --split {split} --json"));
        let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["grades", "metrics", "queries"]);
        let figures = figures(&result["metrics"]);
        assert_eq!(figures.len(), NAMES.len());
        for name in NAMES {
            // One document is relevant, so there is at most one hit in the first five.
            assert!((0.0..=1.0).contains(&figures[name]), "{name}: {figures:?}");
        }
        // First or not, a document found has a place: these hold for any ranking.
        assert!(figures["P_mr@1"] <= figures["MRR_mr"] && figures["P_mr@1"] <= figures["P_mr@5"]);
        assert!(figures["MRR_mr"] <= figures["MRR_r"]);
        queries += result["queries"].as_u64().unwrap();
    }
    assert_eq!(queries, TEXTS as u64, "the three splits are all queries, each once");
}

#[test]
fn evaluate_without_json_prints_the_same_figures_as_a_table() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    let result = place.json("evaluate m.safetensors data --json");
    let table = place.output("evaluate m.safetensors data");
    let rows: HashMap<&str, f64> = table
        .lines()
        .take_while(|line| !line.is_empty())
        .map(|line| line.split_once(' ').unwrap())
        .map(|(name, value)| (name, value.trim().parse().unwrap()))
        .collect();
    assert_eq!(rows.len(), NAMES.len() + 1);
    assert_eq!(rows["queries"], result["queries"].as_f64().unwrap());
    for (name, value) in figures(&result["metrics"]) {
        assert!((rows[name.as_str()] - value).abs() <= 0.5001e-4, "{name}: {table}");
    }
}

#[test]
fn the_metrics_that_train_tells_are_those_that_evaluate_finds() {
    let place = Place::new();
    let assert = place.run(&format!("{QUICK} --out m.safetensors")).success();
    let told = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    let evaluated = place.output("evaluate m.safetensors data");
    for line in evaluated.lines().take_while(|line| !line.is_empty()) {
        assert!(told.lines().any(|told| told == line), "{line} is not in {told}");
    }
}

#[test]
fn a_folder_of_parts_searches_and_scores_as_one_file_does() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out one.safetensors")).success();
    place.run(&format!("{QUICK} --out out/")).success();
    let names = ["document.xx.safetensors", "evaluation.json", "query.safetensors"];
    assert_eq!(place.out(), names);
    place.run("index one.safetensors data --out one.index").success();
    place.run("index out data --out parts.index").success();
    assert_eq!(
        fs::read(place.path("one.index")).unwrap(),
        fs::read(place.path("parts.index")).unwrap()
    );
    let found = |line: &str| place.output(line);
    assert_eq!(
        found("search one.safetensors one.index w1 --json"),
        found("search out one.index w1 --json")
    );
    assert_eq!(
        found("search one.safetensors one.index w1 --json"),
        found("search out/query.safetensors one.index w1 --json")
    );
    assert_eq!(found("evaluate one.safetensors data --json"), found("evaluate out data --json"));
}

#[test]
fn the_same_seed_options_and_data_give_the_same_bytes_on_any_number_of_threads() {
    let place = Place::new();
    let train = |threads: &str, name: &str, more: &str| {
        let line = format!("{QUICK} --out {name} {more}");
        let mut command = clir();
        command.current_dir(place.root.path()).env("RAYON_NUM_THREADS", threads);
        command.args(line.split_whitespace()).assert().success();
        fs::read(place.path(name)).unwrap()
    };
    let one = train("1", "1.safetensors", "");
    assert!(one == train("1", "again.safetensors", ""), "a second run gives other bytes");
    assert!(one == train("2", "2.safetensors", ""), "two threads give other bytes");
    assert!(one == train("4", "4.safetensors", ""), "four threads give other bytes");
    assert!(one == train("13", "13.safetensors", ""), "13 threads give other bytes");
    assert!(one != train("1", "seed.safetensors", "--seed 2"), "the seed changes nothing");
    assert!(one != train("1", "split.safetensors", "--split-seed 2"));
}

#[test]
fn the_same_model_and_documents_give_the_same_index_and_run_on_any_number_of_threads() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    let made = |threads: &str| {
        for line in ["index m.safetensors data --out i", "evaluate m.safetensors data --run r"] {
            let mut command = clir();
            command.current_dir(place.root.path()).env("RAYON_NUM_THREADS", threads);
            command.args(line.split_whitespace()).assert().success();
        }
        (fs::read(place.path("i")).unwrap(), fs::read(place.path("r")).unwrap())
    };
    assert!(made("1") == made("4"));
}

#[test]
fn a_model_does_not_depend_on_where_its_data_lie() {
    let place = Place::new();
    write_toy(&place.path("elsewhere"));
    place.run(&format!("{QUICK} --out a.safetensors")).success();
    place.run(&format!("{} --out b.safetensors", QUICK.replace("data", "elsewhere"))).success();
    let [a, b] = ["a", "b"].map(|name| fs::read(place.path(&format!("{name}.safetensors"))));
    assert!(a.unwrap() == b.unwrap());
}

#[test]
fn one_model_holds_several_languages_and_ranks_each() {
    let place = Place::new();
    write_toy(&place.path("more"));
    let other = place.read("more/documents.tsv").replace("m", "n").replace("\td", "\te");
    place.write("more/documents.tsv", other);
    let line = LEARN.replace("data --language xx", "data more --language xx --language yy");
    place.run(&format!("{line} --out m.safetensors")).success();
    for (language, folder) in [("xx", "data"), ("yy", "more")] {
        let line = format!("evaluate m.safetensors {folder} --language {language} --json");
        assert!(figures(&place.json(&line)["metrics"])["P_mr@1"] > 0.6, "{language}");
    }
    place.refuses("evaluate m.safetensors data", 2, &["xx, yy", "--language"]);
    place.refuses("evaluate m.safetensors data --language zz", 2, &["zz", "xx, yy"]);
    place
        .run("verify m.safetensors")
        .success()
        .stdout(predicate::str::contains("documents in xx").and(predicate::str::contains("in yy")));

    // An index of each, and one language asked for alone.
    place.run("index m.safetensors more --language yy --out yy.index").success();
    let hits = place.json("search m.safetensors yy.index w1 --json");
    assert_eq!(hits["hits"][0]["language"], "yy");
    place.refuses("search m.safetensors yy.index w1 --language xx", 1, &["`xx`", "yy"]);

    // Pages in several languages: of all, or of those that are named.
    fs::create_dir(place.path("site")).unwrap();
    for language in ["xx", "yy", "en"] {
        place.write(&format!("site/{language}.html"), format!("<html lang={language}><p>w1"));
    }
    for (options, result) in [
        ("", "xx (1), yy (1), en (1)"),
        ("--language auto", "xx (1), yy (1), en (1)"),
        ("--language yy --language en", "yy (1), en (1)"),
    ] {
        let said = place.run(&format!("index m.safetensors site --out i {options}")).success();
        let said = String::from_utf8_lossy(&said.get_output().stderr).into_owned();
        let last = said.lines().last().unwrap();
        let languages = last.split_once(" documents in ").unwrap().1.split(", ");
        assert_eq!(languages.collect::<BTreeSet<_>>(), result.split(", ").collect(), "{said}");
    }
    let index = "index m.safetensors site --out x";
    place.refuses(&format!("{index} --language auto --language xx"), 2, &["no other --language"]);
    let remedy = "a language pack, document.zz.safetensors, in its folder";
    place.refuses(&format!("{index} --language xx --language zz"), 2, &["xx, yy", remedy]);

    // The model's parts: the query side and one language are enough for that language.
    place.run(&format!("{line} --out parts/")).success();
    fs::remove_file(place.path("parts/document.yy.safetensors")).unwrap();
    place.run("evaluate parts data").success();
    place.refuses("evaluate parts more --language yy", 2, &["yy", "xx"]);
}

#[test]
fn precisions_of_16_and_8_bits_are_smaller_and_rank_nearly_alike() {
    let place = Place::new();
    let mut sizes = Vec::new();
    for precision in ["f32", "f16", "i8"] {
        place.run(&format!("{LEARN} --precision {precision} --out {precision}")).success();
        sizes.push(fs::metadata(place.path(precision)).unwrap().len());
        let result = place.json(&format!("evaluate {precision} data --json"));
        assert!(figures(&result["metrics"])["P_mr@1"] > 0.6, "{precision}: {result}");
    }
    assert!(sizes[0] > sizes[1] && sizes[1] > sizes[2], "{sizes:?}");
}

// ---- runs, qrels, candidates, pairs --------------------------------------------------------

/// The documents of a run, and their scores, by query.
fn read_run(content: &str) -> BTreeMap<String, Vec<(String, f32)>> {
    let mut run: BTreeMap<String, Vec<(String, f32)>> = BTreeMap::new();
    for line in content.lines() {
        let column: Vec<&str> = line.split(' ').collect();
        let [query, "Q0", document, rank, score, "smooth-clir"] = column[..] else {
            panic!("{line}");
        };
        let list = run.entry(query.into()).or_default();
        list.push((document.into(), score.parse().unwrap()));
        assert_eq!(rank, list.len().to_string(), "{line}");
    }
    run
}

#[test]
fn a_run_and_its_qrels_give_the_figures_of_evaluate() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    for candidates in ["sampled", "all"] {
        let line = "evaluate m.safetensors data --run r --qrels j --json --candidates";
        let evaluated = place.json(&format!("{line} {candidates}"));
        let measured = place.json("metrics --run r --qrels j --json");
        assert_same_figures(&evaluated, &measured);
        let table = place.output("metrics --run r --qrels j");
        let line = format!("evaluate m.safetensors data --candidates {candidates}");
        assert!(place.output(&line).starts_with(&format!("{table}\n")));
    }
}

#[test]
fn scores_in_a_run_strictly_fall_and_copies_of_a_document_stay_in_file_order() {
    let place = Place::new();
    // Every document three times: their scores are the same numbers.
    let documents = place.read("data/documents.tsv");
    let copies = ["z", "a", "m"].map(|copy| documents.replace("d", copy));
    place.write("data/documents.tsv", documents + &copies.concat());
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    place.run("evaluate m.safetensors data --candidates all --run r").success();
    let run = read_run(&place.read("r"));
    assert!(run.len() > 3);
    let order: HashMap<String, usize> = place
        .read("data/documents.tsv")
        .lines()
        .enumerate()
        .map(|(place, line)| (line.split('\t').next().unwrap().to_owned(), place))
        .collect();
    for ranked in run.values() {
        assert_eq!(ranked.len(), 4 * TEXTS);
        for pair in ranked.windows(2) {
            assert!(pair[0].1 > pair[1].1, "{pair:?}");
        }
        for four in ranked.chunks(4) {
            let places = four.iter().map(|(id, _)| order[id]).collect::<Vec<_>>();
            assert!(places.windows(2).all(|pair| pair[0] + TEXTS == pair[1]), "{four:?}");
        }
    }
}

#[test]
fn candidates_written_and_read_back_give_the_same_figures() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    let sampled = place.output("evaluate m.safetensors data --write-candidates c --json");
    let read = place.output("evaluate m.safetensors data --candidates c --json");
    assert_eq!(sampled, read);
    // The lists are what the design says: the graded documents and five others, each once.
    let relevance = place.read("data/relevance.tsv");
    let mut lists: BTreeMap<String, Vec<[String; 2]>> = BTreeMap::new();
    for line in place.read("c").lines() {
        let column: Vec<String> = line.split('\t').map(str::to_owned).collect();
        let [query, document, grade] = <[String; 3]>::try_from(column).unwrap();
        lists.entry(query).or_default().push([document, grade]);
    }
    for (query, list) in &lists {
        let graded = relevance.lines().filter(|line| line.starts_with(&format!("{query}\t")));
        let graded: Vec<&str> = graded.collect();
        assert_eq!(list.len(), graded.len() + 5, "{query}");
        for [document, grade] in list {
            let line = format!("{query}\t{document}\t{grade}");
            assert_eq!(graded.contains(&line.as_str()), grade != "0", "{line}");
        }
        let mut names: Vec<&String> = list.iter().map(|[document, _]| document).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), list.len(), "{query} has a document twice");
    }
}

#[test]
fn a_rivals_candidates_are_ranked_as_they_are() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    // Figures by hand: whatever the model, a lone relevant document is first; a query without
    // one does not count; in any split.
    place.write("rival", "q0\td0\t2\nq1\td1\t2\nq2\td7\t1\nq3\td9\t0\n");
    let result = place.json("evaluate m.safetensors data --candidates rival --json");
    assert_eq!(result["queries"], 2);
    let expected = [1.0, 1.0, 0.2, 1.0, 1.0, 1.0, 1.0];
    for (name, expected) in NAMES.iter().zip(expected) {
        assert_eq!(figures(&result["metrics"])[*name], expected, "{name}");
    }

    for (content, problem) in [
        ("q0\td0\t2\nq999\td0\t2\n", "rival, line 2: unknown query id `q999`"),
        ("q0\td999\t2\n", "rival, line 1: unknown document id `d999`"),
        ("q0\td0\t2\n\nq0\td0\t1\n", "rival, line 3: query `q0` has this document twice"),
        ("q0\td0\n", "rival, line 1: 2 tab-separated column(s), expected 3"),
        ("q0\td0\t3\n", "rival, line 1: grade `3`, expected a whole number from 0 to 2"),
        ("q0\td0\tx\n", "rival, line 1: grade `x`, expected a whole number from 0 to 2"),
        ("q0\td0\t1\n", "no query to rank has a document of grade 2"),
        ("", "no query to rank has a document of grade 2"),
    ] {
        place.write("rival", content);
        let line = "evaluate m.safetensors data --candidates rival --run out/r";
        place.refuses(line, 1, &[problem]);
    }
    place.refuses("evaluate m.safetensors data --candidates nowhere", 1, &["nowhere"]);
}

#[test]
fn negatives_are_never_copies_of_a_graded_document() {
    let place = Place::new();
    let documents = place.read("data/documents.tsv");
    place.write("data/documents.tsv", documents.clone() + &documents.replace("d", "copy"));
    let relevance = place.read("data/relevance.tsv");
    // Few of the documents, and most of those that are free: they are drawn in two ways.
    for (negatives, at_least) in [(5, 50), (60, 500)] {
        let line = QUICK.replace("--negatives 5", &format!("--negatives {negatives}"));
        place.run(&format!("{line} --out m.safetensors")).success();
        place.run("evaluate m.safetensors data --split train --write-candidates c").success();
        let mut copies = 0;
        for line in place.read("c").lines().filter(|line| line.contains("\tcopy")) {
            let graded = line.replace("copy", "d");
            let (pair, _) = graded.rsplit_once('\t').unwrap();
            assert!(!relevance.contains(&format!("{pair}\t")), "{line}");
            copies += 1;
        }
        // Half of what is free are copies of documents that are not graded.
        assert!(copies > at_least, "{copies} copies among {negatives} for each query");
    }
}

#[test]
fn ids_that_a_trec_file_cannot_hold_are_refused_and_nothing_is_written() {
    let place = Place::new();
    for (file, id) in [("documents", "d1 a"), ("queries", "q1 a")] {
        write_toy(&place.path("data"));
        let first = &id[..2];
        for name in [file, "relevance"] {
            let name = format!("data/{name}.tsv");
            let content = place.read(&name);
            let lines = content.lines().map(|line| {
                let columns =
                    line.split('\t').map(|column| if column == first { id } else { column });
                columns.collect::<Vec<_>>().join("\t") + "\n"
            });
            place.write(&name, lines.collect::<String>());
        }
        place.run(&format!("{QUICK} --out m.safetensors")).success();
        for to in ["--run out/r", "--qrels out/j", "--write-candidates out/c --qrels out/j"] {
            // One of the splits has the query; all documents are candidates.
            let refused = ["train", "validation", "test"].iter().filter(|split| {
                let line =
                    format!("evaluate m.safetensors data --candidates all --split {split} {to}");
                let assert = place.run(&line);
                let good = assert.get_output().status.success();
                if !good {
                    let named = predicate::str::contains(format!("id `{id}` has a space"));
                    assert.code(1).stderr(named);
                    assert_eq!(place.out(), [""; 0], "{line} wrote something");
                }
                place.out().iter().for_each(|name| {
                    fs::remove_file(place.path("out").join(name)).unwrap();
                });
                !good
            });
            assert!(refused.count() >= 1, "{id} {to}");
        }
    }
}

#[test]
fn a_run_measured_by_hand() {
    let place = Place::new();
    // q1: the relevant document is second behind a partial one; q2: not in the run at all; q3 has
    // no relevant document and does not count. Ties are broken by falling id, as trec_eval does.
    place.write("j", "q1 0 a 2\nq1 0 b 1\nq2 0 c 2\nq3 0 d 1\n");
    place.write("r", "q1 Q0 a 1 0.5 x\nq1 Q0 b 2 0.5 x\nq1 Q0 z 3 0.25 x\nq3 Q0 d 1 1 x\n");
    let result = place.json("metrics --run r --qrels j --json");
    assert_eq!(result["queries"], 2);
    // The second place is discounted by log2 3.
    let discount = 1.584_962_500_721_156;
    let gain = (1.0 + 2.0 / discount) / (2.0 + 1.0 / discount);
    let expected = [0.0, 0.5, 0.2, gain / 2.0, 0.5, 0.25, 0.5];
    for (name, expected) in NAMES.iter().zip(expected) {
        let found = figures(&result["metrics"])[*name];
        assert!((found - expected).abs() < 1e-12, "{name}: {found}, not {expected}");
    }
}

#[test]
fn runs_and_qrels_that_are_broken_are_refused_with_their_line() {
    let place = Place::new();
    let (run, qrels) = ("q1 Q0 a 1 0.5 x\n", "q1 0 a 2\n");
    for (run, qrels, expected) in [
        ("q1 Q0 a 1 x\n", qrels, "r, line 1: 5 column(s), expected 6"),
        ("q1 Q0 a 1 high x\n", qrels, "r, line 1: score `high`, expected a finite number"),
        ("q1 Q0 a 1 NaN x\n", qrels, "r, line 1: score `NaN`, expected a finite number"),
        (&run.repeat(2), qrels, "r: query `q1` has document `a` twice"),
        (run, "q1 0 a\n", "j, line 1: 3 column(s), expected 4"),
        (run, "q1 0 a 2\nq1 0 b two\n", "j, line 2: grade `two`, expected a whole number"),
        (run, &qrels.repeat(2), "j, line 2: document `a` is graded twice"),
        (run, "q1 0 a 1\n", "j: no query has a document of grade 2"),
        (run, "", "j: no query has a document of grade 2"),
    ] {
        place.write("r", run);
        place.write("j", qrels);
        place.refuses("metrics --run r --qrels j", 1, &[expected]);
    }
}

#[test]
fn mates_are_found_in_each_set_and_in_both_directions() {
    let place = Place::new();
    place.run(&format!("{LEARN} --out m.safetensors")).success();
    let mut pairs = String::new();
    for text in 0..12 {
        pairs += &format!("toy\tg\t{text}\t{}\t{}\n", query(5 * text), document(5 * text));
    }
    for text in 0..4 {
        pairs += &format!("unknown\tg\t{text}\tnothing{text}\trien{text}\n");
    }
    place.write("pairs", pairs);
    let result = place.json("evaluate m.safetensors --pairs pairs --json");
    assert_eq!(result["sets"].as_object().unwrap().len(), 2);
    for direction in ["en-xx", "xx-en"] {
        let toy = figures(&result["sets"]["toy"][direction]);
        assert!(toy["accuracy@1"] > 0.6 && toy["accuracy@1"] <= toy["MRR"] && toy["MRR"] <= 1.0);
        // Texts with no known word all score 0: each mate is at every place alike.
        let unknown = figures(&result["sets"]["unknown"][direction]);
        let expected = (1.0 + 1.0 / 2.0 + 1.0 / 3.0 + 1.0 / 4.0) / 4.0;
        assert!((unknown["accuracy@1"] - 0.25).abs() < 1e-12, "{unknown:?}");
        assert!((unknown["MRR"] - expected).abs() < 1e-12, "{unknown:?}");
    }
    let table = place.output("evaluate m.safetensors --pairs pairs");
    assert!(table.contains("toy") && table.contains("unknown") && table.contains("xx-en"));

    place.write("pairs", "toy\tg\t1\ten\txx\ntoy\tg\t1\ten\n");
    let expected = "pairs, line 2: 4 tab-separated column(s), expected 5: set, group, id, en, xx";
    place.refuses("evaluate m.safetensors --pairs pairs", 1, &[expected]);
    place.write("pairs", "");
    place.refuses("evaluate m.safetensors --pairs pairs", 1, &["pairs: no lines; expected set"]);
    place.refuses("evaluate m.safetensors data --pairs pairs", 2, &["cannot be used with"]);
}

// ---- index, search, verify -----------------------------------------------------------------

#[test]
fn search_finds_the_document_that_answers() {
    let place = Place::new();
    place.run(&format!("{LEARN} --refit --out m.safetensors")).success();
    place.run("index m.safetensors data/documents.tsv --out i.safetensors").success();
    let mut right = 0;
    for text in (0..TEXTS).step_by(6) {
        let search = ["search", "m.safetensors", "i.safetensors", &query(text), "--json"];
        let assert = clir().current_dir(place.root.path()).args(search).assert().success();
        let result: Value = serde_json::from_slice(&assert.get_output().stdout).unwrap();
        let hits = result["hits"].as_array().unwrap();
        assert_eq!(hits.len(), 10, "ten documents unless told otherwise");
        let scores: Vec<f64> = hits.iter().map(|hit| hit["score"].as_f64().unwrap()).collect();
        assert!(scores.windows(2).all(|pair| pair[0] >= pair[1]), "{scores:?}");
        let first = &hits[0];
        if first["id"] == format!("d{text}") {
            right += 1;
            assert_eq!(first["title"], format!("Titre {text}"));
            assert_eq!(first["text"], document(text));
            assert_eq!(first["language"], "xx");
        }
    }
    assert!(right >= 8, "of ten queries {right} have their document first");
}

#[test]
fn epsilon_and_limit_can_be_chosen_for_a_search() {
    let place = Place::new();
    place.run(&format!("{LEARN} --out m.safetensors")).success();
    place.run("index m.safetensors data --out i.safetensors").success();
    let search = |more: &str| {
        let result = place.json(&format!("search m.safetensors i.safetensors w3 --json {more}"));
        result["hits"].as_array().unwrap().clone()
    };
    let number = |hit: &Value, key: &str| hit[key].as_f64().unwrap();
    // At epsilon 0 the score is dot / (|q| |d|), which tells |q|; then eq. (1) tells the others.
    let cosine = &search("--epsilon 0")[0];
    let norm = number(cosine, "dot") / number(cosine, "score") / number(cosine, "documentNorm");
    for (more, epsilon) in [("--epsilon 2.5", 2.5), ("", 0.5)] {
        for hit in search(more) {
            let below = (norm + epsilon) * (number(&hit, "documentNorm") + epsilon);
            assert!((number(&hit, "score") - number(&hit, "dot") / below).abs() < 1e-5, "{hit}");
        }
    }
    assert_eq!(search("--limit 3").len(), 3);
    assert_eq!(search("--limit 0").len(), 0);
    assert_eq!(search("--limit 1000").len(), TEXTS);
    for wrong in ["--epsilon -1", "--epsilon NaN", "--epsilon inf", "--limit -1"] {
        place.refuses(&format!("search m.safetensors i.safetensors w3 {wrong}"), 2, &[]);
    }
}

#[test]
fn search_says_which_words_it_does_not_know() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    place.run("index m.safetensors data --out i.safetensors").success();
    let search = |query: &str| {
        let mut command = clir();
        command.current_dir(place.root.path());
        command.args(["search", "m.safetensors", "i.safetensors", query]).assert().success()
    };
    let nothing = predicate::str::is_empty();
    search("w1 Zebra, w2 xylophone").stderr("unknown words, ignored: zebra, xylophone\n");
    search("zebra").stdout(nothing).stderr("no results: the model knows none of zebra\n");
    search("?!").stdout(nothing).stderr("no results: the query has no words\n");
    search("").stdout(nothing).stderr("no results: the query has no words\n");
    let known = search("w1").stderr(nothing);
    let first = String::from_utf8(known.get_output().stdout.clone()).unwrap();
    assert_eq!(first.lines().count(), 10);
    assert!(first.lines().all(|line| line.split('\t').count() == 4), "{first}");

    let result = place.json("search m.safetensors i.safetensors zebra --json");
    assert_eq!(result["hits"], Value::Array(vec![]));
    assert_eq!(result["tokens"][0]["token"], "zebra");
    assert_eq!(result["tokens"][0]["known"], false);
}

#[test]
fn an_index_is_the_same_from_lines_json_and_csv() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    place.write("d.tsv", "a\tOf rain\tw1 w2\nb\t\tw3, \"w4\"\n");
    let json = [
        r#"{"id": "a", "title": "Of rain", "text": "w1 w2", "more": [1]}"#,
        r#"{"url": "b", "title": null, "text": "w3, \"w4\""}"#,
    ];
    place.write("d.jsonl", json.join("\n"));
    place.write("d.csv", "text,more,ID,Title\nw1 w2,x,a,Of rain\n\"w3, \"\"w4\"\"\",,b,\n");
    fs::create_dir(place.path("semicolons")).unwrap();
    let semicolons = "id;Title;text\na;Of rain;w1 w2\nb;;\"w3, \"\"w4\"\"\"\n";
    place.write("semicolons/d.csv", semicolons);
    for kind in ["tsv", "jsonl", "csv"] {
        place.run(&format!("index m.safetensors d.{kind} --out {kind}.index")).success();
    }
    place.run("index m.safetensors semicolons/d.csv --out semicolons.index").success();
    let written = |kind: &str| fs::read(place.path(&format!("{kind}.index"))).unwrap();
    assert_eq!(written("jsonl"), written("tsv"));
    assert_eq!(written("csv"), written("tsv"));
    assert_eq!(written("semicolons"), written("tsv"));

    for (name, content, says) in [
        (
            "a.jsonl",
            "{\"id\": 1, \"text\": \"x\"}\n{\"id\": 1, \"text\": \"y\"}",
            "line 2: id `1` is there twice",
        ),
        ("b.jsonl", "{\"id\": \"x\"}", "line 1: `text` is missing"),
        ("c.jsonl", "\n[1]", "line 2: not an object"),
        ("d.jsonl", "{\"id\": \"x\", \"text\": [1]}", "`text` is neither a string nor a number"),
        ("e.jsonl", "{\"id\": \"x\", \"text", "line 1: not JSON"),
        ("f.jsonl", "", "no records"),
        ("a.csv", "id,title\n1,x\n", "line 1: the header needs `id` or `url`, and `text`"),
        ("b.csv", "id,text\n1\n", "line 2"),
        ("c.csv", "id,text\n,x\n", "line 2: `id` or `url` is missing"),
        ("d.csv", "id,text\n", "no records"),
    ] {
        place.write(name, content);
        place.refuses(&format!("index m.safetensors {name} --out x"), 1, &[name, says]);
    }
    place.write("e.csv", b"id,text\n1,\xff\n");
    place.refuses("index m.safetensors e.csv --out x", 1, &["e.csv", "line 2", "UTF-8"]);
    // A quote that is never closed.
    place.write("f.csv", format!("id,text\n1,\"{}", "a".repeat(17 << 20)));
    place.refuses("index m.safetensors f.csv --out x", 1, &["f.csv", "16777216 bytes"]);
    assert!(!place.path("x").exists());
}

/// The ids of what a search finds, sorted, and the fields of the first.
fn chosen(place: &Place, index: &str, filters: &str) -> (Vec<String>, Value) {
    let words = ["search", "m.safetensors", index, "--limit", "9", "--json", "w1 w2 w3"];
    let arguments = words.into_iter().chain(filters.split_whitespace());
    let output = clir().current_dir(place.path("")).args(arguments).output().unwrap();
    let found: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let hits = found["hits"].as_array().unwrap();
    let mut ids: Vec<String> = hits.iter().map(|hit| hit["id"].as_str().unwrap().into()).collect();
    ids.sort();
    (ids, hits.first().map_or(Value::Null, |hit| hit["fields"].clone()))
}

#[test]
fn documents_are_chosen_by_their_fields_from_json_csv_markdown_and_html() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    let json = [
        r#"{"id": "a", "text": "w1", "topic": ["sea", " open\n sky "], "year": 1984, "on": true}"#,
        r#"{"id": "b", "text": "w2", "topic": "sea", "year": null}"#,
        r#"{"id": "c", "text": "w3", "deep": {}}"#,
    ];
    place.write("d.jsonl", json.join("\n"));
    place.write("d.csv", "id,text,topic,year,on\na,w1,open sky,1984,true\nb,w2,sea,,\nc,w3,,,\n");
    fs::create_dir_all(place.path("site")).unwrap();
    place.write(
        "site/a.md",
        "---\ntopic:\n  - sea\n  - open sky\nyear: 1984\n\"on\": true\n---\n\nw1 w2\n\nw3\n",
    );
    place.write("site/b.html", "<meta name=topic content=sea><main>w2<p data-pagefind-ignore data-pagefind-meta='year:  2024 '>");
    place.write("site/c.md", "+++\nyear = 2024-05-01\ntags = [1, 2]\n+++\nw3");
    place.write(
        "site/d.html",
        "<body>w1<i data-pagefind-filter='topic, year[title]' title=1984>open <b>sky</b></i>",
    );
    let fields = "--field topic --field year";
    for source in ["d.jsonl", "d.csv"] {
        place.run(&format!("index m.safetensors {source} {fields} --field on --out i")).success();
        assert_eq!(chosen(&place, "i", "").0, ["a", "b", "c"], "{source}");
        assert_eq!(
            chosen(&place, "i", "--filter topic=sea --filter on=true").0.len(),
            usize::from(source != "d.csv")
        );
        let (ids, found) = chosen(&place, "i", "--filter year=1984");
        assert_eq!(
            (ids, &found["year"][0], &found["on"][0]),
            (vec!["a".into()], &"1984".into(), &"true".into())
        );
    }
    place.run(&format!("index m.safetensors site {fields} --passage-words 2 --out i")).success();
    for (filters, expected) in [
        ("--filter topic=sea", vec!["a.md", "a.md (2)", "b.html"]),
        ("--filter year=2024-05-01 --filter year=2024", vec!["b.html", "c.md"]),
        ("--filter year=1984 --filter topic=sea", vec!["a.md", "a.md (2)"]),
    ] {
        assert_eq!(chosen(&place, "i", filters).0, expected, "{filters}");
    }
    let (_, found) = chosen(&place, "i", "--filter topic=sea --filter year=1984");
    assert_eq!(found, serde_json::json!({ "topic": ["open sky", "sea"], "year": ["1984"] }));

    place.refuses(
        "index m.safetensors d.jsonl --field topc --out x",
        2,
        &["--field topc: no document has it; there are deep, id, on, text, topic, year"],
    );
    place.refuses("index m.safetensors --field topic --out x", 2, &["no fields"]);
    place.refuses(
        "index m.safetensors d.jsonl --field deep --out x",
        1,
        &["line 3", "`deep` is neither"],
    );
    place.write("site/bad.md", "---\ntopic: [\n---\nw1");
    let command = "index m.safetensors site --field topic --strict --out x";
    place.refuses(command, 1, &["bad.md", "front matter"]);
    place.refuses("search m.safetensors i w1 --filter yaer=1", 1, &["field `yaer`", "topic, year"]);
    place.refuses("search m.safetensors i w1 --filter year", 2, &["FIELD=VALUE"]);
}

#[test]
fn what_is_no_page_in_the_language_does_not_stop_the_others() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    fs::create_dir_all(place.path("site/C#")).unwrap();
    place.write("site/C#/a.html", "<html lang=XX-yy><body>w1");
    place.write("site/b.html", "<html lang=de><body>w2");
    place.write("site/c.md", "w3");
    place.write("site/deep.html", format!("{}w1", "<div>".repeat(1000)));
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        use std::os::unix::fs::symlink;
        symlink("nowhere", place.path("site/link.md")).unwrap();
        symlink("C#", place.path("site/folder.md")).unwrap();
        let picture = std::ffi::OsStr::from_bytes(b"caf\xe9.jpg");
        fs::write(place.path("site").join(picture), b"").unwrap();
    }
    let said = place.run("index m.safetensors site --out i").success();
    let said = String::from_utf8_lossy(&said.get_output().stderr).into_owned();
    assert!(said.contains("left out: 1 documents in de\n"), "{said}");
    let limit = "deep.html: left out, more than 512 levels of nested elements of HTML";
    assert!(said.contains(limit), "{said}");
    assert!(said.contains("2 documents"), "{said}");
    if cfg!(unix) {
        assert_eq!(said.matches(".md: left out, it is not a file").count(), 2, "{said}");
    }
    assert_eq!(chosen(&place, "i", "").0, ["C%23/a.html", "c.md"]);
}

#[test]
fn a_page_that_cannot_be_read_is_left_out_and_named_and_strict_stops_at_it() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    fs::create_dir_all(place.path("site/deep")).unwrap();
    place.write("site/good.html", "<p>w1");
    place.write("site/latin.html", b"<meta charset=iso-8859-1><p>w2 caf\xe9");
    let utf_16: Vec<u8> = "\u{feff}<p>w3 été".encode_utf16().flat_map(u16::to_le_bytes).collect();
    place.write("site/wide.html", utf_16);
    place.run("index m.safetensors site --strict --out i").success();
    assert_eq!(chosen(&place, "i", "").0, ["good.html", "latin.html", "wide.html"]);

    let wrong = [
        ("a.html", b"<p>w1 caf\xe9".to_vec(), "not UTF-8 at byte 10: convert the file"),
        ("deep/b.html", b"%PDF-1.7\n".to_vec(), "a PDF, not a page"),
        ("c.md", vec![b' '; (16 << 20) + 1], "16777217 bytes, longer than 16777216"),
        ("d.txt", b"w1\0w2".to_vec(), "not text: it has zero bytes"),
    ];
    for (name, bytes, _) in &wrong {
        place.write(&format!("site/{name}"), bytes);
    }
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"caf\xe9.html");
        fs::write(place.path("site").join(name), b"w1").unwrap();
    }
    let said = place.run("index m.safetensors site --out i").success();
    let said = String::from_utf8_lossy(&said.get_output().stderr).into_owned();
    for (name, _, problem) in &wrong {
        let line = said.lines().find(|line| line.starts_with(&format!("{name}: left out, ")));
        assert!(line.is_some_and(|line| line.contains(problem)), "{name}: {said}");
    }
    assert!(!cfg!(unix) || said.contains("its name is not UTF-8"), "{said}");
    // At the end of the run.
    assert!(said.trim_end().ends_with("3 documents in xx"), "{said}");
    assert_eq!(chosen(&place, "i", "").0, ["good.html", "latin.html", "wide.html"]);
    #[cfg(unix)]
    place.refuses("index m.safetensors site --strict --out x", 1, &["its name is not UTF-8"]);
    for (name, bytes, problem) in wrong {
        fs::create_dir_all(place.path("one/deep")).unwrap();
        place.write(&format!("one/{name}"), bytes);
        place.refuses("index m.safetensors one --strict --out x", 1, &[name, problem]);
        let said = place.run("index m.safetensors one --out x").code(1);
        let said = String::from_utf8_lossy(&said.get_output().stderr).into_owned();
        assert!(said.contains(name) && said.contains(problem), "{said}");
        assert!(said.ends_with("error: one: no documents in xx\n"), "{said}");
        fs::remove_dir_all(place.path("one")).unwrap();
    }
}

#[test]
fn documents_in_english_are_indexed_left_out_or_kept() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    fs::create_dir(place.path("site")).unwrap();
    let english =
        "Rain has been falling on the mountain since yesterday, and the wind blows in the trees.";
    place.write("site/a.html", "<p>w1 w2");
    place.write("site/b.html", format!("<p>{english} w3"));
    place.write("site/c.html", "<html lang=en><p>w3");
    let says = |options: &str| {
        let said = place.run(&format!("index m.safetensors site --out i {options}")).success();
        String::from_utf8_lossy(&said.get_output().stderr).into_owned()
    };
    for options in ["", "--language xx", "--english index"] {
        let said = says(options);
        assert!(said.ends_with("i: 3 documents in xx (1), en (2)\n"), "{said}");
        assert!(
            said.contains("2 documents are in English") && said.contains("--english"),
            "{said}"
        );
    }
    assert_eq!(chosen(&place, "i", "--language en").0, ["b.html", "c.html"]);
    let said = says("--english skip");
    assert!(said.contains("left out: 2 documents in en\n"), "{said}");
    assert!(said.ends_with("i: 1 documents in xx\n"), "{said}");
    let said = says("--english keep");
    assert!(said.ends_with("i: 3 documents in xx\n"), "{said}");
    let said = says("--language en");
    assert!(said.ends_with("i: 3 documents in en\n"), "{said}");
}

#[test]
fn one_page_is_indexed_and_what_is_none_is_told_what_to_do() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    place.write("page.html", "<title>Rain</title><p>w1 w2");
    place.write("page.txt", "w3");
    place.write("lines.txt", "a\tRain\tw1\nb\tSun\tw2\n");
    for (file, ids) in
        [("page.html", &["page.html"][..]), ("page.txt", &["page.txt"]), ("lines.txt", &["a", "b"])]
    {
        place.run(&format!("index m.safetensors {file} --out i")).success();
        assert_eq!(chosen(&place, "i", "").0, ids);
    }
    place.run("index m.safetensors page.html --prefix fr/ --out i").success();
    assert_eq!(chosen(&place, "i", "").0, ["fr/page.html"]);
    place.write("a.pdf", "%PDF-1.7");
    place.refuses("index m.safetensors a.pdf --out x", 1, &["a.pdf", "expected .jsonl, .csv"]);
    place.write("list.json", "[{\"id\": 1, \"text\": \"w1\"}]");
    place.refuses("index m.safetensors list.json --out x", 1, &["JSON Lines"]);

    // An index in a folder: 8 bits, and 16 texts in a file.
    place.run("index m.safetensors data --out web/").success();
    let index = Index::read(&fs::read(place.path("web/index.safetensors")).unwrap()).unwrap();
    assert_eq!(index.vectors().precision(), Precision::I8);
    assert_eq!((index.len(), index.missing_texts().count()), (60, 4));
    place.run("index m.safetensors data --out one").success();
    let index = Index::read(&fs::read(place.path("one")).unwrap()).unwrap();
    assert_eq!(index.vectors().precision(), Precision::F32);
    place.refuses(
        "search m.safetensors web/texts.1.safetensors w1",
        1,
        &["texts 1 of an index", "name its folder, or its index.safetensors"],
    );
    let found = |index: &str| chosen(&place, index, "").0;
    assert_eq!(found("web/index.safetensors"), found("web"));

    // Another collection with the same ids.
    place.run("index m.safetensors page.html --append --out all/").success();
    place.write("page.html", "<title>Sun</title><p>w3");
    let append = "index m.safetensors page.html --append --out all/";
    place.refuses(append, 1, &["page.html", "--prefix"]);
    place.run(&format!("{append} --prefix it/")).success();
    assert_eq!(found("all"), ["it/page.html", "page.html"]);
}

#[test]
fn the_pages_of_a_sitemap_are_its_local_files() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    fs::create_dir_all(place.path("site/a")).unwrap();
    fs::create_dir_all(place.path("site/b c")).unwrap();
    place.write("site/index.html", "<title>Home</title><body>w1");
    place.write("site/a/index.html", "<body>w2");
    place.write("site/b c/d.html", "<body>w3");
    place.write("site/unlisted.html", "<body>w1");
    place.write("out.html", "<body>w1");
    let sitemap = |root: &str| {
        let urls = [
            "",
            "a/",
            "b%20c/d",
            "b%20c/d.html?x#y",
            "gone/",
            "caf%E9",
            "../out.html",
            "%2e%2e/out.html",
        ];
        let url = |path: &&str| {
            format!(
                "<url><loc> HTTPS://x.example{root}/{path} </loc><lastmod>2026-01-0{}</lastmod></url>",
                path.len().min(9)
            )
        };
        let urls: String = urls.iter().map(url).collect();
        format!(
            "<?xml version='1.0'?><urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>{urls}</urlset>"
        )
    };
    for root in ["", "/docs/v1"] {
        place.write("site/sitemap.xml", sitemap(root));
        let said =
            place.run("index m.safetensors site/sitemap.xml --field lastmod --out i").success();
        let said = String::from_utf8_lossy(&said.get_output().stderr).into_owned();
        assert!(said.contains("gone/: left out") && said.contains("3 documents"), "{said}");
        assert_eq!(chosen(&place, "i", "").0, ["./", "a/", "b c/d"], "{root}");
        assert_eq!(chosen(&place, "i", "--filter lastmod=2026-01-02").0, ["a/"]);
    }
    let list = "<sitemapindex><sitemap><loc>https://x.example/docs/v1/sitemap.xml</loc></sitemap></sitemapindex>";
    place.write("site/all.xml", list);
    place.run("index m.safetensors site/all.xml --out i").success();
    assert_eq!(chosen(&place, "i", "").0, ["./", "a/", "b c/d"]);

    place.refuses(
        "index m.safetensors site/sitemap.xml --out site/a/index.html",
        2,
        &["index.html"],
    );
    for (content, says) in [
        ("<urlset>", "not XML"),
        ("<feed/>", "a `feed`, not a sitemap"),
        ("<urlset>\n<url/></urlset>", "line 2: expected a `loc`"),
        ("<urlset/>", "none of its pages has a file"),
        (
            "<sitemapindex><sitemap><loc>https://x/none.xml</loc></sitemap></sitemapindex>",
            "none.xml is not beside it",
        ),
    ] {
        place.write("site/bad.xml", content);
        place.refuses("index m.safetensors site/bad.xml --out x", 1, &["bad.xml", says]);
    }
    // Looked for at every depth that is tried, it must not take the square of its length.
    let deep = "a/".repeat(1_000_000);
    place.write("site/bad.xml", format!("<urlset><url><loc>http://x/{deep}</loc></url></urlset>"));
    place.refuses("index m.safetensors site/bad.xml --out x", 1, &["none of its pages has a file"]);
    place.write("site/bad.xml", b"ab\xff");
    place.refuses("index m.safetensors site/bad.xml --out x", 1, &["bad.xml: not UTF-8 at byte 3"]);
    place.write("site/bad.xml", " ".repeat((16 << 20) + 1));
    place.refuses("index m.safetensors site/bad.xml --out x", 1, &["16777217 bytes", "16777216"]);
}

#[test]
fn an_index_made_of_texts_without_files_has_the_bytes_of_the_command_s() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    fs::create_dir_all(place.path("site")).unwrap();
    let texts = [
        ("a.md", "---\ntitle: Rain\ntopic: sea\n---\nm1 m2\n\n## More {#more}\n\nm3 m4 m5\n"),
        ("b.html", "<title>Sun</title><meta name=topic content=sky><main><p>m6</main>"),
        ("c.txt", "m7\nm8\n\nm9"),
    ];
    for (name, text) in texts {
        place.write(&format!("site/{name}"), text);
    }
    let options = "--field topic --passage-words 4";
    place.run(&format!("index m.safetensors site {options} --out site.index")).success();

    let fields = ["topic".to_owned()];
    let languages = ["xx".to_owned()];
    let (words, languages) = (Some(4), &languages[..]);
    let mut collection =
        Collection::new(Reading { words, languages, fields: &fields, ..Reading::default() });
    for (place, text) in texts {
        let (format, bytes) = (PageFormat::of(place).unwrap(), text.as_bytes());
        collection.page(&Page { place, format, bytes, changed: None }).unwrap();
    }
    let passages = collection.finish().unwrap().documents;
    assert_eq!(passages.len(), 4);
    let model = Model::read(&fs::read(place.path("m.safetensors")).unwrap()).unwrap();
    let documents = passages.iter().map(Document::to_index);
    let index = Index::build(&model, documents, Precision::F32).unwrap();
    assert!(index.write() == fs::read(place.path("site.index")).unwrap());
}

#[test]
fn the_pages_of_a_folder_are_searched_passage_by_passage() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    fs::create_dir_all(place.path("site/deep/.git")).unwrap();
    place.write("site/deep/.git/no.md", "w1");
    place.write("site/image.png", b"\xff");
    place.write("site/empty.md", "");
    place.write("site/a.md", "---\ntitle: Rain\n---\nw1 w2\n\n## More {#more}\n\nw3 w4 w5\n");
    place.write("site/deep/b.HTML", "<title>Sun</title><main><p>w6</main>");
    place.write("site/c.txt", "w7\nw8\n\nw9");
    let hits = |passages: &str| -> BTreeMap<String, [String; 2]> {
        place.run(&format!("index m.safetensors site --out site.index {passages}")).success();
        let all = "search m.safetensors site.index --limit 9 --json w1_w2_w3_w4_w5_w6_w7_w8_w9";
        let arguments: Vec<String> = all.split(' ').map(|part| part.replace('_', " ")).collect();
        let output = clir().current_dir(place.path("")).args(&arguments).output().unwrap();
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let hits = found["hits"].as_array().unwrap_or_else(|| panic!("{found}"));
        let text = |hit: &Value, name: &str| hit[name].as_str().unwrap().to_owned();
        hits.iter().map(|hit| (text(hit, "id"), [text(hit, "title"), text(hit, "text")])).collect()
    };
    let expected = |all: &[(&str, &str, &str)]| -> BTreeMap<String, [String; 2]> {
        all.iter().map(|&(id, title, text)| (id.into(), [title.into(), text.into()])).collect()
    };
    assert_eq!(
        hits(""),
        expected(&[
            ("a.md", "Rain", "Rain\nw1 w2\nMore\nw3 w4 w5"),
            ("c.txt", "c", "w7 w8\nw9"),
            ("deep/b.HTML", "Sun", "Sun\nw6"),
        ])
    );
    assert_eq!(
        hits("--passage-words 4"),
        expected(&[
            ("a.md", "Rain", "Rain\nw1 w2"),
            ("a.md#more", "Rain", "More\nw3 w4 w5"),
            ("c.txt", "c", "w7 w8\nw9"),
            ("deep/b.HTML", "Sun", "Sun\nw6"),
        ])
    );
    place.refuses("index m.safetensors site --out site/deep/../a.md", 2, &["a.md"]);
    place.write("site/bad.md", b"ab\xff");
    place.refuses(
        "index m.safetensors site --strict --out x",
        1,
        &["bad.md", "not UTF-8 at byte 3"],
    );
    place.write("site/bad.md", " ".repeat((16 << 20) + 1));
    place.refuses(
        "index m.safetensors site --strict --out x",
        1,
        &["bad.md", "16777217 bytes", "16777216"],
    );
    fs::create_dir(place.path("none")).unwrap();
    place.refuses(
        "index m.safetensors none --out x",
        1,
        &["none: expected documents.tsv, or wiki_xx.documents, or pages", "md, markdown, html"],
    );
}

#[test]
fn an_index_of_another_model_is_refused() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out a.safetensors")).success();
    place.run(&format!("{QUICK} --seed 2 --out b.safetensors")).success();
    place.run("index a.safetensors data --out a.index").success();
    let line = "search b.safetensors a.index w1";
    place.refuses(line, 1, &["a.index", "the index belongs to model"]);
    place.refuses("search a.index a.index w1", 1, &["a.index", "kind", "\"model\""]);
    place.refuses("search a.safetensors a.safetensors w1", 1, &["a.safetensors", "\"index\""]);

    fs::create_dir(place.path("mixed")).unwrap();
    place.run(&format!("{QUICK} --seed 3 --out c/")).success();
    place.run(&format!("{QUICK} --seed 4 --out d/")).success();
    fs::copy(place.path("c/query.safetensors"), place.path("mixed/query.safetensors")).unwrap();
    let name = "document.xx.safetensors";
    fs::copy(place.path("d").join(name), place.path("mixed").join(name)).unwrap();
    place.refuses("evaluate mixed data", 1, &["a model file belongs to model"]);
}

#[test]
fn a_manifest_has_the_length_and_the_digest_of_every_file_of_a_folder() {
    let place = Place::new();
    fs::create_dir_all(place.path("site/texts")).unwrap();
    place.write("site/query.safetensors", "abc");
    place.write("site/texts/5 & 6?.safetensors", "");
    place.write("site/.hidden", "x");
    place.run("manifest site").success();
    let written = fs::read_to_string(place.path("site/manifest.json")).unwrap();
    // Of "abc" and of nothing, as FIPS 180 has them.
    let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let expected = serde_json::json!({
        "format": "smooth-clir-manifest",
        "version": 1,
        "files": {
            "query.safetensors": { "bytes": 3, "sha256": abc },
            "texts/5%20&%206%3F.safetensors": { "bytes": 0, "sha256": nothing },
        },
    });
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), expected);
    place.run("manifest site").success();
    assert_eq!(fs::read_to_string(place.path("site/manifest.json")).unwrap(), written);

    fs::create_dir(place.path("empty")).unwrap();
    place.refuses("manifest empty", 1, &["empty", "without files"]);
    place.refuses("manifest nowhere", 1, &["nowhere", "cannot be read"]);
    place.refuses("manifest site/query.safetensors", 1, &["query.safetensors"]);
}

#[test]
fn index_with_model_writes_a_smaller_model_that_finds_the_same() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out model/")).success();
    let told = place.output("verify model");
    let full = told.split([' ', ',']).nth(2).unwrap();
    place.run("index model data --out i.safetensors").success();
    place.run("index model data --with-model --precision f32 --out site/").success();
    let line = place.output("verify site/model");
    assert!(line.contains(&format!("(slim, of model {full})")), "{line} {full}");
    assert!(line.contains("query encoder of 10 words"), "{line}");
    let slim = line.split([' ', ',']).nth(2).unwrap();
    assert!(place.output("verify site").contains(&format!("index by model {slim}")));
    let hits = place.json("search model i.safetensors w1 --json");
    assert_eq!(place.json("search site/model site w1 --json")["hits"], hits["hits"]);
    // Two rows for ten words.
    place.run("index model data --with-model --query-rows 2 --out few/").success();
    let rows = |folder: &str| {
        let file = fs::read(place.path(&format!("{folder}/query.safetensors"))).unwrap();
        let tensors = safetensors::SafeTensors::deserialize(&file).unwrap();
        tensors.tensor("query.embedding").unwrap().shape()[0]
    };
    assert_eq!((rows("few/model"), rows("site/model")), (2, 10));
    // Neither goes with what belongs to the other.
    place.refuses("search model site w1", 1, &["site", "belongs to model"]);
    place.refuses("search site/model i.safetensors w1", 1, &["belongs to model"]);
    place.refuses("search few/model site w1", 1, &["belongs to model"]);

    // Again, to the same folder; not beside files of another model, and not over the full one.
    place.run("index model data --with-model --precision f32 --out site/").success();
    fs::copy(
        place.path("model/query.safetensors"),
        place.path("site/model/document.yy.safetensors"),
    )
    .unwrap();
    place.refuses("index model data --with-model --out site/", 1, &["document.yy", "remove it"]);
    place.refuses(
        "index model data --with-model --out ./",
        2,
        &["document.xx.safetensors", "input"],
    );
    place.refuses(
        "index model data --with-model --out i.safetensors",
        2,
        &["--with-model", "slash"],
    );
    place.refuses("index model data --query-rows 5 --out site/", 2, &["--with-model"]);
    place.refuses("index model data --with-model --append --out seg/", 2, &["--append"]);
}

#[test]
fn verify_says_what_a_file_is_and_refuses_what_is_none() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    place.run("index m.safetensors data --out i.safetensors").success();
    let line = place.output("verify m.safetensors i.safetensors");
    let [model, index] = line.lines().collect::<Vec<_>>()[..] else { panic!("{line}") };
    for part in [
        "m.safetensors: model",
        "encoder average",
        "dimension 8",
        "epsilon 0.5",
        "[0.2, 0.7]",
        "query encoder of 10 words",
    ] {
        assert!(model.contains(part), "no {part} in {model}");
    }
    assert!(model.contains("documents in xx: 10 words"), "{model}");
    assert!(index.contains("i.safetensors: index"), "{index}");
    assert!(index.contains("60 documents in xx"), "{index}");

    // One byte changed, in the middle of each; the good file is still told of.
    for name in ["m.safetensors", "i.safetensors"] {
        let good = fs::read(place.path(name)).unwrap();
        let mut bad = good.clone();
        let middle = bad.len() / 2;
        bad[middle] ^= 1;
        place.write("bad.safetensors", bad);
        place
            .run(&format!("verify bad.safetensors {name}"))
            .code(1)
            .stdout(
                predicate::str::contains("bad.safetensors: refused\n")
                    .and(predicate::str::contains(format!("{name}: "))),
            )
            .stderr(predicate::str::contains("bad.safetensors: "));
        place.write("bad.safetensors", &good[..good.len() - 1]);
        place.refuses("verify bad.safetensors", 1, &["bad.safetensors", "safetensors file"]);
    }
    place.refuses("verify nowhere", 1, &["nowhere", "cannot be read"]);
    place.refuses("verify data", 1, &["data", "no query.safetensors"]);
    for (made, told) in [("", ""), ("--append --segment 20", ", 3 segments")] {
        place
            .run(&format!("index m.safetensors data {made} --block 7 --out folder{}/", made.len()))
            .success();
        let folder = format!("folder{}", made.len());
        let line = place.output(&format!("verify {folder}"));
        assert!(line.contains(&format!("dimension 8{told}: 60 documents in xx")), "{line}");
    }
    fs::remove_file(place.path("folder0/texts.1.safetensors")).unwrap();
    place.refuses("verify folder0", 1, &["texts.1.safetensors"]);
    place.refuses("verify", 2, &["FILES"]);
}

#[test]
fn an_index_in_a_folder_removes_only_texts_of_the_index_before() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    place.run("index m.safetensors data --block 7 --out folder/").success();
    fs::remove_file(place.path("folder/texts.7.safetensors")).unwrap();
    place.write("folder/texts.7.safetensors", "somebody's");
    place.write("folder/texts.9.safetensors", "the index had no block of this number");
    // Of another index, which has as many blocks.
    let lines = place.read("data/documents.tsv").replace("Titre", "Autre");
    place.write("other.tsv", lines);
    place.run("index m.safetensors other.tsv --block 7 --out other/").success();
    fs::copy(place.path("other/texts.6.safetensors"), place.path("folder/texts.6.safetensors"))
        .unwrap();
    #[cfg(unix)]
    {
        fs::rename(place.path("folder/texts.5.safetensors"), place.path("real")).unwrap();
        std::os::unix::fs::symlink("../real", place.path("folder/texts.5.safetensors")).unwrap();
    }
    place.run("index m.safetensors data --block 30 --out folder/").success();
    let there = |number: usize| {
        let path = place.path(&format!("folder/texts.{number}.safetensors"));
        path.is_symlink() || path.exists()
    };
    let left: Vec<usize> = (0..12).filter(|&number| there(number)).collect();
    let expected: &[usize] = if cfg!(unix) { &[0, 1, 5, 6, 7, 9] } else { &[0, 1, 6, 7, 9] };
    assert_eq!(left, expected);
    assert_eq!(place.read("folder/texts.7.safetensors"), "somebody's");
    place.run("verify folder").success();
}

// ---- what bad input gets -------------------------------------------------------------------

const TRAIN: &str = "train data --language xx --dimension 8 --epochs 2 --negatives 5 --out out/m";

#[test]
fn a_missing_folder_or_file_is_named() {
    let place = Place::new();
    for name in ["queries.tsv", "documents.tsv", "relevance.tsv"] {
        write_toy(&place.path("data"));
        fs::remove_file(place.path("data").join(name)).unwrap();
        let others = ["documents.tsv", "queries.tsv", "relevance.tsv"];
        let others = others.iter().filter(|&&other| other != name);
        let found = format!("found {}", others.copied().collect::<Vec<_>>().join(", "));
        place.refuses(TRAIN, 1, &["data: expected queries.tsv, documents.tsv, ", &found]);
    }
    let nowhere = TRAIN.replace("data", "nowhere");
    place.refuses(&nowhere, 1, &["nowhere: not a folder", "expected one with queries.tsv"]);
    place.refuses("evaluate nowhere.safetensors data", 1, &["nowhere.safetensors"]);
    place.refuses("index nowhere.safetensors data --out out/i", 1, &["nowhere.safetensors"]);
}

#[test]
fn lines_that_are_not_as_they_should_be_are_named_with_what_was_expected() {
    let place = Place::new();
    // File, what is in it, what comes in its place, line, what the error says.
    for (name, old, new, line, expected) in [
        (
            "queries",
            "q3\tTitle 3\t",
            "q3\t",
            4,
            "2 tab-separated column(s), expected 3: id, title, text",
        ),
        ("documents", "d0\tTitre 0\t", "d0 ", 1, "1 tab-separated column(s), expected 3"),
        ("documents", "d59\t", "d59\textra\t", 60, "4 tab-separated column(s), expected 3"),
        (
            "relevance",
            "q0\td0\t2",
            "q0\td0",
            1,
            "2 tab-separated column(s), expected 3: query id, document id, grade",
        ),
        ("queries", "q7\t", "q6\t", 8, "id `q6` is there twice"),
        ("documents", "d7\t", "d0\t", 8, "id `d0` is there twice"),
        ("queries", "q7\t", "\t", 8, "an empty id"),
        ("relevance", "q0\td0\t", "q999\td0\t", 1, "unknown query id `q999`"),
        ("relevance", "q0\td0\t", "q0\td999\t", 1, "unknown document id `d999`"),
        (
            "relevance",
            "q0\td0\t2",
            "q0\td0\t3",
            1,
            "grade `3`, expected a whole number from 0 to 2",
        ),
        (
            "relevance",
            "q0\td0\t2",
            "q0\td0\t-1",
            1,
            "grade `-1`, expected a whole number from 0 to 2",
        ),
        (
            "relevance",
            "q0\td0\t2",
            "q0\td0\t1.5",
            1,
            "grade `1.5`, expected a whole number from 0 to 2",
        ),
        ("relevance", "q0\td0\t2", "q0\td0\t", 1, "grade ``, expected a whole number from 0 to 2"),
        (
            "relevance",
            "q0\td0\t2",
            "q0\td0\t2\nq0\td0\t2",
            2,
            "query `q0` and document `d0` are graded twice",
        ),
    ] {
        write_toy(&place.path("data"));
        place.replace(&format!("data/{name}.tsv"), old, new);
        place.refuses(TRAIN, 1, &[&format!("data/{name}.tsv, line {line}: {expected}")]);
    }
    // Two thresholds make three grades, one makes two.
    write_toy(&place.path("data"));
    let two_grades = format!("{TRAIN} --thresholds 0.3");
    let expected = "data/relevance.tsv, line 1: grade `2`, expected a whole number from 0 to 1";
    place.refuses(&two_grades, 1, &[expected]);
}

#[test]
fn broken_utf_8_is_named_with_its_line_and_place() {
    let place = Place::new();
    for (name, old, line) in
        [("queries", "q5\t", 6), ("documents", "d5\t", 6), ("relevance", "q0\t", 1)]
    {
        write_toy(&place.path("data"));
        let path = format!("data/{name}.tsv");
        let content = place.read(&path);
        let at = content.find(old).unwrap();
        let broken = [&content.as_bytes()[..at], b"a\xffb", &content.as_bytes()[at..]].concat();
        place.write(&path, broken);
        let expected = format!("{path}, line {line}: not UTF-8 at byte 2 of the line");
        place.refuses(TRAIN, 1, &[&expected]);
    }
}

#[test]
fn a_folder_that_cannot_be_learned_from_is_refused() {
    let place = Place::new();
    let relevance = place.read("data/relevance.tsv");
    place
        .write("data/relevance.tsv", relevance.replace("\t1\n", "\t0\n").replace("\t2\n", "\t0\n"));
    place.refuses(TRAIN, 1, &["data/relevance.tsv: no relevant pair", "above 0"]);
    place.write("data/relevance.tsv", "");
    place.refuses(TRAIN, 1, &["data/relevance.tsv: no relevant pair"]);
    for name in ["queries.tsv", "documents.tsv"] {
        write_toy(&place.path("data"));
        place.write(&format!("data/{name}"), "");
        let expected = format!("data/{name}: no lines; expected id, title and text");
        place.refuses(TRAIN, 1, &[&expected]);
    }
    write_toy(&place.path("data"));
    let more = TRAIN.replace("--negatives 5", "--negatives 60");
    place.refuses(
        &more,
        1,
        &["data: query `q", ": 60 negatives requested, only ", " of 60 documents are eligible"],
    );
    // One query with a grade is too few to train, choose and test with.
    place.write("data/relevance.tsv", "q0\td0\t2\n");
    place.refuses(TRAIN, 1, &["data: too few queries: the ", "split has none"]);
}

#[test]
fn a_line_of_20_megabytes_is_refused() {
    let place = Place::new();
    place.write("data/documents.tsv", "x".repeat(20 << 20));
    place.refuses(TRAIN, 1, &["data/documents.tsv, line 1: longer than 16777216 bytes"]);
}

#[test]
fn carriage_returns_a_byte_order_mark_empty_lines_and_no_last_newline_change_nothing() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out plain.safetensors")).success();
    for name in ["queries.tsv", "documents.tsv", "relevance.tsv"] {
        let path = format!("data/{name}");
        let content = place.read(&path).replace('\n', "\r\n").replacen("\r\n", "\r\n\r\n", 1);
        place.write(&path, format!("\u{feff}{}", content.trim_end()));
    }
    place.run(&format!("{QUICK} --out windows.safetensors")).success();
    let [plain, windows] =
        ["plain", "windows"].map(|name| fs::read(place.path(&format!("{name}.safetensors"))));
    assert!(plain.unwrap() == windows.unwrap());
}

#[test]
fn options_out_of_range_are_status_2_and_named() {
    let place = Place::new();
    for (option, expected) in [
        ("--epsilon -0.5", "`epsilon` must be a finite number of 0 or more, got -0.5"),
        ("--epsilon NaN", "`epsilon` must be a finite number of 0 or more, got NaN"),
        ("--epsilon inf", "`epsilon` must be a finite number of 0 or more, got inf"),
        ("--epsilon 1e99", "`epsilon` must be a finite number of 0 or more, got inf"),
        ("--epsilon half", "`half` is not a number"),
        (
            "--thresholds 0.7,0.2",
            "`thresholds` must rise strictly between -1 and 1, got [0.7, 0.2]",
        ),
        ("--thresholds 0.2,0.2", "`thresholds` must rise strictly between -1 and 1"),
        ("--thresholds 0.2,1", "`thresholds` must rise strictly between -1 and 1"),
        ("--thresholds -1,0.2", "`thresholds` must rise strictly between -1 and 1"),
        ("--thresholds NaN,0.2", "`thresholds` must rise strictly between -1 and 1"),
        ("--thresholds low,high", "`low` is not a number"),
        ("--thresholds 0.2,", "`` is not a number"),
        // (sqrt 8 / (sqrt 8 + 5))^2 is 0.1305.
        (
            "--epsilon 5",
            "threshold 0.7 is out of reach: with dimension 8 and epsilon 5 no score exceeds 0.130",
        ),
        ("--dimension 0", "--dimension"),
        ("--dimension 5000", "--dimension"),
        ("--epochs 0", "--epochs"),
        ("--batch-size 0", "--batch-size"),
        ("--negatives 0", "--negatives"),
        ("--learning-rate 0", "0 is not a finite number above 0"),
        ("--learning-rate -1", "-1 is not a finite number above 0"),
        ("--learning-rate NaN", "NaN is not a finite number above 0"),
        ("--init-deviation inf", "inf is not a finite number above 0"),
        ("--seed -1", "--seed"),
        ("--loss hinge", "--loss"),
        ("--precision f64", "--precision"),
        ("--split-by chapter", "--split-by"),
    ] {
        // The last of two would win, were it allowed to give an option twice.
        let name = option.split(' ').next().unwrap();
        let mut words: Vec<&str> = TRAIN.split(' ').collect();
        if let Some(at) = words.iter().position(|&word| word == name) {
            words.drain(at..at + 2);
        }
        place.refuses(&format!("{} {option}", words.join(" ")), 2, &[expected]);
    }
    for language in ["", "x/y", "x.y", "français"] {
        let mut command = clir();
        command.current_dir(place.root.path()).args(["train", "data", "--out", "out/m"]);
        command.args(["--language", language]).assert().code(2);
        assert_eq!(place.out(), [""; 0]);
    }
    place.refuses("train data --language xx", 2, &["--out"]);
}

#[test]
fn as_many_languages_as_folders_are_needed() {
    let place = Place::new();
    let expected = "name the language of each folder, in the same order";
    for (line, count) in [
        ("train data --out out/m", "1 folder(s) but 0 --language"),
        ("train data data --language xx --out out/m", "2 folder(s) but 1 --language"),
        ("train data --language xx --language yy --out out/m", "1 folder(s) but 2 --language"),
    ] {
        place.refuses(line, 2, &[count, expected]);
    }
    // The built-in corpus has its own.
    place.refuses("train --language xx --out out/m", 2, &["fr, it, sw, tl, not in xx"]);
}

#[test]
fn a_place_that_cannot_be_written_to_is_refused_before_any_work() {
    let place = Place::new();
    let start = Instant::now();
    let long = "train data --language xx --epochs 100000 --negatives 5";
    place.refuses(&format!("{long} --out nowhere/m"), 1, &["nowhere/m", "cannot be written"]);
    place.refuses(&format!("{long} --out data"), 1, &["data: is a folder", "slash"]);
    place.refuses(&format!("{long} --out data/queries.tsv/"), 1, &["data/queries.tsv/"]);
    assert!(start.elapsed() < Duration::from_secs(20));

    place.run(&format!("{QUICK} --out m.safetensors")).success();
    let line = "index m.safetensors data --out nowhere/i";
    place.refuses(line, 1, &["nowhere/i", "cannot be written"]);
    let line = "evaluate m.safetensors data --qrels out/j --run nowhere/r";
    place.refuses(line, 1, &["nowhere/r", "cannot be written"]);
}

#[test]
fn a_failed_training_leaves_no_folder_behind() {
    let place = Place::new();
    place.replace("data/relevance.tsv", "q0\td0\t2", "q0\td0\t7");
    place.refuses(&format!("{TRAIN}odel/"), 1, &["line 1: grade `7`"]);
}

#[test]
fn a_failed_training_leaves_an_older_model_as_it_was() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    let before = fs::read(place.path("m.safetensors")).unwrap();
    place.replace("data/relevance.tsv", "q0\td0\t2", "q0\td0\t7");
    place.run(&format!("{QUICK} --out m.safetensors")).code(1);
    assert!(fs::read(place.path("m.safetensors")).unwrap() == before);
}

#[test]
fn an_error_shows_long_values_cut() {
    let place = Place::new();
    place.replace("data/relevance.tsv", "q0\t", &format!("{}\t", "é".repeat(100_000)));
    place.refuses(TRAIN, 1, &["line 1: unknown query id `ééé", "…`"]);
}

// ---- killed --------------------------------------------------------------------------------

/// Starts a training, kills it after a while, and says whether it was still running.
fn train_and_kill(place: &Place, out: &str, after: Duration) -> bool {
    let line = format!("{QUICK} --seed 7 --epochs 20 --out {out}").replace("--epochs 2 ", "");
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("smooth-clir"))
        .current_dir(place.root.path())
        .args(line.split_whitespace())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    child.kill().unwrap();
    !child.wait().unwrap().success()
}

#[test]
fn a_training_that_is_killed_leaves_no_model_or_a_whole_one() {
    let place = Place::new();
    let start = Instant::now();
    train_and_kill(&place, "first.safetensors", Duration::ZERO);
    let line = format!("{QUICK} --out whole.safetensors").replace("--epochs 2 ", "--epochs 20 ");
    place.run(&line).success();
    let whole = start.elapsed();
    let (mut killed, mut written) = (0, 0);
    for round in 0..16 {
        // From the start to well past the end, at moments that are no multiples of anything.
        let out = format!("out/{round}.safetensors");
        let after = whole.mul_f64((f64::from(round) * 0.618_034).fract() * 1.5);
        killed += u32::from(train_and_kill(&place, &out, after));
        if place.path(&out).exists() {
            place.run(&format!("verify {out}")).success();
            written += 1;
        }
    }
    assert!(killed > 0, "no training was killed before its end");
    assert!(killed + written >= 16, "a training that ended left no model");
}

#[test]
fn a_training_that_is_killed_leaves_an_older_model_whole() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    let start = Instant::now();
    place.run(&format!("{QUICK} --out other.safetensors")).success();
    let whole = start.elapsed();
    for round in 0..8 {
        train_and_kill(&place, "m.safetensors", whole.mul_f64(f64::from(round) * 0.2));
        place.run("verify m.safetensors").success();
    }
}

// ---- output --------------------------------------------------------------------------------

#[test]
fn a_reader_that_leaves_ends_a_program_quietly_and_stops_no_training() {
    let place = Place::new();
    let program = assert_cmd::cargo::cargo_bin!("smooth-clir").display().to_string();
    let shell = |line: &str| {
        let line = line.replace("smooth-clir", &program);
        let output = std::process::Command::new("bash")
            .current_dir(place.root.path())
            .args(["-c", &format!("set -o pipefail; {line}")])
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let train = QUICK.replace("--epochs 2", "--epochs 30");
    let (status, said) = shell(&format!("smooth-clir {train} --out m 2>&1 | true"));
    assert_eq!((status, said.as_str()), (Some(0), ""));
    place.run("verify m").success();
    let (status, said) = shell("smooth-clir evaluate m data | true");
    assert_eq!((status, said.as_str()), (Some(0), ""));
    #[cfg(target_os = "linux")]
    {
        let (status, said) = shell("smooth-clir evaluate m data > /dev/full");
        assert_eq!(status, Some(1));
        assert!(said.contains("error: standard output"), "{said}");
    }
}

#[test]
#[cfg(unix)]
fn links_are_followed_and_pipes_written_to() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m")).success();
    place.run("evaluate m data --run plain").success();
    std::os::unix::fs::symlink("real", place.path("link")).unwrap();
    place.write("real", "");
    place.run("evaluate m data --run link").success();
    assert!(place.path("link").is_symlink());
    assert_eq!(place.read("real"), place.read("plain"));
    let assert = place.run("evaluate m data --json --run /dev/stdout").success();
    let output = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert!(output.starts_with(&place.read("plain")));
}

#[test]
fn an_output_that_is_an_input_or_another_output_is_refused() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m")).success();
    let model = fs::read(place.path("m")).unwrap();
    for line in [
        "index m data --out m",
        "index m data --out ./data/documents.tsv",
        "evaluate m data --run m",
        "evaluate m data --run r --qrels ./r",
        "evaluate m data --qrels data/relevance.tsv",
        "train data --language xx --out data/queries.tsv",
    ] {
        let (before, queries) = (place.read("data/documents.tsv"), place.read("data/queries.tsv"));
        place.refuses(line, 2, &["choose another name"]);
        assert!(fs::read(place.path("m")).unwrap() == model, "{line}");
        assert_eq!(place.read("data/documents.tsv"), before);
        assert_eq!(place.read("data/queries.tsv"), queries);
    }
}

#[test]
fn thresholds_too_few_for_the_built_in_corpus_are_refused() {
    let place = Place::new();
    place.refuses("train --thresholds 0.5 --out out/m", 2, &["has 3 grades"]);
}

#[test]
fn an_option_that_would_change_nothing_is_refused() {
    let place = Place::new();
    for (line, expected) in [
        ("train data --language xx --scale 3", "only with --loss proportional-odds"),
        ("train data --language xx --dropout 0.1", "--dropout: supported only with"),
        ("train data --language xx --shared-layers", "the average encoder has no layers"),
        ("compare data --language xx --encoders average", "only --over encoders"),
    ] {
        place.refuses(&format!("{line} --out out/m"), 2, &[expected]);
    }
    place.refuses("evaluate m --pairs p.tsv --candidates all", 2, &["cannot be used with"]);
    place.refuses("evaluate m --pairs p.tsv --split test", 2, &["cannot be used with"]);
}
