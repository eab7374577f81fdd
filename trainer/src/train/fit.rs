//! The weights of the dense and the lexical score, what their sum means, and the thresholds between grades, from texts
//! whose right documents are known.

use rayon::prelude::*;
use smooth_clir::math::random::Random;
use smooth_clir::model::probability::{LEAST_DOCUMENTS, ProbabilityCurve};

/// Rounds of Newton's method, which needs about ten.
const ROUNDS: usize = 30;
/// The curve of probabilities is fitted on collections of so many documents, and on all.
const SIZES: [usize; 5] = [LEAST_DOCUMENTS, 100, 300, 1000, 3000];
/// A curve is fitted on so many queries at least.
pub const LEAST_QUERIES: usize = 50;
/// The strength of the penalty for large values of a curve.
const RIDGE: f64 = 1e-3;
/// Thresholds are looked for among so many scores from -1 to 1.
const CELLS: usize = 400;

/// A query, and both scores of each document.
#[derive(Debug)]
pub struct Seen {
    /// The place of the one that is to be found.
    pub mate: usize,
    /// SCS and lexical score.
    pub parts: Vec<[f32; 2]>,
}

/// The weights above 0 that make mates likeliest, each by a softmax over all documents: a conditional
/// logit model.
pub fn weights(seen: &[Seen]) -> [f64; 2] {
    let mut weights = [1.0, 1.0];
    for _ in 0..ROUNDS {
        let each: Vec<([f64; 2], [f64; 3])> =
            seen.par_iter().map(|query| derivatives(query, weights)).collect();
        let (mut slope, mut bend) = ([0.0; 2], [1e-3, 0.0, 1e-3]);
        for (own_slope, own_bend) in each {
            slope.iter_mut().zip(own_slope).for_each(|(sum, x)| *sum += x);
            bend.iter_mut().zip(own_bend).for_each(|(sum, x)| *sum += x);
        }
        let determinant = bend[0] * bend[2] - bend[1] * bend[1];
        let step = [
            (bend[2] * slope[0] - bend[1] * slope[1]) / determinant,
            (bend[0] * slope[1] - bend[1] * slope[0]) / determinant,
        ];
        for (weight, step) in weights.iter_mut().zip(step) {
            // No more than a factor of 3 at once, and never below 0.
            *weight = (*weight + step).clamp(*weight / 3.0, *weight * 3.0);
        }
    }
    weights
}

/// The slope of a mate's log likelihood in both weights, and its negative second derivatives.
fn derivatives(query: &Seen, [a, b]: [f64; 2]) -> ([f64; 2], [f64; 3]) {
    let parts = || query.parts.iter().map(|part| part.map(f64::from));
    let largest = parts().map(|[r, l]| a * r + b * l).fold(f64::NEG_INFINITY, f64::max);
    let (mut total, mut mean, mut square) = (0.0, [0.0; 2], [0.0; 3]);
    for [r, l] in parts() {
        let likely = libm::exp(a * r + b * l - largest);
        total += likely;
        mean[0] += likely * r;
        mean[1] += likely * l;
        square[0] += likely * r * r;
        square[1] += likely * r * l;
        square[2] += likely * l * l;
    }
    let mean = mean.map(|x| x / total);
    let [r, l] = query.parts[query.mate].map(f64::from);
    let bend = [
        square[0] / total - mean[0] * mean[0],
        square[1] / total - mean[0] * mean[1],
        square[2] / total - mean[1] * mean[1],
    ];
    ([r - mean[0], l - mean[1]], bend)
}

/// A query, and the score of each document.
#[derive(Debug)]
pub struct Scored {
    /// The place of the one that is to be found.
    mate: usize,
    scores: Vec<f64>,
}

impl Seen {
    /// The scores by some weights.
    pub fn scored(&self, [dense, lexical]: [f64; 2]) -> Scored {
        let score = |[r, l]: &[f32; 2]| dense * f64::from(*r) + lexical * f64::from(*l);
        Scored { mate: self.mate, scores: self.parts.iter().map(score).collect() }
    }
}

impl Scored {
    /// 1 over the place of the mate, behind those of the same score.
    pub fn reciprocal_rank(&self) -> f64 {
        let mate = self.scores[self.mate];
        1.0 / self.scores.iter().filter(|&&score| score >= mate).count() as f64
    }
}

/// The best document of a search.
struct Best {
    score: f64,
    /// The logarithm of the number of documents.
    size: f64,
    is_right: bool,
}

/// What scores mean, by logistic regression on the best document of each query in collections of several sizes, once with
/// its mate and once without. `None` of few queries, or where scores tell nothing.
pub fn probability(seen: &[Scored], seed: u64) -> Option<ProbabilityCurve> {
    if seen.len() < LEAST_QUERIES {
        return None;
    }
    let [slope, offset, size] = logistic(&best_of(seen, seed)).map(|value| value as f32);
    let is_curve = slope > 0.0 && offset.is_finite() && slope.is_finite();
    is_curve.then(|| ProbabilityCurve { slope, offset, size: size.max(0.0) })
}

