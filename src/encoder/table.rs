//! An embedding table: one row of `dimension` numbers for each token.

use ndarray::{Array2, ArrayView2, ArrayViewMut2};

use crate::math::arrays;
use crate::storage::Buffer;

/// An array [rows, dimension] whose numbers may lie in a file's bytes.
///
/// `ndarray` owns its numbers or borrows them, so that an array of a file's numbers would have to be
/// a copy or to live no longer than the file. A table shares the file's bytes, and [`view`](Self::view)
/// gives the array.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    dimension: usize,
    values: Buffer<f32>,
}

/// The precision in which a file stores the numbers of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// 32-bit floating point: the table as trained.
    #[default]
    F32,
    /// 16-bit floating point.
    F16,
    /// 8-bit integers, each row with a scale of its own.
    I8,
    /// 4-bit integers, two in a byte, each row with a scale of its own. In memory they are of 8 bits.
    I4,
    /// 2-bit integers, eight in 16 bits, each row with a scale of its own. In memory they are of 8 bits.
    I2,
}

/// The largest integer of 4 bits that is used: the smallest is its opposite.
pub(crate) const MOST_OF_FOUR_BITS: i8 = 7;
/// The integers of 2 bits: the scale is half a step, so that none is 0.
pub(crate) const OF_TWO_BITS: [i8; 4] = [-3, -1, 1, 3];
/// The number of scales that are tried for a row of 4 or 2 bits.
const SCALES: u8 = 16;

/// A table's rows as 8-bit integers: element = integer * the row's scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantised {
    /// [rows, dimension], in -127..=127.
    pub values: Buffer<i8>,
    /// One for each row, 0 or more.
    pub scales: Buffer<f32>,
}

impl Table {
    /// A table of `values.len() / dimension` rows; a last incomplete one is cut off.
    pub fn new(dimension: usize, mut values: Vec<f32>) -> Self {
        values.truncate(values.len() / dimension.max(1) * dimension);
        Self { dimension, values: values.into() }
    }

    /// A table of numbers that may lie in a file; as many as whole rows take.
    pub(crate) fn in_place(dimension: usize, values: Buffer<f32>) -> Self {
        Self { dimension, values }
    }

