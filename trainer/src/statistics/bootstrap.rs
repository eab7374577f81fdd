//! Where a mean lies: the percentile bootstrap over groups.

use rayon::prelude::*;
use smooth_clir::math::random::Random;

use super::groups::{Group, groups};

/// How much of the resampled means an interval holds.
const COVERAGE: f64 = 0.95;

/// An interval's ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The 95 % percentile interval of the mean of `values`, each with the name of its group
/// (a query's title). Groups are resampled whole, as many as there are, with replacement, for
/// queries of one group resemble each other (Efron and Tibshirani, 1993). `None` of no values.
pub fn interval_of_mean(values: &[(&str, f64)], draws: usize, seed: u64) -> Option<Interval> {
    let groups = groups(values);
    let mean_of_draw = |draw: usize| {
        let mut random = Random::new(seed, &format!("bootstrap {draw}"));
        let mut total = Group::default();
        for _ in 0..groups.len() {
            let group = &groups[random.below(groups.len())];
            total.sum += group.sum;
            total.count += group.count;
        }
        total.sum / total.count
    };
    if groups.is_empty() || draws == 0 {
        return None;
    }
    let mut means: Vec<f64> = (0..draws).into_par_iter().map(mean_of_draw).collect();
    means.sort_unstable_by(f64::total_cmp);
    let tail = (1.0 - COVERAGE) / 2.0;
    Some(Interval { low: quantile(&means, tail), high: quantile(&means, 1.0 - tail) })
}

/// Between the two nearest of the sorted values, in proportion.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let below = sorted[place.floor() as usize];
    let above = sorted[place.ceil() as usize];
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{DRAWS, reference};

    #[test]
    fn ends_are_those_of_scipy_within_what_drawing_allows() {
        let cases = reference("bootstrap");
        assert!(cases.len() >= 10);
        for case in cases {
            let [groups, values, expected] = &case[..] else { panic!("{case:?}") };
            let names: Vec<String> = groups.iter().map(f64::to_string).collect();
            let names = names.iter().map(String::as_str);
            let values: Vec<(&str, f64)> = names.zip(values.iter().copied()).collect();
            let found = interval_of_mean(&values, DRAWS, 1).unwrap();
            // Four times the standard deviation of such a quantile, for means that are nearly normal.
            let close = 0.03 * (expected[1] - expected[0]);
            assert!((found.low - expected[0]).abs() < close, "{found:?}, not {expected:?}");
            assert!((found.high - expected[1]).abs() < close, "{found:?}, not {expected:?}");
        }
    }

    #[test]
    fn repeating_queries_within_their_groups_adds_no_certainty() {
        let groups = ["a", "b", "c", "d", "e", "f"];
        let once: Vec<(&str, f64)> =
            groups.iter().copied().zip([0.0, 1.0, 0.5, 0.25, 1.0, 0.0]).collect();
        let thrice: Vec<(&str, f64)> = once.iter().flat_map(|&value| [value; 3]).collect();
        assert_eq!(interval_of_mean(&once, 500, 7), interval_of_mean(&thrice, 500, 7));
    }

    #[test]
    fn the_interval_of_one_group_is_its_mean_and_of_none_there_is_none() {
        let mean = Interval { low: 0.5, high: 0.5 };
        assert_eq!(interval_of_mean(&[("a", 0.0), ("a", 1.0)], 100, 1), Some(mean));
        assert_eq!(interval_of_mean(&[], 100, 1), None);
        assert_eq!(interval_of_mean(&[("a", 0.0)], 0, 1), None);
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let values: Vec<(&str, f64)> = ["a", "b", "c"].into_iter().zip([0.1, 0.7, 0.3]).collect();
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| interval_of_mean(&values, 300, 3))
        };
        assert_eq!(on(1), on(5));
    }

    #[test]
    fn quantiles_lie_between_neighbours_in_proportion() {
        assert_eq!(quantile(&[0.0, 1.0, 5.0], 0.75), 3.0);
        assert_eq!(quantile(&[2.0], 0.975), 2.0);
    }
}
