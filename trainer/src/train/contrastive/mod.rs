//! Training on pairs: each text of a batch is to find its translation among all others'.

mod affixes;
mod bases;
mod batches;
mod counts;
mod encoders;
mod fit;
mod lexical;
mod names;
mod pairs;
mod plan;
mod run;
mod state;
mod store;
mod validation;

pub use bases::Bases;
pub use batches::steps_in_epoch;
pub use counts::Counts;
pub use encoders::{pruned, rounded};
pub use fit::{Fitted, KeptBack, Reference, fit, fit_pack, found};
pub use lexical::{of_bases, of_stems, of_words, set_frequencies, table, translations};
pub use names::{ObjectiveName, StemName, Weighting};
pub use pairs::{Language, Pairs, Words, thinned};
#[cfg(feature = "teacher")]
pub use pairs::{kept_back, weights};
pub use plan::{DEFAULT_THRESHOLDS, Kept, Plan};
pub use run::{Trained, train};
pub use store::Scratch;
