//! What the ranking of a query comes to.

use crate::evaluation::calibration::Calibration;
use crate::evaluation::ranking::Scored;

/// A query's ranking and its metrics; its candidates by grade and score.
pub struct Outcome {
    /// Its place in the collection.
    pub query: usize,
    /// The first documents, best first.
    pub ranked: Vec<Scored>,
    /// The values of the metrics.
    pub metrics: Vec<f64>,
    /// All candidates by grade and score.
    pub calibration: Calibration,
}
