//! How steep and how bent smooth cosine similarity is where a model and its data are.

use rayon::prelude::*;
use smooth_clir::math::curvature::hessian_norm;
use smooth_clir::math::kernels::norm;
use smooth_clir::math::loss::Loss;
use smooth_clir::math::random::Random;
use smooth_clir::math::similarity::{Gradient, gradient, smooth_cosine};

/// The lengths at which gradients on two sides of zero are compared.
const LENGTHS: [f32; 5] = [1.0, 0.1, 0.01, 0.001, 0.0001];

/// The vectors of a pair of texts, and their grade.
#[derive(Debug, Clone, Copy)]
pub struct Vectors<'a> {
    /// The query's.
    pub query: &'a [f32],
    /// The document's.
    pub document: &'a [f32],
    /// How relevant the document is.
    pub grade: u8,
}

/// The largest that pairs show.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Met {
    /// Of the loss.
    pub loss: f64,
    /// Of the size of its slope in the score.
    pub slope: f64,
    /// Of the length of SCS's gradient in either text.
    pub gradient: f64,
    /// Of the norm of SCS's Hessian in either text.
    pub curvature: f64,
    /// Pairs for which a gradient was not defined (at epsilon 0).
    pub undefined: usize,
    /// What happens to the gradient near zero.
    pub near_zero: Vec<NearZero>,
}

/// For two short vectors, one along a document and one in a random direction: the largest
/// difference of SCS's gradients with that document. (At opposite vectors the gradients are the
/// same, for SCS is odd in each text.)
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NearZero {
    /// How long both are.
    pub length: f64,
    /// The difference.
    pub change: f64,
    /// The difference for each unit of the distance between them.
    pub rate: f64,
    /// The difference of the gradients of plain cosine, which is SCS at epsilon 0.
    pub cosine_change: f64,
}

impl Met {
    /// What pairs, and documents near zero, show at an epsilon; `seed` fixes the directions.
    pub fn of(
        pairs: &[Vectors<'_>],
        documents: &[&[f32]],
        loss: &Loss,
        epsilon: f32,
        seed: u64,
    ) -> Self {
        let each = pairs.par_iter().map(|pair| Self::of_pair(pair, loss, epsilon));
        let near_zero = LENGTHS.map(|length| NearZero::of(documents, length, epsilon, seed));
        Self { near_zero: near_zero.to_vec(), ..each.reduce(Self::default, Self::larger) }
    }

    fn of_pair(pair: &Vectors<'_>, loss: &Loss, epsilon: f32) -> Self {
        let (query, document) = (pair.query, pair.document);
        let score = smooth_cosine(query, document, epsilon);
        let mut out = vec![0.0; query.len()];
        let mut undefined = false;
        let mut length = |vector, with| {
            undefined |= gradient(vector, with, epsilon, &mut out) == Gradient::Undefined;
            f64::from(norm(&out))
        };
        let gradient = length(query, document).max(length(document, query));
        let curvature =
            hessian_norm(query, document, epsilon).max(hessian_norm(document, query, epsilon));
        Self {
            loss: f64::from(loss.value(score, pair.grade)),
            slope: f64::from(loss.slope(score, pair.grade).abs()),
            gradient,
            curvature: if undefined { 0.0 } else { curvature },
            undefined: usize::from(undefined),
            near_zero: Vec::new(),
        }
    }

    fn larger(self, other: Self) -> Self {
        Self {
            loss: self.loss.max(other.loss),
            slope: self.slope.max(other.slope),
            gradient: self.gradient.max(other.gradient),
            curvature: self.curvature.max(other.curvature),
            undefined: self.undefined + other.undefined,
            near_zero: Vec::new(),
        }
    }
}

impl NearZero {
    fn of(documents: &[&[f32]], length: f32, epsilon: f32, seed: u64) -> Self {
        let zero = Self { length: f64::from(length), change: 0.0, rate: 0.0, cosine_change: 0.0 };
        let of_document = |(place, document): (usize, &&[f32])| {
            let mut random = Random::new(seed, &format!("direction {place}"));
            let direction = random.normals(document.len(), 1.0);
            let (Some(along), Some(aside)) = (at(document, length), at(&direction, length)) else {
                return zero;
            };
            let change = difference(&along, &aside, document, epsilon);
            let apart: Vec<f32> = along.iter().zip(&aside).map(|(a, b)| a - b).collect();
            Self {
                change,
                rate: change / f64::from(norm(&apart)),
                cosine_change: difference(&along, &aside, document, 0.0),
                ..zero
            }
        };
        let larger = |a: Self, b: Self| Self {
            change: a.change.max(b.change),
            rate: a.rate.max(b.rate),
            cosine_change: a.cosine_change.max(b.cosine_change),
            ..zero
        };
        documents.par_iter().enumerate().map(of_document).reduce(|| zero, larger)
    }
}

/// A vector of a length in the direction of another; none for the zero vector.
fn at(direction: &[f32], length: f32) -> Option<Vec<f32>> {
    let factor = length / norm(direction);
    factor.is_finite().then(|| direction.iter().map(|x| x * factor).collect())
}

/// How far apart the gradients in two places are.
fn difference(one: &[f32], other: &[f32], document: &[f32], epsilon: f32) -> f64 {
    let gradient_at = |place: &[f32]| {
        let mut out = vec![0.0; place.len()];
        gradient(place, document, epsilon, &mut out);
        out
    };
    let apart: Vec<f32> =
        gradient_at(one).iter().zip(gradient_at(other)).map(|(a, b)| a - b).collect();
    f64::from(norm(&apart))
}

#[cfg(test)]
mod tests {
    use smooth_clir::math::loss::Thresholds;

