//! `compare`, `sweep` and `figures`, on the toy; what their figures show is in `figures.rs`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

use crate::toy::*;
use serde_json::Value;

const SMALL: &str = "--language xx --dimension 8 --epochs 2 --negatives 5 --seeds 2";
const COMPARE: &str = "compare data --language xx --dimension 8 --epochs 2 --negatives 5 \
                       --seeds 2 --trials 2 --split-by query,group";

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The outcome of every run, and when it was written. A program that was killed may leave a file of a
/// hidden name, which is no run.
fn runs(place: &Place, folder: &str) -> BTreeMap<String, (SystemTime, Value)> {
    let files = fs::read_dir(place.path(folder).join("runs")).unwrap().map(Result::unwrap);
    let name = |file: &fs::DirEntry| file.file_name().into_string().unwrap();
    files
        .filter(|file| !name(file).starts_with('.'))
        .map(|file| {
            let time = file.metadata().unwrap().modified().unwrap();
            (name(&file), (time, json(&file.path())))
        })
        .collect()
}

#[test]
fn losses_are_compared_after_as_many_tries_each() {
    let place = Place::new();
    place.run(&format!("{COMPARE} --out c")).success();
    let compared = json(&place.path("c/compare.json"));
    let results = compared["results"].as_array().unwrap();
    assert_eq!(results.len(), 2, "a table for each split");
    let runs = runs(&place, "c");
    for result in results {
        let methods = result["methods"].as_array().unwrap();
        let names: Vec<&str> = methods.iter().map(|m| m["name"].as_str().unwrap()).collect();
        assert_eq!(names[0], "SOSL");
        for expected in [
            "three-part L2",
            "MSE",
            "proportional odds",
            "SOSL, all thresholds",
            "ListNet",
            "ListMLE",
            "RankNet",
            "LambdaRank",
            "RankCosine",
            "InfoNCE",
            "SOSL, clipped",
            "SOSL on cosine",
        ] {
            assert!(names.contains(&expected), "{expected}");
        }
        for method in methods {
            // The better of its tries was chosen.
            let settings = &method["settings"];
            let tried = runs.values().map(|(_, run)| run).filter(|run| {
                run["test"].is_null()
                    && run["run"]["split-by"] == result["split-by"]
                    && (run["run"]["epsilon"] == 0.0) == (settings["epsilon"] == 0.0)
                    && run["run"].get("clip").is_some() == settings.get("clip").is_some()
                    && run["run"]["list"]["loss"] == settings["list"]["loss"]
                    && ["loss", "all-thresholds", "whole-queries"]
                        .iter()
                        .all(|n| run["run"][n] == settings[n])
                    && run["run"]["thresholds"].as_array().map(Vec::len)
                        == settings["thresholds"].as_array().map(Vec::len)
            });
            let selected = tried.map(|run| run["selected"].as_f64().unwrap());
            let most = selected.fold(0.0, f64::max);
            if !method["name"].as_str().unwrap().starts_with("three-part") {
                assert_eq!(method["selected"].as_f64().unwrap(), most, "{}", method["name"]);
            }
            // Six values of epsilon, and a draw.
            assert_eq!(method["tries"], 7);
            let kappa = method["kappa"].as_f64().unwrap();
            assert!((-1.0..=1.0).contains(&kappa));
        }
        let tables = result["tables"].as_array().unwrap();
        assert_eq!(tables[0]["candidates"], "all documents");
        assert_eq!(tables[1]["candidates"], "sampled candidates");
        // A row's mean is that of its runs: the mean over seeds and queries.
        for (table, key) in tables.iter().zip(["all", "sampled"]) {
            let row = &table["rows"][0];
            let settings = &methods[0]["settings"];
            let of_row = runs.values().map(|(_, run)| run).filter(|run| {
                let same = |name: &str| run["run"][name] == settings[name];
                run["test"] != Value::Null
                    && run["run"]["split-by"] == result["split-by"]
                    && ["loss", "epsilon", "thresholds", "learning-rate", "list", "all-thresholds"]
                        .iter()
                        .all(|n| same(n))
                    && ["clip", "whole-queries"].iter().all(|n| run["run"].get(n).is_none())
            });
            let mut values = Vec::new();
            for run in of_row {
                let queries = run["test"][key].as_array().unwrap();
                values.extend(queries.iter().map(|query| query[4].as_f64().unwrap()));
            }
            assert_eq!(values.len(), 2 * table["queries"].as_u64().unwrap() as usize);
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let told = row["metrics"]["MAP"]["mean"].as_f64().unwrap();
            assert!((mean - told).abs() < 1e-12, "{mean} {told}");
            let p = &table["rows"][3]["metrics"]["MAP"]["difference"]["p"];
            assert!((0.0..=1.0).contains(&p.as_f64().unwrap()));
        }
    }
    assert!(place.path("c/densities.svg").exists());
    let report = place.read("c/compare.md");
    for expected in ["## Split by query", "## Split by group", "| SOSL |", "MRR_r", "95 % interval"]
    {
        assert!(report.contains(expected), "{expected}");
    }
}

