//! The curvature of smooth cosine similarity: the norm of its Hessian in one argument, and the
//! constants of paper 1's theory.
//!
//! Write `e = q/|q|`, `n = |q|+eps`, `a = |d|/(|d|+eps)`, and `f` for the unit part of `d` at right
//! angles to `e`. In the plane of `e` and `f` the Hessian has the entries `ee: -2 a cos eps/n^3`,
//! `ef: -a sin/n^2`, `ff: -a cos/n^2`; on the rest of the space it is `-a cos/n^2` times the
//! identity. (Paper 1, A.1, prints a matrix that is not symmetric.)

use crate::math::kernels::{dot, norm};

/// The supremum of the norm of SCS's gradient, in one argument or in the two together: `1/eps`,
/// approached at a zero vector with the other vector long. Infinite at epsilon 0.
///
/// The paper prints `2/eps`, a valid bound, but twice the supremum.
pub fn lipschitz(epsilon: f64) -> f64 {
    1.0 / epsilon
}

/// The Lipschitz constant of SCS's gradient, in one argument or in the two together, in any
/// dimension: `2/eps^2`. Infinite at epsilon 0.
///
/// The paper prints `N(p)/eps^2`; this is `N(p) = 2`.
pub fn smoothness(epsilon: f64) -> f64 {
    2.0 / (epsilon * epsilon)
}

/// The spectral norm of SCS's Hessian in its first argument; the two vectors have one length.
///
/// At `vector = 0` the Hessian does not exist, though the gradient is Lipschitz: the result is then the
/// largest limit of the norm over all directions, `2a/eps^2` (infinite at epsilon 0).
pub fn hessian_norm(vector: &[f32], other: &[f32], epsilon: f32) -> f64 {
    let (vector_norm, other_norm) = (f64::from(norm(vector)), f64::from(norm(other)));
    let (dot, epsilon) = (f64::from(dot(vector, other)), f64::from(epsilon));
    match vector.len() {
        1 => entries(dot, vector_norm, other_norm, epsilon)[0].abs(),
        _ => hessian_norm_from_parts(dot, vector_norm, other_norm, epsilon),
    }
}

/// [`hessian_norm`] in two dimensions or more, from the dot product and the norms.
pub fn hessian_norm_from_parts(dot: f64, vector_norm: f64, other_norm: f64, epsilon: f64) -> f64 {
    let [ee, ef, ff] = entries(dot, vector_norm, other_norm, epsilon);
    // The larger eigenvalue of the plane; it is never below that of the rest, which is ff.
    let (middle, half) = (0.5 * (ee + ff), 0.5 * (ee - ff));
    middle.abs() + (half * half + ef * ef).sqrt()
}

