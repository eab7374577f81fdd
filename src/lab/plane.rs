//! Smooth cosine similarity over a plane of query vectors, the document fixed: paper 1, Figure 1.

use ndarray::{Array2, ArrayView2};

use crate::math::curvature::hessian_norm;
use crate::math::kernels::{dot, norm};
use crate::math::similarity::{Gradient, gradient, gradient_bound, smooth_cosine};

/// A vector of two dimensions.
pub type Point = [f32; 2];

/// What there is to know at a query vector. Not-a-number where there is no gradient: at epsilon 0,
/// at the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// The similarity (paper 1, eq. 1).
    pub score: f32,
    /// Its gradient in the query.
    pub gradient: Point,
    /// The gradient's length.
    pub length: f32,
    /// The part of the gradient that points away from the origin: 0 for cosine, and at the origin
    /// the whole length.
    pub radial: f32,
    /// The spectral norm of the Hessian; at the origin the largest that it tends to.
    pub curvature: f32,
}

/// Reads a query vector.
pub fn read(query: Point, document: Point, epsilon: f32) -> Reading {
    let gradient = slopes(query, document, epsilon);
    Reading {
        score: smooth_cosine(&query, &document, epsilon),
        gradient,
        length: norm(&gradient),
        radial: radial(query, gradient),
        curvature: curvature(query, document, epsilon),
    }
}

fn slopes(query: Point, document: Point, epsilon: f32) -> Point {
    let mut slopes = [0.0; 2];
    match gradient(&query, &document, epsilon, &mut slopes) {
        Gradient::Defined => slopes,
        Gradient::Undefined => [f32::NAN; 2],
    }
}

fn radial(query: Point, slopes: Point) -> f32 {
    let length = norm(&query);
    if length > 0.0 { dot(&slopes, &query) / length } else { norm(&slopes) }
}

fn curvature(query: Point, document: Point, epsilon: f32) -> f32 {
    hessian_norm(&query, &document, epsilon) as f32
}

/// One number of a [`Reading`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    /// The similarity.
    Score,
    /// The partial derivative in x1: what Figure 1 shows.
    AlongX1,
    /// The partial derivative in x2.
    AlongX2,
    /// The gradient's length.
    Length,
    /// Its radial part.
    Radial,
    /// The Hessian's norm.
    Curvature,
}

impl Quantity {
    /// Every quantity.
    pub const ALL: [Self; 6] =
        [Self::Score, Self::AlongX1, Self::AlongX2, Self::Length, Self::Radial, Self::Curvature];

    /// The quantity at a query vector.
    pub fn at(self, query: Point, document: Point, epsilon: f32) -> f32 {
        // It costs most, and the others do not need it.
        if self == Self::Curvature {
            return curvature(query, document, epsilon);
        }
        let slopes = slopes(query, document, epsilon);
        match self {
            Self::AlongX1 => slopes[0],
            Self::AlongX2 => slopes[1],
            Self::Length => norm(&slopes),
            Self::Radial => radial(query, slopes),
            _ => smooth_cosine(&query, &document, epsilon),
        }
    }
}

/// A quantity over the square from -`extent` to `extent`, [size, size]: rows from the greatest x2
/// down, each from the smallest x1 up. The origin is a point of the grid where
/// `size` is odd.
pub fn map(
    quantity: Quantity,
    document: Point,
    size: usize,
    extent: f32,
    epsilon: f32,
) -> Array2<f32> {
    Array2::from_shape_fn((size, size), |place| {
        quantity.at(point(place, size, extent), document, epsilon)
    })
}

/// The query vector of a row and column.
fn point((row, column): (usize, usize), size: usize, extent: f32) -> Point {
    // Symmetric about the middle, which is exactly 0.
    let steps = size.saturating_sub(1).max(1) as f32;
    let along = |i: usize| (2.0 * i as f32 - steps) / steps * extent;
    [along(column), 0.0 - along(row)]
}

/// A value of a map and the query vector that has it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extreme {
    /// The value.
    pub value: f32,
    /// The query vector.
    pub at: Point,
}

/// The ends of what a map shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extremes {
    /// The smallest finite value.
    pub smallest: Extreme,
    /// The largest finite value.
    pub largest: Extreme,
}

/// The extremes of a [`map`] of this extent; none where no value is finite. Of equal values the
/// origin's counts, then the first.
pub fn extremes(values: ArrayView2<f32>, extent: f32) -> Option<Extremes> {
    let size = values.nrows();
    let middle = (size / 2, size / 2);
    let origin =
        if size % 2 == 1 { values.get(middle).map(|&value| (middle, value)) } else { None };
    let all = values.indexed_iter().map(|(place, &value)| (place, value));
    let mut finite = origin.into_iter().chain(all).filter(|(_, value)| value.is_finite());
    let first = finite.next()?;
    let (mut smallest, mut largest) = (first, first);
    for found in finite {
        if found.1 < smallest.1 {
            smallest = found;
        }
        if found.1 > largest.1 {
            largest = found;
        }
    }
    let extreme = |(place, value)| Extreme { value, at: point(place, size, extent) };
    Some(Extremes { smallest: extreme(smallest), largest: extreme(largest) })
}

