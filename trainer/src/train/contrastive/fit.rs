//! The weights of the dense and the lexical score, and the thresholds between grades: fitted on the pairs that were
//! kept back, or on queries that were made of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use rayon::prelude::*;
use smooth_clir::model::Model;
use smooth_clir::model::calibration::Calibration;

use super::pairs::Pairs;
use crate::data::Direction;
use crate::error::Error;
use crate::evaluation::hybrid::Hybrid;
use crate::train::fit::{Histogram, Seen, weights};

/// English texts that must be kept back of all languages for their scores to be compared by these alone.
const LEAST_SHARED: usize = 50;

/// The median, over some queries, of the highest score by some weights among their own documents; 1 where it is not above 0.
/// `takes_part` says which queries, and so which documents, these are, by the documents' places.
fn median_best(seen: &[Seen], [a, b]: [f64; 2], takes_part: &[bool]) -> f64 {
    let best = |query: &Seen| {
        let parts = query.parts.iter().zip(takes_part).filter(|(_, takes_part)| **takes_part);
        parts.fold(0.0, |best: f64, ([r, l], _)| best.max(a * f64::from(*r) + b * f64::from(*l)))
    };
    let mut scores: Vec<f64> =
        seen.iter().filter(|query| takes_part[query.mate]).map(best).collect();
    if scores.is_empty() {
        return 1.0;
    }
    let middle = scores.len() / 2;
    let median = *scores.select_nth_unstable_by(middle, f64::total_cmp).1;
    if median > 0.0 { median } else { 1.0 }
}

/// Fits a model's calibrations to its kept-back pairs, and its thresholds unless they are `given`; leaves them where a
/// language has none. The queries are what is `asked` of a language, one for each pair, or the English texts.
///
/// # Errors
/// If the model lacks an encoder.
pub fn fit(
    model: &mut Model,
    pairs: &Pairs,
    asked: &BTreeMap<String, Vec<String>>,
    given: bool,
) -> Result<(), Error> {
    let shared = shared(pairs);
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
        let asked = asked.get(&language.name);
        let asked = asked.map(|queries| queries.iter().map(String::as_str).collect());
        let queries: Vec<&str> = asked.unwrap_or(english);
        let hybrid = Hybrid::new(model, there, [&queries, &foreign], None)?;
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
        // What is found first typically scores the same in each language, so that all can stand in one list.
        let takes_part: Vec<bool> = first
            .iter()
            .map(|&place| shared.is_empty() || shared.contains(&*kept[place].texts[0]))
            .collect();
        let best = median_best(&seen, weights, &takes_part);
        fitted.push((language.name.clone(), weights.map(|weight| weight / best), norms));
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

/// The English texts that are kept back of all languages; none if there are few.
fn shared(pairs: &Pairs) -> HashSet<&str> {
    let with_texts = pairs.languages.iter().filter(|language| !language.validation.is_empty());
    let texts = with_texts.map(|language| {
        language.validation.iter().map(|pair| &pair.texts[0][..]).collect::<HashSet<&str>>()
    });
    let shared = texts.reduce(|shared, texts| &shared & &texts).unwrap_or_default();
    if shared.len() < LEAST_SHARED { HashSet::new() } else { shared }
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
    use super::super::pairs::{Kept, Language};
    use super::*;

    #[test]
    fn equal_documents_are_one() {
        assert_eq!(distinct(&["a", "b", "a", "c", "b"]), (vec![0, 1, 3], vec![0, 1, 0, 2, 1]));
    }

    #[test]
    fn the_highest_scores_have_a_median_of_what_takes_part_and_it_is_never_divided_by_none() {
        // The second document is the mate of all; the third takes part, the first does not.
        let seen = |mate, third| Seen { mate: 1, parts: vec![[9.0, 9.0], mate, third] };
        let all = [
            seen([0.2, 0.1], [0.6, 0.0]),
            seen([0.5, 0.3], [0.0, 0.1]),
            seen([0.9, 0.0], [0.1, 0.1]),
        ];
        // 0.6, 1.1 and 0.9.
        let takes_part = [false, true, true];
        assert!((median_best(&all, [1.0, 2.0], &takes_part) - 0.9).abs() < 1e-6);
        assert_eq!(median_best(&[seen([0.0; 2], [0.0; 2])], [1.0, 2.0], &takes_part), 1.0);
        assert_eq!(median_best(&all, [1.0, 2.0], &[true, false, true]), 1.0);
    }

    #[test]
    fn texts_are_shared_that_all_languages_keep_back_if_there_are_enough() {
        let language = |numbers: std::ops::Range<usize>| {
            let pair = |number| Kept {
                texts: [format!("text {number}"), format!("texte {number}")],
                ..Kept::default()
            };
            Language { validation: numbers.map(pair).collect(), ..Language::default() }
        };
        let pairs = |ranges: [std::ops::Range<usize>; 3]| Pairs {
            languages: ranges.map(language).into(),
            ..Pairs::default()
        };
        assert_eq!(shared(&pairs([0..80, 20..90, 0..0])).len(), 60);
        assert!(shared(&pairs([0..80, 40..90, 0..0])).is_empty());
    }
}
