//! Pre-trained word vectors: a file in any of the usual formats -> rows of an embedding table.
//!
//! | module | format |
//! |---|---|
//! | [`text`] | word2vec's and fastText's text, with a header; GloVe's, without |
//! | [`word2vec`] | word2vec's binary |
//! | [`fasttext`] | fastText's `.bin`, with its character n-grams |
//! | [`polyglot`] | Polyglot's pickle of words and an array, by way of [`pickle`] |
//!
//! The content tells the format, not the name. Files are read as streams, whatever their size;
//! only the rows of words in the vocabulary are kept.

mod bytes;
mod fasttext;
mod format;
mod pickle;
mod polyglot;
mod rows;
mod source;
mod text;
mod word2vec;

use std::path::Path;

use smooth_clir::encoder::Table;
use smooth_clir::text::vocabulary::Vocabulary;

use crate::error::Error;
use format::Format;
use rows::Rows;
use source::Source;

/// What a file held for a vocabulary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Words of the vocabulary that the file has.
    pub words: u64,
    /// Words that fastText's file does not have, put together from their n-grams.
    pub composed: u64,
    /// Entries left out: their word is no UTF-8.
    pub skipped: u64,
    /// SHA-256 of the file.
    pub digest: String,
}

/// Writes the vectors of a file into the rows of their words; other rows stay as they are.
///
/// An entry is of the word that is its only token; in angle brackets, as `</s>`, of none. Where
/// several are of one word, the one spelled as the token wins (`paris` over `Paris`), else the
/// first: in these files the most frequent.
///
/// # Errors
/// A file that cannot be read, is of no known format, cut short, of another dimension than the
/// table, or in disagreement with itself.
pub fn read(path: &Path, vocabulary: &Vocabulary, table: &mut Table) -> Result<Found, Error> {
    let mut source = Source::open(path)?;
    let mut rows = Rows::new(vocabulary, table);
    match format::detect(source.head()?).map_err(|problem| Error::data(path, problem))? {
        Format::Text { header } => text::read(&mut source, &mut rows, header)?,
        Format::Word2vecBinary => word2vec::read(&mut source, &mut rows)?,
        Format::FastText => fasttext::read(&mut source, &mut rows)?,
        Format::Pickle => polyglot::read(&mut source, &mut rows)?,
    }
    let (words, composed, skipped) = rows.counts();
    Ok(Found { words, composed, skipped, digest: source.finish()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const DIMENSION: usize = 4;

    /// One file of each format and encoding.
    const FIXTURES: [&str; 7] = [
        "word2vec.txt",
        "word2vec.bin",
        "fasttext.bin",
        "polyglot.0.pkl",
        "polyglot.4.pkl",
        "polyglot.lists.pkl",
        "polyglot.python2.0.pkl",
    ];
    /// Not every place: a file is written for each.
    const STEP: usize = 23;

    fn fixture(name: &str) -> Vec<u8> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
        fs::read(folder.join(name)).unwrap()
    }

    fn read_bytes(path: &Path, bytes: &[u8]) -> Result<Table, Error> {
        fs::write(path, bytes).unwrap();
        let words = ["the", "cat", "paris", "\u{e9}t\u{e9}", "dog", "\u{6771}\u{4eac}"];
        let vocabulary = Vocabulary::from_tokens(words).unwrap();
        let mut table = Table::new(DIMENSION, vec![0.0; DIMENSION * vocabulary.len()]);
        read(path, &vocabulary, &mut table).map(|_| table)
    }

    #[test]
    fn a_file_cut_anywhere_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for name in FIXTURES {
            let mut bytes = fixture(name);
            if name.ends_with("txt") {
                // A number that lost its last digits is a number.
                bytes.truncate(bytes.iter().rposition(|&byte| byte == b' ').unwrap());
            }
            for length in (0..bytes.len()).rev().step_by(STEP) {
                let read = read_bytes(file.path(), &bytes[..length]);
                assert!(read.is_err(), "{name} of {length} bytes");
            }
        }
    }

    #[test]
    fn a_file_with_a_byte_changed_is_refused_or_gives_finite_numbers() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for name in FIXTURES {
            let whole = fixture(name);
            for at in (0..whole.len()).step_by(STEP) {
                for other in [b'R', whole[at] ^ 0x80] {
                    let mut bytes = whole.clone();
                    bytes[at] = other;
                    let table = read_bytes(file.path(), &bytes).unwrap_or_default();
                    assert!(table.values().iter().all(|x| x.is_finite()), "{name}, {at}");
                }
            }
        }
    }
}
