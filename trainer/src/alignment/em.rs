//! One direction of the model: expectation and maximisation, in turns.

use rayon::prelude::*;

use super::Settings;
use super::digamma::digamma;
use super::grid::Grid;

/// A pair of words in a round.
#[derive(Clone, Copy)]
struct Cell {
    /// P(made | given) after the round before.
    probability: f64,
    /// How often one is expected to have made the other.
    count: f64,
}

/// P(other word | word of the given side) of each of the grid's pairs.
pub fn learn(grid: &Grid<'_>, given: usize, settings: &Settings) -> Vec<f64> {
    let (pairs, null) = (&grid.pairs, grid.words(given));
    // After the pairs: the empty word with each word. All start alike.
    let uniform = Cell { probability: 1.0, count: 0.0 };
    let mut table = vec![uniform; pairs.len() + grid.words(1 - given)];
    let given_of = |cell: usize| pairs.get(cell).map_or(null, |pair| pair[given] as usize);
    for _ in 0..settings.rounds {
        expect(grid, given, settings, &mut table);
        maximise(&mut table, null + 1, given_of, settings.prior);
    }

    table.truncate(pairs.len());
    let mut totals = vec![0.0; null];
    for (at, cell) in table.iter().enumerate() {
        totals[given_of(at)] += cell.probability;
    }
    let share = |(at, cell): (usize, &Cell)| ratio(cell.probability, totals[given_of(at)]);
    table.iter().enumerate().map(share).collect()
}

/// Counts how often each pair is expected to be one word and its translation.
fn expect(grid: &Grid<'_>, given: usize, settings: &Settings, table: &mut [Cell]) {
    let (mut given_places, mut made_places, mut terms) = (Vec::new(), Vec::new(), Vec::new());
    let mut rest = &grid.cells[..];
    for sides in &grid.texts {
        let (sources, made) = (sides[given].len(), sides[1 - given]);
        let (cells, after) = rest.split_at(sources * made.len());
        rest = after;
        let steps = if given == 0 { [made.len(), 1] } else { [1, sources] };
        places(sources, settings.tension, &mut given_places);
        places(made.len(), settings.tension, &mut made_places);
        for (at, (&word, [up, down])) in made.iter().zip(&made_places).enumerate() {
            let cells = || cells[at * steps[1]..].iter().step_by(steps[0]);
            let (mut near, mut sum) = (0.0, 0.0);
            terms.clear();
            for (&cell, place) in cells().zip(&given_places) {
                // exp(-|x - y|) of what are exp(x), exp(-x), exp(y) and exp(-y).
                let weight = (up * place[1]).min(down * place[0]);
                let term = weight * table[cell as usize].probability;
                near += weight;
                sum += term;
                terms.push(term);
            }
            let each = (1.0 - settings.null) / near;
            let empty = grid.pairs.len() + word as usize;
            let none = settings.null * table[empty].probability;
            let all = each * sum + none;
            if all > 0.0 {
                for (&cell, term) in cells().zip(&terms) {
                    table[cell as usize].count += each * term / all;
                }
                table[empty].count += none / all;
            }
        }
    }
}

/// `exp(tension x)` and `exp(-tension x)` of the words of a text, x from -1/2 to 1/2: the middle of
/// each word's share of the text.
fn places(length: usize, tension: f64, places: &mut Vec<[f64; 2]>) {
    places.clear();
    places.extend((0..length).map(|at| {
        let x = tension * ((at as f64 + 0.5) / length as f64 - 0.5);
        [libm::exp(x), libm::exp(-x)]
    }));
}

/// Counts to probabilities, which with a prior are the mean field's (they sum to less than 1).
fn maximise(
    table: &mut [Cell],
    words: usize,
    given_of: impl Fn(usize) -> usize + Sync,
    prior: f64,
) {
    let mut totals = vec![0.0; words];
    for (at, cell) in table.iter().enumerate() {
        totals[given_of(at)] += cell.count + prior;
    }
    let digammas: Vec<f64> = match prior > 0.0 {
        true => totals.par_iter().map(|&total| digamma(total)).collect(),
        false => Vec::new(),
    };
    table.par_iter_mut().enumerate().for_each(|(at, cell)| {
        let given = given_of(at);
        cell.probability = match digammas.get(given) {
            Some(total) => libm::exp(digamma(cell.count + prior) - total),
            None => ratio(cell.count, totals[given]),
        };
        cell.count = 0.0;
    });
}

/// A share of a total, 0 of nothing.
fn ratio(share: f64, total: f64) -> f64 {
    if total > 0.0 { share / total } else { 0.0 }
}
