//! The names that options of contrastive training have.

use clap::ValueEnum;

/// What contrastive training makes small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ObjectiveName {
    /// Cross-entropy of finding the mate by a softmax over all scores
    Softmax,
    /// Smooth ordinal search loss of the mate's score at the highest grade, of rivals' at the lowest
    Sosl,
    /// The softmax's and ten times the other
    Sum,
}

/// What a word counts for in the mean of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Weighting {
    /// All words alike
    Uniform,
    /// a / (a + the word's share of all words), a = 0.001 (Arora et al., 2017)
    InverseFrequency,
}

/// What words are cut to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StemName {
    /// The first four letters, where words are inflected at the end
    Head,
    /// The last four letters, where words are inflected at the beginning
    Tail,
    /// Words are translated whole only
    None,
}