#[test]
fn encoders_try_the_epsilons_they_are_told_and_have_no_densities() {
    let place = Place::new();
    let line = "compare data --language xx --dimension 8 --epochs 1 --negatives 5 --seeds 1 --trials 1 \
                --over encoders --encoders average";
    place.run(&format!("{line} --epsilons 0.5,1 --out told")).success();
    place.run(&format!("{line} --out untold")).success();
    for (folder, tries) in [("told", 2), ("untold", 1)] {
        let compared = json(&place.path(folder).join("compare.json"));
        let methods = compared["results"][0]["methods"].as_array().unwrap();
        assert_eq!((methods.len(), &methods[0]["name"]), (1, &Value::from("average")));
        assert_eq!(methods[0]["tries"], tries, "{folder}");
        assert!(!place.path(folder).join("densities.svg").exists());
    }
}

#[test]
fn settings_are_chosen_without_a_look_at_the_test_queries() {
    let place = Place::new();
    place.run(&format!("{COMPARE} --out c")).success();
    let compared = json(&place.path("c/compare.json"));
    let chosen: Vec<(&Value, &Value)> = compared["results"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|result| {
            let methods = result["methods"].as_array().unwrap();
            methods.iter().map(move |method| (&result["split-by"], &method["settings"]))
        })
        .collect();
    let (mut tried, mut tested) = (0, 0);
    for (_, run) in runs(&place, "c").values() {
        let told = &run["run"];
        match told["test"].as_bool().unwrap() {
            false => {
                assert_eq!(run["test"], Value::Null);
                assert_eq!(told["seed"], 1);
                tried += 1;
            }
            true => {
                assert!(run["test"].is_object());
                let names =
                    ["loss", "epsilon", "thresholds", "learning-rate", "scale", "clip", "list"];
                assert!(chosen.iter().any(|(by, settings)| {
                    **by == told["split-by"]
                        && names.iter().all(|&name| settings[name] == told[name])
                }));
                tested += 1;
            }
        }
    }
    assert!(tried > 16 && tested > 16, "{tried} {tested}");
}

#[test]
fn an_experiment_that_was_stopped_goes_on_where_it_was_and_ends_the_same() {
    let place = Place::new();
    place.run(&format!("{COMPARE} --out whole")).success();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("smooth-clir"))
        .current_dir(place.root.path())
        .args(format!("{COMPARE} --out cut").split_whitespace())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !place.path("cut/runs").exists() || runs(&place, "cut").len() < 3 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be stopped");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!place.path("cut/compare.json").exists());
    let before = runs(&place, "cut");
    place.run(&format!("{COMPARE} --out cut")).success();
    let after = runs(&place, "cut");
    for (name, (time, _)) in &before {
        assert_eq!(after[name].0, *time, "{name} was run again");
    }
    for name in ["compare.json", "compare.md", "compare.svg"] {
        let [whole, cut] = ["whole", "cut"].map(|folder| place.read(&format!("{folder}/{name}")));
        assert!(whole == cut, "{name} differs");
    }
}

#[test]
fn an_experiment_gives_the_same_bytes_on_any_number_of_threads() {
    let place = Place::new();
    for threads in ["1", "3"] {
        clir()
            .current_dir(place.root.path())
            .env("RAYON_NUM_THREADS", threads)
            .args(format!("{COMPARE} --out {threads}").split_whitespace())
            .assert()
            .success();
    }
    for name in ["compare.json", "compare.md", "compare.svg"] {
        let [one, three] = ["1", "3"].map(|folder| place.read(&format!("{folder}/{name}")));
        assert!(one == three, "{name} differs");
    }
}

