//! Corpora: read, split, and paired with sampled negatives.

pub mod builtin;
pub mod candidates;
pub mod collection;
pub mod comparable;
pub mod direction;
pub mod documents;
pub mod layout;
pub mod pairs;
pub mod split;
pub mod trec;
pub mod tsv;

pub use candidates::{Candidates, Pool};
pub use collection::Collection;
pub use direction::Direction;
pub use split::{Split, SplitBy};
