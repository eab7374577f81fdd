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

#[cfg(test)]
mod tests {
    use super::*;

    const WEIGHTS: Smooth = Smooth { lipschitz: 3.0, smoothness: 10.0 };

    fn near(found: f64, expected: f64) {
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
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
}
