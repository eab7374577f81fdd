//! A teacher's space -> the model's: the centre and the principal directions of training text.

use nalgebra::{DMatrix, SymmetricEigen};
use ndarray::Array2;

/// Fewer vectors than this for each dimension would say little of their directions.
const LEAST: usize = 4;

/// The mean of vectors, and their principal directions in rows, the greatest first; `None` if there are too few
/// vectors, or fewer dimensions than are asked for.
pub fn principal(vectors: &Array2<f32>, dimension: usize) -> Option<(Vec<f32>, Array2<f32>)> {
    let (count, all) = vectors.dim();
    if dimension > all || count < LEAST * dimension {
        return None;
    }
    let mean = mean(vectors, std::iter::repeat(1.0));
    let centred = vectors.rows().into_iter().flat_map(|row| {
        row.iter().zip(&mean).map(|(value, mean)| f64::from(*value) - mean).collect::<Vec<_>>()
    });
    let centred = DMatrix::from_iterator(all, count, centred);
    let eigen = SymmetricEigen::new(&centred * centred.transpose());
    let mut order: Vec<usize> = (0..all).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]).then(a.cmp(&b)));
    let mut directions = Array2::zeros((dimension, all));
    for (mut row, &column) in directions.rows_mut().into_iter().zip(&order) {
        let direction = eigen.eigenvectors.column(column);
        // Either sign is a principal direction: the component of the greatest magnitude is positive.
        let largest = direction
            .iter()
            .copied()
            .fold(0.0, |most: f64, x| if x.abs() > most.abs() { x } else { most });
        let sign = if largest < 0.0 { -1.0 } else { 1.0 };
        row.iter_mut().zip(direction.iter()).for_each(|(value, x)| *value = (sign * x) as f32);
    }
    Some((mean.into_iter().map(|value| value as f32).collect(), directions))
}

/// The mean of vectors, each with a share of its own.
pub fn mean(vectors: &Array2<f32>, shares: impl Iterator<Item = f64>) -> Vec<f64> {
    let (mut mean, mut total) = (vec![0.0; vectors.ncols()], 0.0);
    for (row, share) in vectors.rows().into_iter().zip(shares) {
        mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += share * f64::from(*value));
        total += share;
    }
    mean.iter_mut().for_each(|sum| *sum /= f64::max(total, 1.0));
    mean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_direction_is_that_of_the_greatest_spread() {
        // Around (1, 2): far along (3, 4) / 5, little across.
        let along = [-4.0_f32, -2.0, 0.0, 2.0, 4.0, -4.0, 4.0, 0.0];
        let across = [0.1_f32, -0.1, 0.1, -0.1, 0.0, 0.0, 0.0, 0.0];
        let vectors = along
            .iter()
            .zip(across)
            .flat_map(|(a, c)| [1.0 + 0.6 * a - 0.8 * c, 2.0 + 0.8 * a + 0.6 * c]);
        let vectors = Array2::from_shape_vec((8, 2), vectors.collect()).unwrap();
        let (mean, directions) = principal(&vectors, 2).unwrap();
        for (found, expected) in mean.iter().zip([1.0, 2.0]) {
            assert!((found - expected).abs() < 1e-6, "{mean:?}");
        }
        for (found, expected) in directions.iter().zip([0.6, 0.8, 0.8, -0.6]) {
            assert!((found.abs() - f32::abs(expected)).abs() < 1e-2, "{directions:?}");
        }
        assert!(directions[(0, 1)] > 0.0);
        assert!(principal(&vectors, 3).is_none(), "more dimensions than there are");
        assert!(
            principal(&vectors.slice(ndarray::s![..7, ..]).to_owned(), 2).is_none(),
            "too few vectors"
        );
    }
}
