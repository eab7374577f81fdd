//! What smoothness says of stability, and stability of queries not trained on (paper 1, Theorems
//! 3, A.3 and A.4, corrected).

use super::Smooth;

/// The stability of `steps` steps of plain SGD of sizes at most `c/t` on `n` pairs, for a loss in
/// `[0, largest]`: how much the loss of any pair can change, on average over SGD's choices, where
/// one pair is replaced.
///
/// `(1 + 1/(gamma c))/(n-1) M (2 c L^2/M)^(1/(gamma c + 1)) T^(gamma c/(gamma c + 1))`: Hardt,
/// Recht and Singer (2016), Theorem 3.8, for a loss that need not be convex, scaled from `[0, 1]`.
/// Paper 1's Theorem 3 prints the power `1 - 1/(gamma c)`.
pub fn stability(weights: Smooth, largest: f64, c: f64, n: f64, steps: f64) -> f64 {
    let product = weights.smoothness * c;
    let share = 1.0 / (product + 1.0);
    let base = 2.0 * c * weights.lipschitz * weights.lipschitz / largest;
    let power = libm::exp(share * libm::log(base) + product * share * libm::log(steps));
    (1.0 + 1.0 / product) / (n - 1.0) * largest * power
}

/// With probability `1 - delta` over the choice of `n` pairs, the mean loss of all pairs that there
/// could be exceeds that of these by no more (paper 1, Theorem 3; Agarwal, 2008):
/// `2 beta + (4 n beta + M) sqrt(ln(1/delta)/(2n))`.
pub fn gap(beta: f64, largest: f64, n: f64, delta: f64) -> f64 {
    2.0 * beta + (4.0 * n * beta + largest) * (-libm::log(delta) / (2.0 * n)).sqrt()
}

/// With `n^k` steps the bound falls to 0 as n grows where k is below this:
/// `(gamma c + 1)/(2 gamma c)`.
pub fn power_below(product: f64) -> f64 {
    (product + 1.0) / (2.0 * product)
}

/// With `n^k` steps the bound falls to 0 as n grows where `gamma c` is below this: 1 for one pass
/// over the pairs (the paper prints 2), infinite up to k = 1/2.
pub fn product_below(power: f64) -> f64 {
    if power > 0.5 { 1.0 / (2.0 * power - 1.0) } else { f64::INFINITY }
}

