//! `theory` from end to end, on a language of ten words on either side.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::{Value, json};
use smooth_clir::encoder::Precision;
use smooth_clir::model::Model;
use tempfile::TempDir;

const TEXTS: usize = 40;

/// A folder of texts of two words each; those that share one are partially relevant.
fn write_toy(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    let words = |text: usize| [text % 10, (text / 10 + 3 * text + 1) % 10];
    let (mut queries, mut documents, mut relevance) = (String::new(), String::new(), String::new());
    for text in 0..TEXTS {
        let [a, b] = words(text);
        queries += &format!("q{text}\t\tw{a} w{b} q{text}\n");
        documents += &format!("d{text}\t\tm{b} m{a} d{text}\n");
        relevance += &format!("q{text}\td{text}\t2\n");
        let related = (text + 10) % TEXTS;
        relevance += &format!("q{text}\td{related}\t1\n");
    }
    fs::write(folder.join("queries.tsv"), queries).unwrap();
    fs::write(folder.join("documents.tsv"), documents).unwrap();
    fs::write(folder.join("relevance.tsv"), relevance).unwrap();
}

struct Place {
    root: TempDir,
}

impl Place {
    /// The toy in `data/`, and a model of it in `model`, trained with further options.
    fn trained(options: &str) -> Self {
        let place = Self { root: tempfile::tempdir().unwrap() };
        write_toy(&place.path("data"));
        let line = format!(
            "train data --language xx --dimension 8 --epochs 2 --negatives 5 --out model {options}"
        );
        place.run(&line, "2").success();
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn run(&self, line: &str, threads: &str) -> assert_cmd::assert::Assert {
        let mut command: Command = assert_cmd::cargo::cargo_bin_cmd!("smooth-clir");
        command.current_dir(self.root.path()).env("RAYON_NUM_THREADS", threads);
        command.args(line.split_whitespace()).assert()
    }

    fn output(&self, line: &str) -> String {
        let assert = self.run(line, "2").success();
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    }

    fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.output(line)).unwrap()
    }

    fn refuses(&self, line: &str, status: i32, expected: &[&str]) {
        let assert = self.run(line, "2").code(status);
        let errors = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(errors.starts_with("error: "), "{errors}");
        for expected in expected {
            assert!(errors.contains(expected), "{line}: no {expected:?} in {errors}");
        }
    }

    /// Changes what the model tells of its training.
    fn retell(&self, change: impl Fn(&mut Value)) {
        let mut model = Model::read(&fs::read(self.path("model")).unwrap()).unwrap();
        let mut provenance = serde_json::from_str(&model.provenance).unwrap();
        change(&mut provenance);
        model.provenance = provenance.to_string();
        fs::write(self.path("retold"), model.write(Precision::F32)).unwrap();
    }
}

fn near(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap();
    assert!((found - expected).abs() < 1e-4 * expected.abs(), "{found}, not {expected}");
}

/// Thresholds within the reach of dimension 8 at epsilon 1.
const SMOOTH: &str = "--epsilon 1 --thresholds 0.2,0.5";

#[test]
fn constants_and_bounds_are_those_of_the_formulas() {
    let place = Place::trained(SMOOTH);
    let told = place.json("theory model data --json --steps 100 --delta 0.1");
    let constants = &told["constants"];
    // 2 (1 + .5) and (1 + .5)^2; gamma = 3 (2 + .7698) + 2.
    near(&constants["loss"]["slope"], 3.0);
    near(&constants["loss"]["value"], 2.25);
    near(&constants["score"]["gradient"], 1.0);
    near(&constants["score"]["gradient-in-paper"], 2.0);
    near(&constants["score"]["curvature"], 2.0);
    near(&constants["score"]["frobenius"], 11f64.sqrt());
    near(&constants["weights"]["gradient"], 3.0);
    let gamma = 10.3094;
    near(&constants["weights"]["curvature"], gamma);
    let sgd = &told["sgd"];
    near(&sgd["gamma-c"], 0.5);
    // gamma c = 1/2: 3/(n-1) M (2 c L^2/M)^(2/3) T^(1/3).
    let base: f64 = 2.0 * (0.5 / gamma) * 9.0 / 2.25;
    let beta = |n: f64| 3.0 / (n - 1.0) * 2.25 * (base * base * 100.0).cbrt();
    let gap = |n: f64| {
        let root = (std::f64::consts::LN_10 / (2.0 * n)).sqrt();
        2.0 * beta(n) + (4.0 * n * beta(n) + 2.25) * root
    };
    for counted in ["pairs", "queries"] {
        let n = told[counted].as_f64().unwrap();
        let bound = &sgd["bounds"][counted];
        near(&bound["stability"], beta(n));
        near(&bound["gap"], gap(n));
        assert_eq!(bound["says-nothing"], true);
        near(&bound["power-below"], 1.5);
        near(&bound["power"], libm::log(100.0) / libm::log(n));
    }
    // From there on the bound is below the largest loss; gamma above has six digits.
    let least = sgd["least-pairs"].as_f64().unwrap();
    assert!(gap(1.001 * least) < 2.25 && gap(0.999 * least) > 2.25, "{least}");
    // Three in five of the queries, each with two graded documents and five others.
    let queries = told["queries"].as_u64().unwrap();
    assert_eq!(told["pairs"].as_u64().unwrap(), 7 * queries);
    assert!((15..=33).contains(&queries));
}

