//! Training: rows and pairs -> steps -> the best epoch's networks.

mod average;
mod checkpoint;
pub mod contrastive;
mod epsilon;
mod fit;
pub mod general;
mod identity;
mod init;
mod json_number;
mod lists;
mod lsi;
#[cfg(feature = "neural")]
mod neural;
mod objective;
#[cfg(feature = "gpu")]
mod on_gpu;
mod order;
mod plan;
mod progress;
mod run;
mod start;
mod thresholds;
mod trained;
mod trainer;
mod variant;

pub use average::average;
pub use checkpoint::Checkpoint;
pub use identity::{PROGRAM, identity, read_of};
pub use init::{Init, InitOption, random_words};
pub use json_number::number;
pub use lists::{ListKind, ListLoss};
pub use plan::{DeviceName, EncoderName, LossName, Plan, Select};
pub use progress::Progress;
pub use run::{Speed, measure, train};
pub use trained::{Trained, gradient_limit};
pub use trainer::average_network;
pub use variant::{EpsilonRule, Variant};
