//! Text of documents that would mean something to JSON, to a terminal or to a line: it is told as it is,
//! or without what would mean something.

use std::fs;

use crate::toy::{Place, QUICK, clir};
use serde_json::{Value, json};

/// What ends strings and statements, begins an element, colours or clears a terminal, and turns a line round.
const HOSTILE: &str = "a'\"`;\\ -- {b} <c>&\u{1b}[2J\u{7}\u{9b}31m\u{7f}\u{202e}\u{2066}z";

/// No line has a character that a terminal acts on.
fn is_harmless(output: &[u8]) {
    let text = std::str::from_utf8(output).unwrap();
    let turns =
        |c| ('\u{202a}'..='\u{202e}').contains(&c) || ('\u{2066}'..='\u{2069}').contains(&c);
    let found = text.chars().find(|&c| turns(c) || c.is_control() && !matches!(c, '\n' | '\t'));
    assert_eq!(found, None, "{text:?}");
}

fn place() -> Place {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    let line = json!({ "id": HOSTILE, "title": HOSTILE, "text": format!("m1 {HOSTILE}"), "topic": HOSTILE });
    place.write("d.jsonl", line.to_string());
    place.run("index m.safetensors d.jsonl --field topic --out i").success();
    place
}

#[test]
fn what_a_document_says_comes_back_in_json_and_is_harmless_in_lines() {
    let place = place();
    let hit = place.json("search m.safetensors i w1 --json")["hits"][0].clone();
    assert_eq!([&hit["id"], &hit["title"]], [HOSTILE; 2]);
    assert_eq!(hit["text"], format!("m1 {HOSTILE}"));
    assert_eq!(hit["fields"], json!({ "topic": [HOSTILE] }));
    let printed = place.run("search m.safetensors i w1 --json").success();
    is_harmless(&printed.get_output().stdout);
    let lines = place.run("search m.safetensors i w1").success();
    let output = &lines.get_output().stdout;
    is_harmless(output);
    assert_eq!(output.iter().filter(|&&byte| byte == b'\n').count(), 1);
    assert!(String::from_utf8_lossy(output).contains("a'\"`;\\ -- {b} <c>&"));
    // Told as an id that is there twice, and as a value of a field.
    place.write("twice.jsonl", format!("{0}\n{0}", place.read("d.jsonl")).replace("m1", "m2"));
    let refused = place.run("index m.safetensors twice.jsonl --append --out seg/");
    is_harmless(&refused.get_output().stderr);
    place.write("other.jsonl", place.read("d.jsonl").replace("m1", "m2"));
    place.run("index m.safetensors d.jsonl --append --out seg2/").success();
    let refused = place.run("index m.safetensors other.jsonl --append --out seg2/").code(1);
    let said = &refused.get_output().stderr;
    assert!(String::from_utf8_lossy(said).contains("is in the index already"));
    is_harmless(said);
    let refused = place.run("search m.safetensors i w1 --filter nothing=1").code(1);
    is_harmless(&refused.get_output().stderr);
}

#[test]
fn typed_queries_that_fail_are_shown_harmlessly_in_a_line_each() {
    let place = Place::new();
    place.run("corpus --language sw --out corpus/").success();
    let pairs: Vec<String> =
        place.read("corpus/pairs.tsv").lines().take(8).map(str::to_owned).collect();
    place.write("pairs.tsv", pairs.join("\n"));
    place.run("train --loss contrastive --language sw --pairs pairs.tsv --dimension 4 --epochs 1 --batch-size 4 --out m.safetensors").success();
    place.write("typed.tsv", format!("{HOSTILE}\tsw\t{HOSTILE}\tsea {HOSTILE}\n"));
    for options in ["--failures", "--json"] {
        let shown = place.run(&format!("evaluate m.safetensors --typed typed.tsv {options}"));
        let shown = shown.success();
        let output = &shown.get_output().stdout;
        is_harmless(output);
        assert!(String::from_utf8_lossy(output).contains("a'"), "{options}");
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_are_whole_in_a_manifest_and_harmless_where_they_are_told() {
    let place = place();
    fs::create_dir(place.path("site")).unwrap();
    let name = HOSTILE.replace('/', "");
    place.write(&format!("site/{name}.md"), "m1");
    place.write("site/empty\u{1b}[2J.md", "");
    place.run("manifest site").success();
    let manifest: Value = serde_json::from_str(&place.read("site/manifest.json")).unwrap();
    let names = manifest["files"].as_object().unwrap().keys();
    let decoded = |name: &String| {
        percent_encoding::percent_decode_str(name).decode_utf8().unwrap().into_owned()
    };
    assert!(names.map(decoded).any(|found| found == format!("{name}.md")));
    let told = place.run("index m.safetensors site --out s").success();
    is_harmless(&told.get_output().stderr);
    let refused = place.run("index m.safetensors site --field t --out s").code(2);
    is_harmless(&refused.get_output().stderr);
    fs::copy(place.path("m.safetensors"), place.path(&name)).unwrap();
    let verified = clir().current_dir(place.path("")).args(["verify", &name]).assert().success();
    is_harmless(&verified.get_output().stdout);
}

#[test]
fn a_list_of_segments_and_a_file_of_another_model_are_told_harmlessly() {
    let place = place();
    place.run("index m.safetensors d.jsonl --append --out seg/").success();
    let list: Value = serde_json::from_str(&place.read("seg/segments.json")).unwrap();
    for (pointer, value) in
        [("/segments/0/name", HOSTILE), ("/format", HOSTILE), ("/kind", HOSTILE)]
    {
        let mut list = list.clone();
        *list.pointer_mut(pointer).unwrap() = value.into();
        place.write("seg/segments.json", list.to_string());
        for line in ["compact seg/", "search m.safetensors seg/ w1", "verify seg/"] {
            let refused = place.run(line).code(1);
            is_harmless(&refused.get_output().stderr);
            is_harmless(&refused.get_output().stdout);
        }
    }
    // The name of the model in an index, and of a language in both.
    for (file, name, value) in [("i", "model", HOSTILE), ("m.safetensors", "space", HOSTILE)] {
        place.write("bad", with_metadata(&fs::read(place.path(file)).unwrap(), name, value));
        let refused = place.run("verify bad").code(1);
        let said = &refused.get_output().stderr;
        assert!(String::from_utf8_lossy(said).contains("ASCII letters"));
        is_harmless(said);
    }
    let bytes = fs::read(place.path("i")).unwrap();
    let config = metadata(&bytes)["config"].as_str().unwrap().to_owned();
    let mut config: Value = serde_json::from_str(&config).unwrap();
    config["languages"][0] = HOSTILE.into();
    place.write("bad", with_metadata(&bytes, "config", &config.to_string()));
    let verified = place.run("verify bad");
    is_harmless(&verified.get_output().stdout);
    is_harmless(&verified.get_output().stderr);
}

fn header(bytes: &[u8]) -> (Value, &[u8]) {
    let length = u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    let (header, data) = bytes[8..].split_at(length);
    (serde_json::from_slice(header).unwrap(), data)
}

fn metadata(bytes: &[u8]) -> Value {
    header(bytes).0["__metadata__"].clone()
}

/// A file with another value in its metadata, and no digest.
fn with_metadata(bytes: &[u8], name: &str, value: &str) -> Vec<u8> {
    let (mut header, data) = header(bytes);
    let metadata = header["__metadata__"].as_object_mut().unwrap();
    metadata.remove("digest");
    metadata.insert(name.into(), value.into()).unwrap();
    let mut header = header.to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    [&(header.len() as u64).to_le_bytes()[..], &header, data].concat()
}
