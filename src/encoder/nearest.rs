//! A row -> the rows nearest to it, by the cosine.

use super::{Quantised, Rows};
use crate::math::kernels;

/// The lengths of some rows, by which the rows nearest to one are found.
#[derive(Debug, Clone, PartialEq)]
pub struct Lengths(Vec<f32>);

impl Lengths {
    /// Those of all rows as they are in their file, without changes; of integers, in units of a row's scale.
    pub fn new(rows: &Rows) -> Self {
        let rows = rows.unchanged();
        let length = |number| match rows {
            Rows::I8 { dimension, rows } => {
                let squares = integers(rows, *dimension, number).map(|x| i32::from(x).pow(2));
                (squares.sum::<i32>() as f32).sqrt()
            }
            _ => kernels::norm(&rows.row(number)),
        };
        Self((0..rows.len()).map(length).collect())
    }

    /// The rows whose cosine to a row is the largest, `most` of them and none below `least`, with their cosines, the nearest
    /// first; without the row itself. Rows are as in their file: what is learned moves none.
    pub fn nearest(
        &self,
        rows: &Rows,
        number: u32,
        (most, least): (usize, f32),
    ) -> Vec<(u32, f32)> {
        let products = products(rows.unchanged(), number as usize);
        let own = self.0[number as usize];
        let cosine = |(row, (product, length)): (u32, (f32, &f32))| {
            let lengths = own * length;
            (row, if lengths > 0.0 { product / lengths } else { 0.0 })
        };
        let near = |&(row, cosine): &(u32, f32)| cosine >= least && row != number;
        let mut nearest: Vec<(u32, f32)> =
            (0..).zip(products.into_iter().zip(&self.0)).map(cosine).filter(near).collect();
        nearest.sort_by(|(a, one), (b, other)| other.total_cmp(one).then(a.cmp(b)));
        nearest.truncate(most);
        nearest
    }
}

/// The integers of a row.
fn integers(rows: &Quantised, dimension: usize, number: usize) -> impl Iterator<Item = i16> {
    rows.values[number * dimension..][..dimension].iter().map(|&x| i16::from(x))
}

/// The dot products of a row with all; of integers, in units of both scales.
fn products(rows: &Rows, number: usize) -> Vec<f32> {
    match rows {
        Rows::I8 { dimension, rows } => {
            let row: Vec<i16> = integers(rows, *dimension, number).collect();
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
            let lengths = Lengths::new(&rows);
            let nearest = lengths.nearest(&rows, 0, (3, 0.5));
            let numbers: Vec<u32> = nearest.iter().map(|&(row, _)| row).collect();
            assert_eq!(numbers, [1, 5, 3], "{precision:?}");
            for ((_, found), expected) in nearest.into_iter().zip([0.96, 0.96, 0.6]) {
                assert!((found - expected).abs() < 0.01, "{precision:?}: {found} {expected}");
            }
            assert_eq!(lengths.nearest(&rows, 0, (1, 0.5)).len(), 1);
            assert_eq!(lengths.nearest(&rows, 0, (9, 0.7)).len(), 2);
            assert_eq!(lengths.nearest(&rows, 2, (9, 0.1)), []);
        }
    }

    #[cfg(feature = "learn")]
    #[test]
    fn what_is_learned_moves_none() {
        let mut rows = Rows::new(Table::new(2, ROWS.to_vec()), Precision::I8);
        let (lengths, before) = (Lengths::new(&rows), rows.clone());
        rows.change(1, Some(vec![-1.0, 0.0]));
        assert_eq!(Lengths::new(&rows), lengths);
        assert_eq!(lengths.nearest(&rows, 0, (9, 0.0)), lengths.nearest(&before, 0, (9, 0.0)));
    }
}
