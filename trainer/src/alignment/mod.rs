//! Which words translate which: IBM Model 1 on pairs of texts, both ways.
//!
//! Brown et al. (1993), with alignments drawn to the diagonal (Dyer et al., 2013) and a prior of
//! each word's translations (Riley and Gildea, 2012). The same texts and settings give the same
//! bits on any number of threads.

mod digamma;
mod em;
mod grid;

use em::Direction;
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
    /// At most so many pairs of words are looked at: of more the rarest are left out.
    pub most_pairs: usize,
    /// So many places where two words meet are kept from round to round; of more all are found anew.
    pub most_cells: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            rounds: 5,
            tension: 4.0,
            prior: 0.01,
            null: 0.1,
            most_pairs: 1 << 25,
            most_cells: 1 << 27,
        }
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

/// What takes some pairs of texts.
pub type Take<'a> = &'a mut dyn FnMut(&[[&[u32]; 2]]);

/// Pairs of words that stand together in one of the pairs of texts, by source, then target: all of
/// them, or of more than `most_pairs` those that do so most often.
///
/// `texts` goes through all pairs of texts, some at a time, whenever it is called. Words are a
/// vocabulary's rows: memory grows with the largest, and with the pairs of words. Pairs with an
/// empty text say nothing.
///
/// # Errors
/// Those of `texts`.
pub fn translations<E>(
    texts: impl Fn(Take<'_>) -> Result<(), E>,
    settings: &Settings,
) -> Result<Vec<Translation>, E> {
    let texts = |take: Take<'_>| {
        texts(&mut |texts| {
            let has_words = |sides: &&[&[u32]; 2]| sides.iter().all(|words| !words.is_empty());
            take(&texts.iter().filter(has_words).copied().collect::<Vec<_>>());
        })
    };
    let grid = Grid::new(&texts, settings.most_pairs)?;
    let [mut there, mut back] = [0, 1].map(|given| Direction::new(&grid, given));
    let keep = grid.all_cells <= settings.most_cells;
    let mut kept = Vec::new();
    for _ in 0..settings.rounds {
        let mut chunk = 0;
        texts(&mut |texts| {
            if chunk == kept.len() {
                kept.push(grid.cells(texts));
            }
            let cells = &kept[chunk];
            rayon::join(
                || there.expect(texts, cells, settings),
                || back.expect(texts, cells, settings),
            );
            match keep {
                true => chunk += 1,
                false => kept.clear(),
            }
        })?;
        rayon::join(|| there.maximise(settings.prior), || back.maximise(settings.prior));
    }
    let (there, back) = rayon::join(|| there.probabilities(), || back.probabilities());
    let each = grid.pairs().zip(there.into_iter().zip(back));
    Ok(each
        .map(|([source, target], (there, back))| Translation { source, target, there, back })
        .collect())
}

#[cfg(test)]
mod tests;
