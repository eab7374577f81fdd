//! Smooth cosine similarity (SCS): value, gradient, bounds, and the epsilon at which two documents
//! swap (the swap point).
//!
//! Paper 1, eq. (1): `r = q.d / ((|q|+eps)(|d|+eps))`. Epsilon 0 is cosine; as epsilon grows the
//! order tends to that of the dot product.

use crate::math::kernels::{dot, norm};

/// SCS from the dot product and the two norms; 0 if the denominator is 0.
#[inline]
pub fn from_parts(dot: f32, query_norm: f32, document_norm: f32, epsilon: f32) -> f32 {
    let denominator = (query_norm + epsilon) * (document_norm + epsilon);
    if denominator > 0.0 { dot / denominator } else { 0.0 }
}

/// SCS of two vectors of equal length (paper 1, eq. 1). At epsilon 0 a zero vector scores 0.
pub fn smooth_cosine(query: &[f32], document: &[f32], epsilon: f32) -> f32 {
    from_parts(dot(query, document), norm(query), norm(document), epsilon)
}

/// The supremum of the scores between vectors of `dimension` components in (-1, 1), the range of
/// tanh: `(sqrt p / (sqrt p + eps))^2`. For unbounded components the supremum is 1
/// (Cauchy-Schwarz).
pub fn reach(dimension: usize, epsilon: f32) -> f32 {
    let longest = (dimension as f32).sqrt();
    let ratio = longest / (longest + epsilon);
    ratio * ratio
}

/// Whether a gradient exists at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gradient {
    /// The gradient exists and is in the output.
    Defined,
    /// The gradient is undefined, and the output is zeros. At epsilon 0 cosine has no gradient at a
    /// zero vector, and within 1e-18 of it the square of the slope, 1/epsilon, would overflow.
    Undefined,
}

/// The smallest `|q|+eps` with a gradient: no component exceeds its inverse.
const LEAST: f32 = 1e-18;

/// Writes the gradient of SCS in its first argument to `gradient`.
///
/// `(d/(|d|+eps) - r q/|q|) / (|q|+eps)`; at `q = 0` the second term vanishes with `r`. SCS is
/// symmetric, so the gradient in the document is `gradient(document, query, ..)`. For epsilon
/// above 0 it exists everywhere and is continuous.
///
/// `vector`, `other` and `gradient` have one length.
pub fn gradient(vector: &[f32], other: &[f32], epsilon: f32, gradient: &mut [f32]) -> Gradient {
    let (vector_norm, other_norm) = (norm(vector), norm(other));
    gradient_from_parts(
        vector,
        other,
        dot(vector, other),
        vector_norm,
        other_norm,
        epsilon,
        gradient,
    )
}

/// [`gradient`] from known dot product and norms.
pub fn gradient_from_parts(
    vector: &[f32],
    other: &[f32],
    dot: f32,
    vector_norm: f32,
    other_norm: f32,
    epsilon: f32,
    gradient: &mut [f32],
) -> Gradient {
    let (n, g) = (vector_norm + epsilon, other_norm + epsilon);
    // A product of two small factors can underflow to 0.
    let toward = 1.0 / (n * g);
    if !(n > LEAST && toward.is_finite()) {
        gradient.fill(0.0);
        return Gradient::Undefined;
    }
    let back = dot * toward / (n * vector_norm);
    // At `q = 0` the quotient is 0 / 0.
    let back = if back.is_finite() { back } else { 0.0 };
    for ((out, x), y) in gradient.iter_mut().zip(vector).zip(other) {
        *out = toward * y - back * x;
    }
    Gradient::Defined
}

/// The supremum of the gradient's norm in one argument, with the other fixed at norm `other_norm`:
/// `|d| / ((|d|+eps) eps)`, reached at the zero vector.
///
/// Over all documents the supremum is `1/eps`; the paper prints `2/eps`, a valid bound, but twice
/// the supremum. Infinite at epsilon 0.
pub fn gradient_bound(other_norm: f32, epsilon: f32) -> f32 {
    if other_norm == 0.0 {
        return 0.0;
    }
    other_norm / ((other_norm + epsilon) * epsilon)
}