#[test]
fn a_folder_of_another_experiment_is_refused_and_stays() {
    let place = Place::new();
    place.run(&format!("{COMPARE} --out c")).success();
    let before = place.read("c/compare.json");
    let refused = |line: &str, expected: &str| {
        let assert = place.run(line).code(1);
        let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(said.contains(expected) && said.contains("experiment.json"), "{line}: {said}");
    };
    refused(&COMPARE.replace("--trials 2", "--trials 3 --out c"), "with tries 2, not 3");
    refused(&COMPARE.replace("--seeds 2", "--seeds 3 --out c"), "with seeds 2, not 3");
    let queries = place.read("data/queries.tsv");
    place.write("data/queries.tsv", queries.replacen("w1", "w2", 1));
    refused(&format!("{COMPARE} --out c"), "on other data");
    assert_eq!(place.read("c/compare.json"), before);
    place.write("data/queries.tsv", queries);
    // A run's file that was damaged is named.
    let run = fs::read_dir(place.path("c/runs")).unwrap().next().unwrap().unwrap().path();
    fs::write(&run, "{").unwrap();
    let assert = place.run(&format!("{COMPARE} --out c")).code(1);
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(said.contains("delete it to run it again"), "{said}");
    fs::remove_file(&run).unwrap();
    place.run(&format!("{COMPARE} --out c")).success();
    assert_eq!(place.read("c/compare.json"), before);
}

#[test]
fn epsilon_is_swept_with_thresholds_of_its_own_and_within_reach() {
    let place = Place::new();
    place.run(&format!("sweep data {SMALL} --epsilon 0..1 --step 0.5 --out s")).success();
    let swept = json(&place.path("s/sweep.json"));
    let points = swept["points"].as_array().unwrap();
    let at: Vec<f64> = points.iter().map(|point| point["at"].as_f64().unwrap()).collect();
    assert_eq!(at, [0.0, 0.5, 1.0]);
    for (point, epsilon) in points.iter().zip(at) {
        assert_eq!(point["settings"]["epsilon"], epsilon);
        let root = 8f64.sqrt();
        let reach = (root / (root + epsilon)) * (root / (root + epsilon));
        let thresholds = point["settings"]["thresholds"].as_array().unwrap();
        assert!(thresholds[1].as_f64().unwrap() < reach);
        assert_eq!(point["tries"], 9);
    }
    assert!(place.read("s/sweep.md").contains("| epsilon |"));
}

#[test]
fn epsilons_that_change_in_training_stand_beside_the_fixed_ones() {
    let place = Place::new();
    let line = format!("sweep data {SMALL} --epochs 4 --epsilon 0.05,0.5 --changing");
    let line = line.replacen("--epochs 2 ", "", 1);
    place.run(&format!("{line} --tuning-epochs 2 --out s")).success();
    let swept = json(&place.path("s/sweep.json"));
    let points = swept["points"].as_array().unwrap();
    let epsilons = |number: usize| -> Vec<[f64; 2]> {
        let all = points[number]["epsilons"].as_array().unwrap().iter();
        all.map(|pair| [0, 1].map(|side| pair[side].as_f64().unwrap())).collect()
    };
    assert_eq!(points.len(), 5);
    for (number, epsilon) in [(0, 0.05f32), (1, 0.5)] {
        assert!(epsilons(number).iter().flatten().all(|&e| e == f64::from(epsilon)));
    }
    // One for both norms, and one for each, both moved from where they began.
    assert!(epsilons(2).iter().all(|[q, d]| q == d && *q != 0.25 && *q > 0.0));
    assert!(epsilons(3).iter().all(|[q, d]| q != d && *q > 0.0 && *d > 0.0));
    // From 1 to .05 in four epochs, by equal factors: the best one's.
    let steps: Vec<f64> = (0..4).map(|epoch| libm::pow(0.05, f64::from(epoch) / 3.0)).collect();
    for [query, document] in epsilons(4) {
        assert_eq!(query, document);
        assert!(steps.iter().any(|step| (step - query).abs() < 1e-6), "{query}");
    }
    assert!(points[3]["at"].is_null() && place.read("s/sweep.md").contains("| learned for each"));
    let trials = runs(&place, "s");
    let trials = trials.values().filter(|(_, run)| run["run"]["test"] == false);
    assert!(trials.clone().count() > 0 && trials.clone().all(|(_, run)| run["run"]["epochs"] == 2));
}

