//! Dense matrices: the few operations that dictionaries and mappings need.

use multiversion::multiversion;
use rayon::prelude::*;

use crate::error::Error;

/// Sums of products are taken in so many lanes, which are then added in order.
const LANES: usize = 8;
/// So many rows of a Gram matrix are made together.
const BLOCK: usize = 32;

/// Rows of equal length, one after the other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Matrix {
    columns: usize,
    values: Vec<f64>,
}

impl Matrix {
    /// All zero.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        Self { columns, values: vec![0.0; rows * columns] }
    }

    /// Of numbers row by row; a last incomplete row is cut off.
    pub fn new(columns: usize, mut values: Vec<f64>) -> Self {
        values.truncate(values.len() / columns.max(1) * columns);
        Self { columns, values }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.values.len() / self.columns.max(1)
    }

    /// Numbers in a row.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// A row below [`rows`](Self::rows).
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.columns..][..self.columns]
    }

    /// A row, to be changed in place.
    pub fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.values[row * self.columns..][..self.columns]
    }

    /// All rows, one after the other.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The numbers of all rows.
    pub fn into_values(self) -> Vec<f64> {
        self.values
    }

    /// All rows, to be changed in place.
    pub fn values_mut(&mut self) -> &mut [f64] {
        &mut self.values
    }

    /// The same with rows and columns exchanged.
    pub fn transposed(&self) -> Self {
        let mut turned = Self::zeros(self.columns, self.rows());
        for row in 0..self.rows() {
            for (column, &x) in self.row(row).iter().enumerate() {
                turned.values[column * self.rows() + row] = x;
            }
        }
        turned
    }

    /// A'A, [columns, columns].
    pub fn gram(&self) -> Self {
        let n = self.columns;
        let rows: Vec<&[f64]> = (0..self.rows()).map(|row| self.row(row)).collect();
        let (fours, rest) = rows.as_chunks();
        let mut gram = Self::zeros(n, n);
        gram.values.par_chunks_mut((BLOCK * n).max(1)).enumerate().for_each(|(block, sums)| {
            for four in fours {
                for (sums, at) in sums.chunks_exact_mut(n).zip(block * BLOCK..) {
                    let factors = four.map(|row| row[at]);
                    add_four(&mut sums[at..], factors, four.map(|row| &row[at..]));
                }
            }
            for row in rest {
                for (sums, at) in sums.chunks_exact_mut(n).zip(block * BLOCK..) {
                    add_scaled(&mut sums[at..], row[at], &row[at..]);
                }
            }
        });
        for row in 0..n {
            for column in 0..row {
                gram.values[row * n + column] = gram.values[column * n + row];
            }
        }
        gram
    }

    /// Adds `factor` times another of the same shape.
    pub fn add(&mut self, factor: f64, other: &Self) {
        self.values.iter_mut().zip(&other.values).for_each(|(x, y)| *x += factor * y);
    }

    /// Adds to each number of the diagonal.
    pub fn add_to_diagonal(&mut self, amount: f64) {
        self.values.iter_mut().step_by(self.columns + 1).for_each(|x| *x += amount);
    }

    /// The sum of squares.
    pub fn square(&self) -> f64 {
        dot(&self.values, &self.values)
    }

    /// B A^-1 for a symmetric, positive definite A = `self` and B = `right`: each row on its own.
    ///
    /// # Errors
    /// [`Error::Usage`] if A is not positive definite.
    pub fn solve(&self, right: &Self) -> Result<Self, Error> {
        let factor = self.cholesky().ok_or_else(|| {
            Error::Usage(
                "the mapping's ridge is too small for these codes: take a larger one".into(),
            )
        })?;
        let turned = factor.transposed();
        let mut solution = right.clone();
        let n = self.columns;
        solution.values.par_chunks_exact_mut(n.max(1)).for_each(|x| {
            for row in 0..n {
                x[row] = (x[row] - dot(&factor.row(row)[..row], &x[..row])) / factor.row(row)[row];
            }
            for row in (0..n).rev() {
                let below = dot(&turned.row(row)[row + 1..], &x[row + 1..]);
                x[row] = (x[row] - below) / factor.row(row)[row];
            }
        });
        Ok(solution)
    }

    /// The lower triangular L with L L' = A.
    fn cholesky(&self) -> Option<Self> {
        let n = self.columns;
        let mut factor = Self::zeros(n, n);
        for row in 0..n {
            let (above, own) = factor.values.split_at_mut(row * n);
            for column in 0..row {
                let other = &above[column * n..][..n];
                own[column] =
                    (self.row(row)[column] - dot(&own[..column], &other[..column])) / other[column];
            }
            let left = self.row(row)[row] - dot(&own[..row], &own[..row]);
            if left.is_nan() || left <= 0.0 {
                return None;
            }
            own[row] = left.sqrt();
        }
        Some(factor)
    }
}

