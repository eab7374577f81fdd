//! An index in segments: appended to, put together, and searched meanwhile.

use std::fs;
use std::process::{Command, Stdio};

use crate::toy::{IDEAS, Place, QUICK, clir};
use serde_json::Value;

/// Documents in three files of lines, and all in one.
fn place() -> Place {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    let all = place.read("data/documents.tsv");
    let lines: Vec<&str> = all.lines().collect();
    for (number, part) in lines.chunks(25).enumerate() {
        place.write(&format!("part{number}.tsv"), part.join("\n"));
    }
    place.run("index m.safetensors data --out whole.index").success();
    place
}

impl Place {
    fn append(&self, part: &str, options: &str) {
        self.run(&format!("index m.safetensors {part} --append --out seg/ {options}")).success();
    }

    fn list(&self) -> Vec<(String, u64)> {
        let list: Value = serde_json::from_str(&self.read("seg/segments.json")).unwrap();
        let segment =
            |of: &Value| (of["name"].as_str().unwrap().into(), of["documents"].as_u64().unwrap());
        list["segments"].as_array().unwrap().iter().map(segment).collect()
    }

    fn folders(&self) -> usize {
        let entries = fs::read_dir(self.path("seg")).unwrap();
        entries.filter(|entry| entry.as_ref().unwrap().path().is_dir()).count()
    }

    /// Each word's search, with all that is told of its hits, is the one of the index in one file.
    fn searches_as_the_whole(&self) {
        for idea in 0..IDEAS {
            let search = |index: &str| {
                self.json(&format!("search m.safetensors {index} w{idea} --limit 60 --json"))
            };
            assert_eq!(search("seg/"), search("whole.index"));
        }
    }
}

#[test]
fn what_is_appended_in_several_goes_is_searched_like_one_index() {
    let place = place();
    for part in 0..3 {
        place.append(&format!("part{part}.tsv"), "--segment 10 --block 3");
    }
    let sizes: Vec<u64> = place.list().into_iter().map(|(_, documents)| documents).collect();
    assert_eq!(sizes, [10, 10, 5, 10, 10, 5, 10]);
    place.searches_as_the_whole();
}

