//! The paper's encoder: `v = tanh(mean of the words' rows)` (paper 1, section 3.2).

use super::Rows;
use crate::math::kernels;

/// The sum of the vectors of words without a row, and how many there are.
pub type Spelled<'a> = (&'a [f32], usize);

/// Writes the vector of a text, given as rows of `words` in text order, to `vector`.
pub fn encode_rows(words: &Rows, rows: &[u32], vector: &mut [f32]) {
    mean(words, rows, None, (&[], 0), vector);
    kernels::tanh(vector);
}

/// Writes `sum w_t e_t / sum w_t` to `mean`: words without a row last, of weight 1; zeros where there
/// are no words.
pub(super) fn mean(
    words: &Rows,
    rows: &[u32],
    weights: Option<&[f32]>,
    spelled: Spelled<'_>,
    mean: &mut [f32],
) {
    match weights {
        Some(weights) => words.weighted_sum(rows, weights, mean),
        None => words.sum(rows, mean),
    }
    divide(rows, weights, spelled, mean);
}

/// Turns the weighted sum of rows in `mean` into the mean, as [`mean`] does.
pub(super) fn divide(
    rows: &[u32],
    weights: Option<&[f32]>,
    (spelled_sum, spelled): Spelled<'_>,
    mean: &mut [f32],
) {
    let total = match weights {
        Some(weights) => rows.iter().fold(0.0, |sum, &row| sum + weights[row as usize]),
        None => rows.len() as f32,
    };
    mean.iter_mut().zip(spelled_sum).for_each(|(sum, x)| *sum += x);
    let total = total + spelled as f32;
    if total > 0.0 {
        mean.iter_mut().for_each(|x| *x /= total);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Encoder, Network, Table};
    use crate::text::vocabulary::Vocabulary;

    fn encoder() -> Encoder {
        Encoder::new(
            Vocabulary::from_tokens(["rain", "sun"]).unwrap(),
            Network::Average(Table::new(2, vec![1.0, -2.0, 0.0, 4.0]).into()),
        )
    }

    #[test]
    fn a_text_is_tanh_of_the_mean_of_its_known_words() {
        // tanh(0.5) and tanh(1), to ten digits from a table.
        let vector = encoder().encode("Rain, snow, sun!");
        assert!((f64::from(vector[0]) - 0.462_117_157_3).abs() < 1e-7);
        assert!((f64::from(vector[1]) - 0.761_594_156_0).abs() < 1e-7);
        // A word counts as often as it is there: mean (2/3, 0).
        let vector = encoder().encode("rain rain sun");
        assert!((f64::from(vector[0]) - 0.582_782_945_2).abs() < 1e-7);
        assert_eq!(vector[1], 0.0);
    }

    #[test]
    fn a_text_with_no_known_word_is_the_zero_vector() {
        assert_eq!(encoder().encode("neige"), [0.0, 0.0]);
        assert_eq!(encoder().encode(""), [0.0, 0.0]);
    }
}
