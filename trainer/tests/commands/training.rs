//! Losses, clipping, and trainings that are stopped and taken up again.

use std::fs;
use std::path::Path;

use crate::toy::*;
use safetensors::SafeTensors;
use serde_json::Value;

/// The tensors of a model, without what it says of itself.
fn tensors(path: &Path) -> Vec<(String, Vec<u8>)> {
    let bytes = fs::read(path).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let mut tensors: Vec<_> =
        file.tensors().into_iter().map(|(name, view)| (name, view.data().to_vec())).collect();
    tensors.sort();
    tensors
}

fn provenance(path: &Path) -> Value {
    let bytes = fs::read(path).unwrap();
    let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
    serde_json::from_str(&header.metadata().as_ref().unwrap()["provenance"]).unwrap()
}

#[test]
fn every_loss_learns_the_toy() {
    let place = Place::new();
    for loss in ["sosl", "three-part", "mse", "proportional-odds", "proportional-odds-paper"] {
        let line = format!("{LEARN} --epsilon 0.5 --out {loss} --loss {loss}");
        place.run(&line.replace("--thresholds 0.2,0.6", "")).success();
        let found = place.json(&format!("evaluate {loss} data --json"));
        let map = found["metrics"]["MAP"].as_f64().unwrap();
        // By chance it is about .55: half of the candidates are graded.
        assert!(map > 0.8, "{loss}: MAP {map}");
    }
}

#[test]
fn without_grade_1_the_two_threshold_form_of_three_part_trains_the_same_numbers_as_sosl() {
    let place = Place::new();
    let relevance = place.read("data/relevance.tsv");
    let mates = relevance.lines().filter(|line| line.ends_with("\t2"));
    place.write("data/relevance.tsv", mates.map(|line| format!("{line}\n")).collect::<String>());
    place.run(&format!("{QUICK} --thresholds 0.2,0.7 --out sosl")).success();
    let three = format!("{QUICK} --thresholds 0.2,0.7 --loss three-part --out three");
    place.run(&three).success();
    assert!(tensors(&place.path("sosl")) == tensors(&place.path("three")));
    // With grade 1 they differ.
    place.write("data/relevance.tsv", relevance);
    place.run(&format!("{QUICK} --thresholds 0.2,0.7 --out sosl")).success();
    place.run(&three).success();
    assert!(tensors(&place.path("sosl")) != tensors(&place.path("three")));
}

#[test]
fn each_loss_has_thresholds_of_its_own_where_none_are_asked_for() {
    let place = Place::new();
    for (loss, thresholds) in
        [("sosl", "[0.2,0.7]"), ("three-part", "[0.2,0.55,0.9]"), ("mse", "[0.2,0.7]")]
    {
        place.run(&format!("{QUICK} --loss {loss} --epsilon 0.1 --out m")).success();
        let options = &provenance(&place.path("m"))["options"];
        assert_eq!(options["thresholds"].to_string(), thresholds, "{loss}");
        assert_eq!(options["loss"], loss);
    }
    for (line, expected) in [
        ("--loss three-part --thresholds 0.2,0.9,0.5", "three-part thresholds"),
        ("--loss three-part --thresholds 0.2", "expected two or three"),
        (
            "--loss mse --thresholds 0.7,0.2",
            "`thresholds` must rise strictly between -1 and 1, got [0.7, 0.2]",
        ),
        ("--loss proportional-odds --scale 0", "--scale"),
        ("--loss proportional-odds --scale inf", "--scale"),
        ("--epsilon 2 --dimension 64 --thresholds 0.2,0.7", "no score exceeds 0.64"),
        ("--clip 0", "--clip"),
        ("--clip nan", "--clip"),
        ("--dropout 1", "--dropout"),
    ] {
        place.refuses(&format!("train data --language xx --out out/m {line}"), 2, &[expected]);
    }
}