#[test]
fn small_initial_weights_are_compared_with_and_without_clipping() {
    let place = Place::new();
    for descent in ["", "--descent 0.5"] {
        let line = SMALL.replace("--dimension 8", "--dimension 16");
        let out = format!("s{}", descent.len());
        place
            .run(&format!("sweep data {line} --initial 0.0001,0.2 {descent} --out {out}"))
            .success();
        let swept = json(&place.path(&out).join("sweep.json"));
        let rows = swept["rows"].as_array().unwrap();
        let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
        assert_eq!(
            names[..4],
            ["cosine, 0.0001", "cosine, clipped, 0.0001", "SCS, 0.0001", "SCS, clipped, 0.0001"]
        );
        let longest = |row: usize| {
            let outcomes = rows[row]["outcomes"].as_array().unwrap();
            let all = outcomes.iter().flat_map(|o| o["longest"].as_array().unwrap());
            all.map(|length| length.as_f64().unwrap()).fold(0.0, f64::max)
        };
        // The norms of the vectors are near 1e-4, so cosine's gradients are thousands of times as
        // long as SCS's, which none at epsilon .25 is longer than 4.
        assert!(longest(0) > 500.0, "{}", longest(0));
        assert!(longest(2) <= 4.0 && longest(6) <= 4.0);
        let descends = rows[0]["settings"]["descent"] == true;
        assert_eq!(descends, !descent.is_empty());
        assert!(place.read(&format!("{out}/sweep.md")).contains("longest gradient"));
        // Each deviation's rows less its first, for both rankings; the difference of means is the mean difference.
        let differences = swept["differences"].as_array().unwrap();
        assert_eq!(differences.len(), 4);
        for (number, table) in differences.iter().enumerate() {
            let rows = table["rows"].as_array().unwrap();
            let names: Vec<&str> = rows.iter().map(|row| row["name"].as_str().unwrap()).collect();
            let deviation = ["0.0001", "0.2"][number % 2];
            let expected = ["cosine", "cosine, clipped", "SCS", "SCS, clipped"]
                .map(|name| format!("{name}, {deviation}"));
            assert_eq!(names, expected);
            let map = |row: usize| &rows[row]["metrics"]["MAP"];
            let mean = |row: usize| map(row)["mean"].as_f64().unwrap();
            assert!(map(0)["difference"].is_null());
            let difference = map(2)["difference"]["mean"].as_f64().unwrap();
            assert!((difference - (mean(2) - mean(0))).abs() < 1e-9, "{table}");
        }
    }
}

