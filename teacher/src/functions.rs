//! Exponential, GELU, softmax, layer norm on slices, in one fixed order of operations.
//!
//! Exponentials are polynomials of additions and multiplications only, so several are computed at once and every host gets
//! the same bits. The error functions of `libm` would take most of the time of a forward pass. A reduction has 16 partial sums:
//! element `i` goes to lane `i % LANES`, as in the kernels of the core.

use crate::vector::{LANES, Lanes, Vector, widest};

/// `e^x` for `x <= 0`, within 2 units in the last place; 0 below -87.
///
/// `e^x = 2^n e^r` with `n` the integer nearest to `x / ln 2` and `|r| <= ln(2) / 2`: the power of two is written
/// into the exponent's bits, and `e^r` is its Taylor polynomial of degree 7.
#[inline(always)]
fn exponential<V: Vector>(x: V) -> V {
    // ln 2 in two parts, the first of so few bits that its product with `n` is exact.
    const HIGH: f32 = 0.693_359_4;
    const LOW: f32 = -2.121_944_4e-4;
    // Numbers near 1.5 times 2^23 are integers: what is added to it is rounded, and its lowest bits count.
    const WHOLE: f32 = 12_582_912.0;
    let least = x.or_larger(V::splat(-88.0));
    let counted = least.times(V::splat(std::f32::consts::LOG2_E)).plus(V::splat(WHOLE));
    let n = counted.minus(V::splat(WHOLE));
    let r = least.minus(n.times(V::splat(HIGH))).minus(n.times(V::splat(LOW)));
    let mut sum = V::splat(1.0 / 5040.0);
    for coefficient in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum.times(r).plus(V::splat(coefficient));
    }
    sum.times(counted.power()).unless_below(x, -87.0)
}

widest! {
    /// `x` times the normal distribution function, in place: Abramowitz and Stegun, 7.1.26, whose error is below 1.5e-7.
    pub fn gelu = gelu_of(values: &mut [f32])
}

#[inline(always)]
fn gelu_of<V: Vector, const TILE: usize>(values: &mut [f32]) {
    let (chunks, rest) = values.as_chunks_mut();
    for chunk in chunks {
        gelu_of_lanes(V::load(chunk)).store(chunk);
    }
    let mut last = [0.0; LANES];
    last[..rest.len()].copy_from_slice(rest);
    gelu_of_lanes(V::load(&last)).store(&mut last);
    rest.copy_from_slice(&last[..rest.len()]);
}

#[inline(always)]
fn gelu_of_lanes<V: Vector>(x: V) -> V {
    let (zero, one, half) = (V::splat(0.0), V::splat(1.0), V::splat(0.5));
    let magnitude = x.or_larger(zero.minus(x));
    let z = magnitude.times(V::splat(std::f32::consts::FRAC_1_SQRT_2));
    let t = one.over(one.plus(V::splat(0.327_591_1).times(z)));
    let mut sum = V::splat(1.061_405_4);
    for coefficient in [-1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6] {
        sum = sum.times(t).plus(V::splat(coefficient));
    }
    let tail = half.times(sum.times(t).times(exponential(zero.minus(z.times(z)))));
    // The distribution function at x: 1 - tail above 0, tail below.
    let above = one.minus(tail).unless_below(x, 0.0);
    let below = tail.minus(tail.unless_below(x, 0.0));
    x.times(above.plus(below))
}

/// Replaces the scores of each lane by probabilities in proportion to their exponentials.
#[inline(always)]
pub fn softmax<V: Vector>(scores: &mut [Lanes]) {
    let mut largest = V::splat(f32::MIN);
    for scores in &*scores {
        largest = V::load(scores).or_larger(largest);
    }
    // Of each lane, the partial sums.
    let mut sums = [V::splat(0.0); LANES];
    for chunk in scores.chunks_mut(LANES) {
        for (sum, scores) in sums.iter_mut().zip(chunk) {
            let power = exponential(V::load(scores).minus(largest));
            power.store(scores);
            *sum = sum.plus(power);
        }
    }
    for half in [8, 4, 2, 1] {
        for place in 0..half {
            sums[place] = sums[place].plus(sums[place + half]);
        }
    }
    for scores in scores {
        V::load(scores).over(sums[0]).store(scores);
    }
}

/// Writes, for each of `TILE` factors, the sum of rows times it, from the first row to the last. Row `i` has its factors from
/// `i * stride` on.
///
/// The sums stay in registers, share what is read of a row, and do not wait for each other.
#[inline(always)]
pub fn sums_of_rows<V: Vector, const TILE: usize>(
    factors: &[f32],
    stride: usize,
    rows: &[Lanes],
    found: &mut [Lanes; TILE],
) {
    let mut sums = [V::splat(0.0); TILE];
    for (factors, row) in factors.chunks(stride).zip(rows) {
        let row = V::load(row);
        if let Some(factors) = factors.first_chunk::<TILE>() {
            for (sum, factor) in sums.iter_mut().zip(factors) {
                *sum = sum.plus(V::splat(*factor).times(row));
            }
        }
    }
    for (found, sum) in found.iter_mut().zip(sums) {
        sum.store(found);
    }
}