/// Adds four rows, each times its factor: the sums are read and written once.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub fn add_four(sums: &mut [f64], factors: [f64; 4], rows: [&[f64]; 4]) {
    let ([x, y, z, w], [a, b, c, d]) = (factors, rows);
    if factors == [0.0; 4] {
        return;
    }
    for (sum, ((a, b), (c, d))) in sums.iter_mut().zip(a.iter().zip(b).zip(c.iter().zip(d))) {
        *sum += (x * a + y * b) + (z * c + w * d);
    }
}

/// Adds `factor` times `other`.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub fn add_scaled(sums: &mut [f64], factor: f64, other: &[f64]) {
    sums.iter_mut().zip(other).for_each(|(sum, x)| *sum += factor * x);
}

/// The sum of products, in one fixed order.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; LANES];
    let (a, rest_a) = a.as_chunks::<LANES>();
    let (b, rest_b) = b.as_chunks::<LANES>();
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    for (lane, (a, b)) in rest_a.iter().zip(rest_b).enumerate() {
        lanes[lane] += a * b;
    }
    lanes.into_iter().fold(0.0, |sum, x| sum + x)
}

/// The sums of products with four others, of the same length, in one fixed order: `a` is read once.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub fn dot_four(a: &[f64], others: [&[f64]; 4]) -> [f64; 4] {
    const LANES: usize = 4;
    let mut lanes = [[0.0; LANES]; 4];
    let (chunks, rest) = a.as_chunks::<LANES>();
    let [b, c, d, e] = others.map(|other| other.as_chunks::<LANES>().0.iter());
    for (a, (((b, c), d), e)) in chunks.iter().zip(b.zip(c).zip(d).zip(e)) {
        for (sums, other) in lanes.iter_mut().zip([b, c, d, e]) {
            for lane in 0..LANES {
                sums[lane] += a[lane] * other[lane];
            }
        }
    }
    let whole = a.len() - rest.len();
    let sum = |n: usize| {
        let own = lanes[n].into_iter().fold(0.0, |sum, x| sum + x);
        rest.iter().zip(&others[n][whole..]).fold(own, |sum, (a, b)| sum + a * b)
    };
    std::array::from_fn(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gram_matrix_is_every_product_of_columns() {
        // Six rows, so that four are taken together and two are left.
        let values: Vec<f64> = (0..18).map(|n| f64::from(n * n % 7)).collect();
        let matrix = Matrix::new(3, values);
        let gram = matrix.gram();
        for a in 0..3 {
            for b in 0..3 {
                let expected: f64 = (0..6).map(|row| matrix.row(row)[a] * matrix.row(row)[b]).sum();
                assert_eq!(gram.row(a)[b], expected);
            }
        }
    }

    #[test]
    fn a_positive_definite_system_is_solved_and_another_refused() {
        // [4 2; 2 3] has the inverse [3 -2; -2 4] / 8.
        let matrix = Matrix::new(2, vec![4.0, 2.0, 2.0, 3.0]);
        let solved = matrix.solve(&Matrix::new(2, vec![8.0, 0.0, 4.0, 8.0])).unwrap();
        for (found, expected) in solved.values().iter().zip([3.0, -2.0, -0.5, 3.0]) {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
        let singular = Matrix::new(2, vec![1.0, 1.0, 1.0, 1.0]);
        assert!(singular.solve(&Matrix::zeros(1, 2)).is_err());
    }

    #[test]
    fn products_of_any_length_are_summed() {
        for length in 0..20 {
            let numbers: Vec<f64> = (0..length).map(f64::from).collect();
            let expected: f64 = numbers.iter().map(|x| x * x).sum();
            assert_eq!(dot(&numbers, &numbers), expected);
            let ones = vec![1.0; length as usize];
            let sum: f64 = numbers.iter().sum();
            let four = dot_four(&numbers, [&numbers, &ones, &numbers, &ones]);
            assert_eq!(four, [expected, sum, expected, sum]);
        }
    }
}
