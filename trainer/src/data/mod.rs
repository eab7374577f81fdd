//! Corpora: read, split, and paired with irrelevant documents.

pub mod builtin;
pub mod candidates;
pub mod collection;
pub mod split;
pub mod trec;
pub mod tsv;

pub use candidates::Candidates;
pub use collection::Collection;
pub use split::{Split, SplitBy};