#[test]
fn any_number_of_grades_trains_by_every_loss_that_allows_it() {
    let place = Place::new();
    for thresholds in ["0.3", "0.1,0.3,0.6", "0.1,0.3,0.5,0.7"] {
        let grades = thresholds.split(',').count() + 1;
        let relevance: String = (0..TEXTS)
            .flat_map(|text| (0..grades).map(move |grade| (text, (text + grade) % TEXTS, grade)))
            .map(|(query, document, grade)| format!("q{query}\td{document}\t{grade}\n"))
            .collect();
        place.write("data/relevance.tsv", relevance);
        for loss in ["sosl", "mse", "proportional-odds", "proportional-odds-paper"] {
            let line = format!("{QUICK} --epsilon 0.1 --loss {loss} --thresholds {thresholds}");
            // Two grades leave no query with a document of grade 2 to choose an epoch by.
            place.run(&format!("{line} --out m")).success();
        }
    }
}

#[test]
fn cosine_trains_and_says_how_often_its_gradient_was_undefined_or_clipped() {
    let place = Place::new();
    // Words that no other text has: test and validation queries are never known.
    let line = format!("{QUICK} --epsilon 0 --clip 0.01 --out m");
    let assert = place.run(&line).success();
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(said.contains("gradients were undefined"), "{said}");
    assert!(said.contains("steps were clipped"), "{said}");
    let made = provenance(&place.path("m"));
    assert_eq!(made["undefined-gradients"], 0);
    assert!(made["clipped-steps"].as_u64().unwrap() > 0);
    assert!(made["clipped-steps"].as_u64() <= made["steps"].as_u64());

    // A query of no known word is the zero vector, where cosine has no gradient.
    let queries = place.read("data/queries.tsv");
    let silent: String = queries
        .lines()
        .map(|line| line.rsplit_once('\t').unwrap().0)
        .enumerate()
        .map(|(n, head)| if n % 2 == 0 { format!("{head}\t!\n") } else { format!("{head}\tw1\n") })
        .collect();
    place.write("data/queries.tsv", silent);
    place.run(&line).success();
    let undefined = provenance(&place.path("m"))["undefined-gradients"].as_u64().unwrap();
    assert!(undefined > 0);
}

#[test]
fn a_training_that_is_killed_and_resumed_gives_the_bytes_of_one_that_is_not() {
    let place = Place::new();
    let line = QUICK.replace("--epochs 2", "--epochs 200 --save-every 0 --clip 0.05");
    place.run(&format!("{line} --out whole")).success();
    assert!(!place.path("whole.training").exists());
    place.begin_and_kill(&format!("{line} --out cut"), "cut.training");
    assert!(!place.path("cut").exists(), "too fast to be killed: the test needs more epochs");
    fs::copy(place.path("cut.training"), place.path("anew.training")).unwrap();
    let assert = place.run(&format!("{line} --out anew")).success();
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(said.contains("this replaces the training saved in anew.training"), "{said}");
    let assert = place.run(&format!("{line} --out cut --resume")).success();
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(said.contains("resuming after epoch"), "{said}");
    assert!(!place.path("cut.training").exists());
    let [whole, cut] = ["whole", "cut"].map(|name| fs::read(place.path(name)).unwrap());
    assert!(whole == cut);
    // With nothing to resume, it is an ordinary training, and says so.
    let assert = place.run(&format!("{line} --out cut --resume")).success();
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(said.contains("starting from the beginning"), "{said}");
    assert!(whole == fs::read(place.path("cut")).unwrap());
}

