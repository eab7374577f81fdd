//! A row -> the rows nearest to it, by the cosine.

use std::sync::OnceLock;

use super::{Quantised, Rows};
use crate::math::kernels;

/// The rows nearest to each row of some rows, found when they are asked for, and once. Rows are as in their file: what is
/// learned moves none.
#[derive(Debug)]
pub struct Nearest {
    /// The length of each row; of integers, in units of the row's scale.
    lengths: Vec<f32>,
    found: Vec<OnceLock<Vec<(u32, f32)>>>,
    most: usize,
    least: f32,
}

impl Nearest {
    /// Measures all rows. Of each the nearest are `most` others, none of a lower cosine than `least`.
    pub fn new(rows: &Rows, (most, least): (usize, f32)) -> Self {
        let rows = rows.unchanged();
        let mut square = [0];
        let mut length = |number| match rows {
            Rows::I8 { dimension, rows } => {
                let (row, widened) = integers(rows, *dimension, number);
                kernels::dots_of_integers(&widened, row, &mut square);
                (square[0] as f32).sqrt()
            }
            _ => kernels::norm(&rows.row(number)),
        };
        let lengths: Vec<f32> = (0..rows.len()).map(&mut length).collect();
        let found = (0..rows.len()).map(|_| OnceLock::new()).collect();
        Self { lengths, found, most, least }
    }

    /// The rows nearest to a row of those that were measured, with their cosines, the nearest first; of equal ones the first.
    pub fn of(&self, rows: &Rows, number: u32) -> &[(u32, f32)] {
        self.found[number as usize].get_or_init(|| self.find(rows.unchanged(), number))
    }

    fn find(&self, rows: &Rows, number: u32) -> Vec<(u32, f32)> {
        let products = products(rows, number as usize);
        let own = self.lengths[number as usize];
        let cosine = |(row, (product, length)): (u32, (f32, &f32))| {
            let lengths = own * length;
            (row, if lengths > 0.0 { product / lengths } else { 0.0 })
        };
        let near = |&(row, cosine): &(u32, f32)| cosine >= self.least && row != number;
        let mut nearest: Vec<(u32, f32)> =
            (0..).zip(products.into_iter().zip(&self.lengths)).map(cosine).filter(near).collect();
        nearest.sort_unstable_by(|(a, one), (b, other)| other.total_cmp(one).then(a.cmp(b)));
        nearest.truncate(self.most);
        nearest.shrink_to_fit();
        nearest
    }
}

/// The integers of a row, and the same in 16 bits.
fn integers(rows: &Quantised, dimension: usize, number: usize) -> (&[i8], Vec<i16>) {
    let row = &rows.values[number * dimension..][..dimension];
    (row, row.iter().map(|&x| i16::from(x)).collect())
}

/// The dot products of a row with all; of integers, in units of both scales.
fn products(rows: &Rows, number: usize) -> Vec<f32> {
    match rows {
        Rows::I8 { dimension, rows } => {
            let (_, row) = integers(rows, *dimension, number);
            let mut sums = vec![0; rows.scales.len()];
            kernels::dots_of_integers(&row, &rows.values, &mut sums);
            sums.into_iter().map(|sum| sum as f32).collect()
        }
        Rows::F32(table) => {
            let mut sums = vec![0.0; table.len()];
            kernels::dots(table.row(number), table.values(), &mut sums);
            sums
        }
        _ => {
            let (row, mut other) = (rows.row(number), vec![0.0; rows.dimension()]);
            let mut product = |number| {
                rows.read(number, &mut other);
                kernels::dot(&row, &other)
            };
            (0..rows.len()).map(&mut product).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::{Precision, Table};

    /// Cosines to the first: 1 of itself, 24/25, 0 of nothing, 3/5, -1, 24/25.
    const ROWS: [f32; 12] = [1.5, 2.0, 0.8, 0.6, 0.0, 0.0, 1.0, 0.0, -3.0, -4.0, 8.0, 6.0];

    #[test]
    fn the_nearest_by_the_cosine_come_first_in_each_precision() {
        for precision in [Precision::F32, Precision::F16, Precision::I8] {
            let rows = Rows::new(Table::new(2, ROWS.to_vec()), precision);
            let nearest = |most_and_least| Nearest::new(&rows, most_and_least);
            let three = nearest((3, 0.5));
            let found = three.of(&rows, 0);
            let numbers: Vec<u32> = found.iter().map(|&(row, _)| row).collect();
            assert_eq!(numbers, [1, 5, 3], "{precision:?}");
            for (&(_, found), expected) in found.iter().zip([0.96, 0.96, 0.6]) {
                assert!((found - expected).abs() < 0.01, "{precision:?}: {found} {expected}");
            }
            assert_eq!(nearest((1, 0.5)).of(&rows, 0).len(), 1);
            assert_eq!(nearest((9, 0.7)).of(&rows, 0).len(), 2);
            assert_eq!(nearest((9, 0.1)).of(&rows, 2), []);
        }
    }

    #[cfg(feature = "learn")]
    #[test]
    fn what_is_learned_moves_none() {
        let mut rows = Rows::new(Table::new(2, ROWS.to_vec()), Precision::I8);
        let before = Nearest::new(&rows, (9, 0.0)).of(&rows, 0).to_vec();
        rows.change(1, Some(vec![-1.0, 0.0]));
        assert_eq!(Nearest::new(&rows, (9, 0.0)).of(&rows, 0), before);
    }
}
