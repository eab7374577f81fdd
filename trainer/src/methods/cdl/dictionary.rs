//! Atoms over words.

use ndarray::Array2;
use smooth_clir::math::arrays::row;
use smooth_clir::math::random::Random;

use super::algebra;
use crate::error::Error;
use crate::methods::bags::Bags;
use crate::methods::sums::add_scaled;

/// Atoms, the columns of `values`, and what they have in common.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Dictionary {
    /// [words, atoms]: a text's correlations are a sum of its words' rows.
    pub values: Array2<f64>,
    /// [atoms, atoms]: the atoms' inner products.
    pub gram: Array2<f64>,
}

impl Dictionary {
    /// Of its values.
    pub fn new(values: Array2<f64>) -> Self {
        let gram = algebra::gram(&values);
        Self { values, gram }
    }

    /// Distinct random rows of `data`, at unit length.
    ///
    /// # Errors
    /// [`Error::Dictionaries`] if fewer rows than atoms have a word.
    pub fn draw(data: &Bags, atoms: usize, random: &mut Random) -> Result<Self, Error> {
        let mut rows: Vec<usize> =
            (0..data.len()).filter(|&row| square(data.row(row)) > 0.0).collect();
        if rows.len() < atoms {
            let found = rows.len();
            let problem = format!(
                "{atoms} atoms need at least as many texts with known words, found {found}"
            );
            return Err(Error::Dictionaries { problem });
        }
        random.shuffle(&mut rows);
        let mut values = Array2::zeros((data.words, atoms));
        for (atom, &row) in rows[..atoms].iter().enumerate() {
            let norm = square(data.row(row)).sqrt();
            data.row(row).iter().for_each(|&(word, x)| values[(word as usize, atom)] = x / norm);
        }
        Ok(Self::new(values))
    }

    /// How many atoms there are.
    pub fn atoms(&self) -> usize {
        self.values.ncols()
    }

    /// How many words there are.
    pub fn words(&self) -> usize {
        self.values.nrows()
    }

    /// Adds D'y, times a factor, for a sparse y.
    pub fn add_correlations(&self, factor: f64, y: &[(u32, f64)], sums: &mut [f64]) {
        y.iter()
            .for_each(|&(word, x)| add_scaled(sums, factor * x, row(&self.values, word as usize)));
    }

    /// |y - Dx|^2.
    pub fn error(&self, y: &[(u32, f64)], x: &[(u32, f64)]) -> f64 {
        let rebuilt = |word| weighted(row(&self.values, word), x);
        let correlation = y.iter().fold(0.0, |sum, &(word, y)| sum + y * rebuilt(word as usize));
        (square(y) - 2.0 * correlation + quadratic(&self.gram, x)).max(0.0)
    }

    /// The atoms' lengths.
    pub fn norms(&self) -> Vec<f64> {
        let mut squares = vec![0.0; self.atoms()];
        for row in self.values.rows() {
            squares.iter_mut().zip(row).for_each(|(square, x)| *square += x * x);
        }
        squares.into_iter().map(f64::sqrt).collect()
    }

    /// The same with each atom times a factor.
    pub fn scaled(&self, factors: &[f64]) -> Self {
        let mut scaled = self.clone();
        let Self { values, gram } = &mut scaled;
        for matrix in [values, gram] {
            for row in matrix.rows_mut() {
                row.into_iter().zip(factors).for_each(|(x, factor)| *x *= factor);
            }
        }
        for (row, factor) in scaled.gram.rows_mut().into_iter().zip(factors) {
            row.into_iter().for_each(|x| *x *= factor);
        }
        scaled
    }
}

/// The sum of squares of a sparse vector.
pub fn square(sparse: &[(u32, f64)]) -> f64 {
    sparse.iter().fold(0.0, |sum, (_, x)| sum + x * x)
}

/// A dense vector times a sparse one.
pub fn weighted(dense: &[f64], sparse: &[(u32, f64)]) -> f64 {
    sparse.iter().fold(0.0, |sum, &(at, x)| sum + dense[at as usize] * x)
}

/// x'Gx.
pub fn quadratic(gram: &Array2<f64>, x: &[(u32, f64)]) -> f64 {
    x.iter().fold(0.0, |sum, &(atom, amount)| sum + amount * weighted(row(gram, atom as usize), x))
}