/// The swap point of two documents: the epsilon above 0 at which they change places for a query, if
/// any.
///
/// For a fixed query the order depends on epsilon only through `q.d / (|d|+eps)`, so two
/// documents swap at most once: `((q.b)|a| - (q.a)|b|) / (q.a - q.b)`.
pub fn swap_epsilon(a_dot: f32, a_norm: f32, b_dot: f32, b_norm: f32) -> Option<f64> {
    let (a_dot, a_norm) = (f64::from(a_dot), f64::from(a_norm));
    let (b_dot, b_norm) = (f64::from(b_dot), f64::from(b_norm));
    let epsilon = (b_dot * a_norm - a_dot * b_norm) / (a_dot - b_dot);
    (epsilon.is_finite() && epsilon > 0.0).then_some(epsilon)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Eq. (1) again, in f64 and by itself.
    fn scs(q: &[f64], d: &[f64], epsilon: f64) -> f64 {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        dot(q, d) / ((dot(q, q).sqrt() + epsilon) * (dot(d, d).sqrt() + epsilon))
    }

    fn wide(a: &[f32]) -> Vec<f64> {
        a.iter().map(|&a| f64::from(a)).collect()
    }

    fn central_difference(q: &[f32], d: &[f32], epsilon: f32, at: usize) -> f64 {
        let (q, d, step) = (wide(q), wide(d), 1e-6);
        let moved = |by: f64| {
            let mut q = q.clone();
            q[at] += by;
            scs(&q, &d, f64::from(epsilon))
        };
        (moved(step) - moved(-step)) / (2.0 * step)
    }

    #[test]
    fn values_by_hand() {
        // |q| = 5, |d| = 13, q.d = 63.
        let (q, d) = ([3.0, 4.0], [5.0, 12.0]);
        assert_eq!(smooth_cosine(&q, &d, 0.0), 63.0 / 65.0);
        assert_eq!(smooth_cosine(&q, &d, 1.0), 63.0 / 84.0);
        assert_eq!(smooth_cosine(&q, &[-5.0, -12.0], 3.0), -63.0 / 128.0);
        assert_eq!(smooth_cosine(&[0.0, 0.0], &d, 0.5), 0.0);
        assert_eq!(smooth_cosine(&[0.0, 0.0], &d, 0.0), 0.0);
    }

    #[test]
    fn values_and_gradients_by_pytorch() {
        // torch 2 (float64): x = [0.3, -0.2, 0.5], z = [-0.1, 0.4, 0.2]; see
        // tests/reference/similarity.py.
        let (x, z) = ([0.3f32, -0.2, 0.5], [-0.1f32, 0.4, 0.2]);
        let cases = include_str!("../../tests/reference/similarity.tsv");
        let mut checked = 0;
        for line in cases.lines() {
            let number: Vec<f64> = line.split('\t').map(|n| n.parse().unwrap()).collect();
            let epsilon = number[0] as f32;
            assert!((f64::from(smooth_cosine(&x, &z, epsilon)) - number[1]).abs() < 1e-7);
            let mut out = [0.0; 3];
            for (from, with, expected) in [(&x, &z, &number[2..5]), (&z, &x, &number[5..8])] {
                assert_eq!(gradient(from, with, epsilon, &mut out), Gradient::Defined);
                for (out, expected) in out.iter().zip(expected) {
                    assert!((f64::from(*out) - expected).abs() < 1e-6, "{out} {expected}");
                }
            }
            checked += 1;
        }
        assert!(checked > 3);
    }

    proptest! {
        #[test]
        fn the_gradient_in_both_arguments_is_the_finite_difference(
            pairs in prop::collection::vec((-1f32..1.0, -1f32..1.0), 2..20), epsilon in 0.01f32..4.0
        ) {
            let (q, d): (Vec<f32>, Vec<f32>) = pairs.into_iter().unzip();
            prop_assume!(norm(&q) > 0.1 && norm(&d) > 0.1);
            let mut out = vec![0.0; q.len()];
            for (from, with) in [(&q, &d), (&d, &q)] {
                prop_assert_eq!(gradient(from, with, epsilon, &mut out), Gradient::Defined);
                for (at, out) in out.iter().enumerate() {
                    let expected = central_difference(from, with, epsilon, at);
                    prop_assert!((f64::from(*out) - expected).abs() < 1e-4, "{out} {expected}");
                }
            }
        }

        #[test]
        fn the_gradient_never_exceeds_its_bound(
            q in prop::collection::vec(-1f32..1.0, 8), d in prop::collection::vec(-1f32..1.0, 8),
            shrink in 0f32..30.0, epsilon in 0.001f32..4.0
        ) {
            let q: Vec<f32> = q.iter().map(|x| x * libm::exp2f(-shrink)).collect();
            let mut out = [0.0; 8];
            gradient(&q, &d, epsilon, &mut out);
            let bound = gradient_bound(norm(&d), epsilon);
            prop_assert!(norm(&out) <= bound * (1.0 + 1e-4));
            prop_assert!(bound <= 1.0 / epsilon);
        }

        #[test]
        fn documents_swap_exactly_at_their_epsilon(
            a_dot in 0.01f32..1.0, a_norm in 0.01f32..3.0, b_dot in 0.01f32..1.0, b_norm in 0.01f32..3.0
        ) {
            let ahead = |epsilon: f64| {
                let score = |dot: f32, norm: f32| f64::from(dot) / (f64::from(norm) + epsilon);
                score(a_dot, a_norm) > score(b_dot, b_norm)
            };
            match swap_epsilon(a_dot, a_norm, b_dot, b_norm) {
                Some(epsilon) => prop_assert_ne!(ahead(epsilon * 0.999), ahead(epsilon * 1.001)),
                None => prop_assert_eq!(ahead(1e-9), ahead(1e9)),
            }
        }
    }

    #[test]
    fn documents_that_are_level_at_cosine_do_not_swap_above_it() {
        assert_eq!(swap_epsilon(1.0, 1.0, 2.0, 2.0), None);
        assert_eq!(swap_epsilon(1.0, 1.0, 1.0, 2.0), None);
    }

    #[test]
    fn the_bound_is_reached_at_the_zero_vector() {
        let (d, epsilon) = ([0.6, 0.8], 0.25);
        let mut out = [0.0; 2];
        assert_eq!(gradient(&[0.0, 0.0], &d, epsilon, &mut out), Gradient::Defined);
        assert!((norm(&out) - 3.2).abs() < 1e-6); // 1 / (1.25 * 0.25)
        assert!((gradient_bound(1.0, epsilon) - 3.2).abs() < 1e-6);
    }

    #[test]
    fn cosine_has_no_gradient_at_a_zero_vector_and_says_so() {
        let mut out = [7.0; 2];
        assert_eq!(gradient(&[0.0, 0.0], &[1.0, 0.0], 0.0, &mut out), Gradient::Undefined);
        assert_eq!(out, [0.0, 0.0]);
        assert_eq!(gradient(&[1.0, 0.0], &[0.0, 0.0], 0.0, &mut out), Gradient::Undefined);
        // Within 1e-18 of it the slope is too steep to be squared.
        assert_eq!(gradient(&[0.0, 0.0], &[1.0, 0.0], 1e-19, &mut out), Gradient::Undefined);
        assert_eq!(gradient(&[0.0, 0.0], &[1.0, 0.0], 2e-18, &mut out), Gradient::Defined);
        assert_eq!(out, [1.0 / 2e-18, 0.0]);
    }

    #[test]
    fn the_smallest_vectors_give_no_nan() {
        let (tiny, mut out) = ([f32::MIN_POSITIVE / 4.0, 0.0], [7.0; 2]);
        for epsilon in [0.0, 1e-38, 0.5] {
            gradient(&tiny, &tiny, epsilon, &mut out);
            assert!(out.iter().all(|x| x.is_finite()));
            assert!(smooth_cosine(&tiny, &tiny, epsilon).is_finite());
        }
    }

    #[test]
    fn scores_cannot_pass_the_reach_of_tanh() {
        // Dimension 64: .79 at epsilon 1, .64 at epsilon 2.
        assert!((reach(64, 1.0) - 0.790).abs() < 1e-3);
        assert!((reach(64, 2.0) - 0.640).abs() < 1e-3);
        let ones = [1.0; 64];
        assert!((smooth_cosine(&ones, &ones, 1.0) - reach(64, 1.0)).abs() < 1e-6);
    }
}