#[test]
fn the_number_of_irrelevant_documents_is_swept() {
    let place = Place::new();
    let line = SMALL.replace("--negatives 5", "--negatives 4..12 --step 4");
    let line = line.replace("--dimension 8", "--dimension 64");
    place.run(&format!("sweep data {line} --out s")).success();
    let swept = json(&place.path("s/sweep.json"));
    let negatives: Vec<u64> = swept["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| point["negatives"].as_u64().unwrap())
        .collect();
    assert_eq!(negatives, [4, 8, 12]);
    let rows = swept["tables"][0]["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    // Trained on so many: 4, 8 and 12 beside the same graded documents, for every query alike.
    let mut pairs: Vec<(u64, u64)> = runs(&place, "s")
        .values()
        .map(|(_, run)| (run["run"]["negatives"].as_u64().unwrap(), run["pairs"].as_u64().unwrap()))
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let [(4, few), (8, more), (12, most)] = pairs[..] else { panic!("{pairs:?}") };
    assert_eq!(more - few, most - more);
    assert!(more > few);
}

#[test]
fn the_scores_of_every_grade_are_counted_for_the_figures() {
    let place = Place::new();
    place
        .run(&format!("figures data {} --trials 1 --out f", SMALL.replace(" --seeds 2", "")))
        .success();
    let densities = json(&place.path("f/densities.json"));
    for loss in densities["losses"].as_array().unwrap() {
        let grades = loss["training_scores"].as_array().unwrap();
        assert_eq!(grades.len(), 3);
        for bins in grades {
            assert_eq!(
                bins.as_array().unwrap().len(),
                densities["bins"].as_u64().unwrap() as usize
            );
            assert!(bins.as_array().unwrap().iter().any(|count| count.as_u64() > Some(0)));
        }
    }
}

#[test]
fn ranges_and_grids_that_make_no_sense_are_refused() {
    let place = Place::new();
    for (line, status, expected) in [
        ("sweep data --language xx --out out/s", 2, "expected one of --epsilon"),
        (
            "sweep data --language xx --out out/s --epsilon 0..1 --negatives 5..9",
            2,
            "expected one of --epsilon",
        ),
        ("sweep data --language xx --out out/s --epsilon 2..1", 2, "two numbers as in 0..2"),
        ("sweep data --language xx --out out/s --epsilon 0..1 --step 0", 2, "--step"),
        ("sweep data --language xx --out out/s --epsilon 0..1 --step 1e-6", 2, "more than 1000"),
        ("sweep data --language xx --out out/s --negatives 0..9", 2, "whole numbers from 1"),
        ("compare data --language xx --out out/s --negatives 5..9", 2, "--negatives"),
        ("compare data --out out/s", 2, "--language"),
        (
            "sweep data --language xx --out out/s --epsilon 0..1e38 --step 1e-38",
            2,
            "more than 1000",
        ),
        ("sweep data --language xx --out out/s --epsilon 0..1e-6 --step 1e-7", 2, "too small"),
        (
            "sweep data --language xx --out out/s --negatives 4..6 --step 0.5",
            2,
            "4.5 is not a whole number",
        ),
        ("figures data --language xx --out out/s --split-by query,group", 2, "choose one"),
        ("sweep data --language xx --out out/s --epsilon 0.5,0.1", 2, "rising numbers"),
        ("sweep data --language xx --out out/s --epsilon 0.1 --initial 0.1", 2, "--initial"),
    ] {
        let assert = place.run(line).code(status);
        let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(said.contains(expected), "{line}: {said}");
        assert!(place.out().is_empty(), "{line} wrote {:?}", place.out());
    }
    // Tables 2 and 3 at an epsilon that leaves nothing to try.
    let line = format!("compare data {SMALL} --epsilon 300 --trials 2 --out c");
    let assert = place.run(&line).code(2);
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(said.contains("no score exceeds"), "{said}");
    // At epsilon 60 no score exceeds .002, and thresholds have two decimals.
    let line = format!("sweep data {SMALL} --epsilon 60..60 --out s");
    let assert = place.run(&line).code(2);
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(said.contains("the grid has no valid thresholds"), "{said}");
}

#[test]
fn data_without_relevant_documents_to_validate_or_test_by_are_refused_before_any_training() {
    let place = Place::new();
    let relevance = place.read("data/relevance.tsv").replace("\t2\n", "\t1\n");
    place.write("data/relevance.tsv", relevance);
    for line in ["compare data --trials 2 --epochs 2", "sweep data --epsilon 0..1"] {
        let assert = place.run(&format!("{line} --language xx --negatives 5 --out c")).code(1);
        let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(said.contains("has a document of grade 2"), "{said}");
        assert_eq!(runs(&place, "c").len(), 0);
        fs::remove_dir_all(place.path("c")).unwrap();
    }
}

#[test]
fn options_of_any_size_are_the_same_when_read_back() {
    let place = Place::new();
    for deviation in ["1e-30", "7e-30", "1.2345e-25"] {
        let line = format!("sweep data {SMALL} --epsilon 1..1 --init-deviation {deviation}");
        place.run(&format!("{line} --out {deviation}")).success();
        place.run(&format!("{line} --out {deviation}")).success();
    }
}

#[test]
fn experiments_start_from_latent_semantics_or_from_files_too() {
    let place = Place::new();
    let line = format!("sweep data {SMALL} --epsilon 1..1");
    place.run(&format!("{line} --out random")).success();
    place.run(&format!("{line} --init lsi --out lsi")).success();
    assert!(place.read("random/sweep.json") != place.read("lsi/sweep.json"));
    let row = |word: &str| format!("{word} {}\n", ["0.25"; 8].join(" "));
    place.write("en.txt", (0..IDEAS).map(|idea| row(&format!("w{idea}"))).collect::<String>());
    place.run(&format!("{line} --init en=en.txt --out file")).success();
    for (_, run) in runs(&place, "file").values() {
        assert_eq!(run["run"]["init"]["query"].as_str().unwrap().len(), 64);
    }
    // Another file of that name is another experiment.
    place.write("en.txt", row("w1"));
    let assert = place.run(&format!("{line} --init en=en.txt --out file")).code(1);
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(said.contains("with init"), "{said}");
}
