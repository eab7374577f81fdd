//! What is trained: networks that take a step on a batch of pairs.

use smooth_clir::encoder::{Network, Table};
use smooth_clir::storage::container::{Reader, Writer};
use smooth_clir::training::step::{Pair, Report, Settings};

use super::plan::Plan;
use crate::error::Error;
use crate::evaluation::networks::Epsilons;

/// Networks in training: the queries' first, then each language's.
pub trait Trainer {
    /// One step on a batch; what it met is told later.
    fn step(&mut self, batch: &[Pair<'_>]) -> Result<(), Error>;
    /// What each step met since the last time that this was asked.
    fn reports(&mut self) -> Result<Vec<Report>, Error>;
    /// The lengths of the score's gradients of all steps since the last time that this was asked;
    /// empty where they are not known.
    fn gradient_lengths(&mut self) -> Vec<f32> {
        Vec::new()
    }
    /// Epsilon of the query's and of the document's norm, as it is now.
    fn epsilons(&self) -> Epsilons;
    /// The thresholds as they are now, where they are learned.
    fn thresholds(&self) -> Option<Vec<f32>> {
        None
    }
    /// Begins an epoch, from 1 to `epochs`.
    fn begin(&mut self, _epoch: u64, _epochs: u64) {}
    /// Another step size from now on.
    fn set_learning_rate(&mut self, learning_rate: f32);
    /// The networks as they are now.
    fn networks(&self) -> Result<Vec<Network>, Error>;
    /// Adds all that the next step depends on to a file.
    fn save(&self, writer: &mut Writer) -> Result<(), Error>;
    /// Takes it back.
    fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), smooth_clir::Error>;
}

/// The network of a table.
pub fn average_network(table: Table) -> Network {
    Network::Average(table.into())
}

/// What a plan says of each step of the average encoder.
pub fn settings(plan: &Plan) -> Settings {
    Settings {
        epsilon: plan.epsilon,
        loss: plan.loss.clone(),
        learning_rate: plan.learning_rate,
        clip: plan.clip,
        pull: 0.0,
    }
}
