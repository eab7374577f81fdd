//! Exponential, GELU, softmax and layer norm on slices, in one fixed order of operations.
//!
//! Exponentials are polynomials of additions and multiplications only, so a compiler may compute several at once and
//! every host gets the same bits. The error functions of `libm` would take most of the time of a forward pass.

use multiversion::multiversion;

/// Partial sums of a reduction: element `i` goes to lane `i % LANES`, as in the kernels of the core.
const LANES: usize = 16;

/// `e^x` for `x <= 0`, within 2 units in the last place; 0 below -87.
///
/// `e^x = 2^n e^r` with `n` the integer nearest to `x / ln 2` and `|r| <= ln(2) / 2`: the power of two is written
/// into the exponent's bits, and `e^r` is its Taylor polynomial of degree 7.
#[inline(always)]
fn exponential(x: f32) -> f32 {
    // ln 2 in two parts, the first of so few bits that its product with `n` is exact.
    const HIGH: f32 = 0.693_359_4;
    const LOW: f32 = -2.121_944_4e-4;
    // Not `max`, which WebAssembly would call for each number alone.
    let least = if x > -88.0 { x } else { -88.0 };
    let n = (least * std::f32::consts::LOG2_E).round_ties_even();
    let r = (least - n * HIGH) - n * LOW;
    let mut sum = 1.0 / 5040.0;
    for coefficient in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum * r + coefficient;
    }
    let power = f32::from_bits((((n as i32) + 127) as u32) << 23);
    if x < -87.0 { 0.0 } else { sum * power }
}

/// `x` times the normal distribution function, in place: Abramowitz and Stegun, 7.1.26, whose error is below 1.5e-7.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
pub fn gelu(values: &mut [f32]) {
    for value in values {
        let x = *value;
        let z = x.abs() * std::f32::consts::FRAC_1_SQRT_2;
        let t = 1.0 / (1.0 + 0.327_591_1 * z);
        let mut sum = 1.061_405_4;
        for coefficient in [-1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6] {
            sum = sum * t + coefficient;
        }
        let tail = sum * t * exponential(-z * z);
        // The distribution function at x: 1 - tail / 2 above 0, tail / 2 below.
        let probability = if x > 0.0 { 1.0 - 0.5 * tail } else { 0.5 * tail };
        *value = x * probability;
    }
}

/// Replaces scores by probabilities in proportion to their exponentials.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
pub fn softmax(scores: &mut [f32]) {
    let largest = largest(scores, |score| score);
    for score in &mut *scores {
        *score = exponential(*score - largest);
    }
    let total = sum(scores);
    for score in scores {
        *score /= total;
    }
}

/// Moves and scales a vector to mean 0 and variance 1, then by the given gain and bias.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
pub fn layer_norm(vector: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32) {
    let count = vector.len() as f32;
    let mean = sum(vector) / count;
    for value in &mut *vector {
        *value -= mean;
    }
    let root = (sum_of_squares(vector) / count + epsilon).sqrt();
    for ((value, gain), bias) in vector.iter_mut().zip(gain).zip(bias) {
        *value = *value / root * gain + bias;
    }
}

/// The sum of a slice, in lanes.
#[inline(always)]
fn sum(values: &[f32]) -> f32 {
    reduce(values, |value| value)
}

/// The sum of the squares of a slice, in lanes.
#[inline(always)]
pub fn sum_of_squares(values: &[f32]) -> f32 {
    reduce(values, |value| value * value)
}

/// The largest term of a slice, and at least the least number there is.
#[inline(always)]
pub fn largest(values: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let larger = |most: f32, value: f32| if value > most { value } else { most };
    let mut lanes = [f32::MIN; LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = larger(*lane, term(*value));
        }
    }
    let rest = rest.iter().map(|value| term(*value));
    lanes.into_iter().chain(rest).fold(f32::MIN, larger)
}

#[inline(always)]
fn reduce(values: &[f32], term: impl Fn(f32) -> f32) -> f32 {
    let mut lanes = [0.0; LANES];
    let (chunks, rest) = values.as_chunks::<LANES>();
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += term(*value);
        }
    }
    for (lane, value) in lanes.iter_mut().zip(rest) {
        *lane += term(*value);
    }
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            lanes[lane] += lanes[lane + half];
        }
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `libm` in 64 bits is the reference.
    #[test]
    fn exponentials_are_within_two_units_in_the_last_place() {
        for step in 0..=870_000 {
            let x = step as f32 * -1e-4;
            let expected = libm::exp(f64::from(x));
            let error = (f64::from(exponential(x)) - expected).abs() / expected;
            assert!(error < 2.0 * f64::from(f32::EPSILON), "exp({x}): relative error {error}");
        }
        assert_eq!(exponential(0.0), 1.0);
        assert_eq!(exponential(-87.1), 0.0);
        assert_eq!(exponential(f32::NEG_INFINITY), 0.0);
    }

    #[test]
    fn gelu_is_within_a_millionth_of_its_definition() {
        for step in -12_000..=12_000 {
            let x = step as f32 * 1e-3;
            let mut value = [x];
            gelu(&mut value);
            let x = f64::from(x);
            let expected = x * 0.5 * (1.0 + libm::erf(x / std::f64::consts::SQRT_2));
            assert!((f64::from(value[0]) - expected).abs() < 1e-6, "gelu({x}) = {}", value[0]);
        }
    }

    #[test]
    fn softmax_gives_the_odds_of_the_scores() {
        // Odds of 1 : 2 : 4.
        let mut scores = [0.0, std::f32::consts::LN_2, 2.0 * std::f32::consts::LN_2];
        softmax(&mut scores);
        for (found, expected) in scores.iter().zip([1.0 / 7.0, 2.0 / 7.0, 4.0 / 7.0]) {
            assert!((found - expected).abs() < 1e-6, "{scores:?}");
        }
    }

    #[test]
    fn layer_norm_of_two_values_is_minus_one_and_one() {
        let mut vector = [3.0, 7.0];
        layer_norm(&mut vector, &[1.0, 10.0], &[0.5, 0.0], 1e-12);
        assert_eq!(vector, [-0.5, 10.0]);
    }
}