/// The best document of each query in collections of several sizes, once with its mate and once without.
fn best_of(seen: &[Scored], seed: u64) -> Vec<Best> {
    let of_query = |(number, query): (usize, &Scored)| {
        let mate = query.scores[query.mate];
        let rivals = query.scores.iter().enumerate().filter(|(place, _)| *place != query.mate);
        let mut rivals: Vec<f64> = rivals.map(|(_, &score)| score).collect();
        Random::new(seed, &format!("rivals {number}")).shuffle(&mut rivals);
        let mut found = Vec::new();
        let mut best = f64::NEG_INFINITY;
        for (place, &rival) in rivals.iter().enumerate() {
            best = best.max(rival);
            let count = place + 1;
            if SIZES.contains(&count) || count == rivals.len() {
                let size = libm::log(count as f64);
                found.push(Best { score: best.max(mate), size, is_right: mate > best });
                found.push(Best { score: best, size, is_right: false });
            }
        }
        found
    };
    seen.par_iter().enumerate().flat_map_iter(of_query).collect()
}

/// The slope, the offset and the weight of the size that make what was right likeliest, by Newton's method; a step that
/// would make it less likely is halved until it does not.
fn logistic(found: &[Best]) -> [f64; 3] {
    let mut fitted = [0.0; 3];
    for _ in 0..ROUNDS {
        let mut slope = fitted.map(|value| -RIDGE * value);
        let mut bend = [[RIDGE, 0.0, 0.0], [0.0, RIDGE, 0.0], [0.0, 0.0, RIDGE]];
        for best in found {
            let x = best.features();
            let expected = 1.0 / (1.0 + libm::exp(-best.odds(fitted)));
            let missing = f64::from(u8::from(best.is_right)) - expected;
            for (row, own) in x.iter().enumerate() {
                slope[row] += missing * own;
                for (column, other) in x.iter().enumerate() {
                    bend[row][column] += expected * (1.0 - expected) * own * other;
                }
            }
        }
        let before = log_likelihood(found, fitted);
        let mut step = solve(bend, slope);
        let moved = |step: [f64; 3]| [0, 1, 2].map(|at| fitted[at] + step[at]);
        for _ in 0..ROUNDS {
            if log_likelihood(found, moved(step)) >= before {
                break;
            }
            step = step.map(|value| value / 2.0);
        }
        fitted = moved(step);
    }
    fitted
}

impl Best {
    /// What the slope, the offset and the weight of the size are multiplied by.
    fn features(&self) -> [f64; 3] {
        [self.score, 1.0, -self.size]
    }

    /// The log odds that it is right.
    fn odds(&self, fitted: [f64; 3]) -> f64 {
        fitted.iter().zip(self.features()).map(|(weight, x)| weight * x).sum()
    }
}

/// How likely what was right is, with a penalty for large values, without which there might be no largest.
fn log_likelihood(found: &[Best], fitted: [f64; 3]) -> f64 {
    let of_best = |best: &Best| {
        let odds = best.odds(fitted);
        let wrong = if best.is_right { -odds } else { odds };
        // ln(1 + exp(x)) without overflow.
        -(wrong.max(0.0) + libm::log1p(libm::exp(-wrong.abs())))
    };
    let penalty: f64 = fitted.iter().map(|value| 0.5 * RIDGE * value * value).sum();
    found.iter().map(of_best).sum::<f64>() - penalty
}

/// The solution of three linear equations of a positive definite matrix, by elimination.
fn solve(mut matrix: [[f64; 3]; 3], mut right: [f64; 3]) -> [f64; 3] {
    for pivot in 0..3 {
        for row in pivot + 1..3 {
            let factor = matrix[row][pivot] / matrix[pivot][pivot];
            let above = matrix[pivot];
            matrix[row].iter_mut().zip(above).for_each(|(value, above)| *value -= factor * above);
            right[row] -= factor * right[pivot];
        }
    }
    let mut solution = [0.0; 3];
    for row in (0..3).rev() {
        let known: f64 = (row + 1..3).map(|column| matrix[row][column] * solution[column]).sum();
        solution[row] = (right[row] - known) / matrix[row][row];
    }
    solution
}

/// How often each SCS is that of a document of each grade.
#[derive(Debug)]
pub struct Histogram {
    cells: [[f64; CELLS]; 3],
}

impl Default for Histogram {
    fn default() -> Self {
        Self { cells: [[0.0; CELLS]; 3] }
    }
}

