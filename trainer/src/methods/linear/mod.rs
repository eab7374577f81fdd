//! Linear projections of two languages into one space, learned from pairs of texts (Platt,
//! Toutanova and Yih, 2010): cross-lingual latent semantic indexing, canonical correlation
//! analysis and oriented principal component analysis.
//!
//! None of them centres the texts: they stay sparse.

mod correlation;
mod reduction;

pub use correlation::{Regularised, cca, opca};

use nalgebra::DMatrix;
use smooth_clir::encoder::Table;

use self::reduction::reduce;
use super::bags::Bags;
use crate::error::Error;

/// What was learned.
#[derive(Debug, Clone, PartialEq)]
pub struct Projection {
    /// Numbers in a vector: as many as were asked for, or as many as the data have.
    pub rank: usize,
    /// Of each side a row for each word: a text is the sum of its words' rows times what they weigh.
    pub sides: [Table; 2],
    /// Of each direction, from the greatest: the singular value, correlation or eigenvalue.
    pub values: Vec<f64>,
}

impl Projection {
    /// The first columns of all words' rows, each with its largest number positive.
    fn new(words: [usize; 2], mut rows: DMatrix<f64>, values: Vec<f64>) -> Self {
        for mut column in rows.column_iter_mut() {
            let largest = column.iter().fold(
                0.0,
                |most: f64, &x| {
                    if x.abs() > most.abs() { x } else { most }
                },
            );
            column *= largest.signum();
        }
        let table = |start: usize, words: usize| {
            let rows = rows.rows(start, words).transpose();
            Table::new(values.len(), rows.iter().map(|&x| x as f32).collect())
        };
        let sides = [table(0, words[0]), table(words[0], words[1])];
        Self { rank: values.len(), sides, values }
    }
}

/// Cross-lingual latent semantic indexing: the singular value decomposition of the pairs, both
/// sides' words in one row. A text of one side is folded in with nothing on the other.
///
/// # Errors
/// If there are not two pairs at least, each with words on both sides, or no rank is asked for.
pub fn lsi(pairs: [&Bags; 2], rank: usize, seed: u64) -> Result<Projection, Error> {
    check(pairs, rank)?;
    let reduced = reduce(&pairs, rank, seed)?;
    Ok(Projection::new(pairs.map(|side| side.words), reduced.words, reduced.values))
}

/// Refuses what cannot be learned from.
fn check(pairs: [&Bags; 2], rank: usize) -> Result<(), Error> {
    let refuse = |problem: String| Err(Error::Projection { problem });
    let [first, second] = pairs;
    if first.len() != second.len() {
        return refuse(format!(
            "{} texts are paired with {}: expected equal numbers",
            first.len(),
            second.len()
        ));
    }
    if first.len() < 2 {
        return refuse(format!("found {} pairs of texts, expected at least 2", first.len()));
    }
    if let Some(row) =
        (0..first.len()).find(|&row| pairs.iter().any(|side| side.row(row).is_empty()))
    {
        return refuse(format!("pair {} has a text without known words", row + 1));
    }
    if rank == 0 {
        return refuse("the dimension must be at least 1, got 0".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests;
