//! `--init`: what the rows of words begin with. The files in `vectors/` were written by gensim,
//! fastText and pickle, and the numbers expected are what those read (`tests/reference/vectors.py`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use smooth_clir::model::Model;
use tempfile::TempDir;

const TEXTS: usize = 40;
const DIMENSION: usize = 4;
/// Some of them are in the files, in one spelling or another.
const WORDS: &str = "the cat paris été ng'ombe maison 東京 chats île dog";
/// A training so small in its steps that the model holds the rows it began with.
const STILL: &str = "train data --language xx --dimension 4 --epochs 1 --negatives 3 \
                     --thresholds 0.1,0.3 --learning-rate 1e-30 --out m.safetensors";

/// A folder with a toy to train on, every text of which has all of [`WORDS`].
struct Place {
    root: TempDir,
}

/// The rows of a side's words.
type Rows = BTreeMap<String, Vec<f32>>;

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let (mut queries, mut documents) = (String::new(), String::new());
        let mut relevance = String::new();
        for text in 0..TEXTS {
            queries += &format!("q{text}\tTitle\t{WORDS} w{text}\n");
            documents += &format!("d{text}\tTitre\t{WORDS} m{text}\n");
            relevance += &format!("q{text}\td{text}\t2\n");
        }
        let data = root.path().join("data");
        fs::create_dir(&data).unwrap();
        fs::write(data.join("queries.tsv"), queries).unwrap();
        fs::write(data.join("documents.tsv"), documents).unwrap();
        fs::write(data.join("relevance.tsv"), relevance).unwrap();
        Self { root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    fn command(&self, options: &str) -> Command {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("smooth-clir");
        command.current_dir(self.root.path());
        // An option is given once.
        let still = match options.contains("--dimension") {
            true => STILL.replace("--dimension 4", ""),
            false => STILL.into(),
        };
        command.args(still.split_whitespace()).args(options.split_whitespace());
        command
    }

    /// Trains, and gives what is told on standard error.
    fn train(&self, options: &str) -> String {
        let assert = self.command(options).assert().success();
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    }

    fn model(&self) -> Model {
        Model::read(&fs::read(self.path("m.safetensors")).unwrap()).unwrap()
    }

    fn documents(&self) -> Rows {
        let model = self.model();
        let side = &model.documents["xx"];
        let rows = (0..side.vocabulary.len())
            .map(|row| (side.vocabulary.token(row).into(), side.network.words().row(row).to_vec()));
        rows.collect()
    }

    fn queries(&self) -> Rows {
        let side = self.model().query.unwrap();
        let rows = (0..side.vocabulary.len())
            .map(|row| (side.vocabulary.token(row).into(), side.network.words().row(row).to_vec()));
        rows.collect()
    }

    fn options(&self) -> Value {
        let provenance: Value = serde_json::from_str(&self.model().provenance).unwrap();
        provenance["options"].clone()
    }

    /// Trains with options that must fail with this status and an error that holds all of
    /// `expected`, without a model.
    fn refuses(&self, options: &str, status: i32, expected: &[&str]) {
        let assert = self.command(options).assert().code(status);
        let errors = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        let error = errors.lines().find(|line| line.starts_with("error: ")).unwrap();
        for expected in expected {
            assert!(error.contains(expected), "{options}: no {expected:?} in {error}");
        }
        assert!(error.len() < 1000, "an error of {} bytes", error.len());
        assert!(!self.path("m.safetensors").exists(), "{options} wrote a model");
    }

    fn refuses_file(&self, content: impl AsRef<[u8]>, expected: &[&str]) {
        self.write("bad", content);
        self.refuses("--init xx=bad", 1, &[&["bad"], expected].concat());
    }
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors").join(name)
}

fn fixture_bytes(name: &str) -> Vec<u8> {
    fs::read(fixture(name)).unwrap()
}

/// Words and numbers that the reference wrote.
fn expected(name: &str) -> Rows {
    let content = fs::read_to_string(fixture(name)).unwrap();
    let row = |line: &str| {
        let mut columns = line.split('\t');
        let word = columns.next().unwrap().to_owned();
        (word, columns.map(|column| column.parse().unwrap()).collect())
    };
    content.lines().map(row).collect()
}

