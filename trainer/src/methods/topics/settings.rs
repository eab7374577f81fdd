//! How topics are found, and what is found.

use super::table::Table;

/// How to find topics.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How many, 1 to 10,000. There may be more than words or documents: some then do not differ.
    pub topics: usize,
    /// How often to go over the pairs.
    pub rounds: usize,
    /// Added to the expected count of each known word in each topic: a symmetric Dirichlet prior of
    /// P(w|z) with parameter 1 + `prior`, whose logarithm is part of the objective. With 0 it is the
    /// likelihood alone.
    pub prior: f64,
    /// By how much the fractions of a topic in the two documents of a pair may differ, 0 to 1; of
    /// [`cplsa`] only.
    pub tolerance: f64,
    /// Fixes the first topics.
    pub seed: u64,
}

/// Topics of two languages.
#[derive(Debug, Clone, PartialEq)]
pub struct Topics {
    /// How many there are.
    pub topics: usize,
    /// P(w|z) of each language.
    pub sides: [Table; 2],
}
