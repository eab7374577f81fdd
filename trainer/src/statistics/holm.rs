//! Many comparisons in one table: Holm's step-down.

/// The p-values adjusted for being as many as they are, in the order given (Holm, 1979): each
/// smallest one is multiplied by how many are left, never falls below the one before, and is 1 at
/// most. All those at or below a level may be called significant with at most that probability of
/// a single false call.
pub fn adjusted(p: &[f64]) -> Vec<f64> {
    let mut rising: Vec<usize> = (0..p.len()).collect();
    rising.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut all = vec![1.0; p.len()];
    let mut least: f64 = 0.0;
    for (step, place) in rising.into_iter().enumerate() {
        let left = (p.len() - step) as f64;
        least = least.max(left * p[place]).min(1.0);
        all[place] = least;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::reference;

    #[test]
    fn adjusted_by_hand() {
        // 4 * .01, 3 * .02 = .06, 2 * .03 = .06, then 1 * .04 is lifted to .06.
        let found = adjusted(&[0.04, 0.01, 0.03, 0.02]);
        let expected = [0.06, 0.04, 0.06, 0.06];
        assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{found:?}");
        assert_eq!(adjusted(&[0.6, 0.7]), [1.0, 1.0]);
        assert_eq!(adjusted(&[]), [0.0; 0]);
    }

    #[test]
    fn adjusted_as_statsmodels_adjusts() {
        let cases = reference("holm");
        assert!(cases.len() >= 20);
        for case in cases {
            let [p, expected] = &case[..] else { panic!("{case:?}") };
            for (found, expected) in adjusted(p).iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{found}, not {expected}: {p:?}");
            }
        }
    }
}
