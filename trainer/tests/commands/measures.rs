//! Metrics by name, per-query output, and two runs compared.

use std::collections::BTreeMap;

use crate::toy::{Place, QUICK, figures};
use serde_json::{Value, json};

fn trained() -> Place {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m")).success();
    place
}

/// The rows of a file of metrics for each query, without its head.
fn rows(file: &str) -> Vec<(String, Vec<f64>)> {
    let row = |line: &str| {
        let mut columns = line.split('\t');
        let query = columns.next().unwrap().to_owned();
        (query, columns.map(|value| value.parse().unwrap()).collect())
    };
    file.lines().skip(1).map(row).collect()
}

fn near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-12
}

/// Three queries of which the second is not in the run and the third has no relevant document.
fn small() -> Place {
    let place = Place::new();
    place.write("j", "q1 0 a 2\nq1 0 b 1\nq1 0 y 0\nq2 0 c 1\nq3 0 d 0\n");
    place.write("r", "q1 Q0 z 1 3 x\nq1 Q0 b 2 2 x\nq1 Q0 a 3 1 x\nq3 Q0 d 1 1 x\n");
    place
}

const SMALL: &str =
    "ndcg@2,ndcg_cut_2,success@1,success_2,mrr@10,recip_rank,map,P@2,recall@2,success(rel=2)@2";

#[test]
fn metrics_by_name_are_over_all_queries_of_the_qrels() {
    let place = small();
    let result = place.json(&format!("metrics --run r --qrels j --metrics {SMALL} --json"));
    let discount = 1.584_962_500_721_156;
    let gain = (1.0 / discount) / (2.0 + 1.0 / discount);
    let expected = BTreeMap::from([
        ("ndcg@2", gain),
        ("ndcg_cut_2", gain),
        ("success@1", 0.0),
        ("success_2", 1.0),
        ("mrr@10", 0.5),
        ("recip_rank", 0.5),
        ("map", (0.5 + 2.0 / 3.0) / 2.0),
        ("P@2", 0.5),
        ("recall@2", 0.5),
        ("success(rel=2)@2", 0.0),
    ]);
    assert_eq!(result["queries"], 3);
    let found = figures(&result["metrics"]);
    assert_eq!(found.len(), expected.len(), "{result}");
    for (name, sum) in expected {
        assert!(near(found[name], sum / 3.0), "{name}: {result}");
    }
    let told = place.run("metrics --run r --qrels j --metrics map,map").success();
    assert_eq!(
        String::from_utf8(told.get_output().stderr.clone()).unwrap(),
        "queries not in the run, counted as zero: 1\n\
         queries without a relevant document in the qrels, counted as zero: 1\n"
    );
    assert_eq!(
        String::from_utf8(told.get_output().stdout.clone()).unwrap(),
        "queries        3\nmap       0.1944\n"
    );
}

#[test]
fn values_of_each_query_average_to_the_metrics() {
    let place = small();
    place.run("metrics --run r --qrels j --metrics P@2,mrr --per-query out/q").success();
    assert_eq!(place.read("out/q"), "query\tP@2\tmrr\nq1\t0.5\t0.5\nq2\t0\t0\nq3\t0\t0\n");

    let place = trained();
    let line = "evaluate m data --candidates all --metrics ndcg@10,success@3,recall_100 --json";
    let result = place.json(&format!("{line} --per-query q"));
    let file = place.read("q");
    assert_eq!(file.lines().next(), Some("query\tndcg@10\tsuccess@3\trecall_100"));
    let rows = rows(&file);
    assert_eq!(result["queries"], rows.len());
    for (column, name) in ["ndcg@10", "success@3", "recall_100"].iter().enumerate() {
        let sum: f64 = rows.iter().map(|(_, values)| values[column]).sum();
        assert!(near(figures(&result["metrics"])[*name], sum / rows.len() as f64), "{name}");
    }
    // Without names, the first paper's.
    place.run("evaluate m data --per-query q").success();
    assert!(
        place.read("q").starts_with("query\tP_mr@1\tP_mr@5\tP_r@5\tNDCG@5\tMAP\tMRR_mr\tMRR_r\n")
    );
}

