//! What changes as documents become more: how near the best are to each other, and what rounding does to them.

use smooth_clir::encoder::{Precision, Rows, Table};
use smooth_clir::math::kernels;
use smooth_clir::math::similarity::from_parts;
use smooth_clir::ranking::scan::{self, Query};

use crate::collection::Collection;

const BEST: usize = 10;

/// Every document's score for a query, in each way to compute it.
struct Scores {
    /// In 64 bits.
    exact: Vec<f64>,
    /// As the core does.
    core: Vec<f32>,
    /// As an inner product with vectors that were divided by norm and epsilon before, and rounded.
    transformed: Vec<f32>,
    /// From vectors of 8 bits.
    eight_bits: Vec<f32>,
}

/// What of the first ten is the same, for one query and one number of documents.
#[derive(Default)]
struct Compared {
    first: f64,
    tenth: f64,
    gap: f64,
    core_differs: f64,
    transformed_differs: f64,
    recall: f64,
}

pub fn print(collection: &Collection) {
    let ways = Ways::of(collection);
    let sizes: Vec<usize> =
        (3..10).map(|power| 10usize.pow(power)).filter(|&size| size <= collection.len()).collect();
    let mut compared: Vec<Vec<Compared>> = sizes.iter().map(|_| Vec::new()).collect();
    let mut furthest = [0.0f64; 3];
    for query in &collection.queries {
        let scores = ways.score(collection, query);
        for (&size, compared) in sizes.iter().zip(&mut compared) {
            compared.push(scores.compared(size));
        }
        let of_way = [&scores.core, &scores.transformed, &scores.eight_bits];
        for (furthest, scores_of_way) in furthest.iter_mut().zip(of_way) {
            let errors = scores_of_way
                .iter()
                .zip(&scores.exact)
                .map(|(&score, exact)| (f64::from(score) - exact).abs());
            *furthest = errors.fold(*furthest, f64::max);
        }
    }
    println!(
        "| documents | score of the first: median | of the tenth | tenth less eleventh | tenth less eleventh, of one query in a hundred \
         | first ten by 32 bits in another order than by 64 | by the inner product | recall@10 of 8 bits |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (size, compared) in sizes.iter().zip(&compared) {
        let of = |what: fn(&Compared) -> f64| -> Vec<f64> { compared.iter().map(what).collect() };
        println!(
            "| {size} | {:.4} | {:.4} | {:.1e} | {:.1e} | {:.3} | {:.3} | {:.4} |",
            at(of(|c| c.first), 0.5),
            at(of(|c| c.tenth), 0.5),
            at(of(|c| c.gap), 0.5),
            at(of(|c| c.gap), 0.01),
            mean(&of(|c| c.core_differs)),
            mean(&of(|c| c.transformed_differs)),
            mean(&of(|c| c.recall)),
        );
    }
    let [core, transformed, eight_bits] = furthest;
    println!(
        "\nfurthest from 64 bits: 32 bits {core:.1e}, the inner product {transformed:.1e}, 8 bits {eight_bits:.1e}\n"
    );
}

/// The same documents in each way to keep them.
struct Ways {
    exact_norms: Vec<f64>,
    transformed: Vec<f32>,
    eight_bits: Rows,
    eight_bit_norms: Vec<f32>,
}

impl Ways {
    fn of(collection: &Collection) -> Self {
        let all = || (0..collection.len()).map(|at| collection.vector(at));
        let exact_norms = all().map(|vector| exact_dot(vector, vector).sqrt()).collect();
        let transformed = all().zip(&collection.norms).flat_map(|(vector, norm)| {
            let below = norm + collection.epsilon;
            vector.iter().map(move |x| x / below)
        });
        let transformed = transformed.collect();
        let vectors = Table::new(collection.dimension, all().flatten().copied().collect());
        let eight_bits = Rows::new(vectors, Precision::I8);
        let eight_bit_norms =
            (0..collection.len()).map(|at| kernels::norm(&eight_bits.row(at))).collect();
        Self { exact_norms, transformed, eight_bits, eight_bit_norms }
    }

    fn score(&self, collection: &Collection, query: &Query) -> Scores {
        let epsilon = collection.epsilon;
        let vector = query.vector();
        let exact_norm = exact_dot(vector, vector).sqrt();
        let documents = 0..collection.len();
        let exact = documents.clone().zip(&self.exact_norms).map(|(at, norm)| {
            let below = (exact_norm + f64::from(epsilon)) * (norm + f64::from(epsilon));
            exact_dot(vector, collection.vector(at)) / below
        });
        let from_dots = |rows: &Rows, norms: &[f32]| -> Vec<f32> {
            let mut dots = vec![0.0; norms.len()];
            scan::dots(rows, query, 0, &mut dots);
            dots.iter()
                .zip(norms)
                .map(|(&dot, &norm)| from_parts(dot, query.norm(), norm, epsilon))
                .collect()
        };
        let divided: Vec<f32> = vector.iter().map(|x| x / (query.norm() + epsilon)).collect();
        let mut transformed = vec![0.0; collection.len()];
        kernels::dots(&divided, &self.transformed, &mut transformed);
        Scores {
            exact: exact.collect(),
            core: from_dots(&collection.vectors, &collection.norms),
            transformed,
            eight_bits: from_dots(&self.eight_bits, &self.eight_bit_norms),
        }
    }
}

impl Scores {
    /// Of the first so many documents.
    fn compared(&self, size: usize) -> Compared {
        let exact = best(&self.exact[..size], BEST + 1);
        let score = |rank: usize| self.exact[exact[rank]];
        let differs =
            |scores: &[f32]| f64::from(u8::from(best(&scores[..size], BEST) != exact[..BEST]));
        let eight_bits = best(&self.eight_bits[..size], BEST);
        let found = eight_bits.iter().filter(|&at| exact[..BEST].contains(at)).count();
        Compared {
            first: score(0),
            tenth: score(BEST - 1),
            gap: score(BEST - 1) - score(BEST),
            core_differs: differs(&self.core),
            transformed_differs: differs(&self.transformed),
            recall: found as f64 / BEST as f64,
        }
    }
}

fn exact_dot(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
}

/// Where the highest numbers are, highest first; of equal ones the first.
pub fn best<T: PartialOrd + Copy>(numbers: &[T], limit: usize) -> Vec<usize> {
    let mut best: Vec<usize> = Vec::with_capacity(limit + 1);
    for (at, number) in numbers.iter().enumerate() {
        if best.len() == limit && best.last().is_some_and(|&last| *number <= numbers[last]) {
            continue;
        }
        let place = best.partition_point(|&better| numbers[better] >= *number);
        best.insert(place, at);
        best.truncate(limit);
    }
    best
}

/// The number that this share of all lies below.
pub fn at(mut numbers: Vec<f64>, share: f64) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let last = numbers.len().saturating_sub(1);
    numbers.get((last as f64 * share).round() as usize).copied().unwrap_or(f64::NAN)
}

pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}
