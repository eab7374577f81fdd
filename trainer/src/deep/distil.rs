//! Rows of query words learn to rank a teacher's vectors of sentences as the teacher does.
//!
//! A query of a few words is drawn from a sentence, each word as often as its weight says. Its scores with the sentences of
//! a batch should be the scores that the sentence's own vector has: training minimises the cross-entropy of the softmax of
//! the ones under the softmax of the others. A written query learns in the same way from the vector of the document that answers
//! it. Vectors of sentences and documents are constants. Rows are pulled back to where they began, so
//! that a word which is seen rarely stays what the teacher says of it alone.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use smooth_clir::math::kernels;
use smooth_clir::math::random::Random;
use smooth_clir::training::step::Adam;

use super::asked::draw;

const BATCH: usize = 256;
/// The temperature of both softmaxes.
const TEMPERATURE: f32 = 0.1;
/// Adam's step size in the first step; it falls to 0 in even steps.
const RATE: f32 = 0.002;
/// The strength of the pull.
const PULL: f32 = 1e-4;
/// Words drawn for a query to learn from, at most.
const MOST_WORDS: usize = 5;

/// Sentences with the teacher's vectors of them.
#[derive(Debug, Clone, Copy)]
pub struct Sentences<'a> {
    /// The rows of each one's words.
    pub words: &'a [Vec<u32>],
    /// A vector for each, one after the other.
    pub vectors: &'a [f32],
}

/// What a query is of the texts that it is learnt from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Query {
    /// A few of the words of each, drawn anew in each epoch.
    Drawn,
    /// Each as it is.
    Whole,
}

impl Query {
    /// How often all texts are gone through.
    fn epochs(self) -> usize {
        match self {
            Self::Drawn => 6,
            Self::Whole => 4,
        }
    }

    /// Texts with fewer known words are left out.
    fn least_words(self) -> usize {
        match self {
            Self::Drawn => 3,
            Self::Whole => 1,
        }
    }

    /// The words of a text's query, each once.
    fn of(self, words: &[u32], weights: &[f32], random: &mut Random) -> Vec<u32> {
        match self {
            Self::Drawn => draw(words, weights, MOST_WORDS, random),
            Self::Whole => words.iter().copied().collect::<BTreeSet<_>>().into_iter().collect(),
        }
    }
}

/// Changes the rows of words, which have these weights in a query.
pub fn distil(
    rows: &mut [f32],
    dimension: usize,
    weights: &[f32],
    (sentences, query): (Sentences<'_>, Query),
    seed: u64,
) {
    let (mut first, mut second) = (vec![0.0; rows.len()], vec![0.0; rows.len()]);
    let begin = rows.to_vec();
    let mut vectors = sentences.vectors.to_vec();
    vectors.chunks_exact_mut(dimension).for_each(|vector| {
        normalise(vector);
    });
    let mut order: Vec<usize> = (0..sentences.words.len())
        .filter(|&sentence| sentences.words[sentence].len() >= query.least_words())
        .collect();
    let steps = query.epochs() * order.len().div_ceil(BATCH);
    let mut adam = Adam::after(0);
    for epoch in 0..query.epochs() {
        let mut random = Random::new(seed, &format!("queries of sentences {epoch}"));
        random.shuffle(&mut order);
        for batch in order.chunks(BATCH) {
            let drawn: Vec<Vec<u32>> = batch
                .iter()
                .map(|&sentence| query.of(&sentences.words[sentence], weights, &mut random))
                .collect();
            let documents: Vec<&[f32]> = batch
                .iter()
                .map(|&sentence| &vectors[sentence * dimension..][..dimension])
                .collect();
            let left = 1.0 - adam.steps() as f32 / steps as f32;
            let size = adam.advance(RATE * left);
            for (row, mut gradient) in gradients(rows, weights, &drawn, &documents) {
                let at = row as usize * dimension..(row as usize + 1) * dimension;
                let moved = rows[at.clone()].iter().zip(&begin[at.clone()]);
                gradient
                    .iter_mut()
                    .zip(moved)
                    .for_each(|(slope, (now, then))| *slope += PULL * (now - then));
                let [rows, first, second] = [&mut *rows, &mut first, &mut second];
                Adam::update(
                    size,
                    &gradient,
                    &mut rows[at.clone()],
                    &mut first[at.clone()],
                    &mut second[at],
                );
            }
        }
    }
}

/// The gradient of each row that a batch's queries touch, in rising order of the rows.
fn gradients(
    rows: &[f32],
    weights: &[f32],
    queries: &[Vec<u32>],
    documents: &[&[f32]],
) -> BTreeMap<u32, Vec<f32>> {
    let dimension = documents.first().map_or(0, |document| document.len());
    let slope_of = |(words, own): (&Vec<u32>, &&[f32])| {
        let mut query = vec![0.0; dimension];
        kernels::sum_weighted_rows(rows, dimension, words, weights, &mut query);
        let norm = normalise(&mut query);
        let found = softmax(&query, documents);
        let expected = softmax(own, documents);
        // The gradient for the query's direction, then for its sum of rows.
        let scale = 1.0 / (TEMPERATURE * queries.len() as f32);
        let mut slope = vec![0.0; dimension];
        for ((found, expected), document) in found.iter().zip(&expected).zip(documents) {
            let share = scale * (found - expected);
            slope.iter_mut().zip(*document).for_each(|(sum, value)| *sum += share * value);
        }
        let along = kernels::dot(&slope, &query);
        slope
            .iter_mut()
            .zip(&query)
            .for_each(|(slope, value)| *slope = (*slope - along * value) / norm);
        slope
    };
    let slopes: Vec<Vec<f32>> = queries.par_iter().zip(documents).map(slope_of).collect();
    let mut gradients = BTreeMap::new();
    for (words, slope) in queries.iter().zip(slopes) {
        for &word in words {
            let weight = weights[word as usize];
            let gradient = gradients.entry(word).or_insert_with(|| vec![0.0; dimension]);
            gradient.iter_mut().zip(&slope).for_each(|(sum, slope)| *sum += weight * slope);
        }
    }
    gradients
}

/// The softmax of a vector's scores with documents.
fn softmax(vector: &[f32], documents: &[&[f32]]) -> Vec<f32> {
    let mut shares: Vec<f32> =
        documents.iter().map(|document| kernels::dot(vector, document) / TEMPERATURE).collect();
    let most = shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    shares.iter_mut().for_each(|share| *share = libm::expf(*share - most));
    let all: f32 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= all);
    shares
}