#[test]
fn a_run_and_its_qrels_give_the_named_metrics_of_evaluate() {
    let place = trained();
    let names = "ndcg@10,ndcg,success@3,mrr@10,map,recall@20,P@5,Rprec,rr(rel=2)";
    let line = format!("--metrics {names} --json");
    for candidates in ["sampled", "all"] {
        let of_model = format!("evaluate m data --split all --candidates {candidates}");
        let evaluated = place.json(&format!("{of_model} --run r --qrels j {line}"));
        let measured = place.json(&format!("metrics --run r --qrels j {line}"));
        assert_eq!(evaluated["queries"], measured["queries"]);
        for (name, value) in figures(&evaluated["metrics"]) {
            assert!(near(figures(&measured["metrics"])[&name], value), "{name}");
        }
    }
}

#[test]
fn all_queries_are_those_of_the_three_splits() {
    let place = trained();
    let queries = |split: &str| {
        place.run(&format!("evaluate m data --split {split} --per-query q")).success();
        let mut queries: Vec<String> =
            rows(&place.read("q")).into_iter().map(|(query, _)| query).collect();
        queries.sort();
        queries
    };
    let mut parts = ["train", "validation", "test"].map(queries).concat();
    parts.sort();
    assert_eq!(queries("all"), parts);
    let told = place.run("evaluate m data --split all").success();
    let told = String::from_utf8(told.get_output().stderr.clone()).unwrap();
    assert_eq!(
        told,
        "note: --split all has the queries of training too, if the model was trained on this collection\n"
    );
}

#[test]
fn grades_below_2_are_enough_for_named_metrics() {
    let place = trained();
    let relevance = place.read("data/relevance.tsv");
    let lowered: String =
        relevance.lines().map(|line| format!("{}1\n", &line[..line.len() - 1])).collect();
    place.write("data/relevance.tsv", lowered);
    place.refuses(
        "evaluate m data",
        1,
        &["no query to rank has a document of grade 2", "--metrics"],
    );
    assert!(place.json("evaluate m data --metrics map --json")["queries"].as_u64() > Some(5));
}

#[test]
fn a_wrong_name_of_a_metric_is_told_with_the_nearest_one() {
    let place = small();
    for (names, expected) in [
        ("ncdg@10", "unknown metric `ncdg@10` (did you mean `ndcg@10`?); known: ndcg@K, map"),
        ("map,sucess@3", "unknown metric `sucess@3` (did you mean `success@3`?)"),
        ("success", "metric `success`: needs a cut-off, as in `success@10`"),
        ("P@0", "metric `P@0`: its cut-off must be a positive integer, got `0`"),
    ] {
        place.refuses(&format!("metrics --run r --qrels j --metrics {names}"), 2, &[expected]);
        place.refuses(&format!("evaluate m data --metrics {names}"), 2, &[expected]);
    }
}

#[test]
fn an_empty_run_and_qrels_of_other_queries_are_refused() {
    let place = small();
    place.write("empty", "");
    place.write("other", "x1 Q0 a 1 1 x\nx2 Q0 a 1 1 x\n");
    for names in ["", " --metrics map"] {
        let refuses = |line: &str, expected: &str| {
            place.refuses(&format!("metrics {line}{names}"), 1, &[expected]);
        };
        refuses("--run empty --qrels j", "empty: no lines; expected query, Q0, document, rank");
        refuses(
            "--run other --qrels j",
            "other: none of its 2 queries (the first is `x1`) is in j",
        );
    }
    place.refuses(
        "metrics --run r --qrels empty --metrics map",
        1,
        &["empty: no lines; expected query, iteration, document, grade"],
    );
}

// ---- comparison ----------------------------------------------------------------------------

