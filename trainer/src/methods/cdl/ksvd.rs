//! K-SVD (Aharon, Elad and Bruckstein, 2006): atoms by which texts have sparse codes.

use ndarray::Array2;
use smooth_clir::math::arrays::row;

use super::codes::{self, Code, code_texts};
use super::dictionary::Dictionary;
use super::sweep::{Sweep, worst};
use crate::methods::bags::Bags;
use crate::methods::sums::dot;

/// An atom that has more in common with another is taken for the same.
const ALIKE: f64 = 0.99;
/// An atom of fewer texts than this share of what atoms have on average is not worth its place.
const LEAST_TEXTS: f64 = 0.5;

/// How to change an atom: the best rank-1 approximation by power iterations, from its amounts now.
#[derive(Debug, Clone, Copy)]
pub struct Power {
    /// At most so many.
    pub most: usize,
    /// Ends where the amounts, at unit length, change by no more.
    pub least_change: f64,
}

impl Default for Power {
    /// Two: most of the time goes here, and the next round goes on from where this one ends.
    fn default() -> Self {
        Self { most: 2, least_change: 0.01 }
    }
}

/// One round: codes all texts, then changes each atom, and its amounts, in turn. The sum of squared
/// errors never rises. An atom without texts becomes the text that is coded worst.
pub fn round(
    data: &Bags,
    dictionary: Dictionary,
    codes: &mut [Code],
    sparsity: usize,
    power: Power,
) -> Dictionary {
    let errors = code_texts(data, &dictionary, sparsity, codes);
    let atoms = dictionary.atoms();
    let mut worst = worst(data, &errors);
    let mut sweep = Sweep::new(data, dictionary);
    for (atom, texts) in Sweep::users(atoms, codes).iter().enumerate() {
        if texts.is_empty() {
            if let Some(text) = worst.next() {
                sweep.replace(atom, text);
            }
            continue;
        }
        change(&mut sweep, atom, texts, codes, power);
    }
    sweep.finish()
}

/// Where two atoms are nearly one, or an atom has few texts, the texts that are rebuilt worst take its
/// place, as in the experiments of K-SVD's authors. The error may rise, to fall further than it would have.
pub fn renew(data: &Bags, dictionary: Dictionary, codes: &[Code]) -> Dictionary {
    let atoms = dictionary.atoms();
    let users = Sweep::users(atoms, codes);
    let least = LEAST_TEXTS * users.iter().map(Vec::len).sum::<usize>() as f64 / atoms as f64;
    let is_poor = |gram: &Array2<f64>, atom: usize| {
        let alike = |(other, x): (usize, &f64)| other != atom && x.abs() > ALIKE;
        (users[atom].len() as f64) < least || row(gram, atom).iter().enumerate().any(alike)
    };
    if !(0..atoms).any(|atom| is_poor(&dictionary.gram, atom)) {
        return dictionary;
    }
    let errors = codes::errors(data, &dictionary, codes);
    let mut worst = worst(data, &errors);
    let mut sweep = Sweep::new(data, dictionary);
    for atom in 0..atoms {
        if is_poor(sweep.gram(), atom)
            && let Some(text) = worst.next()
        {
            sweep.replace(atom, text);
        }
    }
    sweep.finish()
}

/// Changes an atom and how much of it the codes of its texts hold.
fn change(sweep: &mut Sweep<'_>, atom: usize, texts: &[usize], codes: &mut [Code], power: Power) {
    let mut v = amounts(atom, texts, codes);
    let norm = dot(&v, &v).sqrt();
    if norm == 0.0 {
        return;
    }
    v.iter_mut().for_each(|x| *x /= norm);
    let mut residual = sweep.residual(atom, texts, codes, &v);
    for _ in 1..power.most {
        let norm = dot(&residual.back, &residual.back).sqrt();
        if norm == 0.0 {
            break;
        }
        let next: Vec<f64> = residual.back.iter().map(|x| x / norm).collect();
        let change = v.iter().zip(&next).fold(0.0, |sum, (v, x)| sum + (x - v) * (x - v));
        if change.sqrt() <= power.least_change {
            break;
        }
        residual = sweep.residual(atom, texts, codes, &next);
        v = next;
    }
    if residual.is_nothing() {
        return;
    }
    let factor = 1.0 / residual.square.sqrt();
    for (&text, back) in texts.iter().zip(&residual.back) {
        if let Some((_, x)) = codes[text].iter_mut().find(|(other, _)| *other as usize == atom) {
            *x = factor * back;
        }
    }
    sweep.set(atom, residual, factor);
}

/// How much of an atom the codes of its texts hold.
pub fn amounts(atom: usize, texts: &[usize], codes: &[Code]) -> Vec<f64> {
    let coefficient =
        |code: &Code| code.iter().find(|(other, _)| *other as usize == atom).map(|(_, x)| *x);
    texts.iter().map(|&text| coefficient(&codes[text]).unwrap_or_default()).collect()
}
