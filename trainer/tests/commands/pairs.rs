//! Training on pairs of texts, from the command line.

use std::fs;

use crate::toy::{Place, TEXTS, clir, document, query};
use serde_json::{Value, json};

const TRAIN: &str = "train --loss contrastive --language xx --pairs pairs.tsv --lexicon lexicon.tsv \
                     --dimension 16 --subwords 200 --batch-size 20 --epochs 25";

/// Texts of three ideas each and their translations, some of every chapter; and a lexicon.
fn place() -> Place {
    let place = Place::new();
    let pair =
        |text: usize| format!("toy\t{}\t{text}\t{}\t{}\n", text / 2, query(text), document(text));
    place.write("pairs.tsv", (0..TEXTS).map(pair).collect::<String>());
    let entry = |idea: usize| format!("words\tw{idea}\tm{idea}\n");
    place.write("lexicon.tsv", (0..crate::toy::IDEAS).map(entry).collect::<String>());
    place
}

fn accuracy(result: &Value, direction: &str) -> f64 {
    result["sets"]["toy"][direction]["accuracy@1"].as_f64().unwrap()
}

#[test]
fn texts_find_their_translations_in_both_directions() {
    let place = place();
    for precision in ["f32", "i8"] {
        place.run(&format!("{TRAIN} --precision {precision} --out m.safetensors")).success();
        let result = place.json("evaluate m.safetensors --pairs pairs.tsv --json");
        assert!(accuracy(&result, "en-xx") > 0.9 && accuracy(&result, "xx-en") > 0.9, "{result}");
    }
}

#[test]
fn a_misspelt_word_finds_what_the_word_finds() {
    let place = Place::new();
    let words = [
        ("mountain", "montagne"),
        ("elephant", "trombe"),
        ("butterfly", "papillon"),
        ("umbrella", "parapluie"),
    ];
    let line = |(at, (english, other)): (usize, &(&str, &str))| {
        format!("s\t{at}\t{at}\t{english}\t{other}\n")
    };
    place.write("pairs.tsv", words.iter().enumerate().map(line).collect::<String>());
    let misspelt = "s\t0\t0\tmoutnain\tmontagne\ns\t1\t1\telefant\ttrombe\n\
                    s\t2\t2\tbuterfly\tpapillon\ns\t3\t3\tumbrela\tparapluie\n";
    place.write("misspelt.tsv", misspelt);
    let train = "train --loss contrastive --language fr --pairs pairs.tsv --dimension 16 --epochs 200 --batch-size 4";
    place.run(&format!("{train} --out with.safetensors")).success();
    place.run(&format!("{train} --subwords 0 --stems none --out without.safetensors")).success();
    let found = |model: &str| {
        let result = place.json(&format!("evaluate {model} --pairs misspelt.tsv --json"));
        result["sets"]["s"]["en-fr"]["accuracy@1"].as_f64().unwrap()
    };
    assert_eq!(found("with.safetensors"), 1.0);
    // All vectors are zero: any of four is as good as another.
    assert_eq!(found("without.safetensors"), 0.25);
}

#[test]
fn the_same_data_options_and_seed_give_the_same_bytes_on_any_number_of_threads() {
    let place = place();
    let train = |threads: &str, options: &str, out: &str| {
        let line = format!("{TRAIN} --epochs 2 {options} --out {out}").replace("--epochs 25", "");
        let mut command = clir();
        command.env("RAYON_NUM_THREADS", threads).current_dir(place.root.path());
        command.args(line.split_whitespace()).assert().success();
        fs::read(place.path(out)).unwrap()
    };
    let bytes = train("1", "", "one.safetensors");
    assert!(train("3", "", "three.safetensors") == bytes);
    assert!(train("1", "--seed 2", "seed.safetensors") != bytes);
    assert!(train("1", "--word-dropout 0", "dropout.safetensors") != bytes);
    assert!(train("1", "--weights uniform", "uniform.safetensors") != bytes);
}

/// Each text in several chapters, so that some are kept back.
fn many_chapters(place: &Place) {
    let line = |at: usize| {
        let text = at % TEXTS;
        format!("toy\t{at}\t{at}\t{}\t{}\n", query(text), document(text))
    };
    place.write("many.tsv", (0..10 * TEXTS).map(line).collect::<String>());
}