#[test]
fn a_saved_training_of_other_options_or_data_is_refused_and_stays() {
    let place = Place::new();
    let line = QUICK.replace("--epochs 2", "--epochs 500 --save-every 0");
    place.begin_and_kill(&format!("{line} --out m"), "m.training");
    let saved = fs::read(place.path("m.training")).unwrap();
    let refuses = |line: &str, expected: &[&str]| {
        let assert = place.run(line).code(1);
        let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(expected.iter().all(|expected| said.contains(expected)), "{line}: {said}");
        assert!(!place.path("m").exists());
    };
    for (other, expected) in [
        ("--seed 2", "with seed 1, not 2"),
        ("--learning-rate 0.02", "with learning-rate 0.01, not 0.02"),
        ("--loss mse", "with loss \"sosl\", not \"mse\""),
        ("--negatives 6", "with negatives 5, not 6"),
    ] {
        let line = line.replace("--negatives 5", "");
        let negatives = if other.contains("negatives") { "" } else { "--negatives 5" };
        let line = format!("{line} {negatives} {other} --out m --resume");
        refuses(&line, &["m.training", expected]);
    }
    let queries = place.read("data/queries.tsv");
    place.write("data/queries.tsv", queries.replacen("w1", "w2", 1));
    refuses(&format!("{line} --out m --resume"), &["on other data"]);
    place.write("data/queries.tsv", queries);
    // Cut in half, or with a byte changed.
    let whole = saved.clone();
    place.write("m.training", &whole[..whole.len() / 2]);
    refuses(&format!("{line} --out m --resume"), &["m.training", "cut off"]);
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    place.write("m.training", &damaged);
    refuses(&format!("{line} --out m --resume"), &["m.training", "digest"]);
    place.write("m.training", &whole);
    place.run(&format!("{line} --out m --resume")).success();
}

#[test]
fn a_training_is_not_saved_over_a_file_of_somebody_else() {
    let place = Place::new();
    place.write("thesis.training", "four years of work");
    for (options, told) in [
        ("", "thesis.training: exists and is not a saved training"),
        ("--resume", "thesis.training: not a whole safetensors file"),
    ] {
        let assert = place.run(&format!("{QUICK} --save-every 0 --out thesis {options}")).code(1);
        let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(said.contains(told), "{said}");
        assert_eq!(place.read("thesis.training"), "four years of work");
    }
    assert!(!place.path("thesis").exists());
}

/// The lines of a report, without its heading.
fn lines_of_report(report: &str) -> Vec<Vec<f64>> {
    let numbers = |line: &str| line.split('\t').map(|number| number.parse().unwrap()).collect();
    report.lines().skip(1).map(numbers).collect()
}

#[test]
fn a_report_has_the_lengths_of_gradients_of_each_epoch() {
    let place = Place::new();
    let run = |options: &str| {
        place.run(&format!("{QUICK} --init-deviation 0.0001 {options} --out m --report r.tsv"))
    };
    let told = run("--epsilon 0.5").success();
    let smooth = place.read("r.tsv");
    assert!(
        smooth.starts_with("epoch\tgradients\tlargest\tmedian\tshare above 2\n1\t"),
        "{smooth}"
    );
    let epochs = lines_of_report(&smooth);
    assert_eq!(epochs.len(), 2);
    for epoch in &epochs {
        // No gradient of SCS is longer than 1/epsilon, up to rounding.
        assert!(epoch[1] > 0.0 && epoch[2] <= 2.0 * (1.0 + 1e-5), "{epoch:?}");
        assert!(epoch[3] <= epoch[2] && epoch[4] == 0.0, "{epoch:?}");
    }
    let stderr = String::from_utf8(told.get_output().stderr.clone()).unwrap();
    assert!(stderr.contains("0 above 2"), "{stderr}");
    // Cosine's are as long as vectors are short.
    run("--epsilon 0").success();
    let cosine = lines_of_report(&place.read("r.tsv"));
    assert!(cosine[0][2] > 100.0 && cosine[0][4] > 0.5, "{cosine:?}");
    for (line, expected) in [
        ("--resume", "--resume"),
        ("--encoder cnn", "supported only with --encoder average and --device cpu"),
    ] {
        place.refuses(&format!("{QUICK} --out m --report r.tsv {line}"), 2, &[expected]);
    }
}
