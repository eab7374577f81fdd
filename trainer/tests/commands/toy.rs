//! A language small enough to know the answers: ten ideas, each one word in English (`w4`) and one
//! in the documents' language (`m4`); and a place to run the command line in.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::Value;
use tempfile::TempDir;

pub const NAMES: [&str; 7] = ["P_mr@1", "P_mr@5", "P_r@5", "NDCG@5", "MAP", "MRR_mr", "MRR_r"];
pub const IDEAS: usize = 10;
pub const TEXTS: usize = 60;

pub fn clir() -> Command {
    assert_cmd::cargo::cargo_bin_cmd!("smooth-clir")
}

/// The ideas of a text: every other way to choose three of ten.
pub fn ideas(text: usize) -> [usize; 3] {
    let mut all = Vec::new();
    for a in 0..IDEAS {
        for b in a + 1..IDEAS {
            all.extend((b + 1..IDEAS).map(|c| [a, b, c]));
        }
    }
    assert_eq!(all.len(), 2 * TEXTS);
    all[2 * text]
}

pub fn query(text: usize) -> String {
    ideas(text).map(|idea| format!("w{idea}")).join(" ")
}

pub fn document(text: usize) -> String {
    let [a, b, c] = ideas(text);
    format!("m{c} m{a}, m{b}.")
}

/// A folder of texts, each relevant to itself and partially to those it shares two ideas with.
pub fn write_toy(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    let (mut queries, mut documents, mut relevance) = (String::new(), String::new(), String::new());
    for text in 0..TEXTS {
        queries += &format!("q{text}\tTitle {text}\t{}\n", query(text));
        documents += &format!("d{text}\tTitre {text}\t{}\n", document(text));
        for other in 0..TEXTS {
            let shared = ideas(other).iter().filter(|idea| ideas(text).contains(idea)).count();
            if shared >= 2 {
                relevance += &format!("q{text}\td{other}\t{}\n", shared - 1);
            }
        }
    }
    fs::write(folder.join("queries.tsv"), queries).unwrap();
    fs::write(folder.join("documents.tsv"), documents).unwrap();
    fs::write(folder.join("relevance.tsv"), relevance).unwrap();
}

/// A place of its own for each test: `data/` with the toy, and `out/`, empty.
pub struct Place {
    pub root: TempDir,
}

impl Place {
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        write_toy(&root.path().join("data"));
        fs::create_dir(root.path().join("out")).unwrap();
        Self { root }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Runs a command line in this place, its words separated by spaces.
    pub fn run(&self, line: &str) -> Assert {
        clir().current_dir(self.root.path()).args(line.split_whitespace()).assert()
    }

    /// Starts a training that saves itself after each epoch, and kills it once it has.
    pub fn begin_and_kill(&self, line: &str, saved: &str) {
        let saved = self.path(saved);
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("smooth-clir"))
            .current_dir(self.root.path())
            .args(line.split_whitespace())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while !saved.exists() {
            assert!(child.try_wait().unwrap().is_none(), "it ended and left no {saved:?}");
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }

    /// Runs a command line that must succeed, and gives what it prints.
    pub fn output(&self, line: &str) -> String {
        let assert = self.run(line).success();
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    }

    pub fn json(&self, line: &str) -> Value {
        serde_json::from_str(&self.output(line)).unwrap()
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// Writes a file into a folder, which is made where it is not there.
    pub fn write_in(&self, folder: &str, name: &str, content: &str) {
        fs::create_dir_all(self.path(folder)).unwrap();
        self.write(&format!("{folder}/{name}"), content);
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Puts text in place of the first that is like `old`.
    pub fn replace(&self, name: &str, old: &str, new: &str) {
        let content = self.read(name);
        assert!(content.contains(old), "{name} has no {old:?}");
        self.write(name, content.replacen(old, new, 1));
    }

    /// What lies in `out/`.
    pub fn out(&self) -> Vec<String> {
        let names = fs::read_dir(self.path("out")).unwrap();
        let mut names: Vec<String> =
            names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs a command line that must fail with this status, one line that holds all of
    /// `expected`, and nothing written to `out/`.
    pub fn refuses(&self, line: &str, status: i32, expected: &[&str]) {
        let assert = self.run(line).code(status);
        let errors = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        for expected in expected {
            assert!(errors.contains(expected), "{line}: no {expected:?} in {errors}");
        }
        assert!(errors.starts_with("error: "), "{line}: {errors}");
        // The parser of options adds how to ask for help.
        assert!(status == 2 || errors.lines().count() == 1, "{line}: {errors}");
        assert!(errors.len() < 1000, "{line}: an error of {} bytes", errors.len());
        assert_eq!(self.out(), [""; 0], "{line} wrote something");
    }
}

/// A training of a moment, for what does not depend on how good it is.
pub const QUICK: &str = "train data --language xx --dimension 8 --epochs 2 --negatives 5";
/// A training that learns the toy.
pub const LEARN: &str = "train data --language xx --dimension 16 --epochs 20 --negatives 10 \
                     --batch-size 32 --learning-rate 0.05 --thresholds 0.2,0.6";

pub fn figures(of: &Value) -> BTreeMap<String, f64> {
    let of = of.as_object().unwrap();
    of.iter().map(|(name, value)| (name.clone(), value.as_f64().unwrap())).collect()
}
