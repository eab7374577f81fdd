//! Two systems on the same queries: their difference, how sure it is, and how large beside its spread.

use super::bootstrap::{Interval, interval_of_mean};
use super::randomisation::paired_p_of_groups;
use super::seeds::spread;

/// The second system compared with the first, by one metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Paired {
    /// The mean of each.
    pub means: [f64; 2],
    /// The mean over queries of the second less the first.
    pub difference: f64,
    /// The 95 % interval of the difference: see [`interval_of_mean`].
    pub interval: Option<Interval>,
    /// The difference over the standard deviation of the queries' differences (Cohen's d of paired
    /// values); `None` of one query, and where all differ alike.
    pub effect: Option<f64>,
    /// The p-value of the randomisation test: see [`paired_p_of_groups`].
    pub p: f64,
}

/// Compares the values of two systems for each query; `None` of no queries.
pub fn compare(values: &[(&str, [f64; 2])], draws: usize, seed: u64) -> Option<Paired> {
    let of_system = |system: usize| values.iter().map(move |(_, values)| values[system]);
    let mean = |system| spread(&of_system(system).collect::<Vec<_>>()).map(|spread| spread.mean);
    let differences: Vec<(&str, f64)> =
        values.iter().map(|&(query, [first, second])| (query, second - first)).collect();
    let alone: Vec<f64> = differences.iter().map(|&(_, difference)| difference).collect();
    let of_differences = spread(&alone)?;
    let deviation = of_differences.deviation.filter(|&deviation| deviation > 0.0);
    Some(Paired {
        means: [mean(0)?, mean(1)?],
        difference: of_differences.mean,
        interval: interval_of_mean(&differences, draws, seed),
        effect: deviation.map(|deviation| of_differences.mean / deviation),
        p: paired_p_of_groups(&differences, draws, seed),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::DRAWS;

    #[test]
    fn compared_by_hand() {
        let values =
            [("a", [0.5, 1.0]), ("b", [0.25, 0.25]), ("c", [0.0, 0.5]), ("d", [1.0, 0.75])];
        let found = compare(&values, DRAWS, 1).unwrap();
        assert_eq!(found.means, [0.4375, 0.625]);
        assert_eq!(found.difference, 0.1875);
        // Differences .5, 0, .5, -.25: variance .421875 / 3 = .140625, whose root is .375.
        assert_eq!(found.effect, Some(0.5));
        // Of the 16 choices of signs, 8 by the three that are not 0, |sum| is .75 or more in 4: .5.
        assert!((found.p - 0.5).abs() < 0.03, "{found:?}");
        let Interval { low, high } = found.interval.unwrap();
        assert!(low < 0.1875 && 0.1875 < high && (-0.25..=0.5).contains(&low), "{found:?}");
    }

    #[test]
    fn systems_that_do_not_differ_have_p_1_and_no_effect() {
        let found = compare(&[("a", [0.5, 0.5]), ("b", [1.0, 1.0])], 100, 1).unwrap();
        assert_eq!((found.difference, found.effect, found.p), (0.0, None, 1.0));
        assert_eq!(compare(&[], 100, 1), None);
    }
}
