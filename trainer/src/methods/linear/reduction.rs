//! Truncated singular value decomposition of sparse texts.
//!
//! Subspace iteration from a random start (Halko, Martinsson and Tropp, 2011), on the shorter side
//! of the matrix, and at the end the best directions of the subspace. Where the subspace is all
//! there is, the result is exact; else the last directions are blends with those that follow.

use nalgebra::{DMatrix, DVector, SymmetricEigen};
use rayon::prelude::*;
use smooth_clir::random::Random;

use super::super::bags::Bags;
use crate::error::Error;

/// Squared singular values below this share of the largest are dropped.
const LEAST_SHARE: f64 = 1e-10;
/// What is left of a direction, squared, after subtracting the others: below it is rounding error.
const DEPENDENT: f64 = 1e-14;
/// Rounds of iteration.
const ROUNDS: usize = 6;
/// Directions beyond the rank that the iteration works with, and one more for each so many.
const SPARE: usize = 20;
const RANK_PER_SPARE: usize = 5;

/// A decomposition A = U S V'.
pub struct Reduced {
    /// From the greatest.
    pub values: Vec<f64>,
    /// V: a row for each word.
    pub words: DMatrix<f64>,
    /// U S: a row for each text.
    pub texts: DMatrix<f64>,
}

/// The greatest singular values of texts, whose words on all sides stand side by side; fewer than
/// the rank where the texts have no more.
pub fn reduce(sides: &[&Bags], rank: usize, seed: u64) -> Result<Reduced, Error> {
    let texts = sides[0].len();
    let words = sides.iter().map(|side| side.words).sum::<usize>();
    let shorter = texts.min(words);
    let width = (rank + SPARE + rank / RANK_PER_SPARE).min(shorter);
    let by_words = words <= texts;
    let forth = |from: &DMatrix<f64>| {
        if by_words { on_texts(sides, from) } else { on_words(sides, from, words) }
    };
    let back = |from: &DMatrix<f64>| {
        if by_words { on_words(sides, from, words) } else { on_texts(sides, from) }
    };
    let basis = if width == shorter {
        DMatrix::identity(shorter, shorter)
    } else {
        let mut random = Random::new(seed, "reduction");
        let start = random.normals(shorter * width, 1.0).into_iter().map(f64::from);
        let mut basis = DMatrix::from_iterator(shorter, width, start);
        for _ in 0..ROUNDS {
            basis = orthonormal(&back(&forth(&basis)))?;
        }
        // Once more: what dividing by small lengths has left of angles.
        orthonormal(&basis)?
    };
    let image = forth(&basis);
    let (squares, turn) = descending(image.transpose() * &image)?;
    let least = squares.first().map_or(0.0, |most| most * LEAST_SHARE);
    let values: Vec<f64> =
        squares.iter().take(rank).take_while(|&&x| x > least).map(|x| x.sqrt()).collect();
    let turn = turn.columns(0, values.len()).into_owned();
    let (near, far) = (basis * &turn, image * turn);
    let (words, texts) = if by_words {
        (near, far)
    } else {
        (scaled(far, |at| 1.0 / values[at]), scaled(near, |at| values[at]))
    };
    Ok(Reduced { values, words, texts })
}

/// The eigenvalues of a symmetric matrix, from the greatest, and its eigenvectors.
pub fn descending(matrix: DMatrix<f64>) -> Result<(Vec<f64>, DMatrix<f64>), Error> {
    let Some(eigen) = SymmetricEigen::try_new(matrix, f64::EPSILON, 0) else {
        return Err(Error::Projection { problem: "the eigenvalues were not found".into() });
    };
    let mut order: Vec<usize> = (0..eigen.eigenvalues.len()).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    let values = order.iter().map(|&at| eigen.eigenvalues[at]).collect();
    Ok((values, eigen.eigenvectors.select_columns(&order)))
}

/// Columns times a factor of their own.
pub fn scaled(mut matrix: DMatrix<f64>, factor: impl Fn(usize) -> f64) -> DMatrix<f64> {
    for (at, mut column) in matrix.column_iter_mut().enumerate() {
        column *= factor(at);
    }
    matrix
}

/// Unit vectors at right angles that span the columns.
fn orthonormal(columns: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
    let lengths = columns.column_iter().map(|column| column.norm());
    // Columns of one length each: those that are left weigh alike.
    let inverse = DVector::from_iterator(
        columns.ncols(),
        lengths.map(|length| if length > 0.0 { 1.0 / length } else { 0.0 }),
    );
    let columns = scaled(columns.clone(), |at| inverse[at]);
    let (squares, turn) = descending(columns.transpose() * &columns)?;
    let least = squares.first().map_or(0.0, |most| most * DEPENDENT);
    let kept = squares.iter().take_while(|&&x| x > least).count();
    let turn = scaled(turn.columns(0, kept).into_owned(), |at| 1.0 / squares[at].sqrt());
    Ok(columns * turn)
}

/// A row for each text: the sum of its words' rows times what they weigh.
fn on_texts(sides: &[&Bags], words: &DMatrix<f64>) -> DMatrix<f64> {
    each_column(words, sides[0].len(), |from, to| {
        let mut start = 0;
        for side in sides {
            let own = &from[start..start + side.words];
            for (sum, row) in to.iter_mut().zip(side.rows()) {
                *sum = row.iter().fold(*sum, |sum, &(word, x)| sum + x * own[word as usize]);
            }
            start += side.words;
        }
    })
}

/// A row for each word: the sum of its texts' rows times what it weighs there.
fn on_words(sides: &[&Bags], texts: &DMatrix<f64>, words: usize) -> DMatrix<f64> {
    each_column(texts, words, |from, to| {
        let mut start = 0;
        for side in sides {
            let own = &mut to[start..start + side.words];
            for (text, row) in from.iter().zip(side.rows()) {
                for &(word, x) in row {
                    own[word as usize] += x * text;
                }
            }
            start += side.words;
        }
    })
}

/// Columns made of columns, each on its own.
fn each_column(
    from: &DMatrix<f64>,
    rows: usize,
    make: impl Fn(&[f64], &mut [f64]) + Sync,
) -> DMatrix<f64> {
    let mut to = DMatrix::zeros(rows, from.ncols());
    from.as_slice()
        .par_chunks_exact(from.nrows())
        .zip(to.as_mut_slice().par_chunks_exact_mut(rows))
        .for_each(|(from, to)| make(from, to));
    to
}
