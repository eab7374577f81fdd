//! Which words translate which: IBM Model 1 on pairs of texts, both ways.
//!
//! Brown et al. (1993), with alignments drawn to the diagonal (Dyer et al., 2013) and a prior of
//! each word's translations (Riley and Gildea, 2012). The same texts and settings give the same
//! bits on any number of threads.

mod digamma;
mod em;
mod grid;
mod settings;

use em::Direction;
use grid::Grid;
pub use settings::{Settings, Take, Translation};

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
    let each = grid.pairs().zip(there.into_iter().zip(back)).enumerate();
    Ok(each
        .filter(|(pair, _)| grid.count(*pair) >= settings.least_texts)
        .map(|(_, ([source, target], (there, back)))| Translation { source, target, there, back })
        .collect())
}

#[cfg(test)]
mod tests;
