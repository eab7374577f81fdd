//! What the halves of scores weigh, and the thresholds between grades: fitted on the pairs that were
//! kept back.

use rayon::prelude::*;
use smooth_clir::fusion::Calibration;
use smooth_clir::model::Model;

use super::pairs::{Language, Pairs};
use crate::cli::Direction;
use crate::error::Error;
use crate::halves::Halves;
use crate::train::fit::{Histogram, Seen, weights};

/// Fits a model's calibrations to its kept-back pairs, and its thresholds unless they are `given`;
/// leaves them where a language has none.
///
/// # Errors
/// If the model lacks a side.
pub fn fit(model: &mut Model, pairs: &Pairs, given: bool) -> Result<(), Error> {
    let mut fitted = Vec::new();
    let mut grades = Histogram::default();
    for language in &pairs.languages {
        if language.validation.is_empty() {
            continue;
        }
        let kept = &language.validation;
        let there = (&language.name[..], Direction::Forward);
        let texts = |side: usize| kept.iter().map(|pair| &pair.texts[side][..]).collect();
        let (english, foreign): (Vec<&str>, Vec<&str>) = (texts(0), texts(1));
        let halves = Halves::new(model, there, [&english, &foreign], None)?;
        let all = 0..kept.len();
        let seen: Vec<Seen> = all
            .clone()
            .into_par_iter()
            .map(|query| Seen { mate: query, parts: halves.parts(query, all.clone()) })
            .collect();
        count(language, &seen, &mut grades);
        let norms = halves.median_norms();
        fitted.push((language.name.clone(), weights(&seen), norms));
    }
    if let Some(thresholds) = grades.thresholds().filter(|_| !given) {
        model.config.thresholds = thresholds.to_vec();
    }
    // The largest of all languages is 1, so that no score leaves -1..1.
    let largest = fitted.iter().fold(0.0, |most: f64, (_, [a, b], _)| most.max(a + b));
    for (language, [dense, lexical], norms) in fitted {
        if let Some(calibration) = model.config.calibration.get_mut(&language) {
            let [dense, lexical] = [dense, lexical].map(|weight| (weight / largest) as f32);
            *calibration = Calibration { dense, lexical, norms };
        }
    }
    Ok(())
}

/// Counts mates as grade 2, their neighbours as 1, other documents as 0.
fn count(language: &Language, seen: &[Seen], grades: &mut Histogram) {
    let chapter = |place: usize| language.validation[place].chapter;
    for query in seen {
        for (place, [similarity, _]) in query.parts.iter().enumerate() {
            let grade = match place {
                _ if place == query.mate => 2,
                _ if chapter(place) == chapter(query.mate) => 1,
                _ => 0,
            };
            grades.add(grade, *similarity);
        }
    }
}
