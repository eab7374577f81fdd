//! The weights of the dense and the lexical score, what their sum means, and the thresholds between grades: fitted on the
//! pairs that were kept back, or on queries that were made of them.

use std::collections::{BTreeMap, HashMap};

use rayon::prelude::*;
use smooth_clir::model::calibration::Calibration;
use smooth_clir::model::probability::ProbabilityCurve;
use smooth_clir::model::{Config, Model};

use super::pairs::{Language, Pairs};
use crate::data::Direction;
use crate::error::Error;
use crate::evaluation::hybrid::Hybrid;
use crate::train::fit::{Histogram, LEAST_QUERIES, Scored, Seen, probability, weights};

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
        let name = &language.name;
        let asked = asked.get(name).map(Vec::as_slice);
        let observed = Observed::new(model, language, asked, deep.remove(name))?;
        norms.insert(name.clone(), observed.norms);
        count(&observed.chapters, &observed.seen[0], &mut grades);
        for (kind, of_kind) in observed.seen.into_iter().enumerate() {
            if is_typed {
                let others =
                    of_kind.iter().map(|query| without_neighbours(query, &observed.chapters));
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
    let curve = if is_typed { probability(&scored.collect::<Vec<_>>(), SEED) } else { None };
    let languages = model.config.languages.iter().cloned();
    model.config.probability = languages.filter_map(|name| Some((name, curve?))).collect();
    Ok(())
}

/// What a language pack is fitted to beside its own pairs: the model that it is for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reference {
    /// The weights of the first of the model's own languages.
    pub calibration: Option<Calibration>,
    /// The curve of that.
    pub curve: Option<ProbabilityCurve>,
    /// The median share of the dense score of deep documents.
    pub deep: Option<f32>,
}

impl Reference {
    /// Of a model's languages that are no packs.
    pub fn of(model: &Model) -> Self {
        let Config { calibration, probability, packs, .. } = &model.config;
        let own = || calibration.iter().filter(|(language, _)| !packs.contains(language));
        let mut deep: Vec<f32> = own().filter_map(|(_, calibration)| calibration.deep).collect();
        deep.sort_by(f32::total_cmp);
        let first = own().next();
        Self {
            calibration: first.map(|(_, calibration)| *calibration),
            curve: first.and_then(|(language, _)| probability.get(language).copied()),
            deep: deep.get(deep.len().saturating_sub(1) / 2).copied(),
        }
    }
}

/// How a language pack was fitted.
#[derive(Debug, Clone, Copy)]
pub struct Fitted {
    /// Whether there were enough pairs for weights and a curve of its own.
    pub is_fitted: bool,
    /// Whether the share of the dense score of deep documents was fitted too.
    pub has_deep: bool,
    /// Pairs of sentences that the pack is made of.
    pub sentences: usize,
}

