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

    /// As [`Means::to_json`].
    pub fn to_json(self) -> Map<String, Value> {
        self.means().to_json()
    }

    /// As [`Means::to_table`].
    pub fn to_table(self) -> String {
        self.means().to_table()
    }

    fn means(self) -> Means {
        let names = NAMES.map(str::to_owned).into_iter();
        Means { queries: self.queries, metrics: names.zip(self.metrics.values()).collect() }
    }
}

/// The means of any metrics over some queries.
#[derive(Debug, Clone, PartialEq)]
pub struct Means {
    /// How many queries.
    pub queries: usize,
    /// The metrics' names and means.
    pub metrics: Vec<(String, f64)>,
}

impl Means {
    /// The means of each query's values of these metrics; zeros of no queries.
    pub fn of<'a>(names: &[&str], queries: impl Iterator<Item = &'a [f64]>) -> Self {
        let (mut sums, mut count) = (vec![0.0; names.len()], 0);
        for values in queries {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
            count += 1;
        }
        let mean = |(name, sum): (&&str, f64)| ((*name).to_owned(), sum / count.max(1) as f64);
        Self { queries: count, metrics: names.iter().zip(sums).map(mean).collect() }
    }

    /// `{"queries": n, "metrics": {...}}`
    pub fn to_json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("queries".into(), json!(self.queries));
        let metrics = self.metrics.iter().map(|(name, value)| (name.clone(), json!(value)));
        object.insert("metrics".into(), Value::Object(metrics.collect()));
        object
    }

    /// Name and value of each metric in two columns.
    pub fn to_table(&self) -> String {
        let longest = self.metrics.iter().map(|(name, _)| name.chars().count()).max();
        let width = longest.unwrap_or_default().max(7) + 1;
        let mut table = format!("{:<width$}{:>8}\n", "queries", self.queries);
        for (name, value) in &self.metrics {
            table.push_str(&format!("{name:<width$}{value:>8.4}\n"));
        }
        table
    }
}
