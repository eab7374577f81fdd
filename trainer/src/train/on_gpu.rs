//! Averages trained on a graphics card.

use pollster::block_on;
use smooth_clir::encoder::{Network, Table};
use smooth_clir::gpu::{self, Gpu};
use smooth_clir::storage::container::{Reader, Writer};
use smooth_clir::training::step::{Pair, Report};

use super::plan::Plan;
use super::trainer::{Trainer, average_network, settings};
use crate::corpus::Corpus;
use crate::error::Error;
use crate::evaluation::networks::Epsilons;

/// Steps that are handed over before the card is waited for.
const WAITING: usize = 64;

/// A trainer whose tables are the card's.
pub struct GpuAverageTrainer {
    epsilon: f32,
    trainer: gpu::GpuTrainer,
    waiting: usize,
    reports: Vec<Report>,
}

impl GpuAverageTrainer {
    /// Asks for a card, and says which one it is.
    pub fn new(plan: &Plan, corpus: &Corpus, mut words: Vec<Table>) -> Result<Self, Error> {
        let gpu = block_on(Gpu::request())?;
        let software =
            if gpu.is_software() { " (in software: slower than --device cpu)" } else { "" };
        eprintln!("training on {}{software}", gpu.name());
        let documents = words.split_off(1);
        let query = words.pop().unwrap_or_default();
        let mut trainer = gpu::GpuTrainer::new(&gpu, settings(plan), query, documents)?;
        let weightings = corpus.weightings();
        if !weightings.is_empty() {
            trainer.weigh(weightings);
        }
        Ok(Self { epsilon: plan.epsilon, trainer, waiting: 0, reports: Vec::new() })
    }

    fn wait(&mut self) -> Result<(), Error> {
        self.reports.extend(block_on(self.trainer.reports())?);
        self.waiting = 0;
        Ok(())
    }
}

impl Trainer for GpuAverageTrainer {
    fn step(&mut self, batch: &[Pair<'_>]) -> Result<(), Error> {
        self.trainer.enqueue(batch)?;
        self.waiting += 1;
        if self.waiting == WAITING { self.wait() } else { Ok(()) }
    }

    fn reports(&mut self) -> Result<Vec<Report>, Error> {
        self.wait()?;
        Ok(std::mem::take(&mut self.reports))
    }

    fn set_learning_rate(&mut self, learning_rate: f32) {
        self.trainer.set_learning_rate(learning_rate);
    }

    fn epsilons(&self) -> Epsilons {
        self.epsilon.into()
    }

    fn networks(&self) -> Result<Vec<Network>, Error> {
        Ok(block_on(self.trainer.tables())?.into_iter().map(average_network).collect())
    }

    fn save(&self, writer: &mut Writer) -> Result<(), Error> {
        Ok(block_on(self.trainer.save(writer))?)
    }

    fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), smooth_clir::Error> {
        self.trainer.restore(reader)
    }
}
