//! The scan of every document for a query: dot products, scores, the top k.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::encoder::Rows;
use crate::math::kernels;
use crate::math::similarity::from_parts;

/// The number of documents in a block, whose dot products stay in the fastest cache until they are
/// scored.
const BLOCK: usize = 1024;

/// A query's vector, for documents in floating point or in integers.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    pub(crate) vector: Vec<f32>,
    norm: f32,
    /// The vector as integers.
    pub(crate) whole: Vec<i16>,
    /// The scale of the integers: element = integer * scale.
    pub(crate) scale: f32,
}

impl Query {
    /// Creates a query from its vector.
    ///
    /// The integers have up to 16 bits, so that the rounding is negligible against 8-bit documents;
    /// they have fewer if a sum of products could exceed 32 bits.
    pub fn new(vector: Vec<f32>) -> Self {
        let most_sum = i32::MAX as usize / (vector.len().max(1) * i8::MIN.unsigned_abs() as usize);
        let most = most_sum.min(i16::MAX as usize) as f32;
        let largest = vector.iter().fold(0.0f32, |most, x| most.max(x.abs()));
        let scale = largest / most;
        // If the scale were subnormal, a quotient by it could overflow.
        let scale = if scale < f32::MIN_POSITIVE { 0.0 } else { scale };
        let integer = |x: &f32| if scale > 0.0 { (x / scale).round() as i16 } else { 0 };
        Self {
            whole: vector.iter().map(integer).collect(),
            norm: kernels::norm(&vector),
            vector,
            scale,
        }
    }

    /// The query's vector.
    pub fn vector(&self) -> &[f32] {
        &self.vector
    }

    /// The step to whose multiples the vector is rounded, against 8-bit documents.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// The norm of the query's vector.
    pub fn norm(&self) -> f32 {
        self.norm
    }
}

/// Computes the dot products of a query with the rows from `first` on, as many as `dots` holds. For
/// 8-bit rows, the exact sum of products of integers times the two scales.
pub fn dots(rows: &Rows, query: &Query, first: usize, dots: &mut [f32]) {
    match rows {
        Rows::F32(table) => {
            let values = table.values().get(first * table.dimension()..);
            kernels::dots(&query.vector, values.unwrap_or_default(), dots);
        }
        Rows::F16 { .. } | Rows::Changed(_) | Rows::Mixed(_) => {
            let mut row = vec![0.0; rows.dimension()];
            for (number, dot) in (first..rows.len()).zip(dots) {
                rows.read(number, &mut row);
                *dot = kernels::dot(&query.vector, &row);
            }
        }
        Rows::I8 { dimension, rows } => {
            let mut sums = [0; BLOCK];
            for (number, dots) in dots.chunks_mut(BLOCK).enumerate() {
                let first = first + number * BLOCK;
                let sums = &mut sums[..dots.len()];
                let values = rows.values.get(first * dimension..).unwrap_or_default();
                kernels::dots_of_integers(&query.whole, values, sums);
                let scales = rows.scales.get(first..).unwrap_or_default();
                for ((dot, sum), scale) in dots.iter_mut().zip(sums).zip(scales) {
                    *dot = *sum as f32 * (query.scale * scale);
                }
            }
        }
    }
}

/// The dot product with a query, and the SCS, of the row at a position: the bits that [`rank`] gives them.
pub fn score(
    rows: &Rows,
    norms: &[f32],
    position: usize,
    query: &Query,
    epsilon: f32,
) -> (f32, f32) {
    let mut dot = [0.0];
    dots(rows, query, position, &mut dot);
    (dot[0], from_parts(dot[0], query.norm, norms[position], epsilon))
}

/// A scored document: its position and the parts of its score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The position in the index, or among the documents of all indexes.
    pub position: usize,
    /// The score: the smooth cosine similarity to the query, plus the lexical score's part, if any.
    pub score: f32,
    /// The dot product with the query.
    pub dot: f32,
}

/// The top k of the documents pushed so far, in a heap; of equal scores those at the lowest positions.
#[derive(Debug, Clone)]
pub struct TopK {
    limit: usize,
    /// The lowest score on top.
    kept: BinaryHeap<Kept>,
}

/// Ordered by falling score, then by rising position, so the last is the lowest.
#[derive(Debug, Clone, PartialEq)]
struct Kept(Scored);