#[test]
fn training_ends_after_so_many_epochs_without_a_better_one_and_keeps_the_first_of_the_best() {
    let place = place();
    many_chapters(&place);
    let train = "train --loss contrastive --language xx --pairs many.tsv --dimension 8 --subwords 0 \
                 --batch-size 20 --epochs 60 --patience 3 --out m.safetensors";
    let assert = place.run(train).success();
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    let accuracy = |line: &str| Some(line.split_once("accuracy@1 ")?.1.parse::<f64>().unwrap());
    let epochs: Vec<f64> = said.lines().filter_map(accuracy).collect();
    let most = epochs.iter().copied().fold(0.0, f64::max);
    let best = epochs.iter().position(|&accuracy| accuracy == most).unwrap() + 1;
    assert_eq!(epochs.len(), best + 3, "{said}");
    assert!(epochs.len() < 60 && most > 0.0, "{said}");
    assert!(said.contains(&format!("the model is from epoch {best}\n")), "{said}");
}

#[test]
fn a_training_that_is_stopped_or_killed_and_resumed_gives_the_bytes_of_one_that_is_not() {
    let place = place();
    many_chapters(&place);
    let train = "train --loss contrastive --language xx --pairs many.tsv --lexicon lexicon.tsv \
                 --dimension 8 --subwords 50 --batch-size 20 --patience 40 --epochs 40";
    place.run(&format!("{train} --out whole")).success();
    // In the first epoch, at its end, and between.
    for steps in [7, 23, 100] {
        let assert = place.run(&format!("{train} --out cut --resume --max-steps {steps}"));
        let said = String::from_utf8(assert.success().get_output().stderr.clone()).unwrap();
        assert!(said.contains("the training is saved: resume it with --resume"), "{said}");
        assert!(!place.path("cut").exists());
    }
    let assert = place.run(&format!("{train} --out cut --resume --seed 2")).code(1);
    let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(said.contains("cut.training: it was started with seed 1, not 2"), "{said}");
    place.run(&format!("{train} --out cut --resume")).success();
    place.begin_and_kill(&format!("{train} --save-every 0 --out killed"), "killed.training");
    assert!(!place.path("killed").exists(), "too fast to be killed: the test needs more epochs");
    place.run(&format!("{train} --out killed --resume")).success();
    let [whole, cut, killed] =
        ["whole", "cut", "killed"].map(|name| fs::read(place.path(name)).unwrap());
    assert!(whole == cut && whole == killed);
    assert!(!place.path("cut.training").exists() && !place.path("killed.training").exists());
}

#[test]
fn pairs_in_a_scratch_file_give_the_bytes_of_pairs_in_memory_and_leave_no_file() {
    let place = place();
    many_chapters(&place);
    let train = format!("{TRAIN} --language xx --pairs many.tsv --repeat 1 --repeat 2");
    place.run(&format!("{train} --out memory.safetensors")).success();
    place.run(&format!("{train} --scratch-above 0 --out out/file.safetensors")).success();
    let bytes = |name: &str| fs::read(place.path(name)).unwrap();
    assert!(bytes("memory.safetensors") == bytes("out/file.safetensors"));
    assert_eq!(place.out(), ["file.safetensors"]);
}

#[test]
fn a_model_in_parts_indexes_and_searches_and_fewer_words_make_it_smaller() {
    let place = place();
    place.run(&format!("{TRAIN} --out whole/")).success();
    place.run(&format!("{TRAIN} --most-words 4 --out small/")).success();
    let size = |name: &str| fs::metadata(place.path(name)).unwrap().len();
    assert!(size("small/document.xx.safetensors") < size("whole/document.xx.safetensors"));
    for model in ["whole", "small"] {
        place.run(&format!("index {model} data/documents.tsv --out {model}.index")).success();
        let found = place.json(&format!("search {model} {model}.index w0 --json --limit 1"));
        let text = found["hits"][0]["text"].as_str().unwrap();
        assert!(text.contains("m0"), "{model}: {text}");
    }
}

