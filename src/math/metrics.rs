//! The metrics of paper 1's Table 2, from ranked grades.
//!
//! Grade 2 is relevant (MR), 1 partially relevant (SR), 0 irrelevant (NR). The definitions agree
//! with trec_eval's: see `tests/reference/metrics.py`.

/// The seven metrics of one ranking, or their means over many.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Metrics {
    /// P_mr@1: 1 if the first document is MR, else 0.
    pub p_mr_1: f64,
    /// P_mr@5 (Hits@5): the number of MR documents among the first five, a count, not a proportion.
    pub p_mr_5: f64,
    /// P_r@5: the proportion of MR and SR documents among the first five.
    pub p_r_5: f64,
    /// NDCG@5: the discounted gain of the first five over the largest possible one; the gain is the
    /// grade.
    pub ndcg_5: f64,
    /// MAP: average precision over grades above 0.
    pub map: f64,
    /// MRR_mr: the reciprocal rank of the first MR document.
    pub mrr_mr: f64,
    /// MRR_r: the reciprocal rank of the first document with a grade above 0.
    pub mrr_r: f64,
}

/// The names of the metrics, in the order of [`Metrics::values`].
pub const NAMES: [&str; 7] = ["P_mr@1", "P_mr@5", "P_r@5", "NDCG@5", "MAP", "MRR_mr", "MRR_r"];

const CUT: usize = 5;

impl Metrics {
    /// Computes the metrics of one query from the grades of its ranked documents, and those of all
    /// its judged documents in any order. `None` if no judged document is MR.
    pub fn of_ranking(ranked: &[u8], judged: &[u8]) -> Option<Self> {
        if !judged.iter().any(|&grade| grade >= 2) {
            return None;
        }
        let first = &ranked[..CUT.min(ranked.len())];
        let hits = |least: u8| first.iter().filter(|&&grade| grade >= least).count() as f64;
        let reciprocal_rank = |least: u8| {
            let place = ranked.iter().position(|&grade| grade >= least);
            place.map_or(0.0, |place| 1.0 / (place + 1) as f64)
        };
        let mut best = judged.to_vec();
        best.sort_unstable_by(|a, b| b.cmp(a));

        let relevant = judged.iter().filter(|&&grade| grade > 0).count();
        let mut found = 0;
        let mut precisions = 0.0;
        for (place, &grade) in ranked.iter().enumerate() {
            if grade > 0 {
                found += 1;
                precisions += f64::from(found) / (place + 1) as f64;
            }
        }
        Some(Self {
            p_mr_1: f64::from(u8::from(ranked.first().is_some_and(|&grade| grade >= 2))),
            p_mr_5: hits(2),
            p_r_5: hits(1) / CUT as f64,
            ndcg_5: discounted_gain(first) / discounted_gain(&best[..CUT.min(best.len())]),
            map: precisions / relevant as f64,
            mrr_mr: reciprocal_rank(2),
            mrr_r: reciprocal_rank(1),
        })
    }

    /// The values in the order of [`NAMES`].
    pub fn values(&self) -> [f64; NAMES.len()] {
        [self.p_mr_1, self.p_mr_5, self.p_r_5, self.ndcg_5, self.map, self.mrr_mr, self.mrr_r]
    }

    /// The means over many rankings; zeros for an empty list.
    pub fn mean(rankings: &[Metrics]) -> Self {
        let mut sums = [0.0; NAMES.len()];
        for metrics in rankings {
            for (sum, value) in sums.iter_mut().zip(metrics.values()) {
                *sum += value;
            }
        }
        sums.map(|sum| sum / rankings.len().max(1) as f64).into()
    }
}

impl From<[f64; NAMES.len()]> for Metrics {
    /// Creates metrics from the values in the order of [`NAMES`].
    fn from([p_mr_1, p_mr_5, p_r_5, ndcg_5, map, mrr_mr, mrr_r]: [f64; NAMES.len()]) -> Self {
        Self { p_mr_1, p_mr_5, p_r_5, ndcg_5, map, mrr_mr, mrr_r }
    }
}

/// The sum of grades, each divided by the logarithm of its place.
pub(crate) fn discounted_gain(grades: &[u8]) -> f64 {
    let gains = grades.iter().enumerate();
    gains.fold(0.0, |sum, (place, &grade)| sum + f64::from(grade) / libm::log2((place + 2) as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_rankings_score_as_trec_eval_scores_them() {
        // Each line: ranked grades, judged but not ranked grades, then trec_eval's seven figures.
        let mut checked = 0;
        for line in include_str!("../../tests/reference/metrics.tsv").lines() {
            let field: Vec<&str> = line.split('\t').collect();
            let grades = |field: &str| field.bytes().map(|b| b - b'0').collect::<Vec<u8>>();
            let ranked = grades(field[0]);
            let judged = [ranked.clone(), grades(field[1])].concat();
            let ours = Metrics::of_ranking(&ranked, &judged).unwrap().values();
            for ((name, ours), theirs) in NAMES.iter().zip(ours).zip(&field[2..]) {
                let theirs: f64 = theirs.parse().unwrap();
                assert!((ours - theirs).abs() < 1e-9, "{name} of {line}: {ours}");
            }
            checked += 1;
        }
        assert!(checked >= 300);
    }

    #[test]
    fn a_query_without_a_relevant_document_has_no_metrics() {
        assert_eq!(Metrics::of_ranking(&[1, 0], &[1, 0]), None);
        assert_eq!(Metrics::of_ranking(&[], &[]), None);
    }

    #[test]
    fn a_ranking_that_misses_the_document_scores_zero() {
        let metrics = Metrics::of_ranking(&[0, 0], &[0, 0, 2]).unwrap();
        assert_eq!(metrics.values(), [0.0; 7]);
    }

    #[test]
    fn means_are_over_queries() {
        let hit = Metrics::of_ranking(&[2, 0], &[2, 0]).unwrap();
        let miss = Metrics::of_ranking(&[0, 2], &[2, 0]).unwrap();
        let mean = Metrics::mean(&[hit, miss]);
        assert_eq!((mean.p_mr_1, mean.mrr_mr), (0.5, 0.75));
    }
}
