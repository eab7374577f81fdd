//! One system trained under several seeds.

use super::bootstrap::Interval;

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

/// The 95 % interval of a mean over seeds by Student's distribution; `None` of fewer than two.
pub fn interval(values: &[f64]) -> Option<Interval> {
    let Spread { mean, deviation } = spread(values)?;
    let half = student(values.len() - 1) * deviation? / (values.len() as f64).sqrt();
    Some(Interval { low: mean - half, high: mean + half })
}

/// The 97.5 % quantile of Student's distribution: exact to three decimals up to eight degrees of freedom, then by the
/// expansion of Cornish and Fisher (Abramowitz and Stegun, 26.7.5).
fn student(freedom: usize) -> f64 {
    const FEW: [f64; 8] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306];
    const NORMAL: f64 = 1.959_964;
    if let Some(quantile) = FEW.get(freedom.saturating_sub(1)) {
        return *quantile;
    }
    let (z, n) = (NORMAL, freedom as f64);
    let square = z * z;
    let first = (square + 1.0) / 4.0;
    let second = ((5.0 * square + 16.0) * square + 3.0) / 96.0;
    let third = (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
    z * (1.0 + (first + (second + third / n) / n) / n)
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
    fn intervals_are_those_of_students_distribution() {
        // scipy.stats.t.ppf(0.975, n).
        for (freedom, expected) in [
            (1, 12.7062),
            (4, 2.7764),
            (8, 2.3060),
            (9, 2.2622),
            (12, 2.1788),
            (29, 2.0452),
            (99, 1.9842),
        ] {
            assert!((student(freedom) - expected).abs() < 1e-3, "{freedom} {}", student(freedom));
        }
        // Mean 2, deviation 1, root of 3: 4.303 / 1.7321.
        let found = interval(&[1.0, 2.0, 3.0]).unwrap();
        assert!(
            (found.low + 0.4843).abs() < 1e-3 && (found.high - 4.4843).abs() < 1e-3,
            "{found:?}"
        );
        assert_eq!(interval(&[1.0]), None);
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
