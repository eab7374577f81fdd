//! The weights of the dense and the lexical score, and the thresholds between grades, from texts whose right
//! documents are known.

use rayon::prelude::*;

/// Rounds of Newton's method, which needs about ten.
const ROUNDS: usize = 30;
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
