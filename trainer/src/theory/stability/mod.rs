//! How much plain SGD depends on one pair: trained again with that pair replaced.

use rayon::prelude::*;
use smooth_clir::encoder::{Network, Table};
use smooth_clir::math::random::Random;
use smooth_clir::training::step::PairTrainer;

use crate::corpus::{Corpus, Example};
use crate::evaluation::ranking::Encoded;
use crate::train::{Plan, Progress, average, average_network};

/// Plain SGD, as the theory has it: one pair a step, in one random order again and again, the
/// `t`th step of size `c/t`.
pub struct Descent<'a> {
    /// Loss and epsilon.
    pub plan: &'a Plan,
    /// The rows to begin with.
    pub words: &'a [Table],
    /// The texts.
    pub corpus: &'a Corpus,
    /// The pairs that it takes.
    pub training: &'a [Example],
    /// Pairs that it does not take, which are put in the place of others.
    pub test: &'a [Example],
    /// c.
    pub step_constant: f64,
    /// How many steps.
    pub steps: u64,
    /// How often it is run again with one pair replaced.
    pub replacements: u64,
    /// Fixes the order and the replaced pairs.
    pub seed: u64,
}

/// What plain SGD came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The mean loss of the training pairs before the first step.
    pub first_loss: f64,
    /// The mean loss of the training pairs.
    pub training_loss: f64,
    /// The mean loss of the test pairs.
    pub test_loss: f64,
    /// Steps whose gradient was undefined and taken as 0.
    pub undefined: u64,
    /// What replacing a pair did, each time.
    pub changes: Vec<Change>,
    /// `Change::loss` averaged over all places that the replaced pair could have in the order.
    pub mean_change: f64,
}

/// What replacing a pair did.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The first step that takes the pair.
    pub step: u64,
    /// The largest change of the loss of a training or test pair.
    pub loss: f64,
    /// How many places this one stands for.
    pub weight: f64,
}

impl Outcome {
    /// The test loss less the training loss.
    pub fn gap(&self) -> f64 {
        self.test_loss - self.training_loss
    }

    /// The largest of the changes.
    pub fn largest_change(&self) -> Option<Change> {
        self.changes.iter().copied().reduce(|a, b| if b.loss > a.loss { b } else { a })
    }

    /// The smallest change that a share of all places do not exceed, each as often as its weight says.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let mut changes = self.changes.clone();
        changes.sort_by(|a, b| a.loss.total_cmp(&b.loss));
        let all = changes.iter().fold(0.0, |sum, change| sum + change.weight);
        let mut below = 0.0;
        let reaches = |change: &&Change| {
            below += change.weight;
            below >= share * all
        };
        changes.iter().find(reaches).or(changes.last()).map(|change| change.loss)
    }
}

/// Another pair in the place of one.
struct Replacement {
    place: usize,
    example: Example,
    /// How many places this one stands for.
    weight: f64,
}

/// What a run came to: the losses of all training pairs, then of all test pairs.
struct Run {
    losses: Vec<f32>,
    undefined: u64,
}

