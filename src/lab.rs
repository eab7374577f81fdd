//! The numbers behind the page's pictures.

use crate::similarity::{Gradient, gradient};

/// The heat map of paper 1, Figure 1: the partial derivative in x1 of the smooth cosine
/// similarity of (x1, x2) and (1, 1), over the square from -`extent` to `extent`.
///
/// `size * size` numbers, row by row from the greatest x2 down, each row from the smallest x1 up.
/// Not-a-number where there is no gradient: at epsilon 0, at the origin, which is a point of the
/// grid where `size` is odd.
pub fn gradient_map(size: usize, extent: f32, epsilon: f32) -> Vec<f32> {
    // Symmetric about the middle, which is exactly 0.
    let steps = size.saturating_sub(1).max(1) as f32;
    let at = |i: usize| (2.0 * i as f32 - steps) / steps * extent;
    let mut map = Vec::with_capacity(size * size);
    for row in 0..size {
        for column in 0..size {
            let mut slopes = [0.0; 2];
            let point = [at(column), -at(row)];
            map.push(match gradient(&point, &[1.0, 1.0], epsilon, &mut slopes) {
                Gradient::Defined => slopes[0],
                Gradient::Undefined => f32::NAN,
            });
        }
    }
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_values_of_figure_1_stand_at_its_centre() {
        // 1 / ((sqrt 2 + eps) eps) at eps 0.05, 0.2 and 0.5.
        for (epsilon, largest) in [(0.05, 13.66), (0.2, 3.10), (0.5, 1.05)] {
            let map = gradient_map(101, 2.0, epsilon);
            let most = map.iter().copied().fold(0.0, f32::max);
            assert!((most - largest).abs() < 0.006, "{epsilon}: {most}");
            assert_eq!(most, map[50 * 101 + 50]);
        }
    }

    #[test]
    fn cosine_is_undefined_at_the_origin_alone() {
        let map = gradient_map(11, 2.0, 0.0);
        assert_eq!(map.iter().filter(|x| x.is_nan()).count(), 1);
        assert!(map[60].is_nan());
    }
}
