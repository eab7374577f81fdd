//! What reads files that people bring, for the fuzz targets.

#[cfg(test)]
mod limits;

use std::path::Path;

use smooth_clir::encoder::Table;
use smooth_clir::text::vocabulary::Vocabulary;

use crate::data::documents::{Reading, Source, Wrong};
use crate::data::pairs::{Kind, PairsFile};
use crate::data::{collection, trec};
use crate::error::refused;
use crate::vectors;

#[cfg(feature = "import")]
pub use crate::import::readers as collections;

/// Queries or documents.
pub fn documents(path: &Path) -> bool {
    refused(collection::read_documents(path))
}

/// Pairs of sentences, words of a lexicon, queries with what answers them.
pub fn pairs(path: &Path) -> bool {
    let read = |kind| refused(PairsFile { path: path.into(), kind, repeat: 1 }.read(|_| {}));
    // Each of them, also after one that takes it.
    let refusals = [Kind::Sentences, Kind::Lexicon, Kind::Queries].map(read);
    refusals.iter().all(|&refused| refused)
}

/// A run.
pub fn run(path: &Path) -> bool {
    refused(trec::read_run(path))
}

/// Graded documents.
pub fn qrels(path: &Path) -> bool {
    refused(trec::read_qrels(path))
}

/// Word vectors, of any format.
///
/// # Panics
/// If a number that is no number got into the table.
pub fn vectors(path: &Path) -> bool {
    let words = ["the", "cat", "paris", "dog"];
    let Ok(vocabulary) = Vocabulary::from_tokens(words) else { return false };
    let mut table = Table::new(4, vec![0.0; 4 * words.len()]);
    let refused = refused(vectors::read(path, &vocabulary, &mut table));
    assert!(table.values().iter().all(|x| x.is_finite()));
    refused
}

/// Records that `index` reads, by the ending of the file's name.
pub fn records(path: &Path) -> bool {
    indexed(path)
}

/// A page that `index` reads, in a folder of its own.
pub fn page(path: &Path) -> bool {
    path.parent().is_some_and(indexed)
}

/// Documents without fields, and with one.
fn indexed(path: &Path) -> bool {
    let names = ["topic".to_owned()];
    let languages = ["xx".to_owned()];
    let read = |fields| {
        let (language, languages) = (Some("xx"), &languages[..]);
        let reading = Reading { language, languages, words: Some(8), fields, ..Reading::default() };
        let source = Source::find(path, languages);
        refused(source.and_then(|source| source.read(reading, Wrong::IsRefused)))
    };
    let refusals = [&[][..], &names].map(read);
    refusals[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    type Read = fn(&Path) -> bool;

    /// Inputs that fuzzing found to reach new code, each as a file of this name alone in a folder:
    /// how many `read` refuses, and how many there are.
    fn refused(target: &str, name: &str, skip: usize, read: Read) -> (usize, usize) {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let refuses = |input: &Path| {
            let bytes = fs::read(input).unwrap();
            fs::write(&path, bytes.get(skip..).unwrap_or_default()).unwrap();
            read(&path)
        };
        let inputs: Vec<_> =
            fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
        (inputs.iter().filter(|input| refuses(input)).count(), inputs.len())
    }

    #[cfg(feature = "import")]
    #[test]
    fn wikitext_that_fuzzing_found_becomes_text() {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus/collections");
        for input in fs::read_dir(corpus).unwrap() {
            let bytes = fs::read(input.unwrap().path()).unwrap();
            collections::text(&String::from_utf8_lossy(&bytes[1..]));
        }
    }

    #[test]
    fn what_fuzzing_found_is_read_or_refused_without_a_panic() {
        let all: [(&str, &str, usize, Read); 9] = [
            ("tsv", "input.tsv", 0, documents),
            ("tsv", "input.tsv", 0, pairs),
            ("trec", "input.run", 0, run),
            ("trec", "input.qrels", 0, qrels),
            ("vectors", "input.vec", 0, vectors),
            ("indexed", "input.jsonl", 1, records),
            ("indexed", "input.csv", 1, records),
            ("indexed", "input.md", 1, page),
            ("indexed", "input.html", 1, page),
        ];
        let is_read = |(target, name, skip, read): (&str, &str, usize, Read)| {
            let (refused, count) = refused(target, name, skip, read);
            assert!(count > 0 && refused < count, "{target}, {name}: {refused} of {count} refused");
        };
        all.into_iter().for_each(is_read);
        #[cfg(feature = "import")]
        {
            is_read(("collections", "input.sql", 1, collections::table));
            is_read(("collections", "input.xml", 1, collections::pages));
            is_read(("collections", "input.tmx", 1, collections::memory));
            is_read(("collections", "input.topics", 1, collections::topics));
        }
        // Pages that are not there.
        let (refused, count) = refused("indexed", "input.xml", 1, records);
        assert_eq!(refused, count);
    }
}
