//! The encoder of linear methods, as latent semantic indexing and canonical correlation analysis:
//! `v = sum w_t e_t / sum w_t`, the rows those of the method's projection.

use super::Rows;
use super::average::{Spelled, mean};

/// The most that a component without tanh may be: the squares of 4096 add up to a finite number.
const MOST: f32 = 1e16;

/// Writes the vector of a text, given as rows of `words` in text order, to `vector`.
pub(super) fn encode(
    words: &Rows,
    rows: &[u32],
    weights: Option<&[f32]>,
    spelled: Spelled<'_>,
    vector: &mut [f32],
) {
    mean(words, rows, weights, spelled, vector);
    vector.iter_mut().for_each(|x| *x = bounded(*x));
}

/// A component of a vector. Rows near the largest numbers can overflow both ways at once: then it is
/// 0.
pub(super) fn bounded(x: f32) -> f32 {
    if x.is_nan() { 0.0 } else { x.clamp(-MOST, MOST) }
}

#[cfg(test)]
mod tests {
    use super::super::{Encoder, Network, Precision, Table};
    use super::*;
    use crate::math::similarity::smooth_cosine;
    use crate::text::vocabulary::Vocabulary;

    fn encoder(values: [f32; 4], precision: Precision) -> Encoder {
        Encoder::new(
            Vocabulary::from_tokens(["rain", "sun"]).unwrap(),
            Network::Linear(Rows::new(Table::new(2, values.to_vec()), precision)),
        )
    }

    #[test]
    fn a_text_is_the_weighted_mean_of_its_known_words() {
        let plain = encoder([1.0, -2.0, 0.0, 4.0], Precision::F32);
        // ((1, -2) + (0, 4)) / 2; a word counts as often as it is there.
        assert_eq!(plain.encode("Rain, snow, sun!"), [0.5, 1.0]);
        assert_eq!(plain.encode("sun rain sun sun"), [0.25, 2.5]);
        // (0.5 (1, -2) + 1.5 (0, 4)) / 2; components may leave [-1, 1].
        let weighing = Encoder { weights: Some([0.5, 1.5].into()), ..plain };
        assert_eq!(weighing.encode("rain snow sun"), [0.25, 2.5]);
        assert_eq!(weighing.encode("rain"), [1.0, -2.0]);
    }

    #[test]
    fn every_precision_gives_the_mean_of_its_rounded_rows() {
        // These are whole numbers of steps in each: (7, -3.5) in 4 bits by 0.5 or 1.
        for precision in [Precision::F32, Precision::F16, Precision::I8, Precision::I4] {
            let vector = encoder([7.0, -3.0, 3.5, 0.5], precision).encode("rain sun");
            for (x, expected) in vector.iter().zip([5.25, -1.25]) {
                assert!((x - expected).abs() < 0.05, "{precision:?}: {vector:?}");
            }
        }
    }

    #[test]
    fn a_text_with_no_known_word_is_the_zero_vector() {
        for weights in [None, Some([2.0, 3.0].into())] {
            let plain = encoder([1.0, -2.0, 0.0, 4.0], Precision::F32);
            let encoder = Encoder { weights, ..plain };
            assert_eq!(encoder.encode("neige"), [0.0, 0.0]);
            assert_eq!(encoder.encode(""), [0.0, 0.0]);
        }
    }

    #[test]
    fn rows_too_large_to_add_up_give_finite_vectors_and_scores() {
        let plain = encoder([f32::MAX, f32::MAX, f32::MAX, f32::MIN], Precision::F32);
        let encoder = Encoder { weights: Some([2.0, 2.0].into()), ..plain };
        // Infinite, and the one infinite number less the other.
        assert_eq!(encoder.encode("rain sun"), [1e16, 0.0]);
        let long = vec![MOST; 4096];
        assert!((smooth_cosine(&long, &long, 0.0) - 1.0).abs() < 1e-5);
    }
}
