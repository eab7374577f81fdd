//! One system trained under several seeds.

/// The mean over seeds, and how far a seed is from it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The sample standard deviation (divided by one less than their number); `None` of one.
    pub deviation: Option<f64>,
}

/// Mean and standard deviation of one figure under each seed; `None` of none.
pub fn spread(values: &[f64]) -> Option<Spread> {
    let count = values.len() as f64;
    if values.is_empty() {
        return None;
    }
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    let deviation = (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt());
    Some(Spread { mean, deviation })
}

/// Each query's mean over seeds, from `[seeds][queries]`; `None` without a seed, or where seeds
/// have different numbers of queries.
pub fn average_over_seeds(seeds: &[Vec<f64>]) -> Option<Vec<f64>> {
    let queries = seeds.first()?.len();
    if seeds.iter().any(|values| values.len() != queries) {
        return None;
    }
    let mean =
        |query: usize| seeds.iter().map(|values| values[query]).sum::<f64>() / seeds.len() as f64;
    Some((0..queries).map(mean).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::reference;

    #[test]
    fn mean_and_deviation_are_numpys() {
        let cases = reference("spread");
        assert!(cases.len() >= 10);
        for case in cases {
            let [values, expected] = &case[..] else { panic!("{case:?}") };
            let found = spread(values).unwrap();
            assert!((found.mean - expected[0]).abs() < 1e-12, "{found:?}, not {expected:?}");
            assert!((found.deviation.unwrap() - expected[1]).abs() < 1e-12, "{found:?}");
        }
    }

    #[test]
    fn one_seed_has_no_deviation_and_none_no_mean() {
        assert_eq!(spread(&[0.5]), Some(Spread { mean: 0.5, deviation: None }));
        assert_eq!(spread(&[]), None);
    }

    #[test]
    fn each_query_is_averaged_by_itself() {
        let seeds = [vec![0.0, 1.0, 0.5], vec![1.0, 1.0, 0.0]];
        assert_eq!(average_over_seeds(&seeds), Some(vec![0.5, 1.0, 0.25]));
    }

    #[test]
    fn seeds_with_different_queries_have_no_average() {
        assert_eq!(average_over_seeds(&[vec![0.0], vec![0.0, 1.0]]), None);
        assert_eq!(average_over_seeds(&[]), None);
    }
}
