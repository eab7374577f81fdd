//! Could a difference between two systems be chance? The paired randomisation test.

use smooth_clir::math::random::Random;

use super::groups::groups;

/// Rounding, relative to the sum of sizes: sums of the same numbers in another order count as
/// equal.
const ROUNDING: f64 = 1e-12;

/// Two-sided p of the hypothesis that each query's difference could as well have had the other
/// sign (Smucker, Allan and Carterette, 2007): of `draws` random choices of signs, those whose
/// mean is at least as far from 0 as the observed one, plus 1, over `draws` + 1.
///
/// `differences` has one value a query, between per-query means where there are several seeds.
/// From 1 / (`draws` + 1) to 1; 1 where there is no query.
pub fn paired_p(differences: &[f64], draws: usize, seed: u64) -> f64 {
    let tables: Vec<[f64; 256]> = differences.chunks(8).map(signed_sums).collect();
    // The mean is the sum over their number, whatever the signs: sums compare as means do.
    let observed: f64 = tables.iter().map(|sums| sums[0]).sum();
    let sizes: f64 = differences.iter().map(|difference| difference.abs()).sum();
    let least = observed.abs() - ROUNDING * sizes;
    let mut random = Random::new(seed, "randomisation");
    let mut below = 0;
    for _ in 0..draws {
        let mut sum = 0.0;
        for eight in tables.chunks(8) {
            let signs = random.next_u64().to_le_bytes();
            for (sums, signs) in eight.iter().zip(signs) {
                sum += sums[usize::from(signs)];
            }
        }
        below += usize::from(sum.abs() < least);
    }
    (1 + draws - below) as f64 / (1 + draws) as f64
}

/// [`paired_p`] where queries of one group resemble each other: the differences of a group, which
/// are named alike, have all their own sign or all the other, as
/// [`interval_of_mean`](super::bootstrap::interval_of_mean) resamples groups whole.
pub fn paired_p_of_groups(differences: &[(&str, f64)], draws: usize, seed: u64) -> f64 {
    let sums: Vec<f64> = groups(differences).iter().map(|group| group.sum).collect();
    paired_p(&sums, draws, seed)
}

/// The sums of up to eight numbers under every choice of signs: a bit that is set turns its
/// number's sign.
fn signed_sums(numbers: &[f64]) -> [f64; 256] {
    let mut sums = [0.0; 256];
    for (signs, sum) in sums.iter_mut().enumerate() {
        for (bit, number) in numbers.iter().enumerate() {
            *sum += if signs >> bit & 1 == 1 { -number } else { *number };
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{DRAWS, reference};

    #[test]
    fn p_is_that_of_scipy_over_all_choices_of_signs_within_what_drawing_allows() {
        let cases = reference("randomisation");
        assert!(cases.len() > 20);
        for (seed, case) in cases.iter().enumerate() {
            let [differences, exact] = &case[..] else { panic!("{case:?}") };
            let p = paired_p(differences, DRAWS, seed as u64);
            let deviation = (exact[0] * (1.0 - exact[0]) / DRAWS as f64).sqrt();
            let close = 4.5 * deviation + 1.0 / DRAWS as f64;
            assert!((p - exact[0]).abs() <= close, "{p}, not {}: {differences:?}", exact[0]);
        }
    }

    #[test]
    fn a_group_turns_as_one() {
        let groups = ["a", "b", "a", "c", "b", "d"];
        let differences = [0.5, 0.25, 0.125, -0.25, 0.5, 1.0];
        let named: Vec<(&str, f64)> = groups.into_iter().zip(differences).collect();
        // Sums .625, .75, -.25, 1: of the 16 choices of signs those as far from 0 as 2.125 are
        // all alike but for c, and all alike.
        let p = paired_p_of_groups(&named, DRAWS, 1);
        assert!((p - 0.25).abs() < 0.02, "{p}");
        // Queries that are groups by themselves are the usual test.
        let own: Vec<(&str, f64)> =
            ["a", "b", "c", "d", "e", "f"].into_iter().zip(differences).collect();
        assert_eq!(paired_p_of_groups(&own, 500, 3), paired_p(&differences, 500, 3));
    }

    #[test]
    fn chance_within_groups_is_called_significant_as_often_as_the_level_says() {
        let mut random = Random::new(6, "test");
        let (mut by_group, mut by_query) = (0, 0);
        for seed in 0..400 {
            // 15 groups of 8 queries that share most of their difference.
            let mut named: Vec<(String, f64)> = Vec::new();
            for group in 0..15 {
                let [shared, _] = random.normal_pair();
                for _ in 0..8 {
                    named.push((group.to_string(), shared + 0.3 * random.normal_pair()[0]));
                }
            }
            let named: Vec<(&str, f64)> = named.iter().map(|(g, x)| (g.as_str(), *x)).collect();
            let alone: Vec<f64> = named.iter().map(|(_, x)| *x).collect();
            by_group += u32::from(paired_p_of_groups(&named, 199, seed) <= 0.05);
            by_query += u32::from(paired_p(&alone, 199, seed) <= 0.05);
        }
        // 20 expected, with a deviation of 4.4; by queries it is many times as often.
        assert!((7..=34).contains(&by_group), "{by_group} of 400");
        assert!(by_query > 100, "{by_query} of 400");
    }

    #[test]
    fn p_is_1_without_a_difference_and_the_least_there_is_for_many_of_one_sign() {
        assert_eq!(paired_p(&[], 99, 1), 1.0);
        assert_eq!(paired_p(&[0.0; 70], 99, 1), 1.0);
        assert_eq!(paired_p(&[0.1; 70], 99, 1), 0.01);
        assert_eq!(paired_p(&[-0.1; 70], 99, 1), 0.01);
    }

    #[test]
    fn sums_that_differ_by_rounding_alone_count_as_equal() {
        // 0.1 + 0.2 - 0.3 is not 0 in binary; every choice of signs is as far from 0 or farther.
        assert_eq!(paired_p(&[0.1, 0.2, -0.3], 1000, 1), 1.0);
    }

    #[test]
    fn what_is_not_a_number_is_no_evidence() {
        assert_eq!(paired_p(&[f64::NAN, 1.0], 99, 1), 1.0);
    }

    #[test]
    fn chance_alone_is_called_significant_as_often_as_the_level_says() {
        let mut random = Random::new(5, "test");
        let mut significant = 0;
        for seed in 0..1000 {
            let differences: Vec<f64> = (0..20).map(|_| random.normal_pair()[0]).collect();
            significant += u32::from(paired_p(&differences, 199, seed) <= 0.05);
        }
        // 50 expected, with a deviation of 6.9.
        assert!((22..=78).contains(&significant), "{significant} of 1000");
    }
}
