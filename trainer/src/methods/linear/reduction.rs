//! Truncated singular value decomposition of sparse texts.
//!
//! Subspace iteration from a random start (Halko, Martinsson and Tropp, 2011), on the shorter side
//! of the matrix, and at the end the best directions of the subspace. Where the subspace is all
//! there is, the result is exact; else the last directions are blends with those that follow.

use nalgebra::{DMatrix, SymmetricEigen};
use rayon::prelude::*;
use smooth_clir::math::random::Random;

use super::super::bags::Bags;
use crate::error::Error;

/// Squared singular values below this share of the largest are dropped.
const LEAST_SHARE: f64 = 1e-10;
/// What is left of a direction, squared, after subtracting the others: below it is rounding error.
const DEPENDENT: f64 = 1e-14;
/// Above this, what is left of a unit direction is no rounding error.
const INDEPENDENT: f64 = 1e-4;
/// Rounds of iteration.
const ROUNDS: usize = 6;
/// Directions beyond the rank that the iteration works with, and one more for each so many.
const SPARE: usize = 20;
const RANK_PER_SPARE: usize = 5;

/// So many columns are multiplied at a time.
const AT_ONCE: usize = 8;
/// A row of these.
type Columns = [f64; AT_ONCE];

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
    let multiply = |to_texts: bool, from: &[Columns], to: &mut [Columns]| {
        to.fill([0.0; AT_ONCE]);
        if to_texts { add_on_texts(sides, from, to) } else { add_on_words(sides, from, to) }
    };
    let forth = |from: &DMatrix<f64>| {
        by_columns(from, texts.max(words), |_, from, to| multiply(by_words, from, to))
    };
    let forth_and_back = |from: &DMatrix<f64>| {
        by_columns(from, shorter, |between, from, to| {
            between.resize(texts.max(words), [0.0; AT_ONCE]);
            multiply(by_words, from, between);
            multiply(!by_words, between, to);
        })
    };
    let basis = if width == shorter {
        DMatrix::identity(shorter, shorter)
    } else {
        let mut random = Random::new(seed, "reduction");
        let start = random.normals(shorter * width, 1.0).into_iter().map(f64::from);
        let mut basis = DMatrix::from_iterator(shorter, width, start);
        for _ in 0..ROUNDS {
            let next = unit_columns(forth_and_back(&basis));
            basis = match about_orthonormal(&next) {
                Some(basis) => basis,
                None => orthonormal(&next)?,
            };
        }
        // Once more: what dividing by small lengths has left of angles.
        orthonormal(&unit_columns(basis))?
    };
    let squares = basis.transpose() * forth_and_back(&basis);
    let (squares, turn) = descending((&squares + squares.transpose()) * 0.5)?;
    let least = squares.first().map_or(0.0, |most| most * LEAST_SHARE);
    let values: Vec<f64> =
        squares.iter().take(rank).take_while(|&&x| x > least).map(|x| x.sqrt()).collect();
    let near = basis * turn.columns(0, values.len());
    let far = forth(&near);
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

/// Columns of length 1, or zeros: those that are left after subtracting others weigh alike.
fn unit_columns(columns: DMatrix<f64>) -> DMatrix<f64> {
    let lengths = columns.column_iter().map(|column| column.norm());
    let inverse: Vec<f64> =
        lengths.map(|length| if length > 0.0 { 1.0 / length } else { 0.0 }).collect();
    scaled(columns, |at| inverse[at])
}

/// Vectors about at right angles that span unit columns, by Cholesky's decomposition; none where
/// some of the columns are all but sums of others.
fn about_orthonormal(columns: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let lower = (columns.transpose() * columns).cholesky()?.unpack();
    let least = lower.diagonal().min();
    let inverse = lower.solve_lower_triangular(&DMatrix::identity(lower.nrows(), lower.nrows()))?;
    (least > INDEPENDENT).then(|| columns * inverse.transpose())
}

/// Unit vectors at right angles that span unit columns.
fn orthonormal(columns: &DMatrix<f64>) -> Result<DMatrix<f64>, Error> {
    let (squares, turn) = descending(columns.transpose() * columns)?;
    let least = squares.first().map_or(0.0, |most| most * DEPENDENT);
    let kept = squares.iter().take_while(|&&x| x > least).count();
    let turn = scaled(turn.columns(0, kept).into_owned(), |at| 1.0 / squares[at].sqrt());
    Ok(columns * turn)
}