impl Ord for Kept {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_score = other.0.score.partial_cmp(&self.0.score);
        by_score.unwrap_or(Ordering::Equal).then(self.0.position.cmp(&other.0.position))
    }
}

impl PartialOrd for Kept {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Kept {}

impl TopK {
    /// Creates an empty heap for at most `limit` documents.
    pub fn new(limit: usize) -> Self {
        Self { limit, kept: BinaryHeap::new() }
    }

    /// The k.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// The score that a document must exceed to enter the top k.
    pub fn bar(&self) -> f32 {
        match self.kept.peek() {
            Some(worst) if self.kept.len() == self.limit => worst.0.score,
            _ if self.limit == 0 => f32::INFINITY,
            _ => f32::NEG_INFINITY,
        }
    }

    /// Inserts a document if it is among the top k so far; of equal scores the one at the lowest position.
    #[inline(never)]
    pub fn offer(&mut self, offered: Scored) {
        let offered = Kept(offered);
        if self.kept.len() < self.limit {
            self.kept.push(offered);
        } else if let Some(mut worst) = self.kept.peek_mut()
            && offered < *worst
        {
            *worst = offered;
        }
    }

    /// The top k by falling score.
    pub fn into_vec(mut self) -> Vec<Scored> {
        let mut top: Vec<Scored> = Vec::with_capacity(self.kept.len());
        top.extend(std::iter::from_fn(|| self.kept.pop()).map(|kept| kept.0));
        top.reverse();
        top
    }
}

/// The state of a query's scan.
#[derive(Debug)]
pub struct Ranking<'a> {
    /// The query.
    pub query: &'a Query,
    /// Epsilon of smooth cosine similarity.
    pub epsilon: f32,
    /// The dot products with the first documents. They are reused at any epsilon.
    pub dots: &'a mut Vec<f32>,
    /// The lexical part of hybrid scores; `None` for dense scores.
    pub fusion: Option<Fusion<'a>>,
    /// The top k so far.
    pub top: &'a mut TopK,
}

/// The lexical scores and the weights of a hybrid score.
#[derive(Debug, Clone, Copy)]
pub struct Fusion<'a> {
    /// The lexical score of each document; empty if all are 0.
    pub lexical: &'a [f32],
    /// The number of each document's language, an index into `weights`.
    pub language: &'a [u8],
    /// The weights of the dense and the lexical score, for each language.
    pub weights: &'a [[f32; 2]],
}

impl Fusion<'_> {
    /// Turns the dense scores of consecutive documents from a position on into hybrid scores.
    pub(super) fn add(&self, start: usize, scores: &mut [f32]) {
        let weights = |place: usize| self.weights[usize::from(self.language[place])];
        for (place, score) in (start..).zip(scores.iter_mut()) {
            *score *= weights(place)[0];
        }
        if !self.lexical.is_empty() {
            for (place, score) in (start..).zip(scores.iter_mut()) {
                *score += weights(place)[1] * self.lexical[place];
            }
        }
    }
}

/// Computes the dot products of queries with all rows, as far as they are not there. A block of rows is read for all queries while it
/// is in cache.
pub fn multiply(rows: &Rows, queries: &mut [(&Query, &mut Vec<f32>)]) {
    for (_, dots) in &mut *queries {
        dots.reserve_exact(rows.len().saturating_sub(dots.len()));
    }
    for start in (0..rows.len()).step_by(BLOCK) {
        let end = rows.len().min(start + BLOCK);
        for (query, dots) in &mut *queries {
            if dots.len() < end {
                dots.resize(end, 0.0);
                self::dots(rows, query, start, &mut dots[start..]);
            }
        }
    }
}