widest! {
    /// Moves and scales a vector to mean 0 and variance 1, then by the given gain and bias.
    pub fn layer_norm = layer_norm_of(vector: &mut [f32], gain: &[f32], bias: &[f32], epsilon: f32)
}

#[inline(always)]
fn layer_norm_of<V: Vector, const TILE: usize>(
    vector: &mut [f32],
    gain: &[f32],
    bias: &[f32],
    epsilon: f32,
) {
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

widest! {
    /// The largest magnitude of a slice; 0 for an empty one.
    pub fn magnitude = magnitude_of(values: &[f32]) -> f32
}

#[inline(always)]
fn magnitude_of<V: Vector, const TILE: usize>(values: &[f32]) -> f32 {
    let mut lanes = V::splat(0.0);
    let (chunks, rest) = values.as_chunks();
    for chunk in chunks {
        let values = V::load(chunk);
        lanes = values.or_larger(V::splat(0.0).minus(values).or_larger(lanes));
    }
    let mut largest = [0.0; LANES];
    lanes.store(&mut largest);
    let larger = |most: f32, value: f32| if value > most { value } else { most };
    let rest = rest.iter().map(|value| value.abs());
    largest.into_iter().chain(rest).fold(0.0, larger)
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
    use std::f32::consts::LN_2;

    use super::*;

    fn one_exponential(x: f32) -> f32 {
        exponential([x; LANES])[0]
    }

    /// `libm` in 64 bits is the reference.
    #[test]
    fn exponentials_are_within_two_units_in_the_last_place() {
        for step in 0..=870_000 {
            let x = step as f32 * -1e-4;
            let expected = libm::exp(f64::from(x));
            let error = (f64::from(one_exponential(x)) - expected).abs() / expected;
            assert!(error < 2.0 * f64::from(f32::EPSILON), "exp({x}): relative error {error}");
        }
        assert_eq!(one_exponential(0.0), 1.0);
        assert_eq!(one_exponential(-87.1), 0.0);
        assert_eq!(one_exponential(f32::NEG_INFINITY), 0.0);
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
        let odds = [0.0, LN_2, 2.0 * LN_2];
        // A lane of these scores, one of them in another order, and others of equal scores.
        let mut scores = [0, 1, 2].map(|place| {
            let mut scores = [7.5; LANES];
            (scores[0], scores[1]) = (odds[place], odds[2 - place]);
            scores
        });
        softmax::<Lanes>(&mut scores);
        let sevenths = [1.0, 2.0, 4.0];
        for (place, scores) in scores.iter().enumerate() {
            let expected = [sevenths[place], sevenths[2 - place], 7.0 / 3.0].map(|odds| odds / 7.0);
            for (found, expected) in [scores[0], scores[1], scores[15]].iter().zip(expected) {
                assert!((found - expected).abs() < 1e-6, "{scores:?}");
            }
        }
    }

    #[test]
    fn layer_norm_of_two_values_is_minus_one_and_one() {
        let mut vector = [3.0, 7.0];
        layer_norm(&mut vector, &[1.0, 10.0], &[0.5, 0.0], 1e-12);
        assert_eq!(vector, [-0.5, 10.0]);
    }

    #[test]
    fn sums_of_rows_are_those_of_the_definition() {
        // Integers and quarters, so that all sums are exact.
        for count in [0, 1, 5, 80] {
            let rows: Vec<Lanes> = (0..count)
                .map(|row| std::array::from_fn(|lane| ((row * 7 + lane * 3) % 11) as f32 - 5.0))
                .collect();
            let factors: Vec<f32> = (0..count * 16).map(|i| (i % 13) as f32 / 4.0).collect();
            let sum = |factor: usize, lane: usize| {
                (0..count).map(|row| factors[row * 16 + factor] * rows[row][lane]).sum::<f32>()
            };
            let expected: [Lanes; 4] =
                std::array::from_fn(|factor| std::array::from_fn(|lane| sum(factor, lane)));
            let mut found = [[7.0; LANES]; 4];
            sums_of_rows::<Lanes, 4>(&factors, 16, &rows, &mut found);
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn the_largest_magnitude_is_found_wherever_it_is() {
        assert_eq!(magnitude(&[]), 0.0);
        for count in [1, 15, 16, 17, 40] {
            for place in 0..count {
                let mut values: Vec<f32> = (0..count).map(|i| (i % 5) as f32 - 2.0).collect();
                values[place] = if place % 2 == 0 { -3.5 } else { 3.5 };
                assert_eq!(magnitude(&values), 3.5, "{place} of {count}");
            }
        }
    }
}
