//! The average encoder, trained on the processor.

use smooth_clir::encoder::{Network, Table};
use smooth_clir::storage::container::{Reader, Writer};
use smooth_clir::training::step::{Pair, PairTrainer, Report};

use super::plan::Plan;
use super::trainer::{Trainer, average_network, settings};
use crate::corpus::Corpus;
use crate::error::Error;

/// The average encoder, trained on the processor.
pub struct AverageTrainer {
    trainer: PairTrainer,
    reports: Vec<Report>,
    lengths: Vec<f32>,
}

impl AverageTrainer {
    /// Trains the rows of words, which weigh as they do in the corpus.
    pub fn new(plan: &Plan, corpus: &Corpus, words: Vec<Table>) -> Self {
        let mut trainer = average(plan, words, rayon::current_num_threads());
        trainer.weigh(corpus.weightings());
        Self { trainer, reports: Vec::new(), lengths: Vec::new() }
    }
}

impl Trainer for AverageTrainer {
    fn step(&mut self, batch: &[Pair<'_>]) -> Result<(), Error> {
        self.reports.push(self.trainer.step(batch));
        self.lengths.extend(self.trainer.gradient_lengths());
        Ok(())
    }

    fn gradient_lengths(&mut self) -> Vec<f32> {
        std::mem::take(&mut self.lengths)
    }

    fn reports(&mut self) -> Result<Vec<Report>, Error> {
        Ok(std::mem::take(&mut self.reports))
    }

    fn set_learning_rate(&mut self, learning_rate: f32) {
        self.trainer.set_learning_rate(learning_rate);
    }

    fn networks(&self) -> Result<Vec<Network>, Error> {
        Ok(self.trainer.tables().into_iter().map(average_network).collect())
    }

    fn save(&self, writer: &mut Writer) -> Result<(), Error> {
        self.trainer.save(writer);
        Ok(())
    }

    fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), smooth_clir::Error> {
        self.trainer.restore(reader)
    }
}

/// The trainer of averages, on so many threads.
pub fn average(plan: &Plan, mut words: Vec<Table>, threads: usize) -> PairTrainer {
    let documents = words.split_off(1);
    let query = words.pop().unwrap_or_default();
    PairTrainer::on_threads(threads, settings(plan), query, documents)
}
