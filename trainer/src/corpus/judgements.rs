//! The grades of a collection's queries, and the metrics of their rankings of all documents.

use std::collections::HashMap;

use smooth_clir::math::metrics::Metrics;
use smooth_clir::training::corpus::Graded;

use crate::data::Collection;

/// Longer rankings are cut, as TREC runs are.
pub const MOST_RANKED: usize = 1000;

/// For each query the documents with a grade above 0. Exact copies of a document share its grade.
pub struct Judgements(Vec<Vec<Graded>>);

impl Judgements {
    /// The grades of a collection.
    pub fn of(collection: &Collection) -> Self {
        let first = collection.first_copies();
        let mut copies: HashMap<u32, Vec<u32>> = HashMap::new();
        for (&first, place) in first.iter().zip(0..) {
            copies.entry(first).or_default().push(place);
        }
        let of_query = |judged: &Vec<Graded>| {
            let mut grades: HashMap<u32, u8> = HashMap::new();
            for Graded { document, grade } in judged.iter().copied().filter(|j| j.grade > 0) {
                let known = grades.entry(first[document as usize]).or_default();
                *known = grade.max(*known);
            }
            let all = grades.iter().flat_map(|(first, &grade)| {
                let places = copies.get(first).into_iter().flatten();
                places.map(move |&document| Graded { document, grade })
            });
            let mut all: Vec<Graded> = all.collect();
            all.sort_unstable_by_key(|graded| graded.document);
            all
        };
        Self(collection.judged.iter().map(of_query).collect())
    }

    /// The metrics of a query that ranks all documents by their scores, of equal ones the first in
    /// the documents' file first; `None` for a query without a relevant document.
    pub fn metrics(&self, query: usize, scores: &[f32]) -> Option<Metrics> {
        let graded = &self.0[query];
        let keys: Vec<i32> = scores.iter().map(|&score| key(score)).collect();
        let mut ranked = vec![0; scores.len().min(MOST_RANKED)];
        for Graded { document, grade } in graded {
            let place = *document as usize;
            let own = keys[place];
            let above = |keys: &[i32], least: i32| keys.iter().filter(|&&key| key >= least).count();
            let rank = above(&keys[..place], own) + above(&keys[place..], own.saturating_add(1));
            if let Some(ranked) = ranked.get_mut(rank) {
                *ranked = *grade;
            }
        }
        let judged: Vec<u8> = graded.iter().map(|graded| graded.grade).collect();
        Metrics::of_ranking(&ranked, &judged)
    }
}

/// An integer that orders scores as [`f32::total_cmp`] does, -0 and 0 being one.
fn key(score: f32) -> i32 {
    let bits = (score + 0.0).to_bits() as i32;
    bits ^ (((bits >> 31) as u32) >> 1) as i32
}
