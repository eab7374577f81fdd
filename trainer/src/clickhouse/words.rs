//! The words of documents as rows of tables: for each word of a language the documents that have it, how often, and their lengths.

use std::collections::BTreeMap;

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use smooth_clir::index::Index;
use smooth_clir::lexical::score::Part;

use super::rows::{Batch, mixed};
use crate::error::Error;

/// How many rows a batch has. A server writes so many at once, as a whole or not at all.
const BATCH_ROWS: usize = 150_000;
/// What a row has in bytes: term, id, batch, times and words.
const ROW_BYTES: usize = 8 + 8 + 4 + 4 + 4;
/// An odd number whose multiples differ in all bits: 2^64 by the square root of 2.
const FACTOR: u64 = 13_043_817_825_332_782_213;

/// The columns of a table: a word of a language, a document that has it, how often, and the document's length in words.
pub const COLUMNS: &str = "term UInt64, id UInt64, batch UInt32, times UInt32, words UInt32";
/// The storage of a table. Little is read for a word that few documents have.
pub const ENGINE: &str = "ENGINE = MergeTree ORDER BY (term, id) SETTINGS index_granularity = 1024";
/// The sum of a row for a statement, as [`sum_of`] has it.
pub const SUM_OF_ROW: &str = "intHash64(bitXor(term, \
    intHash64(bitXor(id * 4294967296 + times, toUInt64(words) * 13043817825332782213))))";

/// The words of all documents.
#[derive(Debug, Default)]
pub struct Words<'a> {
    parts: Vec<PartOfIndex<'a>>,
    /// The documents of a batch of documents.
    documents: usize,
    /// Of the documents of each of these batches.
    batches: Vec<Batch>,
}

/// The documents of a language of an index.
#[derive(Debug, Clone, Copy)]
struct PartOfIndex<'a> {
    /// The number of the language.
    language: usize,
    /// The place of the index's first document.
    first_place: usize,
    part: Part<'a>,
}

/// The name of a word of a language in tables: the first eight bytes of a digest. An export refuses two words of one name.
pub fn key(language: usize, token: &str) -> u64 {
    let mut digest = Sha256::new();
    digest.update((language as u16).to_le_bytes());
    digest.update(token.as_bytes());
    digest.finalize().iter().take(8).fold(0, |key, &byte| key << 8 | u64::from(byte))
}

impl<'a> Words<'a> {
    /// Looks at all words, for the sums of the documents of each batch.
    pub fn new(indexes: &'a [Index], languages: &[String], documents: usize) -> Self {
        let (mut parts, mut first_place) = (Vec::new(), 0);
        for index in indexes {
            for (language, name) in languages.iter().enumerate() {
                if let Some(part) = index.words(name) {
                    parts.push(PartOfIndex { language, first_place, part });
                }
            }
            first_place += index.len();
        }
        let count = if parts.is_empty() { 0 } else { first_place.div_ceil(documents) };
        let none = || vec![Batch::default(); count];
        let terms = parts.par_iter().flat_map(|part| {
            let terms = part.part.postings.terms().len();
            (0..terms).into_par_iter().map(move |term| (part, term))
        });
        let looked = terms.fold(none, |mut batches, (part, term)| {
            part.rows(term).for_each(|row| batches[row.id as usize / documents].add(row));
            batches
        });
        let batches = looked.reduce(none, |mut all, some| {
            for (all, some) in all.iter_mut().zip(some) {
                all.rows += some.rows;
                all.sum = all.sum.wrapping_add(some.sum);
            }
            all
        });
        Self { parts, documents, batches }
    }

    /// Whether no document has words.
    pub fn are_none(&self) -> bool {
        self.parts.is_empty()
    }

    /// The sum of the rows of each batch of documents.
    pub fn sums(&self) -> Vec<u64> {
        self.batches.iter().map(|batch| batch.sum).collect()
    }

    /// How many rows a shard has, of so many.
    pub fn count(&self, shard: usize, shards: usize) -> u64 {
        self.batches.iter().skip(shard).step_by(shards.max(1)).map(|batch| batch.rows).sum()
    }

