//! What a training gives.

use smooth_clir::encoder::Network;
use smooth_clir::model::DEFAULT_EPSILON;
use smooth_clir::training::lengths::Lengths;

use crate::evaluation::networks::Epsilons;

/// The networks of the best epoch: the query encoder's, then each language's.
#[derive(Debug, Clone, Default)]
pub struct Trained {
    /// The networks.
    pub networks: Vec<Network>,
    /// The epoch they are of, counted from 1.
    pub epoch: u64,
    /// Epsilon in that epoch.
    pub epsilons: Epsilons,
    /// The thresholds in that epoch, where they were learned.
    pub thresholds: Option<Vec<f32>>,
    /// What the epoch was chosen by, on the validation queries; `None` where there were none.
    pub selected: Option<f64>,
    /// Over the whole training, pairs whose gradient was undefined and taken as 0.
    pub undefined: u64,
    /// The mean loss of each epoch of this run.
    pub losses: Vec<f64>,
    /// Over the whole training, steps whose gradient was shortened.
    pub clipped: u64,
    /// All steps taken.
    pub steps: u64,
    /// The lengths of the score's gradients in each epoch of this run, with the share of them above
    /// [`gradient_limit`]; empty where they are not known.
    pub lengths: Vec<Lengths>,
}

/// The length that no gradient of SCS exceeds, `1/epsilon`; for cosine, that of SCS with the default
/// epsilon, to compare.
pub fn gradient_limit(epsilon: f32) -> f32 {
    1.0 / if epsilon > 0.0 { epsilon } else { DEFAULT_EPSILON }
}
