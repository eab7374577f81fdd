//! Vectors and scores -> a ranking.

pub mod judged;
pub mod scan;
