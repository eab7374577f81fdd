//! What each step of an epoch is on.

use std::collections::HashMap;

use smooth_clir::math::random::Random;

use super::pairs::{Language, Pairs};
use super::plan::Plan;

/// Steps in an epoch.
pub fn steps_in_epoch(plan: &Plan, pairs: &Pairs) -> u64 {
    let steps = |language: &Language| whole_batches(plan, language.turns_in_epoch());
    pairs.languages.iter().map(steps).sum::<usize>() as u64
}

/// What is left of a last batch waits for the next epoch, unless there is no other.
fn whole_batches(plan: &Plan, pairs: usize) -> usize {
    (pairs / plan.batch_size).max(1)
}

/// The steps of an epoch: pairs in random order, languages in turn at random.
pub struct Order {
    /// Of each language the pairs, batch after batch.
    pairs: Vec<Vec<u32>>,
    /// Of each step the language, and which of its batches.
    steps: Vec<(u32, u32)>,
    batch_size: usize,
}

impl Order {
    /// The order of an epoch, counted from 1.
    pub fn new(plan: &Plan, pairs: &Pairs, epoch: u64) -> Self {
        let (mut all, mut steps) = (Vec::new(), Vec::new());
        for (language, pairs_of) in (0..).zip(&pairs.languages) {
            let mut order = pairs_of.turns();
            Random::new(plan.seed, &format!("order {epoch} {}", pairs_of.name)).shuffle(&mut order);
            steps.extend((0..whole_batches(plan, order.len()) as u32).map(|at| (language, at)));
            all.push(order);
        }
        Random::new(plan.seed, &format!("steps {epoch}")).shuffle(&mut steps);
        Self { pairs: all, steps, batch_size: plan.batch_size }
    }

    /// The language and the pairs of each step.
    pub fn steps(&self) -> impl Iterator<Item = (usize, &[u32])> {
        self.steps.iter().map(|&(language, batch)| {
            let rest = &self.pairs[language as usize][batch as usize * self.batch_size..];
            (language as usize, &rest[..rest.len().min(self.batch_size)])
        })
    }
}

/// For each text a number that equal ones have.
pub fn same(texts: &[&[u32]]) -> Vec<u32> {
    let mut numbers = HashMap::new();
    (0..).zip(texts).map(|(next, text)| *numbers.entry(text).or_insert(next)).collect()
}

/// Which words a step leaves out: a hash of step and word, so that no order matters.
pub struct LeftOut {
    seed: u64,
    below: u64,
}

impl LeftOut {
    /// Of a step, counted from 0.
    pub fn new(plan: &Plan, step: u64) -> Self {
        let seed = Random::new(plan.seed, &format!("left out {step}")).next_u64();
        let dropout = if plan.subwords == 0 { 0.0 } else { plan.word_dropout };
        Self { seed, below: (f64::from(dropout) * f64::from(u32::MAX)) as u64 }
    }

    /// Whether it leaves a word of a side out.
    pub fn is(&self, side: usize, row: u32) -> bool {
        let word = (u64::from(row) * 2 + side as u64) ^ self.seed;
        let mixed = (word ^ (word >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32) < self.below
    }
}

#[cfg(test)]
mod tests {
    use super::same;

    #[test]
    fn equal_texts_have_one_number() {
        assert_eq!(same(&[&[1, 2], &[3], &[1, 2], &[], &[3], &[2, 1]]), [0, 1, 0, 3, 1, 5]);
    }
}
