//! One direction of the model: expectation and maximisation, in turns.

use rayon::prelude::*;

use super::digamma::digamma;
use super::grid::Grid;
use super::settings::Settings;

/// A pair of words in a round.
#[derive(Clone, Copy)]
struct Cell {
    /// P(made | given) after the round before.
    probability: f64,
    /// How often one is expected to have made the other.
    count: f64,
}

/// What is learnt of the words that one side makes, given the other's.
pub struct Direction<'a> {
    grid: &'a Grid,
    /// The side that is given.
    given: usize,
    /// Of each of the grid's pairs, then of the empty word with each word.
    table: Vec<Cell>,
}

impl<'a> Direction<'a> {
    /// All alike.
    pub fn new(grid: &'a Grid, given: usize) -> Self {
        let uniform = Cell { probability: 1.0, count: 0.0 };
        Self { grid, given, table: vec![uniform; grid.len() + grid.words[1 - given]] }
    }

    /// Counts how often each pair is expected to be one word and its translation. `cells` are the
    /// grid's of these texts.
    pub fn expect(&mut self, texts: &[[&[u32]; 2]], cells: &[u32], settings: &Settings) {
        let Self { grid, given, table } = self;
        let given = *given;
        let (mut given_places, mut made_places, mut terms) = (Vec::new(), Vec::new(), Vec::new());
        let mut rest = cells;
        for sides in texts {
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
                    // A pair that was left out has no cell.
                    let term = weight * table.get(cell as usize).map_or(0.0, |x| x.probability);
                    near += weight;
                    sum += term;
                    terms.push(term);
                }
                let each = (1.0 - settings.null) / near;
                let empty = grid.len() + word as usize;
                let none = settings.null * table[empty].probability;
                let all = each * sum + none;
                if all > 0.0 {
                    for (&cell, term) in cells().zip(&terms) {
                        if let Some(cell) = table.get_mut(cell as usize) {
                            cell.count += each * term / all;
                        }
                    }
                    table[empty].count += none / all;
                }
            }
        }
    }

    /// Counts to probabilities, which with a prior are the mean field's (they sum to less than 1).
    pub fn maximise(&mut self, prior: f64) {
        let totals = self.totals(|cell| cell.count + prior);
        let digammas: Vec<f64> = match prior > 0.0 {
            true => totals.par_iter().map(|&total| digamma(total)).collect(),
            false => Vec::new(),
        };
        let Self { grid, given, table } = self;
        table.par_iter_mut().enumerate().for_each(|(at, cell)| {
            let given = grid.word(at, *given);
            cell.probability = match digammas.get(given) {
                Some(total) => libm::exp(digamma(cell.count + prior) - total),
                None => ratio(cell.count, totals[given]),
            };
            cell.count = 0.0;
        });
    }

    /// P(other word | word of the given side) of each of the grid's pairs.
    pub fn probabilities(mut self) -> Vec<f64> {
        self.table.truncate(self.grid.len());
        let totals = self.totals(|cell| cell.probability);
        let share = |(at, cell): (usize, &Cell)| {
            ratio(cell.probability, totals[self.grid.word(at, self.given)])
        };
        self.table.iter().enumerate().map(share).collect()
    }

    /// Sums over each word of the given side, and last over the empty word.
    fn totals(&self, of_cell: impl Fn(&Cell) -> f64) -> Vec<f64> {
        let mut totals = vec![0.0; self.grid.words[self.given] + 1];
        for (at, cell) in self.table.iter().enumerate() {
            totals[self.grid.word(at, self.given)] += of_cell(cell);
        }
        totals
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

/// A share of a total, 0 of nothing.
fn ratio(share: f64, total: f64) -> f64 {
    if total > 0.0 { share / total } else { 0.0 }
}