    /// The table as an array.
    pub fn view(&self) -> ArrayView2<'_, f32> {
        arrays::view_of_rows(self.dimension, &self.values)
    }

    /// The table as an array, to be changed in place.
    pub fn view_mut(&mut self) -> ArrayViewMut2<'_, f32> {
        arrays::view_of_rows_mut(self.dimension, self.values.to_mut())
    }

    /// The table as an array that owns its numbers.
    pub fn into_array(self) -> Array2<f32> {
        arrays::of_rows(self.dimension, self.values.into_vec())
    }

    /// Numbers in a row.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The number of rows.
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

    /// The rows as integers of 4 bits, each with the scale, of some, that changes it least: cutting off
    /// its largest numbers can keep more of the others.
    pub fn quantise_to_four_bits(&self) -> Quantised {
        let most = f32::from(MOST_OF_FOUR_BITS);
        self.quantise_by(most, SCALES / 2, 0, |steps| steps.round().clamp(-most, most))
    }

    /// The rows as the integers -3, -1, 1 and 3, each with the scale, of some, that changes it least.
    pub fn quantise_to_two_bits(&self) -> Quantised {
        self.quantise_by(3.0, SCALES / 4, 1, |steps| {
            (2.0 * (steps / 2.0).floor() + 1.0).clamp(-3.0, 3.0)
        })
    }

    /// The rows as integers that `rounded` gives for numbers in units of the scale. The largest scale makes a row's largest
    /// number `most`; the smallest is `first` sixteenths of it. Rows of scale 0 have `nothing` in all places.
    fn quantise_by(
        &self,
        most: f32,
        first: u8,
        nothing: i8,
        rounded: impl Fn(f32) -> f32,
    ) -> Quantised {
        let (mut values, mut scales) = (Vec::with_capacity(self.values.len()), Vec::new());
        for row in self.view().rows() {
            let largest = row.iter().fold(0.0f32, |most, x| most.max(x.abs())) / most;
            // Below the smallest normal number a quotient by the scale could overflow.
            if largest < f32::MIN_POSITIVE {
                scales.push(0.0);
                values.resize(values.len() + row.len(), nothing);
                continue;
            }
            let error = |scale: f32| {
                row.iter().fold(0.0, |sum, &x| {
                    let lost = x - rounded(x / scale) * scale;
                    sum + lost * lost
                })
            };
            let mut best = (largest, error(largest));
            for part in first..SCALES {
                let scale = largest * (f32::from(part) / f32::from(SCALES));
                let error = error(scale);
                if error < best.1 {
                    best = (scale, error);
                }
            }
            scales.push(best.0);
            values.extend(row.iter().map(|&x| rounded(x / best.0) as i8));
        }
        Quantised { values: values.into(), scales: scales.into() }
    }

    /// The rows as 8-bit integers, each with the smallest scale that holds it.
    pub fn quantise(&self) -> Quantised {
        let mut values = Vec::with_capacity(self.values.len());
        let mut scales = Vec::with_capacity(self.len());
        for row in self.view().rows() {
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

#[cfg(feature = "learn")]
impl Quantised {
    /// Replaces a row by one that is rounded with the smallest scale that holds it.
    pub(crate) fn set(&mut self, number: usize, row: &[f32]) {
        let Quantised { values, scales } = Table::new(row.len(), row.to_vec()).quantise();
        self.values.to_mut()[number * row.len()..][..row.len()].copy_from_slice(&values);
        self.scales.to_mut()[number] = scales[0];
    }
}

impl From<Array2<f32>> for Table {
    fn from(array: Array2<f32>) -> Self {
        let dimension = array.ncols();
        Self::new(dimension, arrays::into_values(array))
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
    fn two_bits_keep_signs_and_which_numbers_are_large() {
        // Steps of 1: the scale that makes the largest number 3 changes nothing.
        let row = vec![1.0, -1.0, 3.0, -3.0, 1.0, 1.0];
        let rows = Table::new(6, row).quantise_to_two_bits();
        assert_eq!((&rows.values[..], rows.scales[0]), (&[1, -1, 3, -3, 1, 1][..], 1.0));
        // A number that stands alone is cut off; one of zeros alone stays so.
        let rows = Table::new(4, vec![1.0, -1.0, 1.0, -9.0, 0.0, 0.0, 0.0, 0.0]);
        let rows = rows.quantise_to_two_bits();
        assert_eq!(&rows.values[..4], &[1, -1, 1, -3]);
        assert!((1.0..3.0).contains(&rows.scales[0]), "{:?}", rows.scales);
        let back = Rows::I8 { dimension: 4, rows }.widened();
        assert_eq!(back.row(1), [0.0; 4]);
    }

    #[test]
    fn four_bits_keep_a_row_of_their_own_integers_and_cut_off_what_stands_alone() {
        let exact: Vec<f32> = [-7.0, 3.0, 1.0, 7.0].iter().map(|x| x * 0.5).collect();
        let rows = Table::new(4, exact.clone()).quantise_to_four_bits();
        assert_eq!((&rows.values[..], rows.scales[0]), (&[-7, 3, 1, 7][..], 0.5));
        // In steps of 1 all but the 7 would be 0 or 1; half of that serves the many better.
        let many: Vec<f32> = (0..40).map(|at| if at == 0 { 7.0 } else { 0.5 }).collect();
        let rows = Table::new(40, many).quantise_to_four_bits();
        assert!(rows.scales[0] < 0.9, "{}", rows.scales[0]);
        let none = Table::new(2, vec![0.0, f32::MIN_POSITIVE / 8.0]).quantise_to_four_bits();
        assert_eq!((&none.values[..], none.scales[0]), (&[0, 0][..], 0.0));
    }

    #[test]
    fn rows_too_small_for_a_scale_become_zero() {
        let table = Table::new(2, vec![f32::MIN_POSITIVE / 8.0, f32::MIN_POSITIVE]);
        for precision in [Precision::I8, Precision::I4] {
            assert_eq!(Rows::new(table.clone(), precision).widened().values(), [0.0, 0.0]);
        }
    }
}
