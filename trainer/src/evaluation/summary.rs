//! Metrics as a table for people and as JSON for programs.

use serde_json::{Map, Value, json};
use smooth_clir::math::metrics::{Metrics, NAMES};

/// The means of some queries' metrics, and how many they were.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// How many queries.
    pub queries: usize,
    /// Their means.
    pub metrics: Metrics,
}

impl Summary {
    /// The means over queries.
    pub fn of(queries: &[Metrics]) -> Self {
        Self { queries: queries.len(), metrics: Metrics::mean(queries) }
    }

    /// `{"queries": n, "metrics": {...}}`
    pub fn to_json(self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("queries".into(), json!(self.queries));
        let metrics = NAMES.iter().zip(self.metrics.values());
        let metrics = metrics.map(|(name, value)| ((*name).to_owned(), json!(value)));
        object.insert("metrics".into(), Value::Object(metrics.collect()));
        object
    }

    /// Name and value of each metric in two columns.
    pub fn to_table(self) -> String {
        let mut table = format!("{:<8}{:>8}\n", "queries", self.queries);
        for (name, value) in NAMES.iter().zip(self.metrics.values()) {
            table.push_str(&format!("{name:<8}{value:>8.4}\n"));
        }
        table
    }
}