#[test]
fn a_model_tells_what_it_was_made_of() {
    let place = place();
    place.run(&format!("{TRAIN} --out m.safetensors")).success();
    let bytes = fs::read(place.path("m.safetensors")).unwrap();
    let length = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    let header: Value = serde_json::from_slice(&bytes[8..8 + length]).unwrap();
    let metadata = |key: &str| -> Value {
        serde_json::from_str(header["__metadata__"][key].as_str().unwrap()).unwrap()
    };
    assert_eq!(metadata("config")["subwords"]["rows"], 200);
    let provenance = metadata("provenance");
    assert_eq!(provenance["options"]["loss"], "contrastive");
    assert_eq!(provenance["data"][0]["file"], "pairs.tsv");
    assert_eq!(provenance["data"][1]["language"], "xx");
    assert!(
        provenance["validation"]["accuracy@1"].is_null()
            || provenance["validation"]["accuracy@1"].is_f64()
    );
}

#[test]
fn what_cannot_be_trained_on_is_refused_and_nothing_written() {
    let place = place();
    place.write("empty.tsv", "");
    place.write("columns.tsv", "set\tgroup\tid\tonly four\n");
    place.write("signs.tsv", "s\tg\t1\t!!!\t???\ns\tg\t2\t...\t---\n");
    place.write("broken.tsv", b"s\tg\t1\tcaf\xe9\tx\n");
    let train = "train --loss contrastive --language xx --out out/m.safetensors --pairs";
    for (file, expected) in [
        ("empty.tsv", "no lines"),
        ("columns.tsv", "line 1: 4 tab-separated column(s), expected 5"),
        ("signs.tsv", "fewer than two pairs"),
        ("broken.tsv", "not UTF-8"),
        ("nowhere.tsv", "cannot be read"),
    ] {
        place.refuses(&format!("{train} {file}"), 1, &[file, expected]);
    }
    let out = "--out out/m.safetensors";
    for (line, expected) in [
        (format!("train --loss contrastive {out}"), "--pairs"),
        (format!("train --pairs pairs.tsv --language xx {out}"), "only with --loss contrastive"),
        (
            format!("{train} pairs.tsv --pairs pairs.tsv"),
            "2 --pairs, 0 --lexicon and 0 --queries but 1 --language",
        ),
        (format!("{train} pairs.tsv --encoder cnn"), "--encoder"),
        (format!("{train} pairs.tsv --refit"), "--refit"),
        (format!("{train} pairs.tsv data"), "trains on --pairs, not on folders"),
    ] {
        place.refuses(&line, 2, &[expected]);
    }
}

#[test]
fn both_halves_together_and_each_alone_find_translations() {
    let place = place();
    place.run(&format!("{TRAIN} --out m.safetensors")).success();
    // By words alone the rare ones, which the lexicon's pairs leave unsettled, can tie; by chance a thirtieth would be found.
    for (dense, least) in [("", 0.9), ("--dense 1", 0.9), ("--dense 0", 0.7)] {
        let result =
            place.json(&format!("evaluate m.safetensors --pairs pairs.tsv {dense} --json"));
        let found = ["en-xx", "xx-en"].map(|direction| accuracy(&result, direction));
        assert!(found.iter().all(|&found| found > least), "{dense}: {found:?}");
    }
    place.refuses("evaluate m.safetensors --pairs pairs.tsv --dense 1.5", 2, &["from 0 to 1"]);
    // A file that is named after another language is evaluated all the same.
    fs::copy(place.path("pairs.tsv"), place.path("en-yy.tsv")).unwrap();
    let told = |line: &str| {
        let assert = place.run(line).success();
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    };
    let said = told("evaluate m.safetensors --pairs en-yy.tsv");
    assert!(said.contains("en-yy.tsv is read as texts in xx, not yy"), "{said}");
    place.run(&format!("{TRAIN} --most-translations 0 --out vectors.safetensors")).success();
    let said = told("evaluate vectors.safetensors --pairs pairs.tsv --dense 0");
    assert!(said.contains("--dense changes nothing: the model has no lexical scores"), "{said}");
    place.run("index m.safetensors data/documents.tsv --out m.index").success();
    let hit = |options: &str| {
        place.json(&format!("search m.safetensors m.index w3 {options} --limit 1 --json"))["hits"]
            [0]
        .clone()
    };
    assert!(hit("--dense 0")["text"].as_str().unwrap().contains("m3"));
    assert!(hit("")["lexical"].as_f64().unwrap() > 0.0);
    assert!(hit("--dense 1")["lexical"].is_null());
}

