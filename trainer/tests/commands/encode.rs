//! Texts through a pipe: their vectors are those of an index, in order, to the bit.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use crate::toy::{Place, QUICK, TEXTS, clir, document, query};
use assert_cmd::assert::Assert;
use safetensors::SafeTensors;
use serde_json::{Value, json};

fn place() -> Place {
    let place = Place::new();
    place.run(&format!("{QUICK} --out m.safetensors")).success();
    place
}

impl Place {
    fn encode(&self, options: &str, input: impl Into<Vec<u8>>) -> Assert {
        let line = format!("encode m.safetensors --stdin {options}");
        let mut command = clir();
        command.current_dir(self.root.path()).args(line.split_whitespace());
        command.write_stdin(input).assert()
    }

    fn encoded(&self, options: &str, input: impl Into<Vec<u8>>) -> String {
        let assert = self.encode(options, input).success();
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    }
}

fn ids_and_bits(lines: &str) -> Vec<(String, Vec<u32>)> {
    let line = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        let numbers = line["vector"].as_array().unwrap().iter();
        let bits = numbers.map(|x| (x.as_f64().unwrap() as f32).to_bits()).collect();
        (line["id"].as_str().unwrap().to_owned(), bits)
    };
    lines.lines().map(line).collect()
}

#[test]
fn vectors_are_those_of_an_index() {
    let place = place();
    place.run("index m.safetensors data --out d.index").success();
    let bytes = std::fs::read(place.path("d.index")).unwrap();
    let index = SafeTensors::deserialize(&bytes).unwrap();
    let vectors = index.tensor("vectors").unwrap();
    let bits = |four: &[u8]| u32::from_le_bytes(four.try_into().unwrap());
    let bits: Vec<u32> = vectors.data().chunks(4).map(bits).collect();

    let tsv: String = (0..TEXTS).map(|text| format!("é{text}\t{}\r\n", document(text))).collect();
    let found = ids_and_bits(&place.encoded("", tsv.as_str()));
    let expected: Vec<_> = (0..).map(|text| format!("é{text}")).zip(bits.chunks(8)).collect();
    assert_eq!(found.len(), TEXTS);
    for (found, (id, bits)) in found.iter().zip(expected) {
        assert_eq!((found.0.as_str(), &found.1[..]), (id.as_str(), bits));
    }

    let objects =
        (0..TEXTS).map(|text| json!({ "id": format!("é{text}"), "text": document(text) }));
    let objects: String = objects.map(|object| format!("{object}\n")).collect();
    assert_eq!(ids_and_bits(&place.encoded("--from jsonl --language xx", objects)), found);

    let lines = place.encoded("--as f32", tsv);
    for (line, (id, bits)) in lines.lines().zip(&found) {
        let hex = |bits: &u32| bits.to_le_bytes().map(|byte| format!("{byte:02x}")).concat();
        let numbers: String = bits.iter().map(hex).collect();
        assert_eq!(line, format!("{id}\t{numbers}"));
    }
}

#[test]
fn queries_have_vectors_of_their_own_and_a_text_of_no_known_word_zeros() {
    let place = place();
    let line = format!("q\t{}\n", query(0));
    let [as_document, as_query] =
        ["", "--queries"].map(|options| ids_and_bits(&place.encoded(options, line.as_str())));
    assert!(as_document[0].1.iter().all(|&bits| bits == 0), "{as_document:?}");
    assert!(as_query[0].1.iter().any(|&bits| bits != 0), "{as_query:?}");
    assert_eq!(place.encoded("", ""), "");
}

