//! Topics of two languages from pairs of documents: joint and coupled probabilistic latent semantic
//! analysis (Platt, Toutanova and Yih, 2010).
//!
//! Word w of document d is drawn from `sum over z of P(z|d) P(w|z)`; P(z|d) is called theta. Rows are
//! counts, not TF-IDF. The same pairs and settings give the same bits on any number of threads.

mod coupled;
mod em;
mod joint;
mod projection;
mod settings;
mod table;
#[cfg(test)]
mod tests;

pub use settings::{Settings, Topics};
pub use table::Table;

use rayon::prelude::*;

use crate::error::Error;
use crate::methods::bags::Bags;
use em::Rows;

/// At most so many topics.
const MOST_TOPICS: usize = 10_000;

/// Counts outside of this are refused: squares of their sums, and their inverses, are numbers.
const COUNTS: std::ops::RangeInclusive<f64> = 1e-9..=1e9;

/// So many rounds find a document's theta where many are asked for.
const INFERENCE_ROUNDS: usize = 30;

impl Default for Settings {
    fn default() -> Self {
        Self { topics: 100, rounds: 30, prior: 0.01, tolerance: 0.01, seed: 1 }
    }
}

/// Joint analysis: one theta for both documents of a pair. `progress` takes each round, from 0, and
/// the log-likelihood, with that of the prior, of what the round started from: it never falls.
///
/// # Errors
/// If a setting is out of range, the languages do not have as many documents, a count is not
/// from 1e-9 to 1e9, a word is beyond the bag's words, or no document has a word.
pub fn jplsa(
    pairs: [&Bags; 2],
    settings: &Settings,
    progress: &mut dyn FnMut(usize, f64),
) -> Result<Topics, Error> {
    check(pairs, settings)?;
    Ok(em::fit(pairs, settings, em::start(pairs[0].len(), settings), joint::expect, progress))
}

/// Coupled analysis: a theta for each document, and topic fractions that agree within the tolerance.
/// `progress` takes each round, from 0, and the log-likelihood, with that of the prior, less the
/// least KL divergence of posteriors that agree, of what the round started from: it never falls.
///
/// # Errors
/// As [`jplsa`].
pub fn cplsa(
    pairs: [&Bags; 2],
    settings: &Settings,
    progress: &mut dyn FnMut(usize, f64),
) -> Result<Topics, Error> {
    check(pairs, settings)?;
    let expect = |rows: Rows<'_>, pair: &em::Pair, sides: &[Table; 2]| {
        coupled::expect(rows, pair, sides, settings.tolerance)
    };
    Ok(em::fit(pairs, settings, em::start(pairs[0].len(), settings), expect, progress))
}

impl Topics {
    /// The theta of a document of language `side`, 0 or 1, found alone with P(w|z) as it is, from
    /// even shares. All zeros for a document without a known word.
    pub fn infer(&self, side: usize, row: &[(u32, f64)], rounds: usize) -> Vec<f64> {
        let table = &self.sides[side];
        let known = |&(word, count): &(u32, f64)| {
            COUNTS.contains(&count) && table.row(word).first().is_some_and(|&x| x > 0.0)
        };
        let row: Vec<(u32, f64)> = row.iter().copied().filter(known).collect();
        if row.is_empty() {
            return vec![0.0; self.topics];
        }
        let mut theta = vec![1.0 / self.topics as f64; self.topics];
        let mut shares = Vec::with_capacity(row.len());
        let mut counts = vec![0.0; self.topics];
        for _ in 0..rounds {
            shares.clear();
            counts.fill(0.0);
            table.expect(&row, &theta, &mut shares, &mut counts);
            theta.iter_mut().zip(&counts).for_each(|(theta, count)| *theta *= count);
            table::normalise(&mut theta);
        }
        theta
    }

    /// The thetas of many documents.
    pub fn infer_all(&self, side: usize, bags: &Bags) -> Vec<Vec<f32>> {
        let narrow = |theta: Vec<f64>| theta.into_iter().map(|x| x as f32).collect();
        let topics = |row| narrow(self.infer(side, bags.row(row), INFERENCE_ROUNDS));
        (0..bags.len()).into_par_iter().map(topics).collect()
    }

    /// Its size with four bytes a number.
    pub fn bytes_f32(&self) -> usize {
        4 * self.topics * (self.sides[0].words() + self.sides[1].words())
    }
}

/// Refuses what no topics can be found in.
fn check(pairs: [&Bags; 2], settings: &Settings) -> Result<(), Error> {
    let Settings { topics, prior, tolerance, .. } = *settings;
    let refuse = |problem| Err(Error::Topics { problem });
    if !(1..=MOST_TOPICS).contains(&topics) {
        return refuse(format!("{topics} topics: expected 1 to {MOST_TOPICS}"));
    }
    if !(prior >= 0.0 && prior.is_finite()) {
        return refuse(format!("the prior {prior} of words: expected a number from 0"));
    }
    if !(0.0..=1.0).contains(&tolerance) {
        return refuse(format!("the tolerance {tolerance}: expected 0 to 1"));
    }
    if pairs[0].len() != pairs[1].len() {
        let [first, second] = pairs.map(Bags::len);
        return refuse(format!(
            "{first} documents are paired with {second}: expected equal numbers"
        ));
    }
    for bags in pairs {
        for &(word, count) in bags.rows().flatten() {
            if word as usize >= bags.words {
                return refuse(format!("word {word} of {}", bags.words));
            }
            if !COUNTS.contains(&count) {
                return refuse(format!("the count {count} of a word: expected 1e-9 to 1e9"));
            }
        }
    }
    if pairs.iter().all(|bags| bags.rows().all(<[_]>::is_empty)) {
        return refuse("no document has a word".into());
    }
    Ok(())
}
