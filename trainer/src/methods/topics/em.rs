//! Expectation and maximisation over pairs of documents, whatever couples them.

use rayon::prelude::*;
use smooth_clir::math::random::Random;

use super::settings::{Settings, Topics};
use super::table::{Places, Table, normalise};
use crate::methods::bags::Bags;

/// The entries of a pair's two documents.
pub type Rows<'a> = [&'a [(u32, f64)]; 2];

/// What is known of a pair between rounds.
#[derive(Debug, Clone, PartialEq)]
pub struct Pair {
    /// P(z|d) of each document.
    pub thetas: [Vec<f64>; 2],
    /// Of each topic, what holds its fractions together; empty at first.
    pub multipliers: Vec<f64>,
}

/// The E-step of a pair: the posterior of topic z for the word at a place of a document is the
/// place's share times `tilted(z) P(w|z)`, divided by the word's count.
pub struct Expected {
    /// The theta that these posteriors stand for, up to a factor.
    pub tilted: [Vec<f64>; 2],
    /// See [`Table::expect`].
    pub shares: [Vec<f64>; 2],
    /// What the pair adds to the objective.
    pub objective: f64,
    /// The pair's M-step.
    pub next: Pair,
}

/// A theta for each pair, drawn evenly from all, for both its documents.
pub fn start(pairs: usize, settings: &Settings) -> Vec<Pair> {
    let mut random = Random::new(settings.seed, "topics");
    let unit = |random: &mut Random| ((random.next_u64() >> 11) + 1) as f64 / (1_u64 << 53) as f64;
    (0..pairs)
        .map(|_| {
            let mut theta: Vec<f64> =
                (0..settings.topics).map(|_| -libm::log(unit(&mut random))).collect();
            normalise(&mut theta);
            Pair { thetas: [theta.clone(), theta], multipliers: Vec::new() }
        })
        .collect()
}

/// Goes over all pairs as often as the settings say. The first P(w|z) are those of the M-step after
/// posteriors equal to the first thetas. `progress` takes the round, from 0, and the objective of
/// what the round started from.
pub fn fit(
    bags: [&Bags; 2],
    settings: &Settings,
    mut pairs: Vec<Pair>,
    expect: impl Fn(Rows<'_>, &Pair, &[Table; 2]) -> Expected + Sync,
    progress: &mut dyn FnMut(usize, f64),
) -> Topics {
    let places = bags.map(Places::new);
    let counts = bags.map(|bags| {
        bags.rows().map(|row| row.iter().map(|entry| entry.1).collect()).collect::<Vec<Vec<f64>>>()
    });
    let prior = settings.prior;
    let mut sides = [0, 1].map(|side| {
        let ones = Table::ones(bags[side].words, settings.topics);
        ones.maximise(&places[side], prior, |document| {
            (&pairs[document].thetas[side], &counts[side][document])
        })
    });
    for round in 0..settings.rounds {
        let expect =
            |place: usize| expect([bags[0].row(place), bags[1].row(place)], &pairs[place], &sides);
        let expected: Vec<Expected> = (0..pairs.len()).into_par_iter().map(expect).collect();
        let mut objective: f64 = expected.iter().map(|pair| pair.objective).sum();
        if prior > 0.0 {
            objective += prior * (sides[0].logs() + sides[1].logs());
        }
        progress(round, objective);
        sides = [0, 1].map(|side| {
            sides[side].maximise(&places[side], prior, |document| {
                (&expected[document].tilted[side], &expected[document].shares[side])
            })
        });
        pairs = expected.into_iter().map(|pair| pair.next).collect();
    }
    Topics { topics: settings.topics, sides }
}
