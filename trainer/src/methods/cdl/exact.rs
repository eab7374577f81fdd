//! Block descent on the joint objective: codes that count what they cost both mappings, then atoms
//! of at most unit length by least squares, then mappings by ridge. It never rises.

use ndarray::Array2;

use super::algebra;
use super::codes::{self, Code, Coder};
use super::dictionary::{Dictionary, square};
use super::ksvd;
use super::mapping::{self, add_mapped};
use super::settings::Settings;
use super::state::Side;
use super::sweep::{Sweep, worst};
use crate::error::Error;
use crate::methods::bags::Bags;
use crate::methods::sums::dot;

/// What the other side has to do with this one's codes.
pub struct Other<'a> {
    /// Its codes.
    pub codes: &'a [Code],
    /// Its mapping to this side.
    pub map: &'a Array2<f64>,
    /// What the error of this side's mapping weighs.
    pub there: f64,
    /// What the error of the other's weighs.
    pub back: f64,
}

/// New codes and atoms for a side.
pub fn half_step(texts: &Bags, side: &mut Side, other: &Other<'_>, sparsity: usize) {
    code(texts, side, other, sparsity);
    let dictionary = std::mem::take(&mut side.dictionary);
    side.dictionary = fit(texts, dictionary, &side.codes);
}

/// Codes [y; sqrt(there) x'; sqrt(back) T'x'] by [D; sqrt(there) T; sqrt(back) I], x' and T' being
/// the other side's.
fn code(texts: &Bags, side: &mut Side, other: &Other<'_>, sparsity: usize) {
    let mut gram = side.dictionary.gram.clone();
    gram.scaled_add(other.there, &algebra::gram(&side.map));
    gram.diag_mut().iter_mut().for_each(|x| *x += other.back);
    let from_other = algebra::transposed(other.map);
    let (dictionary, map) = (&side.dictionary, &side.map);
    Coder::new(&gram, sparsity).code(&mut side.codes, |text, target| {
        let (y, x) = (texts.row(text), &other.codes[text]);
        let sums = &mut target.correlations;
        add_mapped(&from_other, 1.0, x, sums);
        let mapped = dot(sums, sums);
        sums.iter_mut().for_each(|sum| *sum *= other.back);
        add_mapped(map, other.there, x, sums);
        dictionary.add_correlations(1.0, y, sums);
        target.square = square(y) + other.there * square(x) + other.back * mapped;
    });
}

/// Changes each atom in turn to the best of at most unit length. An atom without texts becomes the
/// text that is rebuilt worst.
fn fit(texts: &Bags, dictionary: Dictionary, codes: &[Code]) -> Dictionary {
    let errors = codes::errors(texts, &dictionary, codes);
    let mut worst = worst(texts, &errors);
    let atoms = dictionary.atoms();
    let mut sweep = Sweep::new(texts, dictionary);
    for (atom, users) in Sweep::users(atoms, codes).iter().enumerate() {
        let amounts = ksvd::amounts(atom, users, codes);
        let whole = dot(&amounts, &amounts);
        if whole == 0.0 {
            if let Some(text) = worst.next() {
                sweep.replace(atom, text);
            }
            continue;
        }
        let residual = sweep.residual(atom, users, codes, &amounts);
        let norm = residual.square.max(0.0).sqrt();
        sweep.set(atom, residual, 1.0 / whole.max(norm));
    }
    sweep.finish()
}

/// The mapping's penalised error: |B - TA|^2 + ridge |T|^2.
pub fn penalised(map: &Array2<f64>, from: &[Code], to: &[Code], ridge: f64) -> f64 {
    mapping::error(map, from, to) + ridge * algebra::square(map)
}

/// Both mappings by ridge.
///
/// # Errors
/// [`Error::Dictionaries`] if the ridge is lost in rounding.
pub fn map(sides: &mut [Side; 2], settings: &Settings) -> Result<(), Error> {
    let [a, b] = sides;
    a.map = mapping::ridge(&a.codes, &b.codes, settings.atoms, settings.ridge)?;
    b.map = mapping::ridge(&b.codes, &a.codes, settings.atoms, settings.ridge)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn a_mappings_penalised_error_has_its_squares_times_the_ridge() {
        // A = [1 2], B = [3 3], T = 1: errors 2 and 1.
        let (from, to): ([Code; 2], [Code; 2]) =
            ([vec![(0, 1.0)], vec![(0, 2.0)]], [vec![(0, 3.0)], vec![(0, 3.0)]]);
        assert_eq!(penalised(&array![[1.0]], &from, &to, 0.0), 5.0);
        assert_eq!(penalised(&array![[1.0]], &from, &to, 0.5), 5.5);
        // T = 2: errors 1 and -1.
        assert_eq!(penalised(&array![[2.0]], &from, &to, 0.5), 4.0);
    }
}
