//! Which words translate which: IBM Model 1 on pairs of texts, both ways.
//!
//! Brown et al. (1993), with alignments drawn to the diagonal (Dyer et al., 2013) and a prior of
//! each word's translations (Riley and Gildea, 2012). The same texts and settings give the same
//! bits on any number of threads.

mod digamma;
mod em;
mod grid;

use grid::Grid;

/// How to align.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How often to go over the texts.
    pub rounds: usize,
    /// How strongly alignments are drawn to the diagonal, 0 (not at all) to 100.
    pub tension: f64,
    /// The symmetric Dirichlet prior of each word's translations, above 0; or 0 for the maximum of
    /// the likelihood alone.
    pub prior: f64,
    /// With what probability a word translates none, 0 to 1.
    pub null: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { rounds: 5, tension: 4.0, prior: 0.01, null: 0.1 }
    }
}

/// Two words that stand together in a pair of texts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Translation {
    /// The word of the first texts.
    pub source: u32,
    /// The word of the second texts.
    pub target: u32,
    /// P(target | source): sums to 1 over the targets of a source.
    pub there: f64,
    /// P(source | target): sums to 1 over the sources of a target.
    pub back: f64,
}

impl Translation {
    /// The geometric mean of both directions.
    pub fn symmetric(&self) -> f64 {
        (self.there * self.back).sqrt()
    }
}

/// Every pair of words that stand together in one of the pairs of texts, by source, then target.
///
/// Words are a vocabulary's rows: memory grows with the largest. Pairs with an empty text say
/// nothing.
pub fn translations(texts: &[[&[u32]; 2]], settings: &Settings) -> Vec<Translation> {
    let grid = Grid::new(texts);
    let (there, back) =
        rayon::join(|| em::learn(&grid, 0, settings), || em::learn(&grid, 1, settings));
    grid.pairs
        .iter()
        .zip(there.into_iter().zip(back))
        .map(|(&[source, target], (there, back))| Translation { source, target, there, back })
        .collect()
}

#[cfg(test)]
mod tests;