#[test]
fn what_is_met_stays_below_its_bound_and_is_not_nothing() {
    let place = Place::trained(SMOOTH);
    let told = place.json("theory model data --json");
    let (met, constants) = (&told["met"], &told["constants"]);
    for (met, most) in [
        (&met["value"], &constants["loss"]["value"]),
        (&met["slope"], &constants["loss"]["slope"]),
        (&met["gradient"], &constants["score"]["gradient"]),
        (&met["curvature"], &constants["score"]["curvature"]),
        (&told["sgd"]["mean-change"], &told["sgd"]["bounds"]["pairs"]["stability"]),
    ] {
        let (met, most) = (met.as_f64().unwrap(), most.as_f64().unwrap());
        assert!(0.0 < met && met < most, "{met} of {most}");
    }
    let near_zero = met["near-zero"].as_array().unwrap();
    assert_eq!(near_zero.len(), 5);
    assert!(near_zero[4]["change"].as_f64().unwrap() < 1e-3);
    assert!(near_zero[4]["cosine-change"].as_f64().unwrap() > 1e3);
    assert_eq!(told["sgd"]["steps"], told["pairs"]);
    assert_eq!(told["sgd"]["changes"].as_array().unwrap().len(), 5);
}

#[test]
fn the_text_says_what_the_bound_does_not_cover_and_where_it_says_nothing() {
    let place = Place::trained(SMOOTH);
    let text = place.output("theory model data");
    for expected in ["exceeds the largest possible loss", "not\ncover Adam", "10.31", "N(p)"] {
        assert!(text.contains(expected), "no {expected:?} in {text}");
    }
    assert!(!text.contains("Counting pairs, it would not fall"), "{text}");
    let text = place.output("theory model data --step-constant 1 --replacements 1");
    assert!(text.contains("Counting pairs, it would not fall to 0"), "{text}");
}

#[test]
fn at_epsilon_0_there_are_no_constants_and_a_step_size_must_be_chosen() {
    let place = Place::trained("--epsilon 0");
    let text = place.output("theory model data");
    assert!(text.contains("At epsilon 0 there are no constants"), "{text}");
    assert!(text.contains("choose one with --step-constant"), "{text}");
    let told = place.json("theory model data --json");
    assert_eq!(told["constants"]["weights"]["curvature"], Value::Null);
    assert_eq!(told["sgd"], Value::Null);
    let told = place.json("theory model data --json --step-constant 0.1");
    assert!(told["sgd"]["training-loss"].as_f64().unwrap() > 0.0);
    assert_eq!(told["sgd"]["bounds"], Value::Null);
}

#[test]
fn the_smallest_epsilons_give_numbers() {
    let place = Place::trained("--epsilon 1e-30");
    let told = place.json("theory model data --json");
    near(&told["constants"]["weights"]["curvature"], 3.4 * 2e60 + 2e60);
    assert!(told["sgd"]["bounds"]["pairs"]["stability"].as_f64().unwrap() > 0.0);
}