    /// How each batch of a shard, of so many, must be, by its number.
    pub fn of_shard(&self, shard: usize, shards: usize) -> BTreeMap<u64, Batch> {
        let mut batches: BTreeMap<u64, Batch> = BTreeMap::new();
        for (number, row) in self.each_row(shard, shards).enumerate() {
            batches.entry((number / BATCH_ROWS) as u64).or_default().add(row);
        }
        batches
    }

    /// The rows of batches of a shard, of so many, in ClickHouse's RowBinary. The numbers that the batches are asked for by must rise.
    pub fn rows(&self, shard: usize, shards: usize) -> impl FnMut(u64) -> Vec<u8> {
        let (mut all, mut next) = (self.each_row(shard, shards), 0);
        move |batch| {
            let skipped = (batch - next) as usize * BATCH_ROWS;
            next = batch + 1;
            let mut rows = Vec::with_capacity(BATCH_ROWS * ROW_BYTES);
            for Row { term, id, times, words } in all.by_ref().skip(skipped).take(BATCH_ROWS) {
                rows.extend(term.to_le_bytes());
                rows.extend(id.to_le_bytes());
                rows.extend((batch as u32).to_le_bytes());
                rows.extend(times.to_le_bytes());
                rows.extend(words.to_le_bytes());
            }
            rows
        }
    }

    /// Looks for two words of a language of the same name.
    ///
    /// # Errors
    /// If there are two.
    pub fn check_names(&self) -> Result<(), Error> {
        let mut words: Vec<(u64, usize, &str)> = Vec::new();
        for PartOfIndex { language, part, .. } in &self.parts {
            let terms = part.postings.terms();
            let tokens = (0..terms.len()).map(|term| terms.token(term));
            words.extend(tokens.map(|token| (key(*language, token), *language, token)));
        }
        words.sort_unstable();
        words.dedup();
        match words.array_windows().any(|[one, next]| one.0 == next.0) {
            true => Err(Error::Export { problem: "two words have the same digest" }),
            false => Ok(()),
        }
    }

    fn each_row(&self, shard: usize, shards: usize) -> impl Iterator<Item = Row> {
        self.parts
            .iter()
            .flat_map(|part| {
                let terms = part.part.postings.terms().len();
                (0..terms).flat_map(move |term| part.rows(term))
            })
            .filter(move |row| row.id as usize / self.documents % shards == shard)
    }
}

/// A word in a document.
#[derive(Debug, Clone, Copy)]
struct Row {
    term: u64,
    id: u64,
    times: u32,
    words: u32,
}

impl PartOfIndex<'_> {
    /// The rows of a term.
    fn rows(self, term: usize) -> impl Iterator<Item = Row> {
        let Self { language, first_place, part } = self;
        let term_key = key(language, part.postings.terms().token(term));
        part.postings.list(term).map(move |(position, times)| {
            let (id, words) = ((first_place + position) as u64, part.lengths[position]);
            Row { term: term_key, id, times, words }
        })
    }
}

impl Batch {
    fn add(&mut self, row: Row) {
        self.rows += 1;
        self.sum = self.sum.wrapping_add(sum_of(row));
    }
}

/// A sum of 64 bits of a row, which servers compute too: [`SUM_OF_ROW`].
fn sum_of(Row { term, id, times, words }: Row) -> u64 {
    let of_document = id.wrapping_mul(1 << 32).wrapping_add(times.into());
    mixed(term ^ mixed(of_document ^ u64::from(words).wrapping_mul(FACTOR)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_a_server() {
        // SELECT SUM_OF_ROW of ClickHouse 18.16, of the first row; of both, sum(SUM_OF_ROW).
        let row = Row { term: 12_400_000_000_000_000_001, id: 5_000_000_007, times: 3, words: 65 };
        let other = Row { term: 1, id: 0, times: 1, words: 1 };
        assert_eq!(sum_of(row), 2_162_905_231_972_517_919);
        assert_eq!(sum_of(row).wrapping_add(sum_of(other)), 100_740_044_730_203_416);
    }

    #[test]
    fn a_word_of_another_language_has_another_name() {
        // hashlib.sha256(bytes([0, 0]) + "mur".encode()).digest()[:8], as a number, in Python.
        assert_eq!(key(0, "mur"), 986_639_235_104_298_889);
        assert_ne!(key(1, "mur"), key(0, "mur"));
    }
}
