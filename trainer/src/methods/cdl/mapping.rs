//! Mappings: what one side's codes say about the other's.

use ndarray::Array2;
use rayon::prelude::*;
use smooth_clir::math::arrays::row;

use super::algebra;
use super::codes::Code;
use crate::error::Error;
use crate::methods::sums::add_scaled;

/// A B', the sum of the texts' outer products: [atoms, atoms].
pub fn products(a: &[Code], b: &[Code], atoms: usize) -> Array2<f64> {
    let mut sums = Array2::zeros((atoms, atoms));
    for (a, b) in a.iter().zip(b) {
        for &(row, x) in a {
            b.iter().for_each(|&(column, y)| sums[(row as usize, column as usize)] += x * y);
        }
    }
    sums
}

/// The T that minimises |B - TA|^2 + ridge |T|^2: B A' (A A' + ridge I)^-1.
///
/// # Errors
/// [`Error::Dictionaries`] if the ridge is lost in rounding.
pub fn ridge(from: &[Code], to: &[Code], atoms: usize, ridge: f64) -> Result<Array2<f64>, Error> {
    let mut own = products(from, from, atoms);
    own.diag_mut().iter_mut().for_each(|x| *x += ridge);
    algebra::solve(&own, &products(to, from, atoms))
}

/// Adds a sparse x's product with a matrix, given as its transposed: M'x.
pub fn add_mapped(transposed: &Array2<f64>, factor: f64, x: &[(u32, f64)], sums: &mut [f64]) {
    x.iter().for_each(|&(at, x)| add_scaled(sums, factor * x, row(transposed, at as usize)));
}

/// |B - TA|^2.
pub fn error(map: &Array2<f64>, from: &[Code], to: &[Code]) -> f64 {
    let columns = algebra::transposed(map);
    let each = from.par_iter().zip(to).map_init(
        || vec![0.0; map.nrows()],
        |left, (from, to)| {
            left.fill(0.0);
            to.iter().for_each(|&(atom, x)| left[atom as usize] = x);
            add_mapped(&columns, -1.0, from, left);
            left.iter().fold(0.0, |sum, x| sum + x * x)
        },
    );
    let each: Vec<f64> = each.collect();
    each.into_iter().fold(0.0, |sum, x| sum + x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ridge_mapping_is_the_textbooks() {
        // By hand: A = [1 0 1; 0 2 1], B = [1 1 0; 0 0 3], ridge 1:
        // AA' + I = [3 1; 1 6], its inverse [6 -1; -1 3] / 17; BA' = [1 2; 3 3].
        let a: [Code; 3] = [vec![(0, 1.0)], vec![(1, 2.0)], vec![(0, 1.0), (1, 1.0)]];
        let b: [Code; 3] = [vec![(0, 1.0)], vec![(0, 1.0)], vec![(1, 3.0)]];
        let map = ridge(&a, &b, 2, 1.0).unwrap();
        for (found, expected) in map.iter().zip([4.0, 5.0, 15.0, 6.0]) {
            assert!((found - expected / 17.0).abs() < 1e-14, "{map:?}");
        }
        // The columns of B - TA: (13, -15), (7, -12), (-9, 30), over 17.
        let expected = (169.0 + 225.0 + 49.0 + 144.0 + 81.0 + 900.0) / 289.0;
        assert!((error(&map, &a, &b) - expected).abs() < 1e-14);
    }
}
