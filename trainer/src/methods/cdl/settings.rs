//! How dictionaries are learned.

/// How the joint objective is optimised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// As the paper prints it: stacked, by K-SVD. The objective may rise, and alpha beta must be below 1.
    Paper,
    /// Block descent: the objective never rises.
    #[default]
    Exact,
}

/// How to train.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// K, the atoms of each dictionary.
    pub atoms: usize,
    /// T, the most atoms that a code has.
    pub sparsity: usize,
    /// What the error of the mapping from the first side weighs.
    pub alpha: f64,
    /// What the error of the mapping from the second side weighs.
    pub beta: f64,
    /// How the objective is optimised.
    pub mode: Mode,
    /// Rounds of K-SVD on each side's own texts.
    pub start_rounds: usize,
    /// Rounds on pairs.
    pub rounds: usize,
    /// The penalty of a mapping's squares, above 0.
    pub ridge: f64,
    /// Which of its own texts a dictionary begins with.
    pub seed: u64,
}
