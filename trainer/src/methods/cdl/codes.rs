//! Sparse codes: which few atoms make up each text.

use ndarray::Array2;
use rayon::prelude::*;
use smooth_clir::encoder::Pursuit;

use super::dictionary::{Dictionary, quadratic, square, weighted};
use crate::methods::bags::Bags;

/// The atoms of a text, ascending, and how much of each.
pub type Code = Vec<(u32, f64)>;

/// A dictionary's inner products as [`Pursuit`] wants them: of atoms of unit length.
pub struct Coder<'a> {
    gram: &'a Array2<f64>,
    unit: Array2<f64>,
    /// One over each atom's length, 0 for an atom without.
    inverse: Vec<f64>,
    sparsity: usize,
}

/// What a text's code is to make up.
#[derive(Debug, Clone, Default)]
pub struct Target {
    /// The target's inner products with the atoms.
    pub correlations: Vec<f64>,
    /// The target's own square.
    pub square: f64,
}

impl<'a> Coder<'a> {
    /// For codes of at most `sparsity` atoms with these inner products.
    pub fn new(gram: &'a Array2<f64>, sparsity: usize) -> Self {
        let inverse = |atom: usize| match gram[(atom, atom)] {
            square if square > 0.0 => 1.0 / square.sqrt(),
            _ => 0.0,
        };
        let inverse: Vec<f64> = (0..gram.nrows()).map(inverse).collect();
        let mut unit = gram.clone();
        for (row, own) in unit.rows_mut().into_iter().zip(&inverse) {
            row.into_iter().zip(&inverse).for_each(|(x, other)| *x *= own * other);
        }
        Self { gram, unit, inverse, sparsity }
    }

    /// Codes every text's target. A new code is kept only where it is nearer than the old one.
    /// Gives back each text's squared error.
    pub fn code(&self, codes: &mut [Code], target: impl Fn(usize, &mut Target) + Sync) -> Vec<f64> {
        let scratch = || (Pursuit::default(), Target::default(), Vec::new());
        let each = codes.par_iter_mut().enumerate();
        each.map_init(scratch, |(pursuit, aim, scaled), (text, code)| {
            aim.correlations.clear();
            aim.correlations.resize(self.inverse.len(), 0.0);
            target(text, aim);
            scaled.clear();
            scaled.extend(aim.correlations.iter().zip(&self.inverse).map(|(c, by)| c * by));
            let found = pursuit.pursue(self.unit.view(), scaled, self.sparsity);
            let found = found.iter().map(|&(atom, x)| (atom, x * self.inverse[atom as usize]));
            let mut found: Code = found.collect();
            found.sort_unstable_by_key(|&(atom, _)| atom);
            let error = |code: &[(u32, f64)]| {
                aim.square - 2.0 * weighted(&aim.correlations, code) + quadratic(self.gram, code)
            };
            let (old, new) = (error(code), error(&found));
            if new < old {
                *code = found;
            }
            new.min(old).max(0.0)
        })
        .collect()
    }
}

/// Codes texts by a dictionary, as [`Coder::code`] does.
pub fn code_texts(
    data: &Bags,
    dictionary: &Dictionary,
    sparsity: usize,
    codes: &mut [Code],
) -> Vec<f64> {
    Coder::new(&dictionary.gram, sparsity).code(codes, |text, target| {
        dictionary.add_correlations(1.0, data.row(text), &mut target.correlations);
        target.square = square(data.row(text));
    })
}

/// |y - Dx|^2 of each text.
pub fn errors(data: &Bags, dictionary: &Dictionary, codes: &[Code]) -> Vec<f64> {
    let each = codes.par_iter().enumerate();
    each.map(|(text, code)| dictionary.error(data.row(text), code)).collect()
}

/// The sum of |y - Dx|^2 over all texts.
pub fn error(data: &Bags, dictionary: &Dictionary, codes: &[Code]) -> f64 {
    errors(data, dictionary, codes).into_iter().fold(0.0, |sum, x| sum + x)
}

/// Multiplies each atom's share of every code by a factor.
pub fn scale(codes: &mut [Code], factors: &[f64]) {
    codes.iter_mut().flatten().for_each(|(atom, x)| *x *= factors[*atom as usize]);
}