impl Histogram {
    /// Counts a document of one of three grades.
    pub fn add(&mut self, grade: usize, similarity: f32) {
        let cell = (f64::from(similarity) + 1.0) / 2.0 * CELLS as f64;
        self.cells[grade][(cell as usize).min(CELLS - 1)] += 1.0;
    }

    /// Where most grades are right, all three counting alike; `None` where one is never there.
    pub fn thresholds(&self) -> Option<[f32; 2]> {
        let totals = self.cells.map(|cells| cells.iter().fold(0.0, |sum, x| sum + x));
        if totals.contains(&0.0) {
            return None;
        }
        // The share of each grade at or below the end of a cell.
        let below = [0, 1, 2].map(|grade: usize| {
            let mut sum = 0.0;
            self.cells[grade].map(|count| {
                sum += count;
                sum / totals[grade]
            })
        });
        let mut best = (f64::NEG_INFINITY, [0, 0]);
        for low in 0..CELLS {
            for high in low + 1..CELLS - 1 {
                let right = below[0][low] + below[1][high] - below[1][low] + 1.0 - below[2][high];
                if right > best.0 {
                    best = (right, [low, high]);
                }
            }
        }
        Some(best.1.map(|cell| ((cell + 1) as f64 / CELLS as f64 * 2.0 - 1.0) as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_where_a_small_step_either_way_makes_mates_less_likely() {
        let parts = [[0.6, 0.2], [0.5, 0.1], [0.1, 0.4], [0.3, 0.0]];
        let mates = [0, 0, 2, 1, 0];
        let seen: Vec<Seen> =
            mates.iter().map(|&mate| Seen { mate, parts: parts.to_vec() }).collect();
        let likelihood = |[a, b]: [f64; 2]| {
            let value = |[r, l]: [f32; 2]| libm::exp(a * f64::from(r) + b * f64::from(l));
            let total: f64 = parts.iter().map(|&part| value(part)).sum();
            mates.iter().map(|&mate| libm::log(value(parts[mate]) / total)).sum::<f64>()
        };
        let found = weights(&seen);
        for step in [[0.01, 0.0], [-0.01, 0.0], [0.0, 0.01], [0.0, -0.01]] {
            let moved = [found[0] * (1.0 + step[0]), found[1] * (1.0 + step[1])];
            assert!(likelihood(moved) < likelihood(found), "{found:?}");
        }
    }

    #[test]
    fn three_equations_are_solved() {
        // x = 1, y = -2, z = 3.
        let matrix = [[4.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]];
        let found = solve(matrix, [2.0, -2.0, 4.0]);
        for (found, expected) in found.into_iter().zip([1.0, -2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn a_probability_is_the_share_of_best_documents_that_are_right() {
        // The log odds rise by 8 with the score and fall by half the logarithm of the size.
        let mut random = Random::new(1, "test");
        let best = |_| {
            let (score, size) = (f64::from(random.unit()), f64::from(random.unit()) * 7.0);
            let odds = 8.0 * score - 2.0 - 0.5 * size;
            let is_right = f64::from(random.unit()) < 1.0 / (1.0 + libm::exp(-odds));
            Best { score, size, is_right }
        };
        let found: Vec<Best> = (0..40_000).map(best).collect();
        let [slope, offset, size] = logistic(&found);
        assert!((slope - 8.0).abs() < 0.3 && (offset + 2.0).abs() < 0.2, "{slope} {offset}");
        assert!((size - 0.5).abs() < 0.03, "{size}");
    }

    #[test]
    fn a_best_document_is_likelier_right_in_a_smaller_collection_and_few_queries_say_nothing() {
        let mut random = Random::new(1, "test");
        let mut query = |_| {
            let mut parts: Vec<[f32; 2]> = (0..400).map(|_| [0.5 * random.unit(), 0.0]).collect();
            parts[7][0] = 0.3 + 0.5 * random.unit();
            Seen { mate: 7, parts }.scored([1.0, 0.0])
        };
        let seen: Vec<Scored> = (0..200).map(&mut query).collect();
        let curve = probability(&seen, 1).unwrap();
        assert!(curve.size > 0.0 && curve.of(0.7, 400) > 0.5, "{curve:?}");
        assert!(curve.of(0.45, 30) > curve.of(0.45, 3000));
        assert_eq!(probability(&seen[..49], 1), None);
    }

    #[test]
    fn thresholds_part_the_grades_where_they_can_be_parted() {
        let mut grades = Histogram::default();
        for (grade, similarity) in [(2, 0.8), (1, 0.4), (0, 0.1)] {
            assert_eq!(grades.thresholds(), None);
            grades.add(grade, similarity);
        }
        let [low, high] = grades.thresholds().unwrap();
        assert!((0.1..0.4).contains(&low) && (0.4..0.8).contains(&high), "{low} {high}");
    }
}