#[test]
fn a_line_is_answered_before_the_next_is_there() {
    let place = place();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("smooth-clir"))
        .current_dir(place.root.path())
        .args(["encode", "m.safetensors", "--stdin"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    for number in 0..3 {
        // And a piece of the next.
        let text =
            if number == 0 { format!("{number}\tm1\n1") } else { format!("\tm2\n{}", number + 1) };
        input.write_all(text.as_bytes()).unwrap();
        let line: Value = serde_json::from_str(&output.next().unwrap().unwrap()).unwrap();
        assert_eq!(line["id"], number.to_string());
    }
    input.write_all(b"\tm3").unwrap();
    drop(input);
    assert_eq!(output.count(), 1);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_bad_line_is_an_error_with_its_number_after_those_before_it() {
    let place = place();
    let bad = [
        ("", &b"a\tm1\nno tab\nb\tm2\n"[..], "no tab"),
        ("", b"a\tm1\n\nb\tm2\n", "no tab"),
        ("", b"a\tm1\nb\tm\xff\n", "not UTF-8"),
        ("--from jsonl", b"{\"id\":1,\"text\":\"m1\"}\n{\"id\":2}\n", "no `text`"),
        ("--from jsonl", b"{\"id\":1,\"text\":\"m1\"}\nb\tm2\n", "not JSON"),
        (
            "--from jsonl --as f32",
            b"{\"id\":1,\"text\":\"m1\"}\n{\"id\":\"a\\tb\",\"text\":\"\"}\n",
            "a tab",
        ),
    ];
    for (options, input, expected) in bad {
        let assert = place.encode(options, input).code(1);
        let errors = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(errors.starts_with("error: standard input, line 2: "), "{errors}");
        assert!(errors.contains(expected) && errors.lines().count() == 1, "{errors}");
        assert_eq!(assert.get_output().stdout.iter().filter(|&&byte| byte == b'\n').count(), 1);
    }
    place.refuses("encode m.safetensors", 2, &["--stdin"]);
    place.refuses("encode m.safetensors --stdin --language fr", 2, &["fr"]);
}

// ---- files ---------------------------------------------------------------------------------

/// The documents of the toy, each a line, and their vectors by `--stdin`.
fn lines_and_vectors(place: &Place) -> (String, Vec<Vec<u32>>) {
    let texts: String = (0..TEXTS).map(|text| format!("{}\n", document(text))).collect();
    let tsv: String = (0..TEXTS).map(|text| format!("x\t{}\n", document(text))).collect();
    let vectors = ids_and_bits(&place.encoded("", tsv)).into_iter().map(|(_, bits)| bits);
    (texts, vectors.collect())
}

fn bits_of(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect()
}

#[test]
fn a_file_is_encoded_by_lines_and_its_ids_are_their_numbers() {
    let place = place();
    let (texts, vectors) = lines_and_vectors(&place);
    place.write("texts.txt", &texts);
    let expected: Vec<_> = (1..).map(|line: usize| line.to_string()).zip(vectors).collect();
    assert_eq!(ids_and_bits(&place.output("encode m.safetensors texts.txt")), expected);
    place.run("encode m.safetensors texts.txt --out v.jsonl").success().stdout("");
    assert_eq!(ids_and_bits(&place.read("v.jsonl")), expected);
    // By its name's ending, or as it is told.
    place.write("texts.tsv", "a\tm1\n");
    place.write("texts.jsonl", "{\"id\": \"a\", \"text\": \"m1\"}\n");
    let found = place.output("encode m.safetensors texts.tsv");
    assert!(found.starts_with("{\"id\":\"a\""), "{found}");
    assert_eq!(place.output("encode m.safetensors texts.jsonl"), found);
    assert_eq!(
        place.output("encode m.safetensors texts.txt --from lines --language xx").lines().count(),
        TEXTS
    );
    assert_eq!(place.encoded("--from lines", "m1\n"), found.replace("\"a\"", "\"1\""));
}

#[test]
fn a_line_without_words_keeps_its_row_in_an_array() {
    let place = place();
    let (texts, mut vectors) = lines_and_vectors(&place);
    place.write("texts.txt", format!("\n{texts}"));
    vectors.insert(0, vec![0; 8]);
    place.run("encode m.safetensors texts.txt --out v.npy").success().stdout("");
    let bytes = std::fs::read(place.path("v.npy")).unwrap();
    // As numpy.save writes the same array.
    let header =
        format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, 8), }}", TEXTS + 1);
    let expected =
        [&b"\x93NUMPY\x01\x00\x76\x00"[..], format!("{header:<117}\n").as_bytes()].concat();
    assert_eq!(bytes[..128], expected);
    assert_eq!(bits_of(&bytes[128..]), vectors.concat());

    place.run("encode m.safetensors texts.txt --out v.safetensors").success().stdout("");
    let bytes = std::fs::read(place.path("v.safetensors")).unwrap();
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let tensor = file.tensor("vectors").unwrap();
    assert_eq!(tensor.shape(), [TEXTS + 1, 8]);
    assert_eq!(bits_of(tensor.data()), vectors.concat());
    let ids = file.tensor("ids").unwrap().data().to_vec();
    let offsets = bits_of(file.tensor("ids.offsets").unwrap().data());
    let second = &ids[offsets[1] as usize..offsets[2] as usize];
    assert_eq!((second, offsets.len()), (&b"2"[..], TEXTS + 2));
}

#[test]
fn a_wrong_file_or_option_of_encode_is_told() {
    let place = place();
    place.write("texts.txt", "m1\n");
    place.write("bad.tsv", "a\tm1\nno tab\n");
    let refuses = |options: &str, status, expected: &str| {
        place.refuses(&format!("encode m.safetensors {options}"), status, &[expected]);
    };
    refuses("nowhere.txt", 1, "nowhere.txt: cannot be read");
    refuses("bad.tsv --out out/v.npy", 1, "bad.tsv, line 2: no tab between id and text");
    refuses("texts.txt --as npy", 2, "--as npy: requires --out FILE");
    refuses("texts.txt --as safetensors", 2, "--as safetensors: requires --out FILE");
    refuses("texts.txt --stdin", 2, "cannot be used with");
    refuses("texts.txt --out texts.txt", 2, "is also an input");
    refuses("texts.txt --out m.safetensors", 2, "is also an input");
    refuses("texts.txt --out nowhere/v.npy", 1, "nowhere/v.npy: cannot be written");
}
