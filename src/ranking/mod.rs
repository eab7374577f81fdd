//! Ranking: from vectors and scores to the top documents.

pub mod judged;
pub mod scan;