/// The Hessian's entries `[ee, ef, ff]`; at `|q| = 0` those of the direction with the largest norm,
/// along `d`.
fn entries(dot: f64, vector_norm: f64, other_norm: f64, epsilon: f64) -> [f64; 3] {
    if other_norm == 0.0 {
        return [0.0; 3];
    }
    let n = vector_norm + epsilon;
    if n == 0.0 {
        return [f64::INFINITY, 0.0, 0.0];
    }
    let size = other_norm / (other_norm + epsilon) / (n * n);
    let cosine = if vector_norm > 0.0 { dot / (vector_norm * other_norm) } else { 1.0 };
    // After rounding, a dot product can exceed the product of the norms.
    let cosine = cosine.clamp(-1.0, 1.0);
    let sine = (1.0 - cosine * cosine).sqrt();
    [-2.0 * size * cosine * epsilon / n, -size * sine, -size * cosine]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// q and d, one after the other: what SCS is a function of.
    type Point = Vec<f64>;

    fn length(a: &[f64]) -> f64 {
        a.iter().map(|a| a * a).sum::<f64>().sqrt()
    }

    fn times(factor: f64, a: &[f64]) -> Vec<f64> {
        a.iter().map(|a| factor * a).collect()
    }

    fn minus(a: &[f64], b: &[f64]) -> Vec<f64> {
        a.iter().zip(b).map(|(a, b)| a - b).collect()
    }

    fn dot(a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    fn scs(point: &Point, epsilon: f64) -> f64 {
        let (q, d) = point.split_at(point.len() / 2);
        dot(q, d) / ((length(q) + epsilon) * (length(d) + epsilon))
    }

    /// The gradient in q, in f64.
    fn gradient(q: &[f64], d: &[f64], epsilon: f64) -> Vec<f64> {
        let (n, g) = (length(q) + epsilon, length(d) + epsilon);
        let r = dot(q, d) / (n * g);
        let back = if length(q) > 0.0 { r / length(q) } else { 0.0 };
        q.iter().zip(d).map(|(q, d)| (d / g - back * q) / n).collect()
    }

    /// The gradient in q and d.
    fn joint_gradient(point: &Point, epsilon: f64) -> Vec<f64> {
        let (q, d) = point.split_at(point.len() / 2);
        [gradient(q, d, epsilon), gradient(d, q, epsilon)].concat()
    }

    fn norm_of(q: &[f64], d: &[f64], epsilon: f64) -> f64 {
        hessian_norm_from_parts(dot(q, d), length(q), length(d), epsilon)
    }

    /// The spectral norm of a symmetric matrix: its square, squared again and again, grows by the
    /// largest eigenvalue alone.
    fn spectral_norm(mut matrix: Vec<Vec<f64>>) -> f64 {
        let (mut log, mut power) = (0.0, 1.0);
        for _ in 0..30 {
            let size = length(&matrix.concat());
            if size == 0.0 {
                return 0.0;
            }
            log += libm::log(size) / power;
            let scaled: Vec<_> = matrix.iter().map(|row| times(1.0 / size, row)).collect();
            matrix = scaled.iter().map(|a| scaled.iter().map(|b| dot(a, b)).collect()).collect();
            power *= 2.0;
        }
        libm::exp(log)
    }

    /// The Hessian in q by central differences of the gradient.
    fn differences(q: &[f64], d: &[f64], epsilon: f64) -> Vec<Vec<f64>> {
        let step = 1e-5 * length(q);
        let row = |at: usize| {
            let moved = |by: f64| {
                let mut q = q.to_vec();
                q[at] += by;
                gradient(&q, d, epsilon)
            };
            times(0.5 / step, &minus(&moved(step), &moved(-step)))
        };
        let rows: Vec<_> = (0..q.len()).map(row).collect();
        let at = |i: usize, j: usize| 0.5 * (rows[i][j] + rows[j][i]);
        (0..q.len()).map(|i| (0..q.len()).map(|j| at(i, j)).collect()).collect()
    }

    #[test]
    fn the_norm_is_that_of_the_hessian_by_pytorch() {
        // See tests/reference/curvature.py.
        let cases = include_str!("../../tests/reference/curvature.tsv");
        assert!(cases.lines().count() > 30);
        for line in cases.lines() {
            let numbers: Vec<f32> = line.split('\t').map(|n| n.parse().unwrap()).collect();
            let (x, z) = numbers[2..].split_at((numbers.len() - 2) / 2);
            let (found, expected) = (hessian_norm(x, z, numbers[0]), f64::from(numbers[1]));
            assert!((found - expected).abs() <= 1e-5 * expected.max(1e-3), "{found} {line}");
        }
    }

    /// A vector of any length from far to near zero.
    fn vector() -> impl Strategy<Value = Vec<f64>> {
        (prop::collection::vec(-1f64..1.0, 4), -30f64..8.0)
            .prop_map(|(v, scale)| times(libm::exp2(scale), &v))
    }

    /// Another point near a point, far from it, or across zero.
    fn other(point: &Point, another: &[f64], how: usize, nearness: f64) -> Point {
        let near = times(nearness * length(point) / length(another).max(1e-300), another);
        match how {
            0 => another.to_vec(),
            1 => minus(point, &near),
            // Nearly the opposite point: the line between them passes beside zero.
            _ => minus(&near, point),
        }
    }

    proptest! {
        #[test]
        fn the_norm_is_that_of_the_matrix_of_differences(
            q in prop::collection::vec(-1f64..1.0, 2..7), seed in prop::collection::vec(-1f64..1.0, 7),
            epsilon in 0.0f64..4.0, scale in -4f64..3.0
        ) {
            prop_assume!(length(&q) > 0.05 && length(&seed[..q.len()]) > 0.05);
            let (q, d) = (times(libm::exp2(scale), &q), &seed[..q.len()]);
            let expected = spectral_norm(differences(&q, d, epsilon));
            let found = norm_of(&q, d, epsilon);
            prop_assert!((found - expected).abs() < 1e-5 * expected, "{} {}", found, expected);
        }

        #[test]
        fn value_gradient_and_hessian_never_pass_their_bounds(
            q in vector(), d in vector(), another in prop::collection::vec(-1f64..1.0, 8),
            how in 0usize..3, nearness in -20f64..0.0, epsilon in 0.001f64..4.0
        ) {
            let slack = 1.0 + 1e-9;
            let (most, bend) = (lipschitz(epsilon) * slack, smoothness(epsilon) * slack);
            prop_assert!(norm_of(&q, &d, epsilon) <= bend);
            let point = [q.clone(), d.clone()].concat();
            let moved = other(&point, &another, how, libm::exp2(nearness));
            let distance = length(&minus(&point, &moved));
            prop_assert!(length(&joint_gradient(&point, epsilon)) <= most);
            let values = (scs(&point, epsilon) - scs(&moved, epsilon)).abs();
            prop_assert!(values <= most * distance + 1e-15);
            let (here, there) = (joint_gradient(&point, epsilon), joint_gradient(&moved, epsilon));
            prop_assert!(length(&minus(&here, &there)) <= bend * distance + 1e-12 * most);
            // In one argument, the other fixed.
            let moved = &moved[..4];
            let distance = length(&minus(&q, moved));
            let change = minus(&gradient(&q, &d, epsilon), &gradient(moved, &d, epsilon));
            prop_assert!(length(&change) <= bend * distance + 1e-12 * most);
        }

        #[test]
        fn from_every_direction_the_limit_at_zero_is_below_what_is_told_there(
            e in prop::collection::vec(-1f64..1.0, 4), d in prop::collection::vec(-1f64..1.0, 4),
            epsilon in 0.01f64..4.0
        ) {
            prop_assume!(length(&e) > 0.1 && length(&d) > 0.1);
            let limit = norm_of(&times(1e-12, &e), &d, epsilon);
            prop_assert!(limit <= norm_of(&[0.0; 4], &d, epsilon) * (1.0 + 1e-9));
        }
    }

    #[test]
    fn every_bound_is_nearly_reached() {
        for epsilon in [0.01, 1.0, 3.0] {
            let near = |found: f64, bound: f64| {
                assert!((0.999..=1.0).contains(&(found / bound)), "{found} of {bound}");
            };
            let d = [0.6e5 * epsilon, 0.8e5 * epsilon];
            let tiny = times(1e-9, &d);
            near(length(&gradient(&[0.0; 2], &d, epsilon)), lipschitz(epsilon));
            near(norm_of(&tiny, &d, epsilon), smoothness(epsilon));
            // To zero: from q to -q nothing changes, as the gradient in q is even.
            let change = minus(&gradient(&tiny, &d, epsilon), &gradient(&[0.0; 2], &d, epsilon));
            near(length(&change) / length(&tiny), smoothness(epsilon));
            // Both arguments: value, gradient and its change.
            let (zero, point) = ([[0.0; 2], d].concat(), [tiny.clone(), d.to_vec()].concat());
            near(length(&joint_gradient(&zero, epsilon)), lipschitz(epsilon));
            near(scs(&point, epsilon) / length(&tiny), lipschitz(epsilon));
            let change = minus(&joint_gradient(&point, epsilon), &joint_gradient(&zero, epsilon));
            near(length(&change) / length(&tiny), smoothness(epsilon));
        }
    }

    #[test]
    fn at_a_zero_vector_the_worst_limit_is_told_and_cosine_has_none() {
        // |d| = 5, a = 5/6 at epsilon 1: 2a/eps^2.
        assert!((hessian_norm(&[0.0, 0.0], &[3.0, 4.0], 1.0) - 5.0 / 3.0).abs() < 1e-12);
        assert!((hessian_norm(&[0.0], &[5.0], 1.0) - 5.0 / 3.0).abs() < 1e-12);
        assert_eq!(hessian_norm(&[0.0, 0.0], &[3.0, 4.0], 0.0), f64::INFINITY);
        assert_eq!(hessian_norm(&[3.0, 4.0], &[0.0, 0.0], 0.0), 0.0);
        assert_eq!(hessian_norm(&[0.0, 0.0], &[0.0, 0.0], 0.0), 0.0);
    }
}
