//! Candidates -> scores -> an order -> metrics.

use rayon::prelude::*;
use smooth_clir::encoder::{Encoder, Network, Scratch, Table};
use smooth_clir::math::kernels;
use smooth_clir::math::metrics::Metrics;
use smooth_clir::math::similarity::from_parts;

pub use crate::corpus::MOST_RANKED;
use smooth_clir::training::corpus::Graded;

/// The number of vectors that several texts are compared with before the next: 128 KiB of 64
/// dimensions.
const TILE: usize = 512;

/// Vectors of many texts, with their norms.
#[derive(Debug, Clone)]
pub struct Encoded {
    vectors: Table,
    norms: Vec<f32>,
}

impl Encoded {
    /// Encodes texts that are given as rows of a network's words, which may have weights.
    pub fn new(network: &Network, weights: Option<&[f32]>, texts: &[Vec<u32>]) -> Self {
        let dimension = network.dimension();
        let mut values = vec![0.0; texts.len() * dimension];
        values.par_chunks_mut(dimension).zip(texts).for_each(|(vector, rows)| {
            network.encode_weighted(rows, weights, (&[], 0), vector);
        });
        Self::of_vectors(dimension, values)
    }

    /// Encodes those of the texts that are wanted; the others have zeros.
    pub fn of_wanted(
        network: &Network,
        weights: Option<&[f32]>,
        texts: &[Vec<u32>],
        wanted: &[bool],
    ) -> Self {
        let dimension = network.dimension();
        let mut values = vec![0.0; texts.len() * dimension];
        let vectors = values.par_chunks_mut(dimension).zip(texts).zip(wanted);
        vectors.filter(|(_, wanted)| **wanted).for_each(|((vector, rows), _)| {
            network.encode_weighted(rows, weights, (&[], 0), vector);
        });
        Self::of_vectors(dimension, values)
    }

    /// Encodes texts one by one, without holding the rows of all of them.
    pub fn of_texts<T: Sync>(
        encoder: &Encoder,
        texts: &[T],
        text: impl Fn(&T) -> &str + Sync,
    ) -> Self {
        let dimension = encoder.network.dimension();
        let mut values = vec![0.0; texts.len() * dimension];
        let vectors = values.par_chunks_mut(dimension).zip(texts);
        vectors.for_each_init(Scratch::default, |scratch, (vector, place)| {
            encoder.encode_into(text(place), scratch, vector);
        });
        Self::of_vectors(dimension, values)
    }

    /// Vectors of one dimension, one after the other.
    pub fn of_vectors(dimension: usize, values: Vec<f32>) -> Self {
        let norms = values.par_chunks(dimension).map(kernels::norm).collect();
        Self { vectors: Table::new(dimension, values), norms }
    }

    /// Adds a number to every norm: so one text's epsilon may differ from another's.
    pub fn shift_norms(&mut self, by: f32) {
        self.norms.iter_mut().for_each(|norm| *norm += by);
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.norms.len()
    }

    /// The length of the vectors.
    pub fn dimension(&self) -> usize {
        self.vectors.dimension()
    }

    /// The vector of a text.
    pub fn vector(&self, place: usize) -> &[f32] {
        self.vectors.row(place)
    }

    /// The norm of a text's vector.
    pub fn norm(&self, place: usize) -> f32 {
        self.norms[place]
    }

    /// The dot product of text `place` and text `other_place` of `other`.
    pub fn dot(&self, place: usize, other: &Encoded, other_place: usize) -> f32 {
        kernels::dot(self.vectors.row(place), other.vectors.row(other_place))
    }

    /// The scores of text `place` and each text of `other`.
    pub fn scores(&self, place: usize, other: &Encoded, epsilon: f32) -> Vec<f32> {
        self.all_scores(&[place], other, epsilon).remove(0)
    }

