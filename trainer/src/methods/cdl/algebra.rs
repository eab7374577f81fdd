//! The matrix operations that dictionaries and mappings need.

use ndarray::{Array2, Axis};
use rayon::prelude::*;
use smooth_clir::math::arrays::{row, row_mut, values, values_mut};

use crate::error::Error;
use crate::methods::sums::{add_four, add_scaled, dot};

/// This many rows of a Gram matrix are made together.
const BLOCK: usize = 32;

/// A', its rows one after the other.
pub fn transposed(matrix: &Array2<f64>) -> Array2<f64> {
    matrix.t().as_standard_layout().into_owned()
}

/// A'A, [columns, columns].
pub fn gram(matrix: &Array2<f64>) -> Array2<f64> {
    let n = matrix.ncols();
    let rows: Vec<&[f64]> = (0..matrix.nrows()).map(|at| row(matrix, at)).collect();
    let (fours, rest) = rows.as_chunks();
    let mut gram = Array2::zeros((n, n));
    gram.axis_chunks_iter_mut(Axis(0), BLOCK).into_par_iter().enumerate().for_each(
        |(block, mut sums)| {
            for four in fours {
                for (own, at) in (0..sums.nrows()).zip(block * BLOCK..) {
                    let factors = four.map(|row| row[at]);
                    add_four(
                        &mut row_mut(&mut sums, own)[at..],
                        factors,
                        four.map(|row| &row[at..]),
                    );
                }
            }
            for row in rest {
                for (own, at) in (0..sums.nrows()).zip(block * BLOCK..) {
                    add_scaled(&mut row_mut(&mut sums, own)[at..], row[at], &row[at..]);
                }
            }
        },
    );
    for row in 0..n {
        for column in 0..row {
            gram[(row, column)] = gram[(column, row)];
        }
    }
    gram
}

/// The sum of squares.
pub fn square(matrix: &Array2<f64>) -> f64 {
    dot(values(matrix), values(matrix))
}

/// B A^-1 for a symmetric, positive definite A = `left` and B = `right`: each row on its own.
///
/// # Errors
/// [`Error::Dictionaries`] if A is not positive definite.
pub fn solve(left: &Array2<f64>, right: &Array2<f64>) -> Result<Array2<f64>, Error> {
    let factor = cholesky(left).ok_or_else(|| Error::Dictionaries {
        problem: "the mapping's ridge is too small for these codes: choose a larger one".into(),
    })?;
    let turned = transposed(&factor);
    let mut solution = right.clone();
    let n = left.ncols();
    solution.axis_iter_mut(Axis(0)).into_par_iter().for_each(|mut x| {
        let x = values_mut(&mut x);
        for at in 0..n {
            let own = row(&factor, at);
            x[at] = (x[at] - dot(&own[..at], &x[..at])) / own[at];
        }
        for at in (0..n).rev() {
            let below = dot(&row(&turned, at)[at + 1..], &x[at + 1..]);
            x[at] = (x[at] - below) / factor[(at, at)];
        }
    });
    Ok(solution)
}

/// The lower triangular L with L L' = A.
fn cholesky(matrix: &Array2<f64>) -> Option<Array2<f64>> {
    let n = matrix.ncols();
    let mut factor = Array2::zeros((n, n));
    for at in 0..n {
        let (above, mut rest) = factor.view_mut().split_at(Axis(0), at);
        let own = row_mut(&mut rest, 0);
        for column in 0..at {
            let other = row(&above, column);
            own[column] =
                (matrix[(at, column)] - dot(&own[..column], &other[..column])) / other[column];
        }
        let left = matrix[(at, at)] - dot(&own[..at], &own[..at]);
        if left.is_nan() || left <= 0.0 {
            return None;
        }
        own[at] = left.sqrt();
    }
    Some(factor)
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn a_gram_matrix_is_every_product_of_columns() {
        // Six rows, so that four are taken together and two are left.
        let matrix = Array2::from_shape_fn((6, 3), |(row, column)| {
            let n = 3 * row + column;
            (n * n % 7) as f64
        });
        let gram = gram(&matrix);
        for a in 0..3 {
            for b in 0..3 {
                let expected: f64 = matrix.rows().into_iter().map(|row| row[a] * row[b]).sum();
                assert_eq!(gram[(a, b)], expected);
            }
        }
    }

    #[test]
    fn a_positive_definite_system_is_solved_and_another_refused() {
        // [4 2; 2 3] has the inverse [3 -2; -2 4] / 8.
        let matrix = array![[4.0, 2.0], [2.0, 3.0]];
        let solved = solve(&matrix, &array![[8.0, 0.0], [4.0, 8.0]]).unwrap();
        for (found, expected) in solved.iter().zip([3.0, -2.0, -0.5, 3.0]) {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
        assert!(solve(&array![[1.0, 1.0], [1.0, 1.0]], &Array2::zeros((1, 2))).is_err());
    }
}