/// Cohen's d of the paired reciprocal ranks, and their p-value.
const EFFECT: f64 = 0.805_379_089_362_795_5;
const P: f64 = 0.025_390_625;

/// Twelve queries with one relevant document each; the run of a list puts it at these places.
fn run_of(places: &[usize]) -> String {
    let mut lines = String::new();
    for (query, &place) in places.iter().enumerate() {
        for at in 1..=5 {
            let document = if at == place { "a".into() } else { format!("n{at}") };
            lines.push_str(&format!("q{query} Q0 {document} {at} {} x\n", 10 - at));
        }
    }
    lines
}

fn compared() -> Place {
    let place = Place::new();
    place.write("j", (0..12).map(|query| format!("q{query} 0 a 1\n")).collect::<String>());
    place.write("A", run_of(&[1, 2, 4, 2, 5, 2, 1, 4, 2, 2, 4, 1]));
    place.write("B", run_of(&[1, 1, 2, 1, 4, 1, 2, 2, 1, 1, 1, 1]));
    place
}

#[test]
fn two_runs_are_compared_by_effect_and_p_value() {
    let place = compared();
    let result = place.json("metrics --run A --run B --qrels j --metrics mrr,success@1,P@5 --json");
    assert_eq!((&result["queries"], &result["runs"]), (&json!(12), &json!(["A", "B"])));
    let of = |name: &str| result["metrics"][name].clone();
    let number = |value: &Value| value.as_f64().unwrap();
    // Reciprocal ranks by hand; the p-value over all 4,096 choices of signs and Cohen's d with NumPy.
    let mrr = of("mrr");
    assert!(near(number(&mrr["means"][0]), 6.45 / 12.0), "{mrr}");
    assert!(near(number(&mrr["means"][1]), 9.75 / 12.0), "{mrr}");
    assert!(near(number(&mrr["difference"]), 3.3 / 12.0), "{mrr}");
    assert!((number(&mrr["effect"]) - EFFECT).abs() < 1e-9, "{mrr}");
    assert!((number(&mrr["p"]) - P).abs() < 0.006, "{mrr}");
    let interval = [&mrr["interval"][0], &mrr["interval"][1]].map(number);
    assert!(0.0 < interval[0] && interval[0] < 0.275 && 0.275 < interval[1], "{mrr}");
    // P@5 does not differ: every query finds its document in both.
    assert_eq!((&of("P@5")["effect"], &of("P@5")["p"]), (&Value::Null, &json!(1.0)));
    // Holm: the smallest of three p-values times 3, the next times 2.
    let [least, next] = [&mrr, &of("success@1")].map(|metric| number(&metric["p"]));
    assert!(least < next, "{result}");
    assert!(near(number(&mrr["p_holm"]), 3.0 * least), "{mrr}");
    assert!(near(number(&of("success@1")["p_holm"]), 2.0 * next), "{result}");

    let table = place.output("metrics --run A --run B --qrels j --metrics mrr,success@1,P@5");
    let line = table.lines().find(|line| line.starts_with("mrr ")).unwrap();
    let columns: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(columns[1..4], ["0.5375", "0.8125", "+0.2750"]);
    assert!(table.contains("paired randomisation test, two-sided, 10000 draws, seed 1"), "{table}");
    // The same seed gives the same figures, another one others.
    let again = place.json("metrics --run A --run B --qrels j --metrics mrr --json");
    assert_eq!(again["metrics"]["mrr"]["p"], mrr["p"]);
    let other =
        place.json("metrics --run A --run B --qrels j --metrics mrr --json --seed 2 --draws 500");
    assert_ne!(other["metrics"]["mrr"]["p"], mrr["p"]);
    assert_eq!((&other["draws"], &other["seed"]), (&json!(500), &json!(2)));
}

