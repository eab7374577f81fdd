//! The average encoder, trained on the processor.

use smooth_clir::encoder::{Network, Table};
use smooth_clir::math::loss::Loss;
use smooth_clir::storage::container::{Reader, Writer};
use smooth_clir::training::step::{Measured, Pair, PairTrainer, Report};

use super::epsilon::ChangingEpsilon;
use super::objective;
use super::plan::Plan;
use super::thresholds::LearnedThresholds;
use super::trainer::{Trainer, average_network, settings};
use super::variant::{EpsilonRule, Variant};
use crate::corpus::Corpus;
use crate::error::Error;
use crate::evaluation::networks::Epsilons;

/// The average encoder, trained on the processor.
pub struct AverageTrainer {
    trainer: PairTrainer,
    loss: Loss,
    learning_rate: f32,
    variant: Variant,
    epsilon: ChangingEpsilon,
    thresholds: LearnedThresholds,
    reports: Vec<Report>,
    lengths: Vec<f32>,
}

impl AverageTrainer {
    /// Trains the rows of words, which weigh as they do in the corpus.
    pub fn new(plan: &Plan, corpus: &Corpus, words: Vec<Table>) -> Self {
        let mut trainer = average(plan, words, rayon::current_num_threads());
        trainer.weigh(corpus.weightings());
        Self {
            trainer,
            loss: plan.loss.clone(),
            learning_rate: plan.learning_rate,
            variant: plan.variant.clone(),
            epsilon: ChangingEpsilon::new(plan),
            thresholds: LearnedThresholds::new(plan),
            reports: Vec::new(),
            lengths: Vec::new(),
        }
    }

    /// A step that is not the core's usual one.
    fn step_by(&mut self, batch: &[Pair<'_>]) -> Report {
        let Self { trainer, loss, learning_rate, variant, epsilon, thresholds, .. } = self;
        let epsilons = epsilon.values();
        let judge = |measured: &[Measured]| {
            let inner = thresholds.values();
            let mut gradient = vec![0.0; inner.len()];
            let judged = objective::judge(loss, variant, batch, measured, inner, &mut gradient);
            if variant.learned_margin.is_some() {
                thresholds.learn(*learning_rate, &gradient);
            }
            epsilon.learn(*learning_rate, measured, &judged);
            judged
        };
        match variant.descent {
            false => trainer.step_by(batch, epsilons, judge),
            true => trainer.descend_by(batch, epsilons, judge, *learning_rate),
        }
    }
}

impl Trainer for AverageTrainer {
    fn step(&mut self, batch: &[Pair<'_>]) -> Result<(), Error> {
        let report = match self.variant.changes_steps() {
            false => self.trainer.step(batch),
            true => self.step_by(batch),
        };
        self.reports.push(report);
        self.lengths.extend(self.trainer.gradient_lengths());
        Ok(())
    }

    fn epsilons(&self) -> Epsilons {
        self.epsilon.values().into()
    }

    fn thresholds(&self) -> Option<Vec<f32>> {
        self.variant.learned_margin.map(|_| self.thresholds.values().to_vec())
    }

    fn begin(&mut self, epoch: u64, epochs: u64) {
        self.epsilon.begin(epoch, epochs);
    }

    fn gradient_lengths(&mut self) -> Vec<f32> {
        std::mem::take(&mut self.lengths)
    }

    fn reports(&mut self) -> Result<Vec<Report>, Error> {
        Ok(std::mem::take(&mut self.reports))
    }

    fn set_learning_rate(&mut self, learning_rate: f32) {
        self.learning_rate = learning_rate;
        self.trainer.set_learning_rate(learning_rate);
    }

    fn networks(&self) -> Result<Vec<Network>, Error> {
        Ok(self.trainer.tables().into_iter().map(average_network).collect())
    }

    fn save(&self, writer: &mut Writer) -> Result<(), Error> {
        self.trainer.save(writer);
        if self.variant.epsilon != EpsilonRule::Fixed {
            self.epsilon.save(writer);
        }
        if self.variant.learned_margin.is_some() {
            self.thresholds.save(writer);
        }
        Ok(())
    }

    fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), smooth_clir::Error> {
        self.trainer.restore(reader)?;
        if self.variant.learned_margin.is_some() {
            self.thresholds.restore(reader)?;
        }
        match self.variant.epsilon {
            EpsilonRule::Fixed => Ok(()),
            _ => self.epsilon.restore(reader),
        }
    }
}

/// The trainer of averages, on so many threads.
pub fn average(plan: &Plan, mut words: Vec<Table>, threads: usize) -> PairTrainer {
    let documents = words.split_off(1);
    let query = words.pop().unwrap_or_default();
    PairTrainer::on_threads(threads, settings(plan), query, documents)
}