#[test]
fn every_loss_has_its_constants() {
    for (loss, slope, value) in [
        // Furthest out is score -1 at grade 2: below .9, below the middle .85; and below .7 and 1,
        // where the slope is s(1.7) and s(1.7) - s(-2), s the logistic function, the value of the
        // latter -log s(-1.7) - log s(2). The former's is largest at grade 1:
        // -log(s(1.7) - s(1.2)).
        ("three-part", 2.0 * 1.9, 1.9 * 1.9),
        ("mse", 2.0 * 1.85, 1.85 * 1.85),
        ("proportional-odds --scale 1", 0.845_535, 2.563_821),
        ("proportional-odds-paper", 0.726_332, 1.994_714),
    ] {
        let place = Place::trained(&format!("--epsilon 0.1 --loss {loss}"));
        let told = place.json("theory model data --json --replacements 1");
        assert_eq!(told["loss"], loss.split(' ').next().unwrap());
        near(&told["constants"]["loss"]["slope"], slope);
        near(&told["constants"]["loss"]["value"], value);
        assert_eq!(told["constants"]["loss"]["slope-in-paper"], Value::Null);
    }
}

#[test]
fn a_study_has_every_setting_with_its_bounds_and_shows_where_descent_learns() {
    let place = Place::trained(SMOOTH);
    let line = "theory model data --study out --pairs 20,60 --passes 1,5 --epsilons 0.5,1 --step-constants 0.05,100 \
                --seeds 4 --replacements 20 --delta 0.1 --json";
    let told = place.json(line);
    let points = told["points"].as_array().unwrap();
    assert_eq!(points.len(), 16);
    for point in points {
        let of = |name: &str| point[name].as_f64().unwrap();
        let mean = |name: &str| point[name]["mean"].as_f64().unwrap();
        assert!(
            (mean("gap") - (mean("test-loss") - mean("training-loss"))).abs() < 1e-9,
            "{point}"
        );
        let [low, high] = ["low", "high"].map(|end| point["gap"][end].as_f64().unwrap());
        assert!(low <= mean("gap") && mean("gap") <= high);
        let (learned, gap) = (mean("training-loss") / mean("first-loss"), mean("gap"));
        match of("step-constant") {
            // A twentieth: nothing is learned.
            0.05 => assert!(learned > 0.98 && gap.abs() < 0.05, "{point}"),
            _ => assert!(learned < 0.7, "{point}"),
        }
        // With n pairs, gamma as by hand: 3 at each epsilon is the slope's largest, 2 that of its change.
        let (epsilon, n, steps) = (of("epsilon"), of("pairs"), of("steps"));
        assert!(steps == n || steps == 5.0 * n);
        let (lipschitz, largest) = (3.0 / epsilon, 2.25);
        let exponent = of("gamma-c") / (of("gamma-c") + 1.0);
        let base: f64 = 2.0 * of("step-constant") * lipschitz * lipschitz / largest;
        let beta = (1.0 + 1.0 / of("gamma-c")) / (n - 1.0)
            * largest
            * libm::pow(base, 1.0 - exponent)
            * libm::pow(steps, exponent);
        near(&point["stability-bound"], beta);
        let change = &point["change"];
        let quantiles =
            ["median", "90 %", "99 %", "largest"].map(|name| change[name].as_f64().unwrap());
        assert!(
            quantiles.is_sorted() && change["mean"].as_f64().unwrap() <= quantiles[3],
            "{change}"
        );
        assert_eq!(point["replacements"], 20);
    }
    let table = fs::read_to_string(place.path("out/study.md")).unwrap();
    assert_eq!(table.lines().filter(|line| line.starts_with("| ")).count(), 17);
    assert!(table.starts_with("# Plain SGD and the theory's bounds, en-xx\n"), "{table}");
    assert!(table.contains("4 seeds") && table.contains("20 replaced pairs"), "{table}");
    assert!(table.contains("(vacuous)"), "{table}");
    let figure = fs::read_to_string(place.path("out/study.svg")).unwrap();
    assert!(figure.contains("log10"));
    // A line for each epsilon, c and number of passes.
    for epsilon in ["0.5", "1"] {
        for settings in ["c 0.05, T = 1 n", "c 0.05, T = 5 n", "c 100, T = 1 n", "c 100, T = 5 n"] {
            let line = format!("epsilon {epsilon}, {settings}");
            assert_eq!(figure.matches(&line).count(), 1, "{line}");
        }
    }
    // The outcomes are taken from the folder; others are not mixed with them.
    let outcome = place.path("out/1-100-20-20.json");
    let written = fs::metadata(&outcome).unwrap().modified().unwrap();
    assert_eq!(place.json(line), told);
    assert_eq!(fs::metadata(&outcome).unwrap().modified().unwrap(), written);
    place.refuses(&line.replace("--seeds 4", "--seeds 5"), 1, &["delete it to run it again"]);
    place.refuses("theory model data --study out --pairs 100000", 2, &["training pairs"]);
    place.refuses(
        "theory model data --study out --pairs 20 --epsilons 0",
        2,
        &["no constants at epsilon 0"],
    );
    place.refuses("theory model data --pairs 10", 2, &["--study"]);
}

