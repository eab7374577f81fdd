//! Documents as rows of tables: what is written, where, and how it is told apart.

use std::fmt;
use std::ops::Range;

use rayon::prelude::*;
use sha2::{Digest, Sha256};
use smooth_clir::encoder::Rows;
use smooth_clir::index::Index;

use super::rows::{Batch, mixed, push_length};
use super::words::Words;
use crate::error::Error;

/// What a batch of rows has in bytes, about. A batch is written by one statement, as a whole or not at
/// all, and known by its number.
const BATCH_BYTES: usize = 4 << 20;
/// Of a row, besides its numbers: id, batch, language, twin, and how many numbers there are.
const ROW_BYTES: usize = 24;
/// An odd number whose multiples differ in all bits: 2^64 by the golden ratio.
const GOLDEN: u64 = 11_400_714_819_323_198_485;

/// The columns of a table. Documents of the same vector, to the bit, have the same `twin`.
pub const COLUMNS: &str =
    "id UInt64, batch UInt32, language UInt16, twin UInt64, vec Array(Float32)";
/// The sum of a row for a statement, as [`sum_of`] has it.
pub const SUM_OF_ROW: &str = "intHash64(bitXor(bitXor(id * 65536 + language, twin), \
    arraySum((x, i) -> reinterpretAsUInt32(reinterpretAsString(x)) * (toUInt64(i) * 2 + 1) * \
    11400714819323198485, vec, arrayEnumerate(vec))))";

/// The documents of indexes at an epsilon, as tables have them.
#[derive(Debug)]
pub struct Documents<'a> {
    indexes: &'a [Index],
    /// The place of each index's first document among all.
    first_places: Vec<usize>,
    /// Of all indexes, in the order of adding.
    languages: Vec<String>,
    model: &'a str,
    epsilon: f32,
    count: usize,
    dimension: usize,
    batches: Vec<Batch>,
    largest: f64,
    words: Words<'a>,
    version: Version,
}

/// What a version of a table is known by: the first eight bytes of a digest, in hexadecimal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Version(u64);

