//! Collections as what training reads: vocabularies, rows, and the pairs of each split.

mod examples;
mod prepared;
mod rows;

pub use examples::Example;
pub use prepared::{Drawing, Prepared};
pub use rows::{Corpus, Texts};
