//! Candidates -> scores -> an order -> metrics.

use rayon::prelude::*;
use smooth_clir::encoder::{Network, Table};
use smooth_clir::kernels;
use smooth_clir::metrics::Metrics;
use smooth_clir::similarity::from_parts;

use crate::data::collection::Judged;

/// Longer rankings are cut, as TREC runs are.
pub const MOST_RANKED: usize = 1000;

/// Vectors of many texts, with their norms.
#[derive(Debug, Clone)]
pub struct Encoded {
    vectors: Table,
    norms: Vec<f32>,
}

impl Encoded {
    /// Encodes texts that are given as rows of a network's words.
    pub fn new(network: &Network, texts: &[Vec<u32>]) -> Self {
        let dimension = network.dimension();
        let mut values = vec![0.0; texts.len() * dimension];
        values.par_chunks_mut(dimension).zip(texts).for_each(|(vector, rows)| {
            network.encode(rows, vector);
        });
        let norms = values.par_chunks(dimension).map(kernels::norm).collect();
        Self { vectors: Table::new(dimension, values), norms }
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.norms.len()
    }

    /// The vector of a text.
    pub fn vector(&self, place: usize) -> &[f32] {
        self.vectors.row(place)
    }

    /// The score of text `place` and text `other_place` of `other`.
    pub fn score(&self, place: usize, other: &Encoded, other_place: usize, epsilon: f32) -> f32 {
        let dot = kernels::dot(self.vectors.row(place), other.vectors.row(other_place));
        from_parts(dot, self.norms[place], other.norms[other_place], epsilon)
    }
}

/// A document with its grade and score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The document and its grade.
    pub judged: Judged,
    /// Its score.
    pub score: f32,
}

/// The order of a query's candidates, which are given in the order of the documents' file; of
/// equal scores the first is first.
pub fn rank(
    queries: &Encoded,
    query: usize,
    documents: &Encoded,
    candidates: &[Judged],
    epsilon: f32,
) -> Vec<Scored> {
    let score = |judged: &Judged| Scored {
        judged: *judged,
        score: queries.score(query, documents, judged.document as usize, epsilon),
    };
    let mut ranked: Vec<Scored> = candidates.iter().map(score).collect();
    ranked.sort_by(by_score);
    ranked
}

/// The higher score first.
pub fn by_score(a: &Scored, b: &Scored) -> std::cmp::Ordering {
    b.score.partial_cmp(&a.score).unwrap_or(std::cmp::Ordering::Equal)
}

/// The metrics of a ranking; `None` for a query without a relevant document.
pub fn metrics(ranked: &[Scored], candidates: &[Judged]) -> Option<Metrics> {
    let grades = |list: &mut dyn Iterator<Item = u8>| list.collect::<Vec<u8>>();
    let ranked = grades(&mut ranked.iter().map(|scored| scored.judged.grade));
    let judged = grades(&mut candidates.iter().map(|judged| judged.grade));
    Metrics::of_ranking(&ranked, &judged)
}
