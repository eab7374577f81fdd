//! How much the loss, the score and the weights bend: the constants of paper 1, Lemma 2.

use crate::math::curvature;
use crate::math::loss::Loss;

/// What a function and its gradient cannot change faster than.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smooth {
    /// The function is Lipschitz with this constant: L, in the weights.
    pub lipschitz: f64,
    /// Its gradient is Lipschitz with this constant: gamma, in the weights.
    pub smoothness: f64,
}

/// The constants of a loss at an epsilon. At epsilon 0 those of the score, and of all that it is
/// part of, are infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constants {
    /// Of the loss in the score, from -1 to 1.
    pub loss: Smooth,
    /// M, the largest value of the loss.
    pub largest: f64,
    /// Of the score in the two texts' vectors, in one or in both.
    pub score: Smooth,
    /// Of the loss in all weights of the average encoder.
    pub weights: Smooth,
}

impl Smooth {
    /// The constants of `self` after `inner` (paper 1, Lemma A.2, which has the two mixed up: the
    /// inner slope is what is squared).
    pub fn after(self, inner: Self) -> Self {
        Self {
            lipschitz: self.lipschitz * inner.lipschitz,
            smoothness: self.lipschitz * inner.smoothness
                + inner.lipschitz * inner.lipschitz * self.smoothness,
        }
    }
}

impl Constants {
    /// The constants for the average encoder, `tanh` of the mean of its words' rows. The mean is
    /// linear and shortens; the slope of tanh is at most 1, its curvature at most `4/(3 sqrt 3)`.
    pub fn of(loss: &Loss, epsilon: f32) -> Self {
        let (bounds, epsilon) = (loss.bounds(), decimal(epsilon));
        let encoder = Smooth { lipschitz: 1.0, smoothness: 4.0 / (3.0 * 3f64.sqrt()) };
        let loss =
            Smooth { lipschitz: decimal(bounds.slope), smoothness: decimal(bounds.curvature) };
        let score = Smooth {
            lipschitz: curvature::lipschitz(epsilon),
            smoothness: curvature::smoothness(epsilon),
        };
        let weights = loss.after(score.after(encoder));
        Self { loss, largest: decimal(bounds.value), score, weights }
    }

    /// Whether there are any: not at epsilon 0.
    pub fn exist(&self) -> bool {
        self.weights.smoothness.is_finite()
    }
}

/// The number with the fewest digits that stands for an f32: 3.4, not 3.4000000954.
pub fn decimal(x: f32) -> f64 {
    crate::decimal::decimal(x).parse().unwrap_or(f64::from(x))
}

#[cfg(test)]
mod tests {
    use crate::encoder::Table;
    use crate::math::loss::Thresholds;
    use crate::math::random::Random;
    use crate::training::step::{Pair, PairTrainer, Settings};

    use super::*;

    fn sosl() -> Loss {
        Loss::Sosl(Thresholds::new(&[0.2, 0.7]).unwrap())
    }

    #[test]
    fn sosl_at_epsilon_1_by_hand() {
        let found = Constants::of(&sosl(), 1.0);
        assert_eq!(found.loss, Smooth { lipschitz: 3.4, smoothness: 2.0 });
        assert_eq!(found.score, Smooth { lipschitz: 1.0, smoothness: 2.0 });
        assert!((found.largest - 2.89).abs() < 1e-6);
        assert_eq!(found.weights.lipschitz, 3.4);
        // 3.4 (2 + .7698) + 2
        assert!((found.weights.smoothness - 11.417_320).abs() < 1e-5, "{found:?}");
    }

    #[test]
    fn a_tenth_of_epsilon_is_a_hundred_times_the_curvature() {
        let found = Constants::of(&sosl(), 0.1).weights;
        assert!((found.lipschitz - 34.0).abs() < 1e-9);
        // 3.4 (200 + 7.698) + 200
        assert!((found.smoothness - 906.173_204).abs() < 1e-5, "{found:?}");
        assert!(!Constants::of(&sosl(), 0.0).exist());
    }

    #[test]
    fn lemma_a2_squares_the_inner_slope() {
        // sin(10 x): its second derivative reaches 100, not the 10 of the lemma as printed.
        let sine = Smooth { lipschitz: 1.0, smoothness: 1.0 };
        let line = Smooth { lipschitz: 10.0, smoothness: 0.0 };
        assert_eq!(sine.after(line), Smooth { lipschitz: 10.0, smoothness: 100.0 });
    }

    /// Loss and gradient in all weights, of one pair whose query has words 0, 1 and document 0.
    fn at(weights: &[f32], grade: u8, loss: Loss, epsilon: f32) -> (f64, Vec<f64>) {
        let (query, document) = weights.split_at(4);
        let settings = Settings { epsilon, loss, learning_rate: 0.0, clip: None, pull: 0.0 };
        let table = |values: &[f32]| Table::new(2, values.to_vec());
        let mut trainer = PairTrainer::new(settings, table(query), vec![table(document)]);
        let pair = Pair { query: &[0, 1], document: &[0], language: 0, grade };
        let rows = trainer.gradients(&[pair]).concat().into_iter().flat_map(|(_, row)| row);
        let gradient = rows.map(f64::from).collect();
        (trainer.descend(&[pair], 0.0).loss, gradient)
    }

    #[test]
    fn no_step_in_the_weights_changes_loss_or_gradient_by_more_than_the_constants_allow() {
        let length = |a: &[f64]| a.iter().map(|a| a * a).sum::<f64>().sqrt();
        let minus = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>();
        let mut random = Random::new(1, "weights");
        let odds = Loss::proportional_odds(Thresholds::new(&[0.2, 0.7]).unwrap(), 3.0).unwrap();
        let mut nearest = [0f64; 2];
        for round in 0..2000 {
            let loss = if round % 2 == 0 { sosl() } else { odds.clone() };
            let (epsilon, grade) = ([0.1, 0.5, 1.0][round % 3], (round / 3 % 3) as u8);
            let most = Constants::of(&loss, epsilon).weights;
            // Near zero and far from it, a small and a large step.
            let (spread, reach) = ([0.05, 0.3, 2.0][random.below(3)], [0.01, 0.3][random.below(2)]);
            let (here, step) = (random.normals(6, spread), random.normals(6, reach));
            let there: Vec<f32> = here.iter().zip(&step).map(|(x, by)| x + by).collect();
            let wide = |x: &[f32]| x.iter().map(|&x| f64::from(x)).collect::<Vec<_>>();
            let distance = length(&minus(&wide(&here), &wide(&there)));
            let (value, gradient) = at(&here, grade, loss.clone(), epsilon);
            let (other_value, other_gradient) = at(&there, grade, loss, epsilon);
            assert!(length(&gradient) <= most.lipschitz * (1.0 + 1e-5));
            let found = [
                (value - other_value).abs() / (most.lipschitz * distance),
                length(&minus(&gradient, &other_gradient)) / (most.smoothness * distance),
            ];
            assert!(found.iter().all(|&share| share <= 1.0 + 1e-4), "{found:?} in round {round}");
            nearest = [0, 1].map(|i| nearest[i].max(found[i]));
        }
        // Not so far away that anything would pass.
        assert!(nearest.iter().all(|&share| share > 0.05), "{nearest:?}");
    }
}