#[test]
fn a_field_that_no_document_has_is_refused_before_any_is_added() {
    let place = place();
    place.write("d.jsonl", r#"{"id": "a", "text": "w1", "topic": "sea"}"#);
    place.refuses(
        "index m.safetensors d.jsonl --append --out seg/ --field topc",
        2,
        &["--field topc"],
    );
    place.append("d.jsonl", "--field topic");
    let found = place.json("search m.safetensors seg/ w1 --filter topic=sea --json");
    assert_eq!(found["hits"].as_array().unwrap().len(), 1);
}

#[test]
fn the_same_segments_come_of_any_number_of_threads() {
    let place = place();
    let files = |threads: &str| {
        let line = format!("index m.safetensors data --append --segment 7 --out seg{threads}/");
        let command = clir()
            .current_dir(place.root.path())
            .env("RAYON_NUM_THREADS", threads)
            .args(line.split_whitespace())
            .assert();
        command.success();
        let name = |number| format!("seg{threads}/segment.{number}/index.safetensors");
        (1..=9).map(|number| fs::read(place.path(&name(number))).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(files("1"), files("3"));
}

#[test]
fn what_is_there_word_for_word_is_passed_over_and_another_text_refused() {
    let place = place();
    place.append("part0.tsv", "--segment 10");
    let before = place.list();
    let again = place.run("index m.safetensors data --append --out seg/ --segment 10").success();
    let told = String::from_utf8(again.get_output().stderr.clone()).unwrap();
    assert!(told.contains("60 documents, 35 new, 25 were in the index already"), "{told}");
    assert_eq!(place.list()[..3], before);
    place.searches_as_the_whole();
    place.write("other.tsv", "new\t\tm1\nd3\tTitre 3\tm1 m2\n");
    let line = "index m.safetensors other.tsv --append --out seg/";
    let told = place.run(line).code(1);
    let told = String::from_utf8(told.get_output().stderr.clone()).unwrap();
    assert!(told.contains("id `d3` is in the index already"), "{told}");
    place.searches_as_the_whole();
}

#[test]
fn an_append_that_was_broken_off_goes_on_and_leaves_nothing_behind() {
    let place = place();
    place.append("part0.tsv", "--segment 10");
    // A segment that was being written when the power failed: its number is taken before.
    place.replace("seg/segments.json", r#""next": 4"#, r#""next": 5"#);
    fs::create_dir(place.path("seg/segment.4")).unwrap();
    place.write("seg/segment.4/index.safetensors", "whole");
    place.write("seg/segment.4/.smooth-clir-a1B2c3.partial", "half a fi");
    place.searches("w1");
    place.append("data", "--segment 10");
    assert_eq!(place.folders(), place.list().len());
    place.searches_as_the_whole();
    // A line that is wrong ends it; what came before it is kept.
    place.write("bad.tsv", "x1\t\tm1\nx2\tno text\n");
    place.run("index m.safetensors bad.tsv --append --out seg/").code(1);
    let hits = place.json("search m.safetensors seg/ w1 --limit 99 --json");
    assert_eq!(hits["hits"].as_array().unwrap().len(), 61);
}

impl Place {
    fn searches(&self, query: &str) {
        self.run(&format!("search m.safetensors seg/ {query}")).success();
    }
}

#[test]
fn segments_are_put_together_as_far_as_they_may_and_no_ranking_changes() {
    let place = place();
    place.append("data", "--segment 7");
    place.run("compact seg/ --segment 20").success();
    let sizes: Vec<u64> = place.list().into_iter().map(|(_, documents)| documents).collect();
    assert_eq!(sizes, [14, 14, 14, 18]);
    assert_eq!(place.folders(), 4);
    place.searches_as_the_whole();
    place.run("compact seg/").success();
    let names: Vec<String> = place.list().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), 1);
    place.searches_as_the_whole();
    // As if it had been encoded at once.
    place.run("index m.safetensors data --precision f32 --block 1000 --out parts/").success();
    let file = |folder: &str| fs::read(place.path(&format!("{folder}/index.safetensors"))).unwrap();
    assert_eq!(file(&format!("seg/{}", names[0])), file("parts"));
    place.run("compact seg/").success();
    assert_eq!(place.list()[0].0, names[0], "nothing is written anew without need");
}

#[test]
fn it_can_be_searched_while_it_is_written_and_put_together() {
    let place = place();
    let lines: String = (0..600).map(|at| format!("x{at}\t\tm{} m{}\n", at % 10, at % 7)).collect();
    place.write("many.tsv", lines);
    place.append("part0.tsv", "");
    for line in [
        "index m.safetensors many.tsv --append --segment 20 --out seg/",
        "compact seg/ --segment 200",
    ] {
        let mut writer = Command::new(assert_cmd::cargo::cargo_bin!("smooth-clir"))
            .current_dir(place.root.path())
            .args(line.split_whitespace())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut searches = 0;
        while writer.try_wait().unwrap().is_none() || searches == 0 {
            place.searches("w1");
            searches += 1;
        }
        assert!(writer.wait().unwrap().success());
    }
    assert_eq!(place.list().iter().map(|(_, documents)| documents).sum::<u64>(), 625);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let place = place();
    place.append("part0.tsv", "");
    let refuses = |line: &str, status: i32, expected: &str| {
        let told = place.run(line).code(status);
        let told = String::from_utf8(told.get_output().stderr.clone()).unwrap();
        assert!(told.contains(expected), "{line}: {told}");
    };
    let append = "index m.safetensors part1.tsv --append";
    refuses(&format!("{append} --out seg"), 2, "slash");
    refuses(&format!("{append} --out seg/ --precision i8"), 2, "--precision");
    refuses("index m.safetensors --append --out seg/", 2, "<DOCUMENTS>");
    refuses("index m.safetensors part1.tsv --out seg/", 1, "--append");
    place.run("index m.safetensors part1.tsv --out parts/").success();
    refuses(&format!("{append} --out parts/"), 1, "not in segments");
    refuses("compact parts/", 1, "segments.json");
    place.run(&format!("{QUICK} --seed 9 --out other.safetensors")).success();
    refuses("index other.safetensors part1.tsv --append --out seg/", 1, "another model");
    refuses("search other.safetensors seg/ w1", 1, "seg");
    // Another program writes.
    let lock = fs::File::create(place.path("seg/.lock")).unwrap();
    lock.lock().unwrap();
    refuses(&format!("{append} --out seg/"), 1, "another program");
    refuses("compact seg/", 1, "another program");
    place.searches("w1");
}

#[test]
fn a_list_that_is_none_or_does_not_fit_is_refused_with_what_is_wrong() {
    let place = place();
    place.append("part0.tsv", "");
    let good = place.read("seg/segments.json");
    for (old, new, expected) in [
        ("segment.1", "../seg/segment.1", "invalid segment name"),
        ("\"version\": 1", "\"version\": 2", "version 2"),
        ("\"kind\": \"segments\"", "\"kind\": \"index\"", "kind `index`"),
        ("\"documents\": 25", "\"documents\": 24", "25 documents"),
        ("\"next\"", "\"more\"", "more"),
        ("segment.1", "segment.7", "segment.7"),
    ] {
        assert!(good.contains(old), "{good}");
        place.write("seg/segments.json", good.replace(old, new));
        place.refuses("search m.safetensors seg/ w1", 1, &["seg", expected]);
    }
    place.write("seg/segments.json", &good[..good.len() / 2]);
    place.refuses("search m.safetensors seg/ w1", 1, &["segments.json", "not a list of segments"]);
}

/// What is not the index's is left as it is: files and folders whose names look like its own.
#[test]
fn a_folder_that_only_looks_like_a_segment_is_left_alone() {
    let place = place();
    place.write_in("seg/segment.1", "thesis.txt", "four years of work");
    let told = "segment.1 exists already";
    place.refuses("index m.safetensors part0.tsv --append --out seg/", 1, &[told]);
    assert_eq!(place.read("seg/segment.1/thesis.txt"), "four years of work");
    assert!(!place.path("seg/segments.json").exists());

    fs::rename(place.path("seg/segment.1"), place.path("seg/segment.77")).unwrap();
    place.write_in("seg/segment.07", "thesis.txt", "of another name");
    place.append("data", "--segment 20");
    place.run("compact seg/").success();
    place.append("part0.tsv", "");
    assert_eq!(place.list().len(), 1);
    assert_eq!(place.read("seg/segment.77/thesis.txt"), "four years of work");
    assert_eq!(place.read("seg/segment.07/thesis.txt"), "of another name");

    // A file of somebody else's in a segment that is put together with others.
    place.append("part0.tsv", "--segment 10");
    place.write("new.tsv", "n1\t\tm1\n");
    place.append("new.tsv", "");
    let names: Vec<String> = place.list().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names.len(), 2);
    let note = format!("seg/{}/note.txt", names[0]);
    place.write(&note, "do not lose");
    place.run("compact seg/").success();
    assert_eq!(place.read(&note), "do not lose");
    let left = fs::read_dir(place.path(&format!("seg/{}", names[0]))).unwrap();
    assert_eq!(left.count(), 1);
}

#[cfg(unix)]
#[test]
fn no_link_leads_to_a_file_that_is_removed_or_emptied() {
    use std::os::unix::fs::symlink;

    let place = place();
    place.write_in("precious", "index.safetensors", "not to be lost");
    place.append("data", "--segment 20");
    // The name of a segment that has been there, as what a broken append leaves behind.
    place.run("compact seg/").success();
    symlink(place.path("precious"), place.path("seg/segment.1")).unwrap();
    place.run("compact seg/").success();
    assert_eq!(place.read("precious/index.safetensors"), "not to be lost");

    fs::remove_file(place.path("seg/.lock")).unwrap();
    symlink(place.path("precious/index.safetensors"), place.path("seg/.lock")).unwrap();
    for line in ["index m.safetensors part0.tsv --append --out seg/", "compact seg/"] {
        place.refuses(line, 1, &["seg/.lock"]);
        assert_eq!(place.read("precious/index.safetensors"), "not to be lost");
    }
    fs::remove_file(place.path("seg/.lock")).unwrap();
    fs::create_dir(place.path("seg/.lock")).unwrap();
    place.refuses("compact seg/", 1, &["seg/.lock"]);
}
