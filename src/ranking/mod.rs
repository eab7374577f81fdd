//! Ranking: from vectors and scores to the top documents, and the metrics of rankings by name.

pub mod judged;
pub mod measured;
pub mod metrics;
pub mod pruned;
pub mod scan;
pub(crate) mod two_bits;
