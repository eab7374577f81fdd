//! Rankings of judged documents, at any epsilon.

use crate::math::loss::Thresholds;
use crate::math::metrics::Metrics;
use crate::math::similarity::from_parts;

/// Queries with the judged documents that each ranks.
#[derive(Debug, Clone, Default)]
pub struct Judged {
    query_norms: Vec<f32>,
    /// The start of each query's documents: queries + 1 offsets.
    starts: Vec<usize>,
    dots: Vec<f32>,
    norms: Vec<f32>,
    grades: Vec<u8>,
}

impl Judged {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    /// Adds a query: for each of its documents the dot product, the norm and the grade. Equal
    /// scores rank in the given order.
    pub fn add(&mut self, query_norm: f32, dots: &[f32], norms: &[f32], grades: &[u8]) {
        let count = dots.len().min(norms.len()).min(grades.len());
        self.query_norms.push(query_norm);
        self.dots.extend(&dots[..count]);
        self.norms.extend(&norms[..count]);
        self.grades.extend(&grades[..count]);
        self.starts.push(self.dots.len());
    }

    /// The number of queries.
    pub fn len(&self) -> usize {
        self.query_norms.len()
    }

    /// Whether there is no query.
    pub fn is_empty(&self) -> bool {
        self.query_norms.is_empty()
    }

    /// The scores of all documents, query by query.
    pub fn scores(&self, epsilon: f32) -> Vec<f32> {
        let of_query = |(number, &norm): (usize, &f32)| {
            let range = self.starts[number]..self.starts[number + 1];
            range.map(move |at| from_parts(self.dots[at], norm, self.norms[at], epsilon))
        };
        self.query_norms.iter().enumerate().flat_map(of_query).collect()
    }

    /// Each query's metrics; `None` for one without an MR document.
    pub fn metrics(&self, epsilon: f32) -> Vec<Option<Metrics>> {
        let scores = self.scores(epsilon);
        let of_query = |ends: &[usize]| {
            let (scores, grades) = (&scores[ends[0]..ends[1]], &self.grades[ends[0]..ends[1]]);
            let mut order: Vec<usize> = (0..scores.len()).collect();
            // Adding 0 turns -0 into 0.
            order.sort_by(|&a, &b| (scores[b] + 0.0).total_cmp(&(scores[a] + 0.0)));
            let ranked: Vec<u8> = order.into_iter().map(|at| grades[at]).collect();
            Metrics::of_ranking(&ranked, grades)
        };
        self.starts.windows(2).map(of_query).collect()
    }

    /// The metrics, averaged over the queries that have them.
    pub fn mean(&self, epsilon: f32) -> Metrics {
        let each: Vec<Metrics> = self.metrics(epsilon).into_iter().flatten().collect();
        Metrics::mean(&each)
    }

    /// The confusion matrix of the grades by threshold: K rows (the judged grade) of K columns (the
    /// predicted grade).
    pub fn confusion(&self, epsilon: f32, thresholds: &Thresholds) -> Vec<u32> {
        let grades = thresholds.grades();
        let mut counts = vec![0; grades * grades];
        for (score, &grade) in self.scores(epsilon).into_iter().zip(&self.grades) {
            let grade = usize::from(grade).min(grades - 1);
            counts[grade * grades + usize::from(thresholds.predicted_grade(score))] += 1;
        }
        counts
    }

    /// The grades of all documents, query by query.
    pub fn grades(&self) -> &[u8] {
        &self.grades
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A short relevant document and a long irrelevant one, that swap at epsilon 1.
    fn judged() -> Judged {
        let mut judged = Judged::new();
        judged.add(2.0, &[1.8, 0.9], &[3.0, 1.0], &[0, 2]);
        judged.add(1.0, &[0.5], &[1.0], &[1]);
        judged
    }

    #[test]
    fn the_metrics_follow_the_order_that_epsilon_gives() {
        let judged = judged();
        assert_eq!((judged.len(), judged.is_empty()), (2, false));
        assert_eq!(judged.mean(0.5).p_mr_1, 1.0);
        assert_eq!(judged.mean(2.0).p_mr_1, 0.0);
        assert_eq!(judged.mean(2.0).mrr_mr, 0.5);
        assert_eq!(judged.metrics(0.5)[1], None);
    }

    #[test]
    fn scores_are_those_of_the_formula_and_thresholds_cut_them() {
        let judged = judged();
        // 1.8 / (2.5 * 3.5), 0.9 / (2.5 * 1.5), 0.5 / (1.5 * 1.5)
        for (score, expected) in judged.scores(0.5).into_iter().zip([0.20571, 0.24, 0.22222]) {
            assert!((score - expected).abs() < 1e-5);
        }
        let thresholds = Thresholds::new(&[0.21, 0.23]).unwrap();
        assert_eq!(judged.confusion(0.5, &thresholds), [1, 0, 0, 0, 1, 0, 0, 0, 1]);
    }

    #[test]
    fn equal_scores_stay_in_the_order_given() {
        let mut judged = Judged::new();
        judged.add(1.0, &[-0.0, 0.0], &[1.0, 1.0], &[2, 0]);
        judged.add(1.0, &[0.0, -0.0], &[1.0, 1.0], &[2, 0]);
        assert_eq!(judged.mean(0.0).p_mr_1, 1.0);
    }

    #[test]
    fn a_grade_above_the_thresholds_counts_as_their_highest() {
        let mut judged = Judged::new();
        assert!(judged.is_empty());
        judged.add(1.0, &[0.9, 0.1], &[1.0, 1.0], &[7, 7]);
        let thresholds = Thresholds::new(&[0.5]).unwrap();
        assert_eq!(judged.confusion(0.0, &thresholds), [0, 0, 1, 1]);
    }
}
