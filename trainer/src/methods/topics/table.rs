//! P(w|z) of one language, and the E-step of one document.

use ndarray::{Array2, ArrayView1, Axis};
use rayon::prelude::*;
use smooth_clir::math::arrays::{row, values, values_mut};

use crate::methods::bags::Bags;
use crate::methods::sums::add_scaled;

/// Probabilities below this are raised to it: the product of two is still a normal number, so that
/// no posterior is 0/0.
const LEAST: f64 = 1e-100;

/// P(w|z), [words, topics]; zeros for a word that was in no text.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    given: Array2<f64>,
}

/// Where a word is: in which documents, and at which place of their rows.
pub struct Places {
    /// Where each word ends in `places`.
    ends: Vec<usize>,
    places: Vec<(u32, u32)>,
}

impl Places {
    /// Of each word of a language.
    pub fn new(bags: &Bags) -> Self {
        let mut starts = vec![0; bags.words];
        bags.rows().flatten().for_each(|&(word, _)| starts[word as usize] += 1);
        let mut all = 0;
        for start in &mut starts {
            all += std::mem::replace(start, all);
        }
        let mut places = vec![(0, 0); all];
        for (document, row) in bags.rows().enumerate() {
            for (place, &(word, _)) in row.iter().enumerate() {
                places[starts[word as usize]] = (document as u32, place as u32);
                starts[word as usize] += 1;
            }
        }
        Self { ends: starts, places }
    }

    /// Of a word.
    fn of(&self, word: usize) -> &[(u32, u32)] {
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        &self.places[start..self.ends[word]]
    }
}

impl Table {
    /// A one for each word and topic: with it a word's posterior is its document's theta.
    pub fn ones(words: usize, topics: usize) -> Self {
        Self { given: Array2::ones((words, topics)) }
    }

    /// How many words it has.
    pub fn words(&self) -> usize {
        self.given.nrows()
    }

    /// P(w|z) of a word for each topic z; nothing for a word beyond the table.
    pub fn row(&self, word: u32) -> &[f64] {
        let word = word as usize;
        if word < self.words() { row(&self.given, word) } else { &[] }
    }

    /// The E-step of a document whose theta is given up to a factor. For each entry (w, c) appends
    /// c / sum over z of theta(z) P(w|z) to `shares`, 0 for an unknown word; adds the expected count
    /// of each topic, divided by its theta, to `counts`. Gives the log-likelihood.
    pub fn expect(
        &self,
        row: &[(u32, f64)],
        theta: &[f64],
        shares: &mut Vec<f64>,
        counts: &mut [f64],
    ) -> f64 {
        let mut likelihood = 0.0;
        for &(word, count) in row {
            let given = self.row(word);
            let probability = dot(theta, given);
            let share = if probability > 0.0 { count / probability } else { 0.0 };
            if share > 0.0 {
                likelihood += count * libm::log(probability);
                add_scaled(counts, share, given);
            }
            shares.push(share);
        }
        likelihood
    }

    /// The M-step: P(w|z) in proportion to `prior` and the expected count of w in z, which is
    /// P(w|z) as it was times the sum over w's places of share and theta, both as in [`Self::expect`].
    pub fn maximise<'a>(
        &self,
        places: &Places,
        prior: f64,
        expected: impl Fn(usize) -> (&'a [f64], &'a [f64]) + Sync,
    ) -> Self {
        let mut given = Array2::zeros(self.given.raw_dim());
        given.axis_iter_mut(Axis(0)).into_par_iter().enumerate().for_each(|(word, mut row)| {
            let row = values_mut(&mut row);
            let found = places.of(word);
            for &(document, place) in found {
                let (theta, shares) = expected(document as usize);
                add_scaled(row, shares[place as usize], theta);
            }
            if !found.is_empty() {
                let before = self.row(word as u32);
                row.iter_mut().zip(before).for_each(|(x, before)| *x = *x * before + prior);
            }
        });
        let mut sums = vec![0.0; self.given.ncols()];
        given.rows().into_iter().for_each(|row| add_scaled(&mut sums, 1.0, values(&row)));
        given.axis_iter_mut(Axis(0)).into_par_iter().enumerate().for_each(|(word, row)| {
            if !places.of(word).is_empty() {
                row.into_iter().zip(&sums).for_each(|(x, sum)| *x = share_of(*x, *sum));
            }
        });
        Self { given }
    }

    /// The sum of all ln P(w|z) of known words.
    pub fn logs(&self) -> f64 {
        let sum = |row: ArrayView1<'_, f64>| -> f64 {
            row.iter().filter(|&&x| x > 0.0).map(|&x| libm::log(x)).sum()
        };
        let rows: Vec<f64> = self.given.axis_iter(Axis(0)).into_par_iter().map(sum).collect();
        rows.iter().sum()
    }
}

/// A part of a sum, not below the least.
fn share_of(part: f64, sum: f64) -> f64 {
    if sum > 0.0 { (part / sum).max(LEAST) } else { LEAST }
}

/// Makes numbers sum to 1; those that sum to 0 stay as they are.
pub fn normalise(numbers: &mut [f64]) {
    let sum: f64 = numbers.iter().sum();
    if sum > 0.0 {
        numbers.iter_mut().for_each(|x| *x = share_of(*x, sum));
    }
}

/// The sum of products, in one order.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a, a_rest) = a.as_chunks::<4>();
    let (b, b_rest) = b.as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (a, b) in a.iter().zip(b) {
        (0..4).for_each(|lane| sums[lane] += a[lane] * b[lane]);
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}