fn assert_near(found: &[f32], expected: &[f32], most: f32, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= most, "{what}: {found} is not {expected}");
    }
}

/// The fixture's words have its rows in the model, and all others those that they have without.
fn assert_begins_with(name: &str, reference: &str, most: f32) {
    let place = Place::new();
    place.train("");
    let random = place.documents();
    let random_queries = place.queries();
    place.train(&format!("--init xx={}", fixture(name).display()));
    let expected = expected(reference);
    for (word, row) in place.documents() {
        match expected.get(&word) {
            Some(expected) => assert_near(&row, expected, most, &format!("{name}: {word}")),
            None => assert_eq!(row, random[&word], "{name}: {word}"),
        }
    }
    assert_eq!(place.queries(), random_queries, "{name}: the other side");
}

// ---- formats -------------------------------------------------------------------------------

#[test]
fn text_of_word2vec_and_glove_gives_its_rows_to_the_words_it_has() {
    assert_begins_with("word2vec.txt", "expected.tsv", 0.0);
    assert_begins_with("glove.txt", "expected.tsv", 0.0);
}

#[test]
fn word2vecs_binary_gives_the_same_rows_with_and_without_newlines() {
    assert_begins_with("word2vec.bin", "expected.tsv", 0.0);
    // Google's own program ends each entry with a newline.
    let place = Place::new();
    place.write("v", b"2 4\nthe \0\0\x80\x3f\0\0\0\x40\0\0\x80\x3f\0\0\x80\xbf\ncat \0\0\x80\x3f\0\0\x80\x3f\0\0\x80\x3f\0\0\x80\xbf\n");
    place.train("--init xx=v");
    assert_eq!(place.documents()["the"], [1.0, 2.0, 1.0, -1.0]);
    assert_eq!(place.documents()["cat"], [1.0, 1.0, 1.0, -1.0]);
}

#[test]
fn polyglots_pickles_give_the_same_rows_in_every_protocol() {
    for name in ["0", "1", "2", "3", "4", "python2.0", "python2.1", "python2.2"] {
        assert_begins_with(&format!("polyglot.{name}.pkl"), "expected.tsv", 0.0);
    }
    // Doubles in the other order of bytes, and lists, are the same numbers.
    assert_begins_with("polyglot.double.pkl", "expected.tsv", 0.0);
    assert_begins_with("polyglot.lists.pkl", "expected.tsv", 0.0);
}

#[test]
fn an_array_short_enough_to_be_held_gives_the_same_rows() {
    let place = Place::new();
    let told = place.train(&format!("--init xx={}", fixture("polyglot.few.pkl").display()));
    assert!(told.contains("xx: 5 of 52 words (9.6 %) found in "), "{told}");
    let expected = expected("expected.tsv");
    for word in ["the", "cat", "paris", "été", "ng'ombe"] {
        assert_eq!(place.documents()[word], expected[word], "{word}");
    }
}

#[test]
fn fasttexts_file_gives_what_fasttext_says_for_known_and_unknown_words() {
    let place = Place::new();
    place.train(&format!("--init xx={}", fixture("fasttext.bin").display()));
    let rows = place.documents();
    for (word, expected) in expected("fasttext.tsv") {
        assert_near(&rows[&word], &expected, 1e-7, &word);
    }
    assert_begins_with("supervised.bin", "supervised.tsv", 0.0);
}

// ---- which row is whose --------------------------------------------------------------------

#[test]
fn the_spelling_of_the_token_wins_and_else_the_first() {
    let place = Place::new();
    place.write(
        "v",
        "CAT 1 0 0 0\ncat 2 0 0 0\ncat 3 0 0 0\nCat 4 0 0 0\nPARIS 5 0 0 0\nParis 6 0 0 0\n",
    );
    let told = place.train("--init xx=v");
    assert_eq!(place.documents()["cat"][0], 2.0);
    assert_eq!(place.documents()["paris"][0], 5.0);
    assert!(told.contains("xx: 2 of 52 words (3.8 %) found in v\n"), "{told}");
}