    /// [`scores`](Self::scores) of several texts, a list for each. All of them take the same part of
    /// `other` before the next, so that it stays in the processor's cache.
    pub fn all_scores(&self, places: &[usize], other: &Encoded, epsilon: f32) -> Vec<Vec<f32>> {
        let mut all = vec![vec![0.0; other.len()]; places.len()];
        let mut dots = vec![0.0; TILE.min(other.len())];
        let vectors = other.vectors.values().chunks(TILE * other.dimension().max(1));
        for (number, (vectors, norms)) in vectors.zip(other.norms.chunks(TILE)).enumerate() {
            let start = number * TILE;
            let dots = &mut dots[..norms.len()];
            for (&place, scores) in places.iter().zip(&mut all) {
                let scores = &mut scores[start..start + norms.len()];
                kernels::dots(self.vector(place), vectors, dots);
                kernels::scores(dots, self.norms[place], norms, epsilon, scores);
            }
        }
        all
    }

    /// The score of text `place` and text `other_place` of `other`.
    pub fn score(&self, place: usize, other: &Encoded, other_place: usize, epsilon: f32) -> f32 {
        let dot = self.dot(place, other, other_place);
        from_parts(dot, self.norms[place], other.norms[other_place], epsilon)
    }
}

/// A document with its grade and score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The document and its grade.
    pub judged: Graded,
    /// Its score.
    pub score: f32,
}

/// The first `most` by score; of equal scores the first in the documents' file is first.
pub fn first(mut scored: Vec<Scored>, most: usize) -> Vec<Scored> {
    // Adding 0 makes -0 the 0 that it equals.
    let order = |a: &Scored, b: &Scored| {
        let by_score = (b.score + 0.0).total_cmp(&(a.score + 0.0));
        by_score.then_with(|| a.judged.document.cmp(&b.judged.document))
    };
    if most < scored.len() {
        scored.select_nth_unstable_by(most, order);
        scored.truncate(most);
        // Rankings are kept for all queries: not the room of all their candidates with them.
        scored.shrink_to_fit();
    }
    scored.sort_unstable_by(order);
    scored
}

/// The metrics of a ranking; `None` for a query without a relevant document.
pub fn metrics(ranked: &[Scored], candidates: &[Graded]) -> Option<Metrics> {
    let [ranked, judged] = grades(ranked, candidates);
    Metrics::of_ranking(&ranked, &judged)
}

/// The grades of a ranking, and those of all candidates.
pub fn grades(ranked: &[Scored], candidates: &[Graded]) -> [Vec<u8>; 2] {
    let grades = |list: &mut dyn Iterator<Item = u8>| list.collect();
    [
        grades(&mut ranked.iter().map(|scored| scored.judged.grade)),
        grades(&mut candidates.iter().map(|judged| judged.grade)),
    ]
}

#[cfg(test)]
mod tests {
    use smooth_clir::math::random::Random;

    use super::*;

    #[test]
    fn scores_of_many_texts_have_the_bits_of_the_score_of_each_pair() {
        let mut random = Random::new(1, "scores");
        // Beyond a tile, and a vector of zeros.
        let mut encoded = |count: usize| {
            let mut values = random.normals(count * 20, 1.0);
            values[20..40].fill(0.0);
            Encoded::of_vectors(20, values)
        };
        let (queries, documents) = (encoded(3), encoded(TILE + 5));
        for epsilon in [0.0, 0.25] {
            let all = queries.all_scores(&[2, 1], &documents, epsilon);
            for (place, scores) in [2, 1].into_iter().zip(&all) {
                assert_eq!(scores.len(), documents.len());
                for (document, score) in scores.iter().enumerate() {
                    let expected = queries.score(place, &documents, document, epsilon);
                    assert_eq!(score.to_bits(), expected.to_bits(), "{place}, {document}");
                }
                assert_eq!(*scores, queries.scores(place, &documents, epsilon));
            }
        }
    }

    #[test]
    fn the_first_few_are_the_beginning_of_the_whole_order_and_ties_keep_the_files_order() {
        let scores = [0.5, -0.0, 0.5, 0.0, -0.5, 0.5, 0.0, 1.0];
        let scored = |(score, document)| Scored { judged: Graded { document, grade: 0 }, score };
        let scored: Vec<Scored> = scores.into_iter().zip(0..).map(scored).collect();
        for most in 0..10 {
            let first = first(scored.clone(), most);
            let documents: Vec<u32> = first.iter().map(|scored| scored.judged.document).collect();
            assert_eq!(documents, [7, 0, 2, 5, 1, 3, 6, 4][..most.min(8)]);
        }
    }
}
