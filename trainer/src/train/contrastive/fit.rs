//! The weights of the dense and the lexical score, and the thresholds between grades: fitted on the pairs that were
//! kept back, or on queries that were made of them and the deep vectors of their documents.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use smooth_clir::model::Model;
use smooth_clir::model::calibration::Calibration;

use super::pairs::Pairs;
use crate::data::Direction;
use crate::error::Error;
use crate::evaluation::hybrid::Hybrid;
use crate::train::fit::{Histogram, Seen, weights};

/// The median of the mates' scores by some weights; 1 where it is not above 0.
fn median_mate(seen: &[Seen], [a, b]: [f64; 2]) -> f64 {
    let score = |query: &Seen| {
        let [r, l] = query.parts[query.mate].map(f64::from);
        a * r + b * l
    };
    let mut scores: Vec<f64> = seen.iter().map(score).collect();
    let middle = scores.len() / 2;
    let median = *scores.select_nth_unstable_by(middle, f64::total_cmp).1;
    if median > 0.0 { median } else { 1.0 }
}

/// What is asked of a language's pairs that were kept back, in place of their English texts.
#[derive(Debug, Default)]
pub struct Asked {
    /// A query for each pair.
    pub queries: Vec<String>,
    /// The vector of each pair's document.
    pub documents: Vec<Vec<f32>>,
}

/// Fits a model's calibrations to its kept-back pairs, or to what is `asked` of them, and its thresholds unless they are
/// `given`; leaves them where a language has none.
///
/// # Errors
/// If the model lacks an encoder.
pub fn fit(
    model: &mut Model,
    pairs: &Pairs,
    asked: &BTreeMap<String, Asked>,
    given: bool,
) -> Result<(), Error> {
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
        let hybrid = match asked.get(&language.name) {
            None => Hybrid::new(model, there, [&english, &foreign], None)?,
            Some(Asked { queries, documents }) => {
                let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
                Hybrid::new(model, there, [&queries, &foreign], None)?.with_documents(documents)
            }
        };
        // A document that answers several queries is no rival of itself.
        let (first, mates) = distinct(&foreign);
        let parts = |query: usize| hybrid.parts(query, first.iter().copied());
        let seen: Vec<Seen> = (0..kept.len())
            .into_par_iter()
            .map(|query| Seen { mate: mates[query], parts: parts(query) })
            .collect();
        let chapters: Vec<u64> = first.iter().map(|&place| kept[place].chapter).collect();
        count(&chapters, &seen, &mut grades);
        let norms = hybrid.median_norms();
        let weights = weights(&seen);
        // A typical mate scores the same in each language, so that all can stand in one list.
        let mate = median_mate(&seen, weights);
        fitted.push((language.name.clone(), weights.map(|weight| weight / mate), norms));
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

/// Where each text stands first, and for each text which of these it is.
fn distinct(texts: &[&str]) -> (Vec<usize>, Vec<usize>) {
    let (mut first, mut known) = (Vec::new(), HashMap::new());
    let mut number = |(place, text)| {
        *known.entry(text).or_insert_with(|| {
            first.push(place);
            first.len() - 1
        })
    };
    let mates = texts.iter().enumerate().map(&mut number).collect();
    (first, mates)
}

/// Counts mates as grade 2, their neighbours as 1, other documents as 0.
fn count(chapters: &[u64], seen: &[Seen], grades: &mut Histogram) {
    for query in seen {
        for (place, [similarity, _]) in query.parts.iter().enumerate() {
            let grade = match place {
                _ if place == query.mate => 2,
                _ if chapters[place] == chapters[query.mate] => 1,
                _ => 0,
            };
            grades.add(grade, *similarity);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_documents_are_one() {
        assert_eq!(distinct(&["a", "b", "a", "c", "b"]), (vec![0, 1, 3], vec![0, 1, 0, 2, 1]));
    }

    #[test]
    fn mates_have_a_median_score_and_it_is_never_divided_by_none() {
        let seen = |mate: [f32; 2]| Seen { mate: 1, parts: vec![[9.0, 9.0], mate] };
        let all = [[0.2, 0.1], [0.5, 0.3], [0.9, 0.0]].map(seen);
        assert!((median_mate(&all, [1.0, 2.0]) - 0.9).abs() < 1e-6);
        assert_eq!(median_mate(&[seen([0.0, 0.0])], [1.0, 2.0]), 1.0);
    }
}
