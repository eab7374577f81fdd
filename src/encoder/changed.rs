//! Rows of which some were changed after they were read from their file.

use std::collections::BTreeMap;

use half::f16;

use super::{Quantised, Rows, Table};

/// Rows as they are in a file, and those that replace some of them, in 32 bits whatever the
/// others have.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    base: Box<Rows>,
    changes: BTreeMap<u32, Vec<f32>>,
}

impl Changed {
    fn new(base: Rows) -> Self {
        Self { base: Box::new(base), changes: BTreeMap::new() }
    }

    /// The rows of the file.
    pub fn base(&self) -> &Rows {
        &self.base
    }

    fn into_base(self) -> Rows {
        *self.base
    }

    /// The rows that were changed, in rising order.
    pub fn changes(&self) -> &BTreeMap<u32, Vec<f32>> {
        &self.changes
    }

    /// Replaces a row, or with `None` takes the file's again. What replaced it before comes back.
    fn set(&mut self, number: u32, row: Option<Vec<f32>>) -> Option<Vec<f32>> {
        match row {
            Some(row) => self.changes.insert(number, row),
            None => self.changes.remove(&number),
        }
    }

    pub(super) fn sum(&self, numbers: &[u32], sum: &mut [f32]) {
        sum.fill(0.0);
        let mut unchanged = vec![0.0; sum.len()];
        for number in numbers {
            let row = match self.changes.get(number) {
                Some(row) => row,
                None => {
                    self.base.read(*number as usize, &mut unchanged);
                    &unchanged
                }
            };
            sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
    }

    /// All rows in the file's own precision: those that were changed are rounded to it, each 8-bit
    /// row with a scale of its own; the others keep their bits.
    pub fn rounded(&self) -> Rows {
        let mut rows = (*self.base).clone();
        for (&number, row) in &self.changes {
            let place = number as usize * row.len()..(number as usize + 1) * row.len();
            match &mut rows {
                Rows::F32(table) => table.values_mut()[place].copy_from_slice(row),
                Rows::F16 { bits, .. } => {
                    let rounded = row.iter().map(|&x| f16::from_f32(x).to_bits());
                    bits.to_mut()[place].iter_mut().zip(rounded).for_each(|(to, x)| *to = x);
                }
                Rows::I8 { rows, .. } => rows.set(number as usize, row),
                Rows::Changed(_) => {}
            }
        }
        rows
    }
}

impl Rows {
    /// Replaces a row below [`len`](Self::len), of their length; with `None` it is that of the file
    /// again. What replaced it before comes back.
    pub fn change(&mut self, number: u32, row: Option<Vec<f32>>) -> Option<Vec<f32>> {
        let mut changed = match std::mem::take(self) {
            Self::Changed(changed) => changed,
            base => Changed::new(base),
        };
        let before = changed.set(number, row);
        *self = match changed.changes().is_empty() {
            true => changed.into_base(),
            false => Self::Changed(changed),
        };
        before
    }
}

impl Quantised {
    /// Replaces a row by one that is rounded with the smallest scale that holds it.
    pub(crate) fn set(&mut self, number: usize, row: &[f32]) {
        let Quantised { values, scales } = Table::new(row.len(), row.to_vec()).quantise();
        self.values.to_mut()[number * row.len()..][..row.len()].copy_from_slice(&values);
        self.scales.to_mut()[number] = scales[0];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::Precision;

    fn rows(precision: Precision) -> Rows {
        Rows::new(Table::new(2, vec![0.5, -1.0, 0.25, 0.125, 1.5, -0.375]), precision)
    }

    const PRECISIONS: [Precision; 3] = [Precision::F32, Precision::F16, Precision::I8];

    #[test]
    fn a_changed_row_is_the_new_one_and_all_others_stay() {
        for precision in PRECISIONS {
            let (before, mut now) = (rows(precision), rows(precision));
            assert_eq!(now.change(1, Some(vec![0.1, 0.7])), None);
            assert_eq!((now.len(), now.dimension(), now.precision()), (3, 2, precision));
            assert_eq!(now.row(1), [0.1, 0.7]);
            assert_eq!([now.row(0), now.row(2)], [before.row(0), before.row(2)]);
            let mut sum = [0.0; 2];
            now.sum(&[1, 0, 1], &mut sum);
            let of = |at: usize| [0.1, 0.7][at] + before.row(0)[at] + [0.1, 0.7][at];
            assert_eq!(sum, [of(0), of(1)]);
        }
    }

    #[test]
    fn a_row_that_is_taken_back_leaves_nothing_behind() {
        for precision in PRECISIONS {
            let mut now = rows(precision);
            now.change(1, Some(vec![0.1, 0.7]));
            assert_eq!(now.change(1, Some(vec![0.2, 0.3])), Some(vec![0.1, 0.7]));
            assert_eq!(now.change(1, None), Some(vec![0.2, 0.3]));
            assert_eq!(now, rows(precision));
        }
    }

    #[test]
    fn only_changed_rows_are_rounded_and_the_others_keep_their_bits() {
        for (precision, most) in PRECISIONS.into_iter().zip([0.0, 1e-3, 0.7 / 127.0 * 0.51]) {
            let mut now = rows(precision);
            now.change(1, Some(vec![0.1, 0.7]));
            let Rows::Changed(changed) = &now else { panic!("nothing changed") };
            let rounded = changed.rounded();
            assert_eq!(rounded.precision(), precision);
            assert!(!matches!(rounded, Rows::Changed(_)));
            for row in [0, 2] {
                assert_eq!(rounded.row(row), rows(precision).row(row));
            }
            for (found, exact) in rounded.row(1).iter().zip([0.1f32, 0.7]) {
                assert!((found - exact).abs() <= most, "{found} {exact}");
            }
        }
    }
}
