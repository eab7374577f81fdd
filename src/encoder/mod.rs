//! Rows -> vector.

mod average;
mod table;

pub use average::{AverageEncoder, encode_rows};
pub use table::{Precision, Quantised, Table};