    use super::*;

    fn met(pairs: &[Vectors<'_>], epsilon: f32) -> Met {
        let loss = Loss::Sosl(Thresholds::new(&[0.2, 0.7]).unwrap());
        let documents: Vec<&[f32]> = pairs.iter().map(|pair| pair.document).collect();
        Met::of(pairs, &documents, &loss, epsilon, 1)
    }

    #[test]
    fn a_vector_keeps_its_direction_at_another_length_and_zero_has_none() {
        assert_eq!(at(&[3.0, 4.0], 10.0), Some(vec![6.0, 8.0]));
        assert_eq!(at(&[3.0, 4.0], 0.5), Some(vec![0.3, 0.4]));
        assert_eq!(at(&[0.0, 0.0], 1.0), None);
    }

    #[test]
    fn two_pairs_by_hand() {
        let right_angle = Vectors { query: &[3.0, 0.0], document: &[0.0, 1.0], grade: 2 };
        let same = Vectors { query: &[3.0, 0.0], document: &[1.0, 0.0], grade: 0 };
        let found = met(&[right_angle, same], 1.0);
        let near = |found: f64, expected: f64| {
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        };
        // Scores 0 and 3/8: .7 below the one's interval, .175 above the other's.
        near(found.loss, 0.49);
        near(found.slope, 1.4);
        // a/n at a right angle: (1/2)/4 in the query, (3/4)/2 in the document.
        near(found.gradient, 0.375);
        // a/n^2 at a right angle is (3/4)/4; 2 a eps/n^3 along is (3/4) 2/8.
        near(found.curvature, 0.1875);
        assert_eq!(found.undefined, 0);
    }

    #[test]
    fn near_zero_the_gradient_comes_to_rest_above_epsilon_0_and_never_at_it() {
        let pair = Vectors { query: &[1.0, 0.0, 0.0], document: &[0.6, 0.8, 0.0], grade: 1 };
        let found = met(&[pair], 0.5);
        let (first, last) = (found.near_zero[0], found.near_zero[4]);
        // |d| = 1, so the rate is at most 2a/eps^2 = 16/3, and the change that times the distance.
        assert!(found.near_zero.iter().all(|near| near.rate <= 16.0 / 3.0));
        assert!(last.rate > 1.0 && last.change < 1e-3, "{last:?}");
        // Cosine's gradients are 1/length times those at length 1.
        assert!((last.cosine_change / first.cosine_change / 1e4 - 1.0).abs() < 1e-3, "{last:?}");
    }

    #[test]
    fn a_text_without_words_has_no_gradient_at_epsilon_0_and_a_known_one_above() {
        let empty = Vectors { query: &[0.0, 0.0], document: &[0.0, 1.0], grade: 1 };
        let undefined = met(&[empty, empty], 0.0);
        assert_eq!((undefined.undefined, undefined.curvature), (2, 0.0));
        let found = met(&[empty], 0.5);
        assert_eq!(found.undefined, 0);
        // a/eps and 2a/eps^2 with a = 2/3.
        assert!((found.gradient - 4.0 / 3.0).abs() < 1e-6);
        assert!((found.curvature - 16.0 / 3.0).abs() < 1e-6);
    }
}