/// Fits the weights of a language pack, whose only language it is, and its curve, to its kept-back pairs; of few, they are the
/// reference's.
///
/// The share of the dense score is the language's own, and the sum of both weights 1 as in the model's languages, so that
/// documents of all can stand in one list. Scores that were lowered where they promised more than the model's curve says
/// of them let French stand first for two queries in three that Spanish answers too.
///
/// # Errors
/// If the model lacks an encoder.
pub fn fit_pack(
    model: &mut Model,
    language: &Language,
    (queries, vectors): (&[String], Option<Vec<f32>>),
    reference: &Reference,
) -> Result<Fitted, Error> {
    let name = &language.name;
    let is_fitted = language.validation.len() >= LEAST_QUERIES;
    let sentences = language.sentences();
    if !is_fitted {
        if let Some(calibration) = reference.calibration {
            model.config.calibration = BTreeMap::from([(name.clone(), calibration)]);
        }
        let curve = reference.curve.map(|curve| (name.clone(), curve));
        model.config.probability = curve.into_iter().collect();
        return Ok(Fitted { is_fitted, has_deep: false, sentences });
    }
    let observed = Observed::new(model, language, Some(queries), vectors)?;
    let has_deep = !observed.seen[1].is_empty();
    let shares = observed.seen.each_ref().map(|seen| {
        let [dense, lexical] = weights(seen);
        dense / (dense + lexical)
    });
    let kinds = observed.seen.iter().zip(shares);
    let of_kind = |(seen, share): (&Vec<Seen>, f64)| -> Vec<Scored> {
        let alone = |query| without_neighbours(query, &observed.chapters);
        seen.iter().map(|query| alone(query).scored([share, 1.0 - share])).collect()
    };
    let scored: Vec<Scored> = kinds.flat_map(of_kind).collect();
    let [light, of_deep] = shares;
    let calibration = Calibration {
        dense: light as f32,
        lexical: 1.0 - light as f32,
        norms: observed.norms,
        deep: if has_deep { Some(of_deep as f32) } else { reference.deep },
    };
    model.config.calibration = BTreeMap::from([(name.clone(), calibration)]);
    let curve = probability(&scored, SEED);
    model.config.probability = curve.map(|curve| (name.clone(), curve)).into_iter().collect();
    Ok(Fitted { is_fitted, has_deep, sentences })
}

/// The mean reciprocal rank of a language's kept-back documents for their queries by the model's score, those of their chapters left out.
///
/// # Errors
/// If the model lacks an encoder.
pub fn found(model: &Model, language: &Language, queries: &[String]) -> Result<f64, Error> {
    let observed = Observed::new(model, language, Some(queries), None)?;
    let Some(calibration) = model.config.calibration.get(&language.name) else { return Ok(0.0) };
    let weights = [calibration.dense, calibration.lexical].map(f64::from);
    let [light, _] = &observed.seen;
    let ranks = light.iter().map(|query| {
        without_neighbours(query, &observed.chapters).scored(weights).reciprocal_rank()
    });
    Ok(ranks.sum::<f64>() / light.len().max(1) as f64)
}

/// The scores of a language's kept-back documents for their queries.
struct Observed {
    /// The chapter of each document.
    chapters: Vec<u64>,
    /// The median norms of queries and documents.
    norms: [f32; 2],
    /// Each query, of light documents, then of deep ones.
    seen: [Vec<Seen>; 2],
}

impl Observed {
    /// `asked` are the queries, if not the English texts; `vectors` those of the documents as deep ones.
    fn new(
        model: &Model,
        language: &Language,
        asked: Option<&[String]>,
        vectors: Option<Vec<f32>>,
    ) -> Result<Self, Error> {
        let kept = &language.validation;
        let there = (&language.name[..], Direction::Forward);
        let texts = |side: usize| kept.iter().map(|pair| &pair.texts[side][..]).collect();
        let (english, foreign): (Vec<&str>, Vec<&str>) = (texts(0), texts(1));
        let asked = asked.map(|queries| queries.iter().map(String::as_str).collect());
        let queries: Vec<&str> = asked.unwrap_or(english);
        let hybrid = Hybrid::new(model, there, [&queries, &foreign], None)?;
        // A document that answers several queries is no rival of itself.
        let (first, mates) = distinct(&foreign);
        let chapters = first.iter().map(|&place| kept[place].chapter).collect();
        let of_language = |hybrid: &Hybrid<'_>| -> Vec<Seen> {
            let parts = |query: usize| hybrid.parts(query, first.iter().copied());
            let query = |query| Seen { mate: mates[query], parts: parts(query) };
            (0..kept.len()).into_par_iter().map(query).collect()
        };
        let norms = hybrid.median_norms();
        let light = of_language(&hybrid);
        let deep = vectors.map(|values| of_language(&hybrid.with_vectors(values)));
        Ok(Self { chapters, norms, seen: [light, deep.unwrap_or_default()] })
    }
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