/// What the gradient's length cannot exceed: as paper 1 prints it, `2/eps`; tight over all
/// documents, `1/eps`; and for this document, [`gradient_bound`], which is reached at the origin.
pub fn bounds(document: Point, epsilon: f32) -> [f32; 3] {
    [2.0 / epsilon, 1.0 / epsilon, gradient_bound(norm(&document), epsilon)]
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    const FIXED: Point = [1.0, 1.0];

    #[test]
    fn the_largest_values_of_figure_1_stand_at_its_centre() {
        // 1 / ((sqrt 2 + eps) eps) at eps 0.05, 0.2 and 0.5.
        for (epsilon, largest) in [(0.05, 13.66), (0.2, 3.10), (0.5, 1.05)] {
            let map = map(Quantity::AlongX1, FIXED, 101, 2.0, epsilon);
            let most = map.iter().copied().fold(0.0, f32::max);
            assert!((most - largest).abs() < 0.006, "{epsilon}: {most}");
            assert_eq!(most, map[(50, 50)]);
        }
    }

    #[test]
    fn cosine_has_no_gradient_at_the_origin_alone() {
        let map = map(Quantity::Length, FIXED, 11, 2.0, 0.0);
        assert_eq!(map.iter().filter(|x| x.is_nan()).count(), 1);
        assert!(map[(5, 5)].is_nan());
    }

    #[test]
    fn the_gradient_is_longest_at_the_origin_where_it_reaches_its_bound() {
        for epsilon in [0.05, 0.5, 3.0] {
            let [printed, tight, exact] = bounds(FIXED, epsilon);
            assert!(printed == 2.0 * tight && tight > exact);
            let at_origin = read([0.0, 0.0], FIXED, epsilon);
            assert!((at_origin.length - exact).abs() <= 1e-6 * exact);
            assert_eq!(at_origin.radial, at_origin.length);
            let longest =
                map(Quantity::Length, FIXED, 41, 2.0, epsilon).into_iter().fold(0.0, f32::max);
            assert_eq!(longest, at_origin.length);
        }
    }

    #[test]
    fn cosine_has_a_slope_only_across_and_smooth_cosine_also_along() {
        // q = (3, 4), d = (5, 12): cos = 63/65, sin = 16/65.
        let cosine = read([3.0, 4.0], [5.0, 12.0], 0.0);
        assert!(cosine.radial.abs() < 1e-7);
        assert!((cosine.length - 16.0 / 65.0 / 5.0).abs() < 1e-7);
        // a cos eps / n^2 with a = 13/15, n = 7.
        let smooth = read([3.0, 4.0], [5.0, 12.0], 2.0);
        assert!((smooth.radial - 13.0 / 15.0 * (63.0 / 65.0) * 2.0 / 49.0).abs() < 1e-7);
    }

    #[test]
    fn maps_are_read_from_the_top_left() {
        let map = map(Quantity::Score, [0.0, 2.0], 3, 1.0, 0.5);
        assert_eq!(map[(0, 1)], read([0.0, 1.0], [0.0, 2.0], 0.5).score);
        assert_eq!(map[(1, 0)], 0.0);
        assert!(map[(0, 0)] > 0.0 && map[(2, 2)] < 0.0);
    }

    #[test]
    fn a_map_has_what_is_read_at_each_of_its_points() {
        let map = |quantity| map(quantity, FIXED, 3, 4.0, 0.5);
        let points = [4.0, 0.0, -4.0].map(|x2| [-4.0, 0.0, 4.0].map(|x1| [x1, x2]));
        for (at, point) in points.into_iter().flatten().enumerate() {
            let at = (at / 3, at % 3);
            let expected = read(point, FIXED, 0.5);
            assert_eq!(map(Quantity::Score)[at], expected.score);
            assert_eq!(map(Quantity::AlongX1)[at], expected.gradient[0]);
            assert_eq!(map(Quantity::AlongX2)[at], expected.gradient[1]);
            assert_eq!(map(Quantity::Length)[at], expected.length);
            assert_eq!(map(Quantity::Radial)[at], expected.radial);
            assert_eq!(map(Quantity::Curvature)[at], expected.curvature);
        }
    }

    #[test]
    fn the_extremes_of_a_map_are_its_own_and_say_where() {
        let found = |values: Array2<f32>| extremes(values.view(), 4.0);
        let (nan, infinite) = (f32::NAN, f32::INFINITY);
        let extreme = |value, at| Extreme { value, at };
        let values = array![[1.0, -7.0, nan], [infinite, 0.0, 6.0], [6.0, -infinite, -7.0]];
        let expected =
            Extremes { smallest: extreme(-7.0, [0.0, 4.0]), largest: extreme(6.0, [4.0, 0.0]) };
        assert_eq!(found(values), Some(expected));
        // Equal values: the origin's, where there is one.
        let [odd, even] = [3, 4].map(|size| found(Array2::ones((size, size))).unwrap());
        assert_eq!([odd.smallest, odd.largest], [extreme(1.0, [0.0, 0.0]); 2]);
        assert_eq!([even.smallest, even.largest], [extreme(1.0, [-4.0, 4.0]); 2]);
        assert_eq!(found(array![[nan, infinite], [nan, nan]]), None);
        assert_eq!(found(Array2::zeros((0, 0))), None);
    }

    #[test]
    fn the_curvature_is_how_fast_the_gradient_turns() {
        // The largest eigenvalue of what differences of the gradient say the Hessian is.
        let (point, document, epsilon, step) = ([0.8, -0.3], [1.0, 2.0], 0.5, 1e-3);
        let along = |axis: usize| {
            let mut ends = [point; 2];
            ends[0][axis] -= step;
            ends[1][axis] += step;
            let [before, after] = ends.map(|end| read(end, document, epsilon).gradient);
            [0, 1].map(|at| (after[at] - before[at]) / (2.0 * step))
        };
        let [[a, b], [c, d]] = [along(0), along(1)];
        let (mean, half) = ((a + d) / 2.0, (a - d) / 2.0);
        let spread = (half * half + b * c).sqrt();
        let found = read(point, document, epsilon).curvature;
        assert!((found - (mean.abs() + spread)).abs() < 1e-3 * found, "{found}");
    }
}
