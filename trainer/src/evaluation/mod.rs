//! Evaluation: texts are encoded and ranked, and rankings become metrics.

pub mod bm25;
pub mod calibration;
pub mod evaluation_file;
pub mod hybrid;
pub mod mates;
pub mod networks;
pub mod per_query;
pub mod ranking;
mod summary;

pub use summary::{Means, Summary};