#[test]
fn a_model_without_translations_ranks_by_vectors_alone_and_fewer_translations_make_it_smaller() {
    let place = place();
    let size = |options: &str, out: &str| {
        place.run(&format!("{TRAIN} {options} --out {out}")).success();
        fs::metadata(place.path(out)).unwrap().len()
    };
    let all = size("", "all.safetensors");
    let one = size("--most-translations 1", "one.safetensors");
    let none = size("--most-translations 0", "none.safetensors");
    assert!(all > one && one > none, "{all} {one} {none}");
    let result = |dense| {
        place.json(&format!("evaluate none.safetensors --pairs pairs.tsv --dense {dense} --json"))
    };
    assert_eq!(result(0), result(1));
}

#[test]
fn forms_of_a_word_that_no_pair_has_are_found_by_the_end_that_they_share() {
    let place = Place::new();
    let roots = ["penda", "soma", "lipa", "cheza", "imba", "lala", "pika", "lima"];
    let english = ["love", "read", "paid", "play", "sing", "rest", "cook", "farm"];
    let line = |prefix: &str, inflection: &str, number: usize| {
        let at = |step: usize| (number * 3 + step) % roots.len();
        let side = |word: &dyn Fn(usize) -> String| [0, 1, 4].map(|step| word(at(step))).join(" ");
        let (first, second) = (
            side(&|at| format!("{}{inflection}", english[at])),
            side(&|at| format!("{prefix}{}", roots[at])),
        );
        format!("s\t{number}\t{number}\t{first}\t{second}\n")
    };
    let file = |prefix, inflection| -> String {
        (0..roots.len()).map(|number| line(prefix, inflection, number)).collect()
    };
    place.write("pairs.tsv", file("ana", "s").repeat(5));
    place.write("unseen.tsv", file("wali", "ing"));
    let train = "train --loss contrastive --language sw --pairs pairs.tsv --dimension 8 --epochs 1 --batch-size 8";
    let found = |options: &str| {
        place.run(&format!("{train} {options} --out m.safetensors")).success();
        let result = place.json("evaluate m.safetensors --pairs unseen.tsv --dense 0 --json");
        ["en-sw", "sw-en"].map(|of| result["sets"]["s"][of]["accuracy@1"].as_f64().unwrap())
    };
    assert_eq!(found("--stems tail"), [1.0; 2]);
    // All are tied: any of eight is as good as another.
    assert_eq!(found("--stems none"), [0.125; 2]);
    place.refuses(
        &format!("{train} --stems head --stems tail --out m"),
        2,
        &["--stems", "1 --language"],
    );
    place.refuses(&format!("{train} --stems root --out m"), 2, &["head", "tail", "none"]);
}

#[test]
fn rows_of_four_bits_halve_a_model_and_find_translations() {
    let place = place();
    let size = |precision: &str| {
        let out = format!("{precision}.safetensors");
        place
            .run(&format!("{TRAIN} --most-translations 0 --precision {precision} --out {out}"))
            .success();
        fs::metadata(place.path(&out)).unwrap().len()
    };
    assert!(size("i4") < size("i8"));
    let result = place.json("evaluate i4.safetensors --pairs pairs.tsv --json");
    assert!(accuracy(&result, "en-xx") > 0.9, "{result}");
}

