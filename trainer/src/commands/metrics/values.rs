//! The metrics of a run's queries.

use std::collections::HashMap;

use smooth_clir::ranking::measured::Measured;

use crate::data::trec::{Qrels, Run};

/// The metrics of a query.
#[derive(Debug, Clone)]
pub struct OfQuery<'a> {
    /// Its id.
    pub query: &'a str,
    /// The values of the metrics.
    pub values: Vec<f64>,
}

/// The metrics of each query that counts, in the order of their ids.
pub fn values<'a>(run: &Run, qrels: &'a Qrels, measured: &Measured) -> Vec<OfQuery<'a>> {
    let of_query = |(query, grades): (&'a String, &HashMap<String, u8>)| {
        let ranked = run.get(query).map_or(&[][..], Vec::as_slice);
        let ranked = ranked.iter().map(|ranked| &*ranked.document);
        let values = measured.of_query(ranked, grades)?;
        Some(OfQuery { query, values })
    };
    qrels.iter().filter_map(of_query).collect()
}
