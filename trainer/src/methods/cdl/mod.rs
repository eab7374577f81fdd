//! Coupled dictionary learning (Mehrotra et al., paper 2): a dictionary for each language, by which
//! texts have sparse codes, and mappings between the codes of texts that translate each other.
//!
//! The dictionaries begin with K-SVD on texts of their own language; then pairs of texts train both,
//! and the mappings, together. The same texts and settings give the same bits on any number of threads.

mod algebra;
mod codes;
mod coupled;
mod dictionary;
mod exact;
mod ksvd;
mod mapping;
mod paper;
mod settings;
mod state;
mod sweep;
#[cfg(test)]
mod tests;

pub use codes::code_texts;
pub use coupled::Coupled;
pub use dictionary::Dictionary;
pub use ksvd::Power;
use ndarray::Array2;
pub use settings::{Mode, Settings};
use smooth_clir::math::random::Random;
pub use state::{Side, State};

use crate::error::Error;
use crate::methods::bags::Bags;

/// What is told after each round.
pub struct Round<'a> {
    /// Rounds done, those on each side's own texts included.
    pub done: usize,
    /// Rounds in all.
    pub total: usize,
    /// From here training can be taken up again.
    pub state: &'a State,
}

/// Trains on pairs of texts, after each side's own texts; `pairs` have as many rows on both sides.
/// A text without known words has an empty code. `resume` takes up an earlier training.
///
/// # Errors
/// [`Error::Dictionaries`] for settings out of range, sides that do not fit together and fewer texts than
/// atoms; what `progress` gives.
pub fn train(
    pairs: [&Bags; 2],
    unlabelled: [&Bags; 2],
    settings: &Settings,
    mut progress: impl FnMut(Round<'_>) -> Result<(), Error>,
    resume: Option<State>,
) -> Result<Coupled, Error> {
    check(pairs, unlabelled, settings)?;
    let mut state = match resume {
        Some(state) => resumed(state, pairs, unlabelled, settings)?,
        None => begin(unlabelled, settings)?,
    };
    let total = settings.start_rounds + settings.rounds;
    if state.round == settings.start_rounds && state.objective.is_empty() {
        couple(pairs, settings, &mut state)?;
    }
    while state.round < total {
        if state.round < settings.start_rounds {
            for (side, texts) in state.sides.iter_mut().zip(unlabelled) {
                let dictionary = std::mem::take(&mut side.dictionary);
                let power = Power::default();
                let dictionary =
                    ksvd::round(texts, dictionary, &mut side.codes, settings.sparsity, power);
                side.dictionary = match state.round + 1 < settings.start_rounds {
                    true => ksvd::renew(texts, dictionary, &side.codes),
                    false => dictionary,
                };
            }
        } else {
            round(pairs, settings, &mut state)?;
        }
        state.round += 1;
        if state.round == settings.start_rounds {
            couple(pairs, settings, &mut state)?;
        }
        progress(Round { done: state.round, total, state: &state })?;
    }
    Ok(Coupled::new(state.sides, state.objective))
}

fn check(pairs: [&Bags; 2], unlabelled: [&Bags; 2], settings: &Settings) -> Result<(), Error> {
    let Settings { atoms, sparsity, alpha, beta, ridge, .. } = *settings;
    let refuse = |problem: String| Err(Error::Dictionaries { problem });
    if sparsity == 0 || sparsity > atoms {
        return refuse(format!(
            "the sparsity must be 1 to {atoms}, the number of atoms, got {sparsity}"
        ));
    }
    for (name, weight) in [("alpha", alpha), ("beta", beta)] {
        if !(weight.is_finite() && weight >= 0.0) {
            return refuse(format!("{name} is {weight}, expected a finite number of 0 or more"));
        }
    }
    if !(ridge.is_finite() && ridge > 0.0) {
        return refuse(format!("the mappings' ridge is {ridge}, expected a finite number above 0"));
    }
    if settings.mode == Mode::Paper && alpha * beta >= 1.0 {
        let product = alpha * beta;
        return refuse(format!(
            "alpha times beta is {product}, expected less than 1: from 1 on codes grow without bound; choose less, or the exact mode"
        ));
    }
    let [first, second] = pairs.map(Bags::len);
    if first != second {
        return refuse(format!("pairs need equal numbers of texts, found {first} and {second}"));
    }
    if first == 0 {
        return refuse("no pairs of texts to train on".into());
    }
    for (pairs, own) in pairs.into_iter().zip(unlabelled) {
        if pairs.words != own.words {
            let (found, expected) = (own.words, pairs.words);
            return refuse(format!(
                "a language's unpaired texts have {found} words, its pairs {expected}"
            ));
        }
    }
    Ok(())
}

/// Both dictionaries are random texts.
fn begin(unlabelled: [&Bags; 2], settings: &Settings) -> Result<State, Error> {
    let side = |number: usize| {
        let mut random = Random::new(settings.seed, &format!("dictionary {number}"));
        let texts = unlabelled[number];
        let dictionary = Dictionary::draw(texts, settings.atoms, &mut random)?;
        let map = Array2::zeros((settings.atoms, settings.atoms));
        Ok::<_, Error>(Side { dictionary, map, codes: vec![Vec::new(); texts.len()] })
    };
    Ok(State { round: 0, sides: [side(0)?, side(1)?], objective: Vec::new() })
}

/// What was saved, if it is of this training.
fn resumed(
    state: State,
    pairs: [&Bags; 2],
    unlabelled: [&Bags; 2],
    settings: &Settings,
) -> Result<State, Error> {
    let texts = if state.objective.is_empty() { unlabelled } else { pairs };
    let fits = state.sides.iter().zip(texts).all(|(side, texts)| {
        let shape = (side.dictionary.words(), side.dictionary.atoms(), side.codes.len());
        shape == (texts.words, settings.atoms, texts.len())
    });
    if !fits {
        return Err(Error::Dictionaries {
            problem: "the saved state is of other texts or other settings".into(),
        });
    }
    Ok(state)
}

/// Goes over from each side's own texts to pairs.
fn couple(pairs: [&Bags; 2], settings: &Settings, state: &mut State) -> Result<(), Error> {
    for (side, texts) in state.sides.iter_mut().zip(pairs) {
        side.codes = vec![Vec::new(); texts.len()];
        code_texts(texts, &side.dictionary, settings.sparsity, &mut side.codes);
    }
    exact::map(&mut state.sides, settings)?;
    state.objective.push(objective(pairs, &state.sides, settings));
    Ok(())
}

/// One round on pairs.
fn round(pairs: [&Bags; 2], settings: &Settings, state: &mut State) -> Result<(), Error> {
    let weights = [settings.alpha, settings.beta];
    for number in 0..2 {
        let [first, second] = &mut state.sides;
        let (side, other) = if number == 0 { (first, second) } else { (second, first) };
        let (texts, there, back) = (pairs[number], weights[number], weights[1 - number]);
        match settings.mode {
            Mode::Paper => paper::half_step(texts, side, &other.codes, there, settings)?,
            Mode::Exact => {
                let other = exact::Other { codes: &other.codes, map: &other.map, there, back };
                exact::half_step(texts, side, &other, settings.sparsity);
            }
        }
        state.objective.push(objective(pairs, &state.sides, settings));
    }
    if settings.mode == Mode::Exact {
        exact::map(&mut state.sides, settings)?;
        state.objective.push(objective(pairs, &state.sides, settings));
    }
    Ok(())
}

/// The joint objective (paper 2, section 2.2); in mode `exact` with the mappings' penalties.
fn objective(pairs: [&Bags; 2], sides: &[Side; 2], settings: &Settings) -> f64 {
    let ridge = if settings.mode == Mode::Exact { settings.ridge } else { 0.0 };
    let weights = [settings.alpha, settings.beta];
    (0..2).fold(0.0, |sum, number| {
        let (side, other) = (&sides[number], &sides[1 - number]);
        let mapped = exact::penalised(&side.map, &side.codes, &other.codes, ridge);
        sum + codes::error(pairs[number], &side.dictionary, &side.codes) + weights[number] * mapped
    })
}
