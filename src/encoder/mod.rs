//! Rows -> vector.

mod average;
mod table;

pub use average::encode_rows;
pub use table::{Precision, Quantised, Table};

use crate::vocabulary::Vocabulary;

/// One side of a model: which word has which row, and what turns rows into a vector.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Encoder {
    /// Which word has which row.
    pub vocabulary: Vocabulary,
    /// What turns the rows of a text into its vector.
    pub network: Network,
}

/// What turns the rows of a text into its vector.
#[derive(Debug, Clone, PartialEq)]
pub enum Network {
    /// tanh of the mean of the words' rows (paper 1, section 3.2).
    Average(Table),
}

impl Encoder {
    /// The vector of a text: unknown words are left out, and a text with no known word has the
    /// zero vector. Components lie in [-1, 1].
    pub fn encode(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; self.network.dimension()];
        self.network.encode(&self.vocabulary.rows(text), &mut vector);
        vector
    }
}

impl Network {
    /// The kinds there are.
    pub const KINDS: [&str; 1] = ["average"];

    /// Its name in a model's `config` and on the command line.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Average(_) => "average",
        }
    }

    /// The length of the vectors.
    pub fn dimension(&self) -> usize {
        match self {
            Self::Average(table) => table.dimension(),
        }
    }

    /// A row for each word of the vocabulary.
    pub fn words(&self) -> &Table {
        match self {
            Self::Average(table) => table,
        }
    }

    /// Writes the vector of a text, given as rows of [`words`](Self::words) in text order, to
    /// `vector`; zeros where there are none.
    pub fn encode(&self, rows: &[u32], vector: &mut [f32]) {
        match self {
            Self::Average(table) => encode_rows(table, rows, vector),
        }
    }
}

impl Default for Network {
    fn default() -> Self {
        Self::Average(Table::default())
    }
}