/// The smallest number of pairs for which [`gap`] is below the largest loss there can be, after
/// `steps` steps of [`stability`]'s SGD; with fewer, the bound says nothing, for no loss exceeds
/// `largest`. `None` if that takes more than [`MOST_PAIRS`], or there is no bound (at epsilon 0).
///
/// With the steps fixed the bound falls as n grows, so bisection finds the number.
pub fn least_pairs(weights: Smooth, largest: f64, c: f64, steps: f64, delta: f64) -> Option<f64> {
    let says_something =
        |n: f64| gap(stability(weights, largest, c, n, steps), largest, n, delta) < largest;
    if !says_something(MOST_PAIRS) {
        return None;
    }
    let (mut low, mut high) = (libm::log(2.0), libm::log(MOST_PAIRS));
    if says_something(2.0) {
        return Some(2.0);
    }
    while high - low > 1e-9 {
        let middle = 0.5 * (low + high);
        if says_something(libm::exp(middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(libm::exp(high).ceil())
}

/// The most pairs that [`least_pairs`] looks at.
pub const MOST_PAIRS: f64 = 1e30;

/// How far apart the weights can be after each of some numbers of steps, at most, in two runs of
/// SGD that differ in the pair of one step: 0 before that step.
///
/// A step of size a takes weights at a distance D to one of at most `(1 + a gamma) D`; the step of
/// the pair that differs adds `2 a L` (Hardt, Recht and Singer, 2016, Lemmas 2.4 and 2.5). Here
/// `a = c/t`. `at` ascends.
pub fn growth(weights: Smooth, c: f64, replaced: u64, at: &[u64]) -> Vec<f64> {
    let (mut step, mut distance) = (0, 0.0);
    at.iter()
        .map(|&at| {
            while step < at {
                step += 1;
                let size = c / step as f64;
                distance *= 1.0 + size * weights.smoothness;
                if step == replaced {
                    distance += 2.0 * size * weights.lipschitz;
                }
            }
            distance
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHTS: Smooth = Smooth { lipschitz: 3.0, smoothness: 10.0 };

    fn near(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
    }

    #[test]
    fn weights_part_at_the_replaced_step_and_grow_apart_after_it() {
        // Steps of .1, .05 and .1/3. The second adds 2 * .05 * 3; the third multiplies by 1 + .1/3 * 10.
        let apart = growth(WEIGHTS, 0.1, 2, &[1, 2, 3]);
        assert_eq!(apart[0], 0.0);
        near(apart[1], 0.3);
        near(apart[2], 0.4);
        assert_eq!(growth(WEIGHTS, 0.1, 2, &[3]), apart[2..]);
    }

    #[test]
    fn stability_by_hand() {
        // gamma c = 1: 2/100 * 2 * sqrt(2 * .1 * 9 / 2) * sqrt(400).
        near(stability(WEIGHTS, 2.0, 0.1, 101.0, 400.0), 0.04 * 0.9f64.sqrt() * 20.0);
        // gamma c = 3: 4/3 / 100 * 2 * 2.7^(1/4) * 16^(3/4).
        let root = 2.7f64.sqrt().sqrt();
        near(stability(WEIGHTS, 2.0, 0.3, 101.0, 16.0), 8.0 / 300.0 * root * 8.0);
    }

    #[test]
    fn scaling_the_loss_scales_its_stability() {
        // 7 l has 7 L, 7 gamma, 7 M; steps of c/7 do to it what steps of c do to l.
        let scaled = Smooth { lipschitz: 21.0, smoothness: 70.0 };
        let one = stability(WEIGHTS, 2.0, 0.05, 50.0, 1000.0);
        near(stability(scaled, 14.0, 0.05 / 7.0, 50.0, 1000.0), 7.0 * one);
    }

    #[test]
    fn the_gap_by_hand() {
        // ln(1/delta) = 2, n = 100: the root is .1.
        let delta = libm::exp(-2.0);
        near(gap(0.01, 3.0, 100.0, delta), 0.02 + (4.0 + 3.0) * 0.1);
    }

    #[test]
    fn the_bound_falls_with_n_exactly_where_the_condition_says() {
        for (product, power) in [(0.5, 1.0), (0.9, 1.0), (1.1, 1.0), (2.0, 0.7), (2.0, 0.8)] {
            let bound = |n: f64| {
                let steps = libm::pow(n, power);
                let beta = stability(WEIGHTS, 2.0, product / WEIGHTS.smoothness, n, steps);
                gap(beta, 2.0, n, 0.05)
            };
            let falls = bound(1e60) < bound(1e30);
            assert_eq!(falls, power < power_below(product), "{product} {power}");
            assert_eq!(falls, product < product_below(power), "{product} {power}");
        }
        assert_eq!(product_below(1.0), 1.0);
        assert_eq!(product_below(0.5), f64::INFINITY);
    }

    #[test]
    fn from_the_least_number_of_pairs_on_the_bound_says_something() {
        let says = |n: f64, steps: f64| {
            let beta = stability(WEIGHTS, 2.0, 0.1, n, steps);
            gap(beta, 2.0, n, 0.05) < 2.0
        };
        for steps in [1.0, 1e3, 1e6] {
            let least = least_pairs(WEIGHTS, 2.0, 0.1, steps, 0.05).unwrap();
            assert!(says(least, steps) && !says(least - 1.0, steps), "{least} of {steps} steps");
        }
        let none = Smooth { lipschitz: f64::INFINITY, smoothness: f64::INFINITY };
        assert_eq!(least_pairs(none, 2.0, 0.1, 1e3, 0.05), None);
    }

    #[test]
    fn growth_by_hand() {
        // Steps of 1/t, gamma 2, L 3; the pair of step 2 differs: 2 * 1/2 * 3 = 3, then times
        // 1 + 2/3, then times 1 + 2/4.
        let smooth = Smooth { lipschitz: 3.0, smoothness: 2.0 };
        let found = growth(smooth, 1.0, 2, &[0, 1, 2, 3, 4]);
        for (found, expected) in found.iter().zip([0.0, 0.0, 3.0, 5.0, 7.5]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
}
