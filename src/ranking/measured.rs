//! Which metrics are computed of each query.

use std::collections::HashMap;

use super::metrics::Metric;
use crate::math::metrics::{Metrics, NAMES};

/// The metrics that are computed of each query.
#[derive(Debug, Clone, PartialEq)]
pub enum Measured {
    /// The first paper's seven, of queries with a document of grade 2.
    Paper,
    /// Those of these names, of every query.
    Named(Vec<Metric>),
}

impl Measured {
    /// Those that were named, each once; the first paper's where none was.
    pub fn new(named: &[Metric]) -> Self {
        let mut once: Vec<Metric> = Vec::new();
        for metric in named {
            if once.iter().all(|known| known.name() != metric.name()) {
                once.push(metric.clone());
            }
        }
        if once.is_empty() { Self::Paper } else { Self::Named(once) }
    }

    /// Their names, in the order of the values.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Paper => NAMES.to_vec(),
            Self::Named(metrics) => metrics.iter().map(Metric::name).collect(),
        }
    }

    /// The values of a query, from its ranked documents, best first, and the grades of its judged ones; `None` if the
    /// query does not count. A document without a grade has 0.
    pub fn of_query<'a>(
        &self,
        ranked: impl Iterator<Item = &'a str>,
        grades: &HashMap<String, u8>,
    ) -> Option<Vec<f64>> {
        let ranked: Vec<u8> =
            ranked.map(|document| grades.get(document).copied().unwrap_or(0)).collect();
        let judged: Vec<u8> = grades.values().copied().collect();
        self.of_ranking(&ranked, &judged)
    }

    /// The values of a query, from the grades of its ranked documents and those of all its judged ones;
    /// `None` if the query does not count.
    pub fn of_ranking(&self, ranked: &[u8], judged: &[u8]) -> Option<Vec<f64>> {
        match self {
            Self::Paper => Metrics::of_ranking(ranked, judged).map(|found| found.values().to_vec()),
            Self::Named(metrics) => {
                Some(metrics.iter().map(|metric| metric.of_ranking(ranked, judged)).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_metrics_are_of_every_query_and_the_papers_of_those_with_grade_2() {
        let grades = |list: &[(&str, u8)]| -> HashMap<String, u8> {
            list.iter().map(|(id, grade)| ((*id).to_owned(), *grade)).collect()
        };
        let named = Measured::new(&["P@2", "mrr", "P@2"].map(|name| name.parse().unwrap()));
        assert_eq!(named.names(), ["P@2", "mrr"]);
        let partial = grades(&[("a", 1), ("b", 0)]);
        let ranked = || ["x", "a", "b"].into_iter();
        assert_eq!(named.of_query(ranked(), &partial), Some(vec![0.5, 0.5]));
        assert_eq!(named.of_query([].into_iter(), &grades(&[("a", 0)])), Some(vec![0.0, 0.0]));
        let paper = Measured::new(&[]);
        assert_eq!(paper.names(), NAMES);
        assert_eq!(paper.of_query(ranked(), &partial), None);
        let full = paper.of_query(ranked(), &grades(&[("a", 2)])).unwrap();
        assert_eq!((full[0], full[1], full[5]), (0.0, 1.0, 0.5));
    }
}