/// Scans every document that is `wanted` for each query's top k. A block of documents is scored for
/// all queries while it is in cache. `first_place` is added to positions.
pub fn rank(
    vectors: &Rows,
    norms: &[f32],
    wanted: impl Fn(usize) -> bool,
    first_place: usize,
    queries: &mut [Ranking<'_>],
) {
    let mut scores = [0.0; BLOCK];
    for ranking in &mut *queries {
        ranking.dots.reserve_exact(norms.len().saturating_sub(ranking.dots.len()));
    }
    for (start, norms) in (0..).step_by(BLOCK).zip(norms.chunks(BLOCK)) {
        let end = start + norms.len();
        for ranking in &mut *queries {
            let Ranking { query, epsilon, dots, fusion, top } = ranking;
            if dots.len() < end {
                dots.resize(end, 0.0);
                self::dots(vectors, query, start, &mut dots[start..]);
            }
            let (dots, scores) = (&dots[start..end], &mut scores[..norms.len()]);
            kernels::scores(dots, query.norm, norms, *epsilon, scores);
            if let Some(fusion) = fusion {
                fusion.add(start, scores);
            }
            let mut next = 0;
            while let Some(found) = kernels::first_above(&scores[next..], top.bar()) {
                let place = next + found;
                if wanted(start + place) {
                    let position = first_place + start + place;
                    top.offer(Scored { position, score: scores[place], dot: dots[place] });
                }
                next = place + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::{Precision, Table};
    use crate::math::kernels::dot;
    use crate::math::random::Random;
    use crate::math::similarity::smooth_cosine;

    const DIMENSION: usize = 16;

    fn table(rows: usize, seed: u64) -> Table {
        Table::new(DIMENSION, Random::new(seed, "scan").normals(rows * DIMENSION, 0.3))
    }

    fn norms(vectors: &Rows) -> Vec<f32> {
        (0..vectors.len()).map(|at| kernels::norm(&vectors.row(at))).collect()
    }

    /// The positions and scores of the best, and how many dot products there are.
    fn ranked(
        vectors: &Rows,
        query: &Query,
        epsilon: f32,
        limit: usize,
        dots: &mut Vec<f32>,
    ) -> Vec<(usize, f32)> {
        let mut top = TopK::new(limit);
        let ranking = Ranking { query, epsilon, dots, fusion: None, top: &mut top };
        rank(vectors, &norms(vectors), |at| at % 7 != 0, 100, &mut [ranking]);
        top.into_vec().iter().map(|scored| (scored.position, scored.score)).collect()
    }

    /// All wanted documents, scored one by one and sorted; the first `limit`.
    fn by_the_book(table: &Table, query: &[f32], epsilon: f32, limit: usize) -> Vec<(usize, f32)> {
        let wanted = (0..table.len()).filter(|at| at % 7 != 0);
        let scored = wanted.map(|at| (100 + at, smooth_cosine(query, table.row(at), epsilon)));
        let mut scored: Vec<(usize, f32)> = scored.collect();
        scored.sort_by(|a, b| b.1.total_cmp(&a.1));
        scored.truncate(limit);
        scored
    }

    #[test]
    fn the_best_are_those_of_a_whole_sort_over_any_number_of_blocks() {
        for rows in [0, 1, 5, BLOCK, 2 * BLOCK + 3] {
            // Twice the same rows: ties keep the documents' order.
            let half = table(rows.div_ceil(2), 1).into_values();
            let mut values = [half.clone(), half].concat();
            values.truncate(rows * DIMENSION);
            let table = Table::new(DIMENSION, values);
            let query = Random::new(2, "query").normals(DIMENSION, 0.4);
            let vectors = Rows::new(table.clone(), Precision::F32);
            for limit in [0, 1, 10, 40, 5000] {
                let found =
                    ranked(&vectors, &Query::new(query.clone()), 0.5, limit, &mut Vec::new());
                assert_eq!(found, by_the_book(&table, &query, 0.5, limit), "{rows} rows, {limit}");
            }
        }
    }

    #[test]
    fn of_equal_scores_the_first_stays() {
        let mut top = TopK::new(2);
        for (position, score) in [(3, 1.0), (5, 1.0), (7, 1.0), (8, 2.0), (9, 1.0)] {
            top.offer(Scored { position, score, dot: 0.0 });
        }
        let positions: Vec<_> = top.into_vec().iter().map(|scored| scored.position).collect();
        assert_eq!(positions, [8, 3]);
    }

    #[test]
    fn of_equal_scores_the_lowest_position_stays_in_whatever_order_they_come() {
        let mut top = TopK::new(2);
        for (position, score) in [(9, 1.0), (5, 1.0), (7, 1.0), (3, 0.5), (8, 2.0), (4, 1.0)] {
            top.offer(Scored { position, score, dot: 0.0 });
        }
        let positions: Vec<_> = top.into_vec().iter().map(|scored| scored.position).collect();
        assert_eq!(positions, [8, 4]);
    }

    #[test]
    fn ranking_again_at_another_epsilon_does_not_look_at_the_vectors() {
        let vectors = Rows::new(table(3000, 1), Precision::F32);
        let others = Rows::new(table(3000, 3), Precision::F32);
        let query = Query::new(Random::new(2, "query").normals(DIMENSION, 0.4));
        let mut dots = Vec::new();
        ranked(&vectors, &query, 0.0, 10, &mut dots);
        let expected = ranked(&vectors, &query, 2.0, 10, &mut Vec::new());
        let mut top = TopK::new(10);
        let ranking =
            Ranking { query: &query, epsilon: 2.0, dots: &mut dots, fusion: None, top: &mut top };
        rank(&others, &norms(&vectors), |at| at % 7 != 0, 100, &mut [ranking]);
        let found: Vec<_> = top.into_vec().iter().map(|s| (s.position, s.score)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_batch_ranks_as_its_queries_do_alone() {
        for precision in [Precision::F32, Precision::I8] {
            let vectors = Rows::new(table(1500, 1), precision);
            let queries: Vec<Query> = (0..3)
                .map(|seed| Query::new(Random::new(seed, "query").normals(DIMENSION, 0.4)))
                .collect();
            let mut top = vec![TopK::new(10); 3];
            let mut dots = vec![Vec::new(); 3];
            let rankings = queries.iter().zip(&mut top).zip(&mut dots);
            let mut rankings: Vec<Ranking<'_>> = rankings
                .map(|((query, top), dots)| Ranking {
                    query,
                    epsilon: 0.5,
                    dots,
                    fusion: None,
                    top,
                })
                .collect();
            rank(&vectors, &norms(&vectors), |at| at % 7 != 0, 100, &mut rankings);
            for (query, top) in queries.iter().zip(top) {
                let together: Vec<_> =
                    top.into_vec().iter().map(|s| (s.position, s.score)).collect();
                assert_eq!(together, ranked(&vectors, query, 0.5, 10, &mut Vec::new()));
            }
        }
    }

    #[test]
    fn eight_bits_lose_no_more_than_their_rounding() {
        // Not from the first row on, and more than a block.
        let (rows, first) = (2 * BLOCK + 3, 5);
        let table = table(rows, 1);
        let vectors = Rows::new(table.clone(), Precision::I8);
        let query = Random::new(2, "query").normals(DIMENSION, 0.4);
        let mut dots = vec![0.0; rows - first];
        super::dots(&vectors, &Query::new(query.clone()), first, &mut dots);
        for (at, found) in (first..).zip(dots) {
            // The query's own rounding is to 16 bits: far below that of the documents.
            let exact = dot(&query, &vectors.row(at));
            assert!((found - exact).abs() < 1e-4, "{found} {exact}");
            let largest = table.row(at).iter().fold(0.0f32, |most, x| most.max(x.abs()));
            let most: f32 = query.iter().map(|x| x.abs() * largest / 127.0 * 0.51).sum();
            assert!((found - dot(&query, table.row(at))).abs() <= most + 1e-4);
        }
    }

    #[test]
    fn the_largest_vectors_leave_no_32_bits() {
        for dimension in [16, 64, 4096] {
            let table = Table::new(dimension, vec![1.0; dimension]);
            let vectors = Rows::new(table, Precision::I8);
            let mut dots = [0.0];
            super::dots(&vectors, &Query::new(vec![1.0; dimension]), 0, &mut dots);
            assert!((dots[0] / dimension as f32 - 1.0).abs() < 1e-3, "{dots:?}");
        }
    }

    #[test]
    fn a_query_of_zeros_or_of_the_smallest_numbers_scores_nothing_but_numbers() {
        for x in [0.0, f32::MIN_POSITIVE / 4.0] {
            for precision in [Precision::F32, Precision::I8] {
                let vectors = Rows::new(table(3, 1), precision);
                let found =
                    ranked(&vectors, &Query::new(vec![x; DIMENSION]), 0.0, 10, &mut Vec::new());
                assert_eq!(found.len(), 2);
                assert!(found.iter().all(|(_, score)| score.is_finite()), "{found:?}");
            }
        }
    }
}