impl Descent<'_> {
    /// How many steps all runs take together.
    pub fn all_steps(&self) -> u64 {
        self.steps.saturating_mul(self.replacements + 1)
    }

    /// Trains once as it is, and once more for each replacement.
    pub fn run(&self, progress: &Progress) -> Outcome {
        let training = self.training;
        let mut order = training.to_vec();
        Random::new(self.seed, "order").shuffle(&mut order);
        let replacements = self.replacements(&order);
        let runs = std::iter::once(None).chain(replacements.iter().map(Some));
        let runs: Vec<Run> = runs
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|replacement| {
                let mut order = order.clone();
                if let Some(Replacement { place, example, .. }) = replacement {
                    order[*place] = *example;
                }
                self.descend(&order, progress)
            })
            .collect();
        let change = |(replacement, run): (&Replacement, &Run)| Change {
            step: replacement.place as u64 + 1,
            loss: largest_change(&runs[0].losses, &run.losses),
            weight: replacement.weight,
        };
        let changes: Vec<Change> = replacements.iter().zip(&runs[1..]).map(change).collect();
        let weighted = replacements.iter().zip(&changes).map(|(r, change)| r.weight * change.loss);
        let weighted = weighted.fold(0.0, |sum, x| sum + x);
        let (seen, unseen) = runs[0].losses.split_at(training.len());
        let untrained = self.losses(&average(self.plan, self.words.to_vec(), 1));
        Outcome {
            first_loss: mean(&untrained[..training.len()]),
            training_loss: mean(seen),
            test_loss: mean(unseen),
            undefined: runs[0].undefined,
            changes,
            mean_change: weighted / (replacements.len() * training.len()) as f64,
        }
    }

    /// Test pairs in the place of pairs of another grade, for a pair of its own grade often does
    /// as little as none. Early places are drawn more often, since the steps there are long: place
    /// `t` of `m` with probability `ln(1 + 1/t)/ln(m + 1)`.
    fn replacements(&self, order: &[Example]) -> Vec<Replacement> {
        let mut random = Random::new(self.seed, "replaced pairs");
        let test = self.test;
        let seen = order.len().min(usize::try_from(self.steps).unwrap_or(usize::MAX));
        let scale = libm::log(seen as f64 + 1.0);
        let draw = |_| {
            let unit = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            let step = (libm::exp(unit * scale) as usize).clamp(1, seen);
            let start = random.below(test.len());
            let others = test[start..].iter().chain(&test[..start]);
            let grade = order[step - 1].grade;
            let example =
                *others.clone().find(|other| other.grade != grade).unwrap_or(&test[start]);
            let weight = scale / libm::log1p(1.0 / step as f64);
            Replacement { place: step - 1, example, weight }
        };
        (0..self.replacements).map(draw).collect()
    }

    fn descend(&self, order: &[Example], progress: &Progress) -> Run {
        // A pair at a time leaves nothing to share out.
        let mut trainer = average(self.plan, self.words.to_vec(), 1);
        let mut undefined = 0;
        for (t, example) in (1..=self.steps).zip(order.iter().cycle()) {
            let pair = self.corpus.pairs(std::slice::from_ref(example));
            let report = trainer.descend(&pair, (self.step_constant / t as f64) as f32);
            undefined += report.undefined as u64;
            progress.step();
        }
        Run { losses: self.losses(&trainer), undefined }
    }

    fn losses(&self, trainer: &PairTrainer) -> Vec<f32> {
        let networks: Vec<Network> = trainer.tables().into_iter().map(average_network).collect();
        let encoded: Vec<(Encoded, Encoded)> = self
            .corpus
            .collections
            .iter()
            .map(|texts| {
                let documents = &networks[texts.language + 1];
                (
                    Encoded::new(&networks[0], None, &texts.queries),
                    Encoded::new(documents, None, &texts.documents),
                )
            })
            .collect();
        let Plan { loss, epsilon, .. } = self.plan;
        let value = |example: &Example| {
            let (queries, documents) = &encoded[example.collection as usize];
            let (query, document) = (example.query as usize, example.document as usize);
            loss.value(queries.score(query, documents, document, *epsilon), example.grade)
        };
        self.training.par_iter().chain(self.test).map(value).collect()
    }
}

fn largest_change(one: &[f32], other: &[f32]) -> f64 {
    let changes = one.iter().zip(other).map(|(a, b)| (f64::from(*a) - f64::from(*b)).abs());
    changes.fold(0.0, f64::max)
}

fn mean(losses: &[f32]) -> f64 {
    losses.iter().fold(0.0, |sum, &loss| sum + f64::from(loss)) / losses.len().max(1) as f64
}

#[cfg(test)]
mod tests;
