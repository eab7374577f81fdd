//! Rows and words of an encoder that are chosen by their numbers.

use super::{Encoder, Quantised, Rows, Table};
use crate::Error;
use crate::text::vocabulary::Vocabulary;

impl Encoder {
    /// The encoder of some of its words, given by their rows, which rise.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(crate) fn only(&self, rows: &[u32]) -> Result<Self, Error> {
        let tokens = rows.iter().map(|&row| self.vocabulary.token(row as usize));
        let vocabulary = Vocabulary::from_tokens(tokens)?;
        let weights = self.weights.as_ref();
        let weights = weights.map(|all| rows.iter().map(|&row| all[row as usize]).collect());
        Ok(Self { vocabulary, weights, ..self.with_rows(rows) })
    }

    /// The encoder whose words have other rows of its table: the number of one for each word.
    pub(crate) fn with_rows(&self, numbers: &[u32]) -> Self {
        let mut encoder = self.clone();
        *encoder.network.words_mut() = self.network.words().chosen(numbers);
        encoder
    }
}

impl Rows {
    /// The rows with these numbers, each below [`len`](Self::len), in the order given. They keep their bits.
    pub(crate) fn chosen(&self, numbers: &[u32]) -> Self {
        let dimension = self.dimension();
        match self {
            Self::I8 { rows, .. } => {
                let mut values = Vec::with_capacity(numbers.len() * dimension);
                for &number in numbers {
                    values.extend(&rows.values[number as usize * dimension..][..dimension]);
                }
                let scales: Vec<f32> =
                    numbers.iter().map(|&row| rows.scales[row as usize]).collect();
                let rows = Quantised { values: values.into(), scales: scales.into() };
                Self::I8 { dimension, rows }
            }
            _ => {
                let values = numbers.iter().flat_map(|&number| self.row(number as usize));
                Self::F32(Table::new(dimension, values.collect()))
            }
        }
    }
}
