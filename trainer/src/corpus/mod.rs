//! Collections as what training reads: vocabularies, rows, and the pairs of each split.

mod examples;
mod judgements;
mod prepared;
mod rows;

pub use judgements::{Judgements, MOST_RANKED};
pub use prepared::{Drawing, Prepared};
pub use rows::Corpus;
pub use smooth_clir::training::corpus::{Example, Texts};
