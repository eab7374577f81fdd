//! The names that options of contrastive training have.

use clap::ValueEnum;
use smooth_clir::text::stem::End;

/// The contrastive objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ObjectiveName {
    /// Cross-entropy of the translation under a softmax over all scores
    Softmax,
    /// Smooth ordinal search loss of the translation's score at the highest grade and of negatives'
    /// scores at the lowest
    Sosl,
    /// The sum of softmax and ten times sosl
    Sum,
}

/// The weight of a word in the mean of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Weighting {
    /// Equal weights
    Uniform,
    /// a / (a + the word's share of all words), a = 0.001 (Arora et al., 2017)
    InverseFrequency,
}

/// The stems of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StemName {
    /// The first four letters, for languages that inflect the end of words
    Head,
    /// The last four letters, for languages that inflect the beginning of words
    Tail,
    /// No stems
    None,
}

impl StemName {
    /// The end of a word that is its stem.
    pub fn end(self) -> Option<End> {
        match self {
            Self::Head => Some(End::Head),
            Self::Tail => Some(End::Tail),
            Self::None => None,
        }
    }
}