#[test]
fn files_can_be_gone_through_more_than_once_and_sources_are_stated() {
    let place = place();
    place.write("more.tsv", "more\t1\t1\tzebra stripes\tzebra mistari\nmore\t2\t2\tlion\tsimba\n");
    place.write("card.json", r#"{"sources":[{"name":"Toy","licence":"CC0"}]}"#);
    place.write("other.json", r#"{"sources":[{"name":"Toy"}]}"#);
    let train =
        format!("{TRAIN} --language xx --pairs more.tsv --epochs 2").replace("--epochs 25", "");
    place
        .run(&format!("{train} --repeat 1 --repeat 5 --sources card.json --out a.safetensors"))
        .success();
    place.run(&format!("{train} --out b.safetensors")).success();
    let bytes = |name: &str| fs::read(place.path(name)).unwrap();
    assert!(bytes("a.safetensors") != bytes("b.safetensors"));
    let text = String::from_utf8_lossy(&bytes("a.safetensors")).into_owned();
    assert!(text.contains("Toy") && text.contains("CC0"));
    let refused = format!("{train} --sources other.json --out c.safetensors");
    place.refuses(&refused, 1, &["other.json", "licence"]);
}

#[test]
fn typed_queries_are_judged_over_the_built_in_corpus() {
    let place = place();
    place.run("corpus --language sw --out corpus/").success();
    let pairs = fs::read_to_string(place.path("corpus/pairs.tsv")).unwrap();
    assert_eq!(pairs.lines().count(), 608);
    // Each entry by its name, and the queries in English and in Swahili.
    let asked = fs::read_to_string(place.path("corpus/asked.tsv")).unwrap();
    let typed =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/queries.tsv")).unwrap();
    let of = |language: &str| {
        typed.lines().filter(|line| line.split('\t').nth(1) == Some(language)).count()
    };
    assert_eq!(asked.lines().count(), 608 + of("en") + of("sw"));
    let few: Vec<&str> = pairs.lines().take(40).collect();
    place.write("few.tsv", few.join("\n"));
    place
        .run("train --loss contrastive --language sw --pairs few.tsv --dimension 16 --subwords 500 --epochs 30 --batch-size 8 --out m.safetensors")
        .success();
    let query = few[7].split('\t').nth(3).unwrap();
    let id = few[7].split('\t').nth(2).unwrap();
    place.write("typed.tsv", format!("whole\t*\t{id}\t{query}\nnone\tsw\t{id}\txyzzy\n"));
    let result = place.json("evaluate m.safetensors --typed typed.tsv --json");
    assert_eq!(result["success@3"]["whole"]["sw"], 1.0, "{result}");
    assert_eq!(result["success@3"]["none"]["sw"], 0.0, "{result}");
    assert_eq!(result["success@3"]["all"]["sw"], 0.5);

    // Of each language in a file of its own, over the documents in each.
    fs::create_dir(place.path("typed")).unwrap();
    place.write("typed/en.tsv", format!("whole\t{id}\t{query}\nnone\t{id}\txyzzy\n"));
    let swahili = few[7].split('\t').nth(4).unwrap();
    place.write("typed/sw.tsv", format!("whole\t{id}\t{swahili}\n"));
    place.write("typed/fr.tsv", "of a language that the model has not\n");
    let rows = place.json("evaluate m.safetensors --typed-in typed --json");
    let [english, own] = &rows.as_array().unwrap()[..] else { panic!("{rows}") };
    assert_eq!((&english["language"], &english["queries"]), (&json!("en"), &json!(2)));
    assert_eq!((&english["success@3"]["sw"], &english["MRR@10"]["sw"]), (&json!(0.5), &json!(0.5)));
    assert_eq!(english["taken"], json!({ "en": 2 }));
    assert_eq!((&own["success@3"]["sw"], &own["taken"]), (&json!(1.0), &json!({ "sw": 1 })));
    let chosen = place.json("evaluate m.safetensors --typed-in typed --chosen --json");
    assert_eq!(chosen[1]["success@3"]["sw"], 1.0);
    fs::create_dir(place.path("none")).unwrap();
    let problem = "none: has no file of queries in a language of the model, such as fr.tsv";
    place.refuses("evaluate m.safetensors --typed-in none", 1, &[problem]);
}

#[test]
fn options_that_change_nothing_are_refused() {
    let place = place();
    for (option, said) in [
        ("--negatives 10", "--negatives: not supported with --loss contrastive"),
        ("--select map", "--select: not supported with --loss contrastive"),
        ("--split-by group", "--split-by: not supported with --loss contrastive"),
        ("--split-seed 2", "--split-seed: not supported with --loss contrastive"),
        ("--rivals 3", "--rivals: only --objective sosl and sum use it"),
        ("--objective sosl --temperature 0.2", "--temperature: only --objective softmax and sum"),
    ] {
        place.refuses(&format!("{TRAIN} {option} --out m.safetensors"), 2, &[said]);
    }
}