#[test]
fn an_entry_of_several_tokens_or_in_angle_brackets_is_nobodys() {
    let place = Place::new();
    place.write("v", "the 1 0 0 0\nthe cat 2 0 0 0\ncat's 3 0 0 0\n. . 4 0 0 0\n<cat> 5 0 0 0\n");
    let told = place.train("--init xx=v");
    assert!(told.contains("xx: 1 of 52 words"), "{told}");
}

#[test]
fn words_that_are_no_utf_8_are_skipped_and_told() {
    let place = Place::new();
    let numbers = [0, 0, 128, 63].repeat(DIMENSION);
    place.write("text", b"3 4\nthe 1 1 1 1\nca\xfft 2 2 2 2\ncat 1 1 1 1\n");
    place.write(
        "binary",
        [&b"3 4\nthe "[..], &numbers, b"ca\xfft ", &numbers, b"cat ", &numbers].concat(),
    );
    for name in ["text", "binary"] {
        let told = place.train(&format!("--init xx={name}"));
        assert!(told.contains("xx: 2 of 52 words (3.8 %) found, 1 entries skipped"), "{told}");
        assert_eq!(place.documents()["cat"], [1.0; DIMENSION]);
    }
}

#[test]
fn each_side_has_a_file_of_its_own() {
    let place = Place::new();
    place.write("q", "the 1 1 1 1\n");
    place.write("d", "the 2 2 2 2\n");
    for query in ["en", "query"] {
        place.train(&format!("--init {query}=q --init xx=d"));
        assert_eq!(place.queries()["the"], [1.0; DIMENSION]);
        assert_eq!(place.documents()["the"], [2.0; DIMENSION]);
    }
    // Where documents are in en, en= is theirs.
    let command = |init: &str| {
        let line = STILL.replace("--language xx", "--language en");
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("smooth-clir");
        command.current_dir(place.root.path()).args(line.split_whitespace()).arg("--init");
        command.arg(init).assert().success();
    };
    command("en=d");
    assert_ne!(place.queries()["the"], [2.0; DIMENSION]);
    assert_eq!(place.model().documents["en"].network.kind(), "average");
}

#[test]
fn a_refit_begins_with_the_same_vectors() {
    let place = Place::new();
    place.write("v", "the 1 1 1 1\nw39 2 2 2 2\n");
    place.train("--refit --init en=v");
    // Every query is trained on now, so every word is there.
    assert_eq!(place.queries()["the"], [1.0; DIMENSION]);
    assert_eq!(place.queries()["w39"], [2.0; DIMENSION]);
}

#[test]
fn the_model_tells_the_file_by_its_digest_and_not_by_its_place() {
    let place = Place::new();
    place.train("");
    assert_eq!(place.options().get("init"), None);
    place.write("v", "the 1 0 0 0\n");
    place.train("--init en=v");
    let init = &place.options()["init"];
    // sha256sum of the file above.
    let digest = "81b2a17417143c4607fd32950e24494435bb11ae81bfdd92a0022678c903733d";
    assert_eq!(*init, serde_json::json!({ "query": { "file-digest": digest, "found": 1 } }));
    let with = fs::read(place.path("m.safetensors")).unwrap();
    fs::rename(place.path("v"), place.path("elsewhere")).unwrap();
    place.train("--init query=elsewhere");
    assert!(with == fs::read(place.path("m.safetensors")).unwrap());
}

// ---- refusals ------------------------------------------------------------------------------

#[test]
fn options_that_do_not_go_together_are_refused() {
    let place = Place::new();
    place.write("v", "the 1 0 0 0\n");
    place.refuses("--init yy=v", 2, &["yy=", "en or query", "xx"]);
    place.refuses("--init en=v --init query=v", 2, &["query=", "already"]);
    place.refuses("--init xx=v --init xx=v", 2, &["xx=", "already"]);
    place.refuses("--init lsi --init xx=v", 2, &["lsi"]);
    place.refuses("--init v", 2, &["expected lsi, or an encoder and a file"]);
    place.refuses("--init xx=", 2, &["expected lsi, or an encoder and a file"]);
    place.refuses("--init xx=none", 1, &["none", "cannot be read"]);
    place.refuses("--init xx=data", 1, &["data", "cannot be read"]);
}

