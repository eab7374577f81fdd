//! Canonical correlation analysis and oriented principal component analysis.
//!
//! Each side is first reduced to its own greatest singular directions; where they are all there
//! are, nothing is lost. In them a side's covariance C is diagonal, and dividing by the root of
//! C + ridge leaves of both problems the eigenvectors of one small symmetric matrix.

use nalgebra::DMatrix;

use super::super::bags::Bags;
use super::reduction::{Reduced, descending, reduce, scaled};
use super::{Projection, check};
use crate::error::Error;

/// Correlations below this are rounding errors, and so are distances from 1.
const ROUNDING: f64 = 1e-10;

/// How a projection is regularised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Regularised {
    /// Numbers in a vector, at most.
    pub rank: usize,
    /// Added to the variance in every direction, of texts whose mean square length is 1. With 0,
    /// directions with less than 1e-10 of the greatest variance are dropped.
    pub ridge: f64,
    /// How many directions of each side are kept before the two are compared. 500 keep what
    /// matters.
    pub reduction: usize,
}

/// Both sides with unit variance, and how they vary together.
struct Whitened {
    /// From a side's directions to its words' rows.
    words: [DMatrix<f64>; 2],
    /// The share of each direction's variance that is not the ridge.
    shares: [Vec<f64>; 2],
    /// The covariance of the first side's directions and the second's.
    cross: DMatrix<f64>,
}

/// Canonical correlation analysis: directions of unit variance in which the texts of a pair agree
/// most, one after the other. The values are the correlations, about 0 rather than the means.
///
/// # Errors
/// Those of [`lsi`](super::lsi()), and if the settings are out of range.
pub fn cca(pairs: [&Bags; 2], settings: &Regularised, seed: u64) -> Result<Projection, Error> {
    let white = Whitened::new(pairs, settings, settings.ridge, seed)?;
    let (values, turn) = descending(white.joined(|_| 0.0))?;
    let most = settings.rank.min(white.directions());
    let values = values.into_iter().take(most).take_while(|&x| x > ROUNDING);
    let values: Vec<f64> = values.map(|x| x.min(1.0)).collect();
    // An eigenvector has half of its square on each side.
    Ok(white.projection(pairs, turn * std::f64::consts::SQRT_2, values))
}

/// Oriented principal component analysis: S v = value (N + ridge I) v, where S is the covariance
/// of the pairs' means and N that of the deviations from them, words of both sides side by side.
/// The values are infinite in directions without deviation or ridge.
///
/// S and N add up to a matrix that is diagonal once both sides are reduced, so this is solved as
/// S v = share (S + N + ridge I) v with value = share / (1 - share); there v has unit length.
///
/// # Errors
/// As [`cca`].
pub fn opca(pairs: [&Bags; 2], settings: &Regularised, seed: u64) -> Result<Projection, Error> {
    // S + N is half of the two sides' covariances.
    let white = Whitened::new(pairs, settings, 2.0 * settings.ridge, seed)?;
    let (shares, turn) = descending(white.joined(|share| share) * 0.5)?;
    let most = settings.rank.min(white.directions());
    let shares = shares.into_iter().take(most).take_while(|&x| x > ROUNDING);
    let value = |x: f64| if x > 1.0 - ROUNDING { f64::INFINITY } else { x / (1.0 - x) };
    let values: Vec<f64> = shares.map(value).collect();
    Ok(white.projection(pairs, turn * std::f64::consts::SQRT_2, values))
}

impl Whitened {
    fn new(
        pairs: [&Bags; 2],
        settings: &Regularised,
        ridge: f64,
        seed: u64,
    ) -> Result<Self, Error> {
        check(pairs, settings.rank.min(settings.reduction))?;
        if !(ridge.is_finite() && ridge >= 0.0) {
            let problem = format!("the ridge is {}, expected 0 or more", settings.ridge);
            return Err(Error::Projection { problem });
        }
        let texts = pairs[0].len() as f64;
        let side = |bags| -> Result<_, Error> {
            let Reduced { values, words, texts: scores } =
                reduce(&[bags], settings.reduction, seed)?;
            let variances: Vec<f64> = values.iter().map(|x| x * x / texts).collect();
            let root = |at: usize| 1.0 / (variances[at] + ridge).sqrt();
            let shares = variances.iter().map(|x| x / (x + ridge)).collect();
            Ok((scaled(words, root), scaled(scores, root), shares))
        };
        let (first, left, own) = side(pairs[0])?;
        let (second, right, other) = side(pairs[1])?;
        let cross = left.transpose() * right / texts;
        Ok(Self { words: [first, second], shares: [own, other], cross })
    }

    /// How many directions both sides have.
    fn directions(&self) -> usize {
        self.cross.nrows().min(self.cross.ncols())
    }

    /// The covariance of both sides' directions, with other variances on its diagonal.
    fn joined(&self, variance: impl Fn(f64) -> f64) -> DMatrix<f64> {
        let (rows, columns) = self.cross.shape();
        let mut joined = DMatrix::zeros(rows + columns, rows + columns);
        joined.view_mut((0, rows), (rows, columns)).copy_from(&self.cross);
        joined.view_mut((rows, 0), (columns, rows)).copy_from(&self.cross.transpose());
        for (at, &share) in self.shares.iter().flatten().enumerate() {
            joined[(at, at)] = variance(share);
        }
        joined
    }

    /// The rows of words: as many directions as there are values.
    fn projection(&self, pairs: [&Bags; 2], turn: DMatrix<f64>, values: Vec<f64>) -> Projection {
        let split = self.cross.nrows();
        let (first, second) = (turn.rows(0, split), turn.rows(split, self.cross.ncols()));
        let [own, other] = &self.words;
        let words = pairs.map(|side| side.words);
        let mut rows = DMatrix::zeros(words[0] + words[1], values.len());
        rows.rows_mut(0, words[0]).copy_from(&(own * first.columns(0, values.len())));
        rows.rows_mut(words[0], words[1]).copy_from(&(other * second.columns(0, values.len())));
        Projection::new(words, rows, values)
    }
}
