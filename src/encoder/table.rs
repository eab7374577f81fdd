//! An embedding table: one row of `dimension` numbers for each token.

use crate::container::Numbers;

/// Rows of equal length, one after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    dimension: usize,
    values: Numbers<f32>,
}

/// How a file stores the numbers of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// 32-bit floating point: the table as trained.
    #[default]
    F32,
    /// 16-bit floating point.
    F16,
    /// 8-bit integers, each row with a scale of its own.
    I8,
}

/// A table's rows as 8-bit integers: element = integer * the row's scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantised {
    /// [rows, dimension], in -127..=127.
    pub values: Numbers<i8>,
    /// One for each row, 0 or more.
    pub scales: Numbers<f32>,
}

impl Table {
    /// A table of `values.len() / dimension` rows; a last incomplete one is cut off.
    pub fn new(dimension: usize, mut values: Vec<f32>) -> Self {
        values.truncate(values.len() / dimension.max(1) * dimension);
        Self { dimension, values: values.into() }
    }

    /// A table of numbers that may lie in a file; as many as whole rows take.
    pub(crate) fn in_place(dimension: usize, values: Numbers<f32>) -> Self {
        Self { dimension, values }
    }

    /// Numbers in a row.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.values.len() / self.dimension.max(1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// A row below [`len`](Self::len).
    pub fn row(&self, row: usize) -> &[f32] {
        &self.values[row * self.dimension..(row + 1) * self.dimension]
    }

    /// All rows, one after the other.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// All rows, to be changed in place.
    pub fn values_mut(&mut self) -> &mut [f32] {
        self.values.to_mut()
    }

    /// All rows, one after the other, as numbers.
    pub fn into_values(self) -> Vec<f32> {
        self.values.into_vec()
    }

    /// The rows as 8-bit integers, each with the smallest scale that holds it.
    pub fn quantise(&self) -> Quantised {
        let mut values = Vec::with_capacity(self.values.len());
        let mut scales = Vec::with_capacity(self.len());
        for row in self.values.chunks_exact(self.dimension.max(1)) {
            let largest = row.iter().fold(0.0f32, |most, x| most.max(x.abs()));
            let scale = largest / 127.0;
            // Below the smallest normal number a quotient by the scale could overflow.
            let scale = if scale < f32::MIN_POSITIVE { 0.0 } else { scale };
            scales.push(scale);
            values.extend(
                row.iter().map(|x| if scale > 0.0 { (x / scale).round() as i8 } else { 0 }),
            );
        }
        Quantised { values: values.into(), scales: scales.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rows;
    use super::*;

    #[test]
    fn eight_bits_keep_each_number_within_half_a_step_of_its_row() {
        let rows = vec![0.5, -1.27, 0.013, 0.0, 0.0, 0.0, 1e-3, 5e-4, -2e-4];
        let table = Table::new(3, rows);
        let rows = table.quantise();
        assert_eq!(&rows.values[..3], &[50, -127, 1]);
        assert_eq!(rows.scales[1], 0.0);
        let scales = rows.scales.clone();
        let back = Rows::I8 { dimension: 3, rows }.widened();
        for (row, scale) in scales.iter().enumerate() {
            for (x, y) in table.row(row).iter().zip(back.row(row)) {
                assert!((x - y).abs() <= scale * 0.5001);
            }
        }
    }

    #[test]
    fn rows_too_small_for_a_scale_become_zero() {
        let table = Table::new(2, vec![f32::MIN_POSITIVE / 8.0, f32::MIN_POSITIVE]);
        let back = Rows::new(table, Precision::I8).widened();
        assert!(back.values().iter().all(|x| x.is_finite()));
    }
}