#[test]
fn another_dimension_is_refused_with_the_option_that_fits() {
    for name in [
        "word2vec.txt",
        "word2vec.bin",
        "glove.txt",
        "fasttext.bin",
        "polyglot.2.pkl",
        "polyglot.lists.pkl",
    ] {
        let place = Place::new();
        let options = format!("--dimension 5 --init xx={}", fixture(name).display());
        place.refuses(&options, 1, &["4 dimensions, expected 5", "--dimension 4"]);
    }
}

#[test]
fn text_in_disagreement_with_itself_is_refused_with_its_line() {
    let place = Place::new();
    place.refuses_file("", &["is empty"]);
    place.refuses_file("3 4\nthe 1 2 3 4\ncat 1 2 3 4\n", &["ends after 2 words", "3"]);
    place.refuses_file(
        "1 4\nthe 1 2 3 4\ncat 1 2 3 4\n",
        &["line 3", "more words than the 1 of the header"],
    );
    place.refuses_file("2 4\nthe 1 2 3 4\ncat 1 2 3\n", &["line 3", "3 number(s)", "4"]);
    place.refuses_file("2 4\nthe 1 2 3 4\ncat 1 2 3 4 5\n", &["line 3", "more than 4 numbers"]);
    place.refuses_file("the 1 2 3 4\ncat 1 2 3\n", &["line 2", "3 number(s)"]);
    place.refuses_file("the 1 2 3 4\ncat 1 nan 3 4\n", &["line 2", "`nan`", "finite"]);
    place.refuses_file("the 1 2 3 4\ncat 1 1e99 3 4\n", &["line 2", "`1e99`", "finite"]);
    place.refuses_file("the 1 2 3 4\ncat 1 x 3 4\n", &["line 2", "`x` is not a number"]);
    place.refuses_file("the 1 2 3 4\n\ncat 1 2 3 4\n", &["line 2", "0 number(s)"]);
    place.refuses_file("just some words\n", &["unknown format"]);
    place.refuses_file(
        format!("the 1 2 3 4\ncat{}", " 1".repeat(1 << 20)),
        &["line 2", "1048576 bytes"],
    );
}

#[test]
fn binary_cut_short_or_in_disagreement_is_refused_with_its_word() {
    let place = Place::new();
    let whole = fixture_bytes("word2vec.bin");
    place.refuses_file(&whole[..whole.len() - 3], &["word 20", "ends within"]);
    place.refuses_file([&whole[..], b"more"].concat(), &["unexpected bytes after the 20 words"]);
    let text = |from: &str| [from.as_bytes(), &whole[5..]].concat();
    place.refuses_file(text("21 4\n"), &["word 21", "the header says 21"]);
    let mut infinite = whole.clone();
    // The first word is `</s>`.
    infinite[10..14].copy_from_slice(&f32::INFINITY.to_le_bytes());
    place.refuses_file(infinite, &["word 1", "inf", "not finite"]);
}

#[test]
fn fasttext_that_is_quantised_or_of_another_version_is_refused_with_the_reason() {
    let place = Place::new();
    place.refuses_file(fixture_bytes("quantised.ftz"), &["quantised", ".bin"]);
    let mut other = fixture_bytes("fasttext.bin");
    other[4] = 11;
    place.refuses_file(&other, &["version 11", "expected 12"]);
    // A long word would have as many n-grams as its length squared.
    let mut long = fixture_bytes("fasttext.bin");
    long[48] = 33;
    place.refuses_file(&long, &["n-grams of 33 characters", "more than 32"]);
    let whole = fixture_bytes("fasttext.bin");
    place.refuses_file(&whole[..whole.len() - 1], &["ends 1 bytes too soon"]);
    place.refuses_file(&whole[..600], &["ends"]);
}

#[test]
fn compressed_files_are_named_as_such() {
    let place = Place::new();
    place.refuses_file(b"\x1f\x8b\x08\0\0\0\0\0", &["gzip", "gunzip"]);
    place.refuses_file(b"BZh91AY&SY\0\0", &["bzip2", "bunzip2"]);
    place.refuses_file(b"PK\x03\x04\0\0", &["zip", "unzip"]);
}

