//! The paper's own optimisation (section 2.3): a side's dictionary and mapping are stacked, and
//! K-SVD changes both at once.
//!
//! The codes of a side are found without what they cost the other's mapping, so the joint objective
//! may rise; each half-step's stacked error does not.

use ndarray::{Array2, s};

use super::algebra;
use super::codes::{self, Code};
use super::dictionary::Dictionary;
use super::ksvd::{self, Power};
use super::mapping;
use super::settings::Settings;
use super::state::Side;
use crate::error::Error;
use crate::methods::bags::Bags;

/// A side's texts and the other's codes below them, and the dictionary and mapping likewise, with
/// atoms of unit length.
pub struct Stacked {
    /// [Y; sqrt(weight) X of the other side].
    pub data: Bags,
    /// [D; sqrt(weight) T].
    pub dictionary: Dictionary,
    /// The codes for these atoms.
    pub codes: Vec<Code>,
}

/// Stacks a side upon the other's codes; `weight` is alpha or beta.
pub fn stack(texts: &Bags, side: &Side, others: &[Code], weight: f64) -> Stacked {
    let (words, atoms, root) = (texts.words, side.dictionary.atoms(), weight.sqrt());
    let mut data = Bags::new(words + atoms);
    for (text, other) in others.iter().enumerate() {
        let below = other.iter().map(|&(atom, x)| (words as u32 + atom, root * x));
        data.push(texts.row(text).iter().copied().chain(below.filter(|&(_, x)| x != 0.0)));
    }
    let mut values = Array2::zeros((words + atoms, atoms));
    values.slice_mut(s![..words, ..]).assign(&side.dictionary.values);
    values.slice_mut(s![words.., ..]).assign(&side.map.mapv(|x| root * x));
    let mut gram = side.dictionary.gram.clone();
    gram.scaled_add(weight, &algebra::gram(&side.map));
    let norms: Vec<f64> = (0..atoms).map(|atom| gram[(atom, atom)].sqrt()).collect();
    let inverse: Vec<f64> =
        norms.iter().map(|&norm| if norm > 0.0 { 1.0 / norm } else { 0.0 }).collect();
    let dictionary = Dictionary { values, gram }.scaled(&inverse);
    let mut codes = side.codes.clone();
    codes::scale(&mut codes, &norms);
    Stacked { data, dictionary, codes }
}

/// One round of K-SVD for a side.
///
/// # Errors
/// [`Error::Dictionaries`] if the ridge is lost in rounding.
pub fn half_step(
    texts: &Bags,
    side: &mut Side,
    others: &[Code],
    weight: f64,
    settings: &Settings,
) -> Result<(), Error> {
    let Stacked { data, dictionary, mut codes } = stack(texts, side, others, weight);
    let dictionary =
        ksvd::round(&data, dictionary, &mut codes, settings.sparsity, Power::default());
    let Dictionary { values, mut gram } = dictionary;
    side.map = if weight > 0.0 {
        let root = weight.sqrt();
        values.slice(s![texts.words.., ..]).mapv(|x| x / root)
    } else {
        mapping::ridge(&codes, others, settings.atoms, settings.ridge)?
    };
    gram.scaled_add(-weight, &algebra::gram(&side.map));
    let values = values.slice(s![..texts.words, ..]).to_owned();
    side.dictionary = Dictionary { values, gram };
    side.codes = codes;
    Ok(())
}