#[test]
fn the_values_of_each_query_of_two_runs_stand_side_by_side() {
    let place = compared();
    place.run("metrics --run A --run B --qrels j --metrics mrr,success@1 --per-query q").success();
    let file = place.read("q");
    let mut lines = file.lines();
    assert_eq!(lines.next(), Some("query\tmrr A\tsuccess@1 A\tmrr B\tsuccess@1 B"));
    assert_eq!(lines.next(), Some("q0\t1\t1\t1\t1"));
    // In the order of their ids.
    assert_eq!(lines.next(), Some("q1\t0.5\t0\t1\t1"));
    assert_eq!(lines.next(), Some("q10\t0.25\t0\t1\t1"));
}

#[test]
fn options_of_a_comparison_need_two_runs() {
    let place = compared();
    let line = "metrics --run A --qrels j --metrics mrr";
    place.refuses(&format!("{line} --seed 2"), 2, &["--seed: supported only with two runs"]);
    place.refuses(&format!("{line} --draws 9"), 2, &["--draws: supported only with two runs"]);
    place.refuses(
        &format!("{line} --run B --run B"),
        2,
        &["expected one run, or two to compare, got 3"],
    );
    place.refuses(&format!("{line} --per-query A"), 2, &["A: is also an input"]);
    place.write("B", run_of(&[1; 12]).replace('q', "other"));
    place.refuses(&format!("{line} --run B"), 1, &["B: none of its 12 queries"]);
}

// ---- other ---------------------------------------------------------------------------------

#[test]
fn only_fitted_thresholds_have_a_table_of_grades() {
    let place = trained();
    assert!(place.output("evaluate m data --metrics map").contains("true\\predicted"));
    assert!(place.json("evaluate m data --metrics map --json")["grades"].is_object());
    // Of pairs alone: no chapters to fit thresholds on.
    let texts = |name: &str| -> Vec<String> {
        let file = place.read(name);
        file.lines().map(|line| line.split('\t').nth(2).unwrap().to_owned()).collect()
    };
    let pairs = texts("data/queries.tsv").into_iter().zip(texts("data/documents.tsv"));
    let pairs: String = pairs
        .enumerate()
        .map(|(at, (english, other))| format!("toy\tg\t{at}\t{english}\t{other}\n"))
        .collect();
    place.write("pairs.tsv", pairs);
    place
        .run("train --loss contrastive --pairs pairs.tsv --language xx --dimension 8 --epochs 1 --subwords 0 --out p")
        .success();
    let table = place.output("evaluate p data --split all --metrics map,success@3");
    assert!(table.contains("success@3") && !table.contains("predicted"), "{table}");
    assert!(place.json("evaluate p data --json")["grades"].is_null());
}

#[test]
fn options_of_one_evaluation_are_refused_with_another() {
    let place = trained();
    place.write("t", "kind\t*\tid\tquery\n");
    place.write("p", "toy\tg\t1\tw1\tm1\n");
    for option in ["--metrics map", "--per-query q", "--run r", "--split all", "--candidates all"] {
        for other in ["--pairs p", "--typed t"] {
            let line = format!("evaluate m {other} {option}");
            place.refuses(&line, 2, &["cannot be used with"]);
        }
    }
}

#[test]
fn help_names_the_groups_of_options() {
    let place = Place::new();
    for (command, headings) in [
        (
            "evaluate",
            &[
                "The queries and their candidates:",
                "Metrics:",
                "Files of the ranking:",
                "Instead: ",
            ][..],
        ),
        ("metrics", &["Comparison of two runs:"]),
        ("encode", &["Input:", "Output:"]),
        (
            "train",
            &["Graded documents:", "Pairs of texts", "Model:", "Optimisation:", "Interruptions:"],
        ),
        ("index", &["Documents:", "Output:"]),
        ("compare", &["Methods", "Trainings (of these, --methods takes"]),
    ] {
        let help = place.output(&format!("{command} --help"));
        for heading in headings {
            let found = help.lines().any(|line| line.starts_with(heading));
            assert!(found, "{command}: no {heading:?} in {help}");
        }
    }
}
