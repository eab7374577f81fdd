//! Every call on a file fails once, and what is on the disk is what was there or what was to be there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::toy::{Place, QUICK};

/// The library that has a call fail.
fn library(place: &Place) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/faults.c");
    let library = place.path("faults.so");
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .args([&library, &source])
        .arg("-ldl")
        .status()
        .unwrap();
    assert!(built.success());
    library
}

/// The files in `out/`.
fn files(place: &Place) -> BTreeMap<String, Vec<u8>> {
    let read = |name: String| {
        let bytes = fs::read(place.path("out").join(&name)).unwrap();
        (name, bytes)
    };
    place.out().into_iter().map(read).collect()
}

/// Puts files in `out/` in place of what is there.
fn put(place: &Place, files: &BTreeMap<String, Vec<u8>>) {
    fs::remove_dir_all(place.path("out")).unwrap();
    fs::create_dir(place.path("out")).unwrap();
    for (name, bytes) in files {
        fs::write(place.path("out").join(name), bytes).unwrap();
    }
}

/// Has each call on a file of the place fail in turn, while the command line writes to an `out/` with
/// these files; how many there were.
fn each_call_fails_in_turn(place: &Place, line: &str, before: &BTreeMap<String, Vec<u8>>) -> usize {
    let library = library(place);
    let root = fs::canonicalize(place.path("")).unwrap();
    let run = |at: usize| -> Output {
        put(place, before);
        Command::new(assert_cmd::cargo::cargo_bin!("smooth-clir"))
            .current_dir(&root)
            .args(line.split_whitespace())
            .env("LD_PRELOAD", &library)
            .env("FAULT_FOLDER", &root)
            .env("FAULT_AT", at.to_string())
            .output()
            .unwrap()
    };
    let complete = run(usize::MAX);
    assert!(complete.status.success(), "{line}: {}", String::from_utf8_lossy(&complete.stderr));
    let after = files(place);
    for at in 0.. {
        let output = run(at);
        let said = String::from_utf8(output.stderr).unwrap();
        let Some(fault) = said.lines().find(|line| line.starts_with("injected: ")) else {
            assert_eq!(files(place), after, "{line}");
            println!("{line}: {at} calls failed in turn");
            return at;
        };
        let (fault, found) = (format!("{line}: {fault}"), files(place));
        for (name, bytes) in &found {
            let [old, new] = [before, &after].map(|files| files.get(name) == Some(bytes));
            assert!(old || new, "{fault}: {name} is neither what it was nor what it should be");
        }
        assert!(
            before.keys().all(|name| found.contains_key(name) || !after.contains_key(name)),
            "{fault}: a file is lost"
        );
        if output.status.success() {
            assert_eq!(found, after, "{fault}: it says that it succeeded");
            continue;
        }
        assert_eq!(output.status.code(), Some(1), "{fault}: {said}");
        let error = said.lines().find(|line| line.starts_with("error: "));
        let error = error.unwrap_or_else(|| panic!("{fault}: no error in {said}"));
        let names_file = fault.rsplit('/').next().unwrap();
        let is_partial = names_file.contains(".partial");
        assert!(is_partial || error.contains(names_file), "{fault}: told as {error}");
        assert!(error.contains("os error 5") || error.contains("os error 28"), "{fault}: {error}");
        assert_eq!(output.stdout, b"", "{fault}");
    }
    unreachable!()
}

/// What a command wrote to `out/`, for the next to find there.
fn written(place: &Place, line: &str) -> BTreeMap<String, Vec<u8>> {
    put(place, &BTreeMap::new());
    place.run(line).success();
    files(place)
}

#[test]
fn a_training_whose_files_fail_says_which_and_leaves_a_whole_model_or_the_one_before() {
    let place = Place::new();
    let other = written(&place, &format!("{QUICK} --seed 2 --out out/model.safetensors"));
    for before in [&BTreeMap::new(), &other] {
        let calls = each_call_fails_in_turn(
            &place,
            &format!("{QUICK} --out out/model.safetensors"),
            before,
        );
        assert!(calls >= 10, "{calls} calls");
    }
}

#[test]
fn an_index_whose_files_fail_is_the_one_before_or_each_of_its_files_is_whole() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out model.safetensors")).success();
    place.write("fewer.tsv", "d\tTitle\tm1 m2\ne\tTitle\tm3\n");
    let line =
        |documents: &str| format!("index model.safetensors {documents} --out out/ --block 20");
    for (documents, earlier) in
        [("data/documents.tsv", "fewer.tsv"), ("fewer.tsv", "data/documents.tsv")]
    {
        let before = written(&place, &line(earlier));
        let calls = each_call_fails_in_turn(&place, &line(documents), &before);
        assert!(calls >= 10, "{calls} calls");
    }
}

#[test]
fn evaluation_runs_and_manifests_are_whole_or_not_there() {
    let place = Place::new();
    place.run(&format!("{QUICK} --out model.safetensors")).success();
    each_call_fails_in_turn(
        &place,
        "evaluate model.safetensors data --run out/run.txt --qrels out/qrels.txt",
        &BTreeMap::new(),
    );
    let one = BTreeMap::from([(
        "a.safetensors".to_owned(),
        fs::read(place.path("model.safetensors")).unwrap(),
    )]);
    each_call_fails_in_turn(&place, "manifest out", &one);
}
