//! The weights of the dense and the lexical score, what their sum means, and the thresholds between grades: fitted on the
//! pairs that were kept back, or on queries that were made of them.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use smooth_clir::model::Model;
use smooth_clir::model::calibration::Calibration;

use super::pairs::Pairs;
use crate::data::Direction;
use crate::error::Error;
use crate::evaluation::hybrid::Hybrid;
use crate::train::fit::{Histogram, Seen, probability, weights};

/// Fixes the rivals of the documents that probabilities are fitted on.
const SEED: u64 = 1;

/// What a teacher makes of the pairs that were kept back, by language.
#[derive(Debug, Default)]
pub struct KeptBack {
    /// A query for each pair.
    pub queries: BTreeMap<String, Vec<String>>,
    /// The vectors of the documents as deep ones, one after the other.
    pub vectors: BTreeMap<String, Vec<f32>>,
}

/// Fits a model's calibration to its kept-back pairs, and its thresholds unless they are `given`; leaves them where there
/// are none. Without a teacher the queries are the English texts, and no documents are deep.
///
/// All languages have one pair of weights: both scores mean the same in each, so that documents of all can stand in one
/// list. Weights of their own, scaled so that the best scores agreed on parallel texts, favoured languages elsewhere.
///
/// # Errors
/// If the model lacks an encoder.
pub fn fit(
    model: &mut Model,
    pairs: &Pairs,
    KeptBack { queries: asked, vectors: mut deep }: KeptBack,
    given: bool,
) -> Result<(), Error> {
    // Whole texts are answered by higher scores than what people type, which probabilities are of.
    let is_typed = !asked.is_empty() && !model.config.calibration.is_empty();
    // Of light documents, then of deep ones.
    let (mut seen, mut alone): ([Vec<Seen>; 2], [Vec<Seen>; 2]) = Default::default();
    let mut grades = Histogram::default();
    let mut norms = BTreeMap::new();
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
        let chapters: Vec<u64> = first.iter().map(|&place| kept[place].chapter).collect();
        let of_language = |hybrid: &Hybrid<'_>| -> Vec<Seen> {
            let parts = |query: usize| hybrid.parts(query, first.iter().copied());
            let query = |query| Seen { mate: mates[query], parts: parts(query) };
            (0..kept.len()).into_par_iter().map(query).collect()
        };
        norms.insert(language.name.clone(), hybrid.median_norms());
        let light = of_language(&hybrid);
        count(&chapters, &light, &mut grades);
        let vectors = deep.remove(&language.name);
        let deep = vectors.map(|values| of_language(&hybrid.with_vectors(values)));
        for (kind, of_kind) in [Some(light), deep].into_iter().enumerate() {
            let of_kind = of_kind.unwrap_or_default();
            if is_typed {
                let others = of_kind.iter().map(|query| without_neighbours(query, &chapters));
                alone[kind].extend(others);
            }
            seen[kind].extend(of_kind);
        }
    }
    if let Some(thresholds) = grades.thresholds().filter(|_| !given) {
        model.config.thresholds = thresholds.to_vec();
    }
    if seen[0].is_empty() {
        return Ok(());
    }
    // As large as they can be without a score that leaves -1..1.
    let shares = seen.map(|seen| {
        let [dense, lexical] = weights(&seen);
        dense / (dense + lexical)
    });
    let has_deep = !alone[1].is_empty();
    for (language, norms) in norms {
        if let Some(calibration) = model.config.calibration.get_mut(&language) {
            let [light, deep] = shares.map(|share| share as f32);
            let deep = has_deep.then_some(deep);
            *calibration = Calibration { dense: light, lexical: 1.0 - light, norms, deep };
        }
    }
    let scored = alone.iter().zip(shares).flat_map(|(alone, share)| {
        let weights = [share, 1.0 - share];
        alone.iter().map(move |query| query.scored(weights))
    });
    model.config.probability =
        if is_typed { probability(&scored.collect::<Vec<_>>(), SEED) } else { None };
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

/// A query without the mate's neighbours, which may answer it too.
fn without_neighbours(query: &Seen, chapters: &[u64]) -> Seen {
    let stays = |place: &usize| *place == query.mate || chapters[*place] != chapters[query.mate];
    let places: Vec<usize> = (0..query.parts.len()).filter(stays).collect();
    let mate = places.partition_point(|&place| place < query.mate);
    Seen { mate, parts: places.into_iter().map(|place| query.parts[place]).collect() }
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
    fn neighbours_of_the_mate_are_no_rivals() {
        let query = Seen { mate: 2, parts: (0..5).map(|part| [part as f32, 0.0]).collect() };
        let found = without_neighbours(&query, &[7, 8, 7, 7, 9]);
        assert_eq!((found.mate, found.parts), (1, vec![[1.0, 0.0], [2.0, 0.0], [4.0, 0.0]]));
    }

    #[test]
    fn equal_documents_are_one() {
        assert_eq!(distinct(&["a", "b", "a", "c", "b"]), (vec![0, 1, 3], vec![0, 1, 0, 2, 1]));
    }
}
