//! The encoder of coupled dictionary learning (paper 2, section 3): a text is a sum of a few atoms.

use ndarray::Array2;

use super::average::mean;
use super::projection::bounded;
use super::{Pursuit, Rows};

/// `v = map x`, where x has few numbers that are not 0 and makes the dictionary's `D x` come near the
/// weighted mean y of the text's words, by orthogonal matching pursuit.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SparseCode {
    /// [words, p]: of each word its entries in the p atoms, which have unit length. The mean of a
    /// text's rows is `D'y`.
    pub words: Rows,
    /// [p, p]: `D'D`.
    pub gram: Array2<f32>,
    /// [p, p]: from this encoder's codes to those of the other; without it the code is the vector.
    pub map: Option<Array2<f32>>,
    /// The largest number of atoms in a text's code.
    pub sparsity: usize,
}

impl SparseCode {
    /// Writes the vector of a text to `vector`, of length p.
    ///
    /// # Panics
    /// If the table lacks one of the rows, or the shapes are others than those above.
    pub fn encode(&self, rows: &[u32], weights: Option<&[f32]>, vector: &mut [f32]) {
        mean(&self.words, rows, weights, (&[], 0), vector);
        let correlations: Vec<f64> = vector.iter().map(|&x| f64::from(bounded(x))).collect();
        let mut pursuit = Pursuit::default();
        let code = pursuit.pursue(self.gram.view(), &correlations, self.sparsity);
        let Some(map) = &self.map else {
            vector.fill(0.0);
            code.iter().for_each(|&(atom, x)| vector[atom as usize] = bounded(x as f32));
            return;
        };
        for (component, row) in vector.iter_mut().zip(map.rows()) {
            let sum =
                code.iter().fold(0.0, |sum, &(atom, x)| sum + f64::from(row[atom as usize]) * x);
            *component = bounded(sum as f32);
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::super::{Encoder, Network, Precision, Table};
    use super::*;
    use crate::text::vocabulary::Vocabulary;

    /// Two atoms over two words, (1, 0) and (0.6, 0.8): "rain" has the entries 1 and 0.6, "sun" 0 and
    /// 0.8.
    fn network(sparsity: usize, map: Option<Array2<f32>>, precision: Precision) -> SparseCode {
        let words = Rows::new(Table::new(2, vec![1.0, 0.6, 0.0, 0.8]), precision);
        SparseCode { words, gram: array![[1.0, 0.6], [0.6, 1.0]], map, sparsity }
    }

    fn encoder(network: SparseCode) -> Encoder {
        let vocabulary = Vocabulary::from_tokens(["rain", "sun"]).unwrap();
        Encoder::new(vocabulary, Network::SparseCode(network))
    }

    fn close(found: &[f32], expected: [f32; 2], most: f32) {
        for (x, expected) in found.iter().zip(expected) {
            assert!((x - expected).abs() < most, "{found:?} {expected}");
        }
    }

    #[test]
    fn a_text_is_the_few_atoms_that_come_nearest() {
        for precision in [Precision::F32, Precision::F16, Precision::I8, Precision::I4] {
            let most = if precision == Precision::I4 { 0.15 } else { 0.01 };
            // y = (0.5, 0.5): the atoms correlate by 0.5 and 0.7, so the second is taken, of which
            // the text has 0.7.
            let one = encoder(network(1, None, precision));
            close(&one.encode("Rain, snow, sun!"), [0.0, 0.7], most);
            // With both: 0.625 of the second is (0.375, 0.5), and 0.125 of the first the rest.
            let two = encoder(network(2, None, precision));
            close(&two.encode("rain sun"), [0.125, 0.625], 1.5 * most);
        }
        // y = (0.75, 0.25): 0.75 and 0.65, so the first; "rain" three times is one word of weight 3.
        let one = encoder(network(1, None, Precision::F32));
        close(&one.encode("rain sun rain rain"), [0.75, 0.0], 1e-6);
        let weighing = Encoder { weights: Some([3.0, 1.0].into()), ..one };
        close(&weighing.encode("rain sun"), [0.75, 0.0], 1e-6);
    }

    #[test]
    fn a_map_takes_the_code_to_the_other_space() {
        let map = array![[0.0, 2.0], [-1.0, 4.0]];
        let both = encoder(network(2, Some(map.clone()), Precision::F32));
        // (2 * 0.625, -0.125 + 4 * 0.625).
        close(&both.encode("rain sun"), [1.25, 2.375], 1e-6);
        let one = encoder(network(1, Some(map), Precision::F32));
        close(&one.encode("rain sun"), [1.4, 2.8], 1e-6);
        assert_eq!(both.encode("neige"), [0.0, 0.0]);
    }

    #[test]
    fn a_text_with_no_known_word_is_the_zero_vector() {
        for weights in [None, Some([2.0, 3.0].into())] {
            let encoder = Encoder { weights, ..encoder(network(2, None, Precision::F32)) };
            assert_eq!(encoder.encode("neige"), [0.0, 0.0]);
            assert_eq!(encoder.encode(""), [0.0, 0.0]);
        }
    }

    #[test]
    fn numbers_too_large_to_add_up_give_finite_vectors() {
        let largest = f32::MAX * array![[1.0, 1.0], [1.0, -1.0]];
        for map in [None, Some(f32::MAX * array![[1.0, -1.0], [1.0, 1.0]])] {
            let large = SparseCode {
                words: Table::from(largest.clone()).into(),
                // No dictionary's, but files' are held to no more than this.
                gram: array![[1.0, 1.0 - f32::EPSILON], [1.0 - f32::EPSILON, 1.0]],
                ..network(2, map, Precision::F32)
            };
            let vector = encoder(large).encode("rain sun rain sun");
            assert!(vector.iter().all(|x| x.abs() <= 1e16), "{vector:?}");
        }
    }
}