#[test]
fn a_pickle_that_asks_for_more_than_an_array_is_refused_and_nothing_is_run() {
    let place = Place::new();
    place.refuses_file("cos\nsystem\n(S'touch x'\ntR.", &["`os.system`", "no code was run"]);
    place.refuses_file(
        b"\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x07touch x\x85R.",
        &["`posix.system`"],
    );
    place.refuses_file("cbuiltins\neval\n(V1\ntR.", &["`builtins.eval`"]);
    place.refuses_file("(ios\nsystem\n.", &["opcode 'i'"]);
    assert!(!place.path("x").exists());
}

#[test]
fn a_pickle_that_is_not_words_and_vectors_is_refused() {
    let place = Place::new();
    place.refuses_file(b"\x80\x02K\x01.", &["words and their vectors"]);
    place.refuses_file(b"\x80\x02]]K\x01\x87.", &["words and their vectors"]);
    place.refuses_file(b"\x80\x02(X\x01\0\0\0at](K\x01K\x02NK\x04e\x85\x86.", &["vector 1"]);
    place.refuses_file(
        b"\x80\x02(X\x01\0\0\0aX\x01\0\0\0bt](]K\x01ae\x86.",
        &["2 words", "1 vectors"],
    );
    place.refuses_file(b"\x80\x02K\x01", &["ends"]);
    place.refuses_file(b"\x80\x02a.", &["a value is missing"]);
    place.refuses_file(b"\x80\x09K\x01.", &["protocol 9"]);
    place.refuses_file(b"\x80\x02T\xff\xff\xff\xff.", &["too soon"]);
    // Lists within lists, more than any stack has room for.
    let deep = [&b"\x80\x02]"[..], &b"\x85".repeat(1 << 20), b"."].concat();
    place.refuses_file(deep, &["words and their vectors"]);
}

// ---- latent semantics ----------------------------------------------------------------------

#[test]
fn lsi_gives_words_that_occur_together_rows_in_one_direction() {
    let place = Place::new();
    place.train("--init lsi --dimension 8");
    assert_eq!(place.options()["init"], "lsi");
    let (queries, documents) = (place.queries(), place.documents());
    let cosine = |a: &[f32], b: &[f32]| {
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    };
    // Every text has all of these words, and the queries' are the documents'.
    for word in WORDS.split(' ') {
        assert!(cosine(&queries[word], &documents["the"]) > 0.999, "{word}");
    }
    // As long as random rows are on average: deviation 0.2, eight numbers.
    let length = documents["the"].iter().map(|x| x * x).sum::<f32>().sqrt();
    assert!((length - 0.2 * 8f32.sqrt()).abs() < 1e-3, "{length}");
}

#[test]
fn lsi_gives_the_same_bytes_on_any_number_of_threads_and_other_ones_for_another_split() {
    let place = Place::new();
    let trained = |threads: &str, options: &str| {
        let mut command = place.command(&format!("--init lsi {options}"));
        command.env("RAYON_NUM_THREADS", threads).assert().success();
        fs::read(place.path("m.safetensors")).unwrap()
    };
    let one = trained("1", "");
    assert!(one == trained("3", ""));
    assert!(one != trained("1", "--split-seed 2"));
}

#[test]
fn lsi_leaves_random_what_its_pairs_do_not_tell() {
    let place = Place::new();
    place.train("");
    let random = place.documents();
    place.train("--init lsi");
    let lsi = place.documents();
    // Each document has one word of its own; those of three fifths of them are in training pairs.
    let same = lsi.iter().filter(|(word, row)| **row == random[*word]).count();
    let trained = place.queries().len() - smooth_clir::text::tokens(WORDS).len();
    assert_eq!(same, TEXTS - trained);
    // More columns than pairs: the last ones are as they would be.
    let wide = |options: &str| {
        place.train(&format!("--dimension 64 {options}"));
        place.documents()["the"].clone()
    };
    let (random, lsi) = (wide(""), wide("--init lsi"));
    assert_ne!(random[0], lsi[0]);
    assert_eq!(random[trained + 1..], lsi[trained + 1..]);
}