#[test]
fn the_same_seed_tells_the_same_on_any_number_of_threads() {
    let place = Place::trained(SMOOTH);
    let told = |line: &str, threads| place.run(line, threads).success().get_output().stdout.clone();
    let line = "theory model data --json";
    assert!(told(line, "1") == told(line, "5"));
    assert!(told(line, "1") != told("theory model data --json --seed 2", "1"));
}

#[test]
fn other_data_and_other_languages_are_refused() {
    let place = Place::trained(SMOOTH);
    place.refuses("theory model data --language yy", 2, &["the model has documents in xx"]);
    place.refuses("theory model", 2, &["the built-in corpus has documents in fr, it, sw, tl"]);
    place.refuses("theory model nowhere", 1, &["nowhere: not a folder"]);
    let changed = fs::read_to_string(place.path("data/documents.tsv")).unwrap() + "d\t\tm1\n";
    fs::write(place.path("data/documents.tsv"), changed).unwrap();
    place.refuses("theory model data", 1, &["data: not the training data of model", "xx"]);
}

#[test]
fn a_model_that_does_not_tell_how_it_was_trained_is_refused() {
    let place = Place::trained(SMOOTH);
    for (option, told, expected) in [
        (
            "loss",
            json!("hinge"),
            "option loss in its provenance is \"hinge\", expected one of sosl,",
        ),
        ("loss", Value::Null, "option loss in its provenance is null"),
        ("thresholds", json!([0.5, 0.2]), "`thresholds` must rise strictly"),
        ("thresholds", json!([0.2, 0.4]), "are not those of its config"),
        ("thresholds", json!(["low"]), "expected a list of numbers"),
        ("init-deviation", json!(1e99), "option init-deviation in its provenance is 1e+99"),
        ("seed", json!(-1), "option seed in its provenance is -1, expected a whole number"),
        ("negatives", json!(0.5), "negatives"),
        ("split-by", json!(7), "split-by"),
        // Nothing is known of how much its vectors change with its weights.
        (
            "encoder",
            json!("cnn"),
            "its encoder is cnn, but the theory's constants are known only for the average encoder",
        ),
    ] {
        place.retell(|provenance| provenance["options"][option] = told.clone());
        place.refuses("theory retold data", 1, &["retold: ", expected]);
    }
    place.retell(|provenance| provenance["options"] = Value::Null);
    place.refuses("theory retold data", 1, &["its provenance lacks the option loss"]);
    place.retell(|provenance| *provenance = Value::Null);
    place.refuses("theory retold data", 1, &["its provenance lacks the option loss"]);
    place.retell(|provenance| provenance["data"] = Value::Null);
    place.refuses("theory retold data", 1, &["its provenance has none"]);
    place.retell(|_| ());
    place.run("theory retold data", "2").success();
}

#[test]
fn options_out_of_range_are_status_2() {
    let place = Place::trained(SMOOTH);
    for (option, expected) in [
        ("--delta 0", "`0` is not a number between 0 and 1"),
        ("--delta 1", "between 0 and 1"),
        ("--delta NaN", "between 0 and 1"),
        ("--step-constant 0", "0 is not a finite number above 0"),
        ("--steps 0", "--steps"),
        ("--replacements 0", "--replacements"),
        ("--replacements -1", "--replacements"),
    ] {
        place.refuses(&format!("theory model data {option}"), 2, &[expected]);
    }
}
