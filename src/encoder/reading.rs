//! A text as an encoder reads it: the rows of known words, and words composed of n-grams.

use super::average::Spelled;

/// A text as an encoder reads it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reading {
    /// The rows of the words that have one, in text order.
    pub rows: Vec<u32>,
    /// The number of words without a row, but with n-grams.
    pub spelled: usize,
    /// The sum of these words' vectors; empty where there are none.
    pub spelled_sum: Vec<f32>,
    /// The number of words.
    pub all: usize,
}

impl Reading {
    /// A word without a row that has this vector.
    pub(crate) fn of_vector(vector: Vec<f32>) -> Self {
        Self { spelled: 1, spelled_sum: vector, all: 1, ..Self::default() }
    }

    /// The number of words with a row or n-grams.
    pub fn known(&self) -> usize {
        self.rows.len() + self.spelled
    }

    /// Adds what another text, which follows, was read as.
    pub fn append(&mut self, other: &Self) {
        self.rows.extend_from_slice(&other.rows);
        self.add_spelled(&other.spelled_sum, other.spelled);
        self.all += other.all;
    }

    /// The sum of the vectors of words without a row, and how many there are.
    pub(super) fn spelled(&self) -> Spelled<'_> {
        (&self.spelled_sum, self.spelled)
    }

    /// Adds a word with a row.
    pub(super) fn add_row(&mut self, row: u32) {
        self.rows.push(row);
        self.all += 1;
    }

    pub(super) fn add_spelled(&mut self, sum: &[f32], words: usize) {
        let length = self.spelled_sum.len().max(sum.len());
        self.spelled_sum.resize(length, 0.0);
        self.spelled_sum.iter_mut().zip(sum).for_each(|(sum, x)| *sum += x);
        self.spelled += words;
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.spelled = 0;
        self.spelled_sum.clear();
        self.all = 0;
    }
}
