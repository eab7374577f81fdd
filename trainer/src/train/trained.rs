//! What a training gives.

use smooth_clir::encoder::Network;

/// The networks of the best epoch: the query encoder's, then each language's.
#[derive(Debug, Clone, Default)]
pub struct Trained {
    /// The networks.
    pub networks: Vec<Network>,
    /// The epoch they are of, counted from 1.
    pub epoch: u64,
    /// What the epoch was chosen by, on the validation queries; `None` where there were none.
    pub selected: Option<f64>,
    /// Over the whole training, pairs whose gradient was undefined and taken as 0.
    pub undefined: u64,
    /// Over the whole training, steps whose gradient was shortened.
    pub clipped: u64,
    /// All steps taken.
    pub steps: u64,
}