/// Adds to each text its words' rows times what they weigh.
fn add_on_texts(sides: &[&Bags], words: &[Columns], texts: &mut [Columns]) {
    let mut start = 0;
    for side in sides {
        let own = &words[start..start + side.words];
        for (sum, row) in texts.iter_mut().zip(side.rows()) {
            row.iter().for_each(|&(word, x)| add(sum, x, &own[word as usize]));
        }
        start += side.words;
    }
}

/// Adds to each word its texts' rows times what it weighs there.
fn add_on_words(sides: &[&Bags], texts: &[Columns], words: &mut [Columns]) {
    let mut start = 0;
    for side in sides {
        let own = &mut words[start..start + side.words];
        for (text, row) in texts.iter().zip(side.rows()) {
            row.iter().for_each(|&(word, x)| add(&mut own[word as usize], x, text));
        }
        start += side.words;
    }
}

fn add(to: &mut Columns, factor: f64, what: &Columns) {
    to.iter_mut().zip(what).for_each(|(to, x)| *to += factor * x);
}

/// Columns made of columns, some side by side at a time: a row of them is one line of cache. What is
/// made in between has room that is used again.
fn by_columns(
    from: &DMatrix<f64>,
    rows: usize,
    make: impl Fn(&mut Vec<Columns>, &[Columns], &mut [Columns]) + Sync,
) -> DMatrix<f64> {
    let mut to = DMatrix::zeros(rows, from.ncols());
    let room = || (vec![[0.0; AT_ONCE]; from.nrows()], Vec::new(), vec![[0.0; AT_ONCE]; rows]);
    from.as_slice()
        .par_chunks(from.nrows() * AT_ONCE)
        .zip(to.as_mut_slice().par_chunks_mut(rows * AT_ONCE))
        .for_each_init(room, |(given, between, made), (from_columns, to_columns)| {
            for (at, column) in from_columns.chunks_exact(from.nrows()).enumerate() {
                given.iter_mut().zip(column).for_each(|(row, x)| row[at] = *x);
            }
            make(between, given, made);
            for (at, column) in to_columns.chunks_exact_mut(rows).enumerate() {
                column.iter_mut().zip(&*made).for_each(|(x, row)| *x = row[at]);
            }
        });
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Unit columns, two of which are the same.
    fn columns(slanted: f64) -> DMatrix<f64> {
        let rest = (1.0 - slanted * slanted).sqrt();
        let columns = [[1.0, 0.0, 0.0, 0.0], [slanted, rest, 0.0, 0.0], [0.0, 0.6, 0.8, 0.0]];
        DMatrix::from_column_slice(4, 3, columns.as_flattened())
    }

    /// Whether vectors have length 1 and right angles, and make up all columns.
    fn span(vectors: &DMatrix<f64>, columns: &DMatrix<f64>) -> bool {
        let count = vectors.ncols();
        let is_one =
            (vectors.transpose() * vectors - DMatrix::identity(count, count)).amax() < 1e-9;
        is_one && (vectors * (vectors.transpose() * columns) - columns).amax() < 1e-9
    }

    #[test]
    fn unit_vectors_at_right_angles_span_columns_even_where_some_are_sums_of_others() {
        let independent = columns(0.6);
        let found = orthonormal(&independent).unwrap();
        assert!(found.ncols() == 3 && span(&found, &independent), "{found}");
        let same = columns(1.0);
        let found = orthonormal(&same).unwrap();
        assert!(found.ncols() == 2 && span(&found, &same), "{found}");
    }

    #[test]
    fn the_fast_way_to_right_angles_gives_up_where_columns_are_almost_sums_of_others() {
        let independent = columns(0.6);
        assert!(span(&about_orthonormal(&independent).unwrap(), &independent));
        assert_eq!(about_orthonormal(&columns(1.0 - 1e-12)), None);
    }

    #[test]
    fn columns_come_to_length_one_and_zeros_stay() {
        let found = unit_columns(DMatrix::from_row_slice(2, 3, &[3.0, 0.0, 0.5, 4.0, 0.0, 0.0]));
        let expected = DMatrix::from_row_slice(2, 3, &[0.6, 0.0, 1.0, 0.8, 0.0, 0.0]);
        assert!((found - expected).amax() < 1e-15);
    }
}