impl Version {
    /// As it is displayed.
    pub fn read(text: &str) -> Option<Self> {
        let version = Self(u64::from_str_radix(text, 16).ok()?);
        (version.to_string() == text).then_some(version)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl<'a> Documents<'a> {
    /// Looks at all documents, for their sums.
    ///
    /// # Errors
    /// If there is none, or numbers are too large for a score.
    pub fn new(indexes: &'a [Index], epsilon: f32) -> Result<Self, Error> {
        let mut first_places = Vec::new();
        let mut count = 0;
        let mut languages: Vec<String> = Vec::new();
        for index in indexes {
            first_places.push(count);
            count += index.len();
            for language in &index.languages {
                if !languages.contains(language) {
                    languages.push(language.clone());
                }
            }
        }
        let Some(first) = indexes.first().filter(|_| count > 0) else {
            return Err(Error::Export { problem: "there are none" });
        };
        let (model, dimension) = (first.model.as_str(), first.dimension());
        let (batches, version) = (Vec::new(), Version::default());
        let words = Words::default();
        let mut made = Self {
            indexes,
            first_places,
            languages,
            model,
            epsilon,
            count,
            dimension,
            batches,
            largest: 0.0,
            words,
            version,
        };
        let looked = (0..made.batch_count()).into_par_iter().map(|batch| made.look_at(batch));
        let looked: Vec<(Batch, f64)> = looked.collect();
        made.largest = looked.iter().fold(0.0, |most, batch| f64::max(most, batch.1));
        if !made.largest.is_finite() {
            return Err(Error::Export { problem: "a vector is too large for a score" });
        }
        made.batches = looked.into_iter().map(|batch| batch.0).collect();
        made.words = Words::new(indexes, &made.languages, made.batch_documents());
        let sums: Vec<u64> = made.batches.iter().map(|batch| batch.sum).collect();
        let held = serde_json::json!([
            "smooth-clir clickhouse 2",
            model,
            epsilon.to_bits(),
            count,
            dimension,
            made.languages,
            sums,
            made.words.sums(),
        ]);
        let digest = Sha256::digest(held.to_string());
        made.version =
            Version(digest.iter().take(8).fold(0, |sum, &byte| sum << 8 | u64::from(byte)));
        Ok(made)
    }

    /// What their version of a table is known by: the model, epsilon, and every document.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The words of the documents.
    pub fn words(&self) -> &Words<'a> {
        &self.words
    }

    /// The place of the first document of each index, and its index.
    pub fn indexes(&self) -> impl Iterator<Item = (usize, &'a Index)> + '_ {
        self.first_places.iter().copied().zip(self.indexes)
    }

    /// The digest of the model that made the indexes.
    pub fn model(&self) -> &str {
        self.model
    }

    /// Epsilon.
    pub fn epsilon(&self) -> f32 {
        self.epsilon
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// The length of the vectors.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The number that a language has in tables.
    pub fn language(&self, name: &str) -> Option<usize> {
        self.languages.iter().position(|language| language == name)
    }

    /// The languages, by their numbers.
    pub fn languages(&self) -> &[String] {
        &self.languages
    }

    /// The largest norm of `d/(|d|+eps)`.
    pub fn largest(&self) -> f64 {
        self.largest
    }

    /// Whether any of them is stored as integers of eight bits.
    pub fn are_rounded(&self) -> bool {
        self.indexes.iter().any(|index| matches!(index.vectors(), Rows::I8 { .. }))
    }

    /// The numbers of the batches of a shard, of so many, and how they must be.
    pub fn of_shard(
        &self,
        shard: usize,
        shards: usize,
    ) -> impl Iterator<Item = (usize, Batch)> + '_ {
        self.batches.iter().copied().enumerate().skip(shard).step_by(shards.max(1))
    }

    /// The rows of a batch, in ClickHouse's RowBinary.
    pub fn rows(&self, batch: usize) -> Vec<u8> {
        let mut rows = Vec::with_capacity(BATCH_BYTES + BATCH_BYTES / 4);
        for place in self.places(batch) {
            let Row { language, twin, vector } = self.row(place);
            rows.extend((place as u64).to_le_bytes());
            rows.extend((batch as u32).to_le_bytes());
            rows.extend(language.to_le_bytes());
            rows.extend(twin.to_le_bytes());
            push_length(&mut rows, vector.len());
            vector.iter().for_each(|x| rows.extend(x.to_le_bytes()));
        }
        rows
    }

    fn batch_documents(&self) -> usize {
        (BATCH_BYTES / (ROW_BYTES + 4 * self.dimension)).max(1)
    }

    fn batch_count(&self) -> usize {
        self.count.div_ceil(self.batch_documents())
    }

    fn places(&self, batch: usize) -> Range<usize> {
        let documents = self.batch_documents();
        batch * documents..((batch + 1) * documents).min(self.count)
    }

    fn row(&self, place: usize) -> Row {
        let number = self.first_places.partition_point(|&first| first <= place) - 1;
        let (index, position) = (&self.indexes[number], place - self.first_places[number]);
        let mut vector = index.vector(position);
        let twin = twin(index, position, &vector);
        divide(&mut vector, index.norm(position) + self.epsilon);
        let language = self.language(index.language(position)).unwrap_or_default() as u16;
        Row { language, twin, vector }
    }

    /// The sum of a batch, and the largest norm in it.
    fn look_at(&self, batch: usize) -> (Batch, f64) {
        let (mut sum, mut largest) = (0u64, 0.0f64);
        for place in self.places(batch) {
            let row = self.row(place);
            sum = sum.wrapping_add(sum_of(place as u64, &row));
            let squares: f64 = row.vector.iter().map(|&x| f64::from(x) * f64::from(x)).sum();
            // A number that is not finite stays.
            largest = if squares.is_finite() { largest.max(squares.sqrt()) } else { f64::INFINITY };
        }
        (Batch { rows: self.places(batch).len() as u64, sum }, largest)
    }
}

/// A document, besides its place.
struct Row {
    /// The number of its language.
    language: u16,
    /// The same for documents whose dense scores have the same bits for every query.
    twin: u64,
    /// `d/(|d|+eps)`
    vector: Vec<f32>,
}

/// What all bits are mixed into that the dense score of a document is computed from: its vector, its norm, and its scale.
fn twin(index: &Index, position: usize, vector: &[f32]) -> u64 {
    let scale = match index.vectors() {
        Rows::I8 { rows, .. } => rows.scales[position],
        _ => 0.0,
    };
    let of_parts = u64::from(scale.to_bits()) << 32 | u64::from(index.norm(position).to_bits());
    vector.chunks(2).fold(mixed(of_parts), |twin, pair| {
        let pair = pair.iter().fold(0, |bits, x| bits << 32 | u64::from(x.to_bits()));
        mixed(twin ^ pair)
    })
}

/// Divides a vector; zeros where its norm and epsilon are 0, whose scores are 0.
pub fn divide(vector: &mut [f32], by: f32) {
    vector.iter_mut().for_each(|x| *x = if by > 0.0 { *x / by } else { 0.0 });
}

/// A sum of 64 bits of a row, which servers compute too: the bits of each number times an odd number
/// of its place, mixed with the document's id, language and twin. It finds out mistakes, not malice.
fn sum_of(id: u64, Row { language, twin, vector }: &Row) -> u64 {
    let of_vector = (1u64..).zip(vector).fold(0u64, |sum, (place, x)| {
        let factor = (2 * place + 1).wrapping_mul(GOLDEN);
        sum.wrapping_add(u64::from(x.to_bits()).wrapping_mul(factor))
    });
    mixed(id.wrapping_mul(65536).wrapping_add((*language).into()) ^ twin ^ of_vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_a_server() {
        // SELECT sum(SUM_OF_ROW) over ids 0 to 4 with [id/10, 1] and 5 to 54 with [0, 0].
        let sum = |id: u64, twin| {
            let first = if id < 5 { [(id as f64 / 10.0) as f32, 1.0] } else { [0.0; 2] };
            sum_of(id, &Row { language: 0, twin, vector: first.into() })
        };
        let all = (0..55).map(|id| sum(id, 0)).fold(0, u64::wrapping_add);
        assert_eq!(all, 14_839_146_294_872_785_647);
        assert_eq!(sum(3, 13_043_817_825_332_782_213), 9_395_172_510_509_039_135);
    }
}
