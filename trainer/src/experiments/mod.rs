//! Experiments: many trainings, their figures, and what can be said of them.
//!
//! A [`Study`] is a folder that holds the outcome of every [`Run`]; [`tuning`] chooses each
//! method's settings on the validation queries; [`compare`], [`sweep`] and [`figures`] are the
//! paper's tables and figures.

mod common;
pub mod compare;
mod explosion;
pub mod figures;
pub mod plot;
mod run;
mod study;
pub mod sweep;
mod table;
mod tuning;

pub use common::Sweep;
pub use run::Start;
pub use study::Study;
