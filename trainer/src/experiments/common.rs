//! What all trainings of a sweep have in common.

use super::run::{Run, Start};
use crate::corpus::Drawing;
use crate::train::Plan;

/// What all trainings of a sweep have in common.
pub struct Sweep<'a> {
    /// The plan, but for what is varied.
    pub plan: &'a Plan,
    /// How queries are split and negatives sampled.
    pub drawing: Drawing,
    /// What the words' rows begin with.
    pub start: &'a Start,
    /// The epochs of a trial.
    pub tuning_epochs: u64,
    /// How often each is trained.
    pub seeds: u64,
}

impl Sweep<'_> {
    /// A training by a plan; with `test` also of the test queries' ranking.
    pub fn run(&self, test: bool) -> impl Fn(Plan) -> Run {
        move |plan| Run { plan, drawing: self.drawing, start: self.start.clone(), test }
    }
}
