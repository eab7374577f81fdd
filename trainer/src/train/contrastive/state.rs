//! How far a training on pairs has come: saved, and taken up again.

use serde_json::{Value, json};
use smooth_clir::encoder::Table;
use smooth_clir::training::step::contrastive::ContrastiveTrainer;

use super::pairs::{Pairs, encoder_words};
use super::plan::Plan;
use crate::error::Error;
use crate::train::checkpoint::Checkpoint;

/// How far a training has come.
#[derive(Debug, Default)]
pub struct State {
    /// Epochs done.
    pub epoch: u64,
    /// Steps taken.
    pub steps: u64,
    /// Of them, those in the epoch at hand.
    pub in_epoch: u64,
    /// The sum of their losses.
    losses: f64,
    /// The best epoch so far.
    pub best: Best,
}

/// The best epoch.
#[derive(Debug, Default)]
pub struct Best {
    /// The trainer's tables after it.
    pub tables: Vec<Table>,
    /// Counted from 1; 0 for none.
    pub epoch: u64,
    /// The share of the texts kept back that it finds first.
    pub accuracy: Option<f64>,
}

impl State {
    /// Counts a step with such a loss.
    pub fn count(&mut self, loss: f64) {
        self.steps += 1;
        self.in_epoch += 1;
        self.losses += loss;
    }

    /// Ends an epoch, and keeps its tables if it is the best. Gives back the mean loss.
    pub fn end_epoch(&mut self, accuracy: Option<f64>, tables: Vec<Table>) -> f64 {
        let loss = self.losses / self.in_epoch.max(1) as f64;
        (self.in_epoch, self.losses) = (0, 0.0);
        self.epoch += 1;
        if accuracy.is_none() || accuracy > self.best.accuracy {
            self.best = Best { tables, epoch: self.epoch, accuracy };
        }
        loss
    }

    /// Whether there is nothing more to do.
    pub fn is_over(&self, plan: &Plan) -> bool {
        self.epoch == plan.epochs || self.epoch - self.best.epoch == plan.patience
    }

    /// Saves it with what the trainer needs to go on.
    pub fn save(
        &self,
        checkpoint: &mut Checkpoint,
        trainer: &ContrastiveTrainer,
    ) -> Result<(), Error> {
        let mut writer = Checkpoint::writer();
        trainer.save(&mut writer);
        for (number, table) in self.best.tables.iter().enumerate() {
            writer.f32(&best(number), &[table.len(), table.dimension()], table.values());
        }
        let config = json!({
            "best": { "accuracy": self.best.accuracy.map(f64::to_bits), "epoch": self.best.epoch },
            "epoch": self.epoch,
            "in-epoch": self.in_epoch,
            "losses": self.losses.to_bits(),
            "steps": self.steps,
        });
        checkpoint.write(config, writer)
    }

    /// Takes up what was saved; `None` where nothing was.
    pub fn restore(
        checkpoint: &Checkpoint,
        plan: &Plan,
        pairs: &Pairs,
        trainer: &mut ContrastiveTrainer,
    ) -> Result<Option<Self>, Error> {
        checkpoint.read(|config, reader| {
            trainer.restore(reader)?;
            let number = |value: &Value| value.as_u64().unwrap_or_default();
            let epoch = number(&config["best"]["epoch"]);
            let rows = encoder_words(pairs).map(|(_, words)| words.vocabulary.len());
            let rows = rows.chain([plan.subwords]).filter(|_| epoch > 0).enumerate();
            let tables =
                rows.map(|(table, rows)| reader.table(&best(table), Some(rows), plan.dimension));
            let tables = tables.collect::<Result<_, _>>()?;
            let accuracy = config["best"]["accuracy"].as_u64().map(f64::from_bits);
            Ok(Self {
                epoch: number(&config["epoch"]),
                steps: number(&config["steps"]),
                in_epoch: number(&config["in-epoch"]),
                losses: f64::from_bits(number(&config["losses"])),
                best: Best { tables, epoch, accuracy },
            })
        })
    }
}

/// What a file calls the best epoch's table of this number.
fn best(table: usize) -> String {
    format!("best.{table}")
}