/// Makes a vector's length 1; gives back what it was, and a little more, so that no vector is divided by 0.
fn normalise(vector: &mut [f32]) -> f32 {
    let norm = kernels::norm(vector) + 1e-6;
    vector.iter_mut().for_each(|value| *value /= norm);
    norm
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The objective of a batch, from its definition and in 64 bits.
    fn objective(
        rows: &[f64],
        weights: &[f32],
        queries: &[Vec<u32>],
        documents: &[[f32; 2]],
    ) -> f64 {
        let shares = |x: f64, y: f64| {
            let norm = (x * x + y * y).sqrt();
            let scores = documents
                .iter()
                .map(|d| (x * f64::from(d[0]) + y * f64::from(d[1])) / norm / 0.1)
                .map(libm::exp);
            let scores: Vec<f64> = scores.collect();
            let all: f64 = scores.iter().sum();
            scores.into_iter().map(|score| score / all).collect::<Vec<f64>>()
        };
        let mut sum = 0.0;
        for (words, own) in queries.iter().zip(documents) {
            let part = |axis: usize| -> f64 {
                words
                    .iter()
                    .map(|&w| rows[2 * w as usize + axis] * f64::from(weights[w as usize]))
                    .sum()
            };
            let expected = shares(f64::from(own[0]), f64::from(own[1]));
            for (found, expected) in shares(part(0), part(1)).iter().zip(expected) {
                sum -= expected * libm::log(*found);
            }
        }
        sum / queries.len() as f64
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_objective() {
        let rows = [0.3_f32, 0.1, -0.2, 0.4, 0.5, -0.6];
        let weights = [1.0, 0.5, 0.25];
        let queries = [vec![0, 1], vec![2], vec![1, 2]];
        let documents = [[0.6, 0.8], [1.0, 0.0], [0.0, -1.0]];
        let slices: Vec<&[f32]> = documents.iter().map(|document| &document[..]).collect();
        let found = gradients(&rows, &weights, &queries, &slices);
        assert_eq!(found.len(), 3);
        for at in 0..rows.len() {
            let moved = |by: f64| {
                let mut rows = rows.map(f64::from);
                rows[at] += by;
                objective(&rows, &weights, &queries, &documents)
            };
            let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            let gradient = f64::from(found[&(at as u32 / 2)][at % 2]);
            let most = 1e-3 * (1.0 + slope.abs());
            assert!((gradient - slope).abs() < most, "{at}: {gradient}, {slope}");
        }
    }

    #[test]
    fn words_turn_to_the_sentences_they_are_drawn_from_and_others_stay() {
        // The first two words stand in sentences that point right and up, and begin the other way round; the third is not seen.
        let mut rows = vec![0.0, 1.0, 1.0, 0.0, 0.7, 0.7];
        let words: Vec<Vec<u32>> = (0..20_000).map(|number| vec![number % 2; 3]).collect();
        let vectors: Vec<f32> =
            words.iter().flat_map(|words| [[1.0, 0.0], [0.0, 1.0]][words[0] as usize]).collect();
        let sentences = Sentences { words: &words, vectors: &vectors };
        let right = |rows: &[f32]| rows[0] / kernels::norm(&rows[..2]);
        let before = right(&rows);
        distil(&mut rows, 2, &[1.0; 3], (sentences, Query::Drawn), 1);
        assert!(right(&rows) > before + 0.1, "{rows:?}");
        assert_eq!(rows[4..], [0.7, 0.7]);
    }

    #[test]
    fn words_are_drawn_as_often_as_their_weights_say() {
        let mut random = Random::new(1, "test");
        let mut seen = [0; 3];
        for _ in 0..3000 {
            for word in draw(&[0, 1, 2, 2], &[0.1, 0.9, 0.0], 5, &mut random) {
                seen[word as usize] += 1;
            }
        }
        assert!(seen[1] > 2 * seen[0] && seen[0] > 300, "{seen:?}");
        assert_eq!(seen[2], 0, "of no weight");
    }
}
