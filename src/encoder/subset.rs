//! An encoder with some of its words.

use super::{Encoder, Quantised, Rows, Table};
use crate::Error;
use crate::text::vocabulary::Vocabulary;

impl Encoder {
    /// The encoder of these of its words alone, given by their rows, which rise. Their numbers keep their bits.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(crate) fn only(&self, rows: &[u32]) -> Result<Self, Error> {
        let tokens = rows.iter().map(|&row| self.vocabulary.token(row as usize));
        let vocabulary = Vocabulary::from_tokens(tokens)?;
        let mut network = self.network.clone();
        *network.words_mut() = self.network.words().only(rows);
        let weights = self.weights.as_ref();
        let weights = weights.map(|all| rows.iter().map(|&row| all[row as usize]).collect());
        Ok(Self { vocabulary, network, weights, subwords: self.subwords.clone() })
    }
}

impl Rows {
    /// Some of the rows, in the order given and in their own precision.
    fn only(&self, numbers: &[u32]) -> Self {
        let dimension = self.dimension();
        let place = |&number: &u32| number as usize * dimension..(number as usize + 1) * dimension;
        match self {
            Self::F16 { bits, .. } => {
                let bits: Vec<u16> = numbers.iter().flat_map(|n| bits[place(n)].to_vec()).collect();
                Self::F16 { dimension, bits: bits.into() }
            }
            Self::I8 { rows, .. } => {
                let values: Vec<i8> =
                    numbers.iter().flat_map(|n| rows.values[place(n)].to_vec()).collect();
                let scales: Vec<f32> = numbers.iter().map(|&n| rows.scales[n as usize]).collect();
                let rows = Quantised { values: values.into(), scales: scales.into() };
                Self::I8 { dimension, rows }
            }
            // Of rows that are changed or sums of others no file has the numbers.
            Self::F32(_) | Self::Changed(_) | Self::Mixed(_) => {
                let values = numbers.iter().flat_map(|&number| self.row(number as usize)).collect();
                Self::F32(Table::new(dimension, values))
            }
        }
    }
}
