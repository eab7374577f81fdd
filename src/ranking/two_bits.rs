//! The most similar of many 2-bit rows.

use std::array;

use crate::encoder::{Quantised, Rows};
use crate::math::kernels::{Codes, Products, sums_of_pairs};
use crate::ranking::scan::{self, Query, Scored, TopK};

/// The most numbers of a row: the bound of [`DOUBT`] is for these.
const MOST: usize = 256;
/// Rows whose codes lie side by side.
const GROUP: usize = size_of::<Codes>();
/// Exact scores are computed of rows whose dot product in integers would be the largest with that much more.
///
/// A [`Query`] rounds its numbers to 16 bits: each is wrong by less than half of a step, 3/32,767 of the row's scale or less. The
/// sum of 256 products with numbers up to 3 is wrong by less than 0.04, and so is that of the row it is compared with. What
/// 32-bit floating point rounds, of sums below 2,304, is below 0.002.
const DOUBT: f32 = 0.1;

/// Rows of 2-bit integers, to find the most similar one of each of many others.
#[derive(Debug)]
pub(crate) struct TwoBits<'a> {
    rows: &'a Rows,
    norms: &'a [f32],
    epsilon: f32,
    /// For each row, and zeros up to a whole group, its scale over its norm and epsilon.
    factors: Vec<f32>,
    /// The codes of each group of rows: those of each pair of places.
    codes: Vec<Codes>,
    /// The number of pairs of places.
    pairs: usize,
}

/// A row to compare with.
struct Asked {
    query: Query,
    products: Vec<Products>,
    /// The largest estimate so far.
    best: f32,
    /// Rows whose estimate may have been the largest when they were read.
    found: Vec<(usize, f32)>,
}

impl<'a> TwoBits<'a> {
    /// Reads rows with their norms; `None` for those in another precision and for long ones.
    pub fn of(rows: &'a Rows, norms: &'a [f32], epsilon: f32) -> Option<Self> {
        let Rows::I8 { dimension, rows: Quantised { values, scales } } = rows else { return None };
        let dimension = *dimension;
        if !(1..=MOST).contains(&dimension) || !have_two_bits(values) {
            return None;
        }
        let factor = |(&scale, &norm): (&f32, &f32)| {
            let length = norm + epsilon;
            if length > 0.0 { scale / length } else { 0.0 }
        };
        let mut factors: Vec<f32> = scales.iter().zip(norms).map(factor).collect();
        factors.resize(factors.len().next_multiple_of(GROUP), 0.0);
        let pairs = dimension.div_ceil(2);
        let mut codes = vec![[0; GROUP]; factors.len() / GROUP * pairs];
        for (row, numbers) in values.chunks_exact(dimension).enumerate() {
            let codes = &mut codes[row / GROUP * pairs..][..pairs];
            for (codes, pair) in codes.iter_mut().zip(numbers.chunks(2)) {
                codes[row % GROUP] =
                    pair.iter().rev().fold(0, |code, &number| code << 2 | code_of(number));
            }
        }
        Some(Self { rows, norms, epsilon, factors, codes, pairs })
    }

    /// For each of some rows of `others`, by their numbers, the position of the most similar row: of those with the highest score,
    /// which is to the bit that of a ranking, the first. `None` if `others` are in another precision or there are no rows.
    pub fn nearest(&self, others: &Rows, numbers: &[u32]) -> Option<Vec<usize>> {
        let Rows::I8 { dimension, rows: Quantised { values, .. } } = others else { return None };
        let asked = |&number: &u32| {
            let query = Query::new(others.row(number as usize));
            let numbers = &values[number as usize * dimension..][..*dimension];
            if !have_two_bits(numbers) {
                return None;
            }
            // A row of scale 0 scores nothing whatever its integers are.
            let is_nothing = query.scale() == 0.0;
            let products = |pair| if is_nothing { [0; 16] } else { products_of(pair) };
            let products = numbers.chunks(2).map(products).collect();
            Some(Asked { query, products, best: f32::MIN, found: Vec::new() })
        };
        let mut all: Vec<Asked> = numbers.iter().map(asked).collect::<Option<_>>()?;
        let largest = |factors: &[f32]| factors.iter().fold(0.0f32, |most, &one| most.max(one));
        let doubt = DOUBT * largest(&self.factors);
        let groups = self.codes.chunks_exact(self.pairs).zip(self.factors.as_chunks::<GROUP>().0);
        for (group, (codes, factors)) in groups.enumerate() {
            let bounds = [largest(factors), doubt];
            all.iter_mut().for_each(|asked| asked.read(group * GROUP, codes, factors, bounds));
        }
        all.iter().map(|asked| self.first_of(asked, doubt)).collect()
    }

    /// Of the rows that may be the most similar the first with the highest score.
    fn first_of(&self, asked: &Asked, doubt: f32) -> Option<usize> {
        let mut top = TopK::new(1);
        for &(position, estimate) in &asked.found {
            // Rows that fill the last group are none.
            if estimate < asked.best - doubt || position >= self.norms.len() {
                continue;
            }
            let (dot, score) =
                scan::score(self.rows, self.norms, position, &asked.query, self.epsilon);
            top.offer(Scored { position, score, dot });
        }
        top.into_vec().first().map(|scored| scored.position)
    }
}

impl Asked {
    /// Reads a group of rows, whose first has the position `first` and whose largest factor is `most`.
    fn read(
        &mut self,
        first: usize,
        codes: &[Codes],
        factors: &[f32; GROUP],
        [most, doubt]: [f32; 2],
    ) {
        let sums = sums_of_pairs(&self.products, codes);
        // Few groups have a row that comes near the best, and integers are compared many at once.
        let largest = sums.iter().fold(0, |largest, &sum| sum.max(largest));
        if f32::from(largest) * most < self.best - doubt {
            return;
        }
        for (position, (&sum, factor)) in (first..).zip(sums.iter().zip(factors)) {
            let estimate = f32::from(sum) * factor;
            if estimate >= self.best - doubt {
                self.best = self.best.max(estimate);
                self.found.push((position, estimate));
            }
        }
    }
}

fn have_two_bits(integers: &[i8]) -> bool {
    integers.iter().all(|integer| matches!(integer, -3 | -1 | 1 | 3))
}

/// -3, -1, 1, 3: 0 to 3.
fn code_of(number: i8) -> u8 {
    (number + 3).unsigned_abs() / 2
}

/// The sum of the products of two numbers, or one, with those of each code.
fn products_of(numbers: &[i8]) -> Products {
    let number = |code: usize| 2 * (code % 4) as i8 - 3;
    array::from_fn(|code| {
        let pair = [number(code), number(code / 4)];
        numbers.iter().zip(pair).map(|(one, other)| one * other).sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::{Precision, Table};
    use crate::math::kernels;
    use crate::math::random::Random;
    use crate::ranking::scan::{Ranking, rank};

    /// The first of each query's ranking.
    fn ranked(rows: &Rows, norms: &[f32], epsilon: f32, others: &Rows, number: u32) -> usize {
        let (query, mut top) = (Query::new(others.row(number as usize)), TopK::new(1));
        let dots = &mut Vec::new();
        let ranking = Ranking { query: &query, epsilon, dots, fusion: None, top: &mut top };
        rank(rows, norms, |_| true, 0, &mut [ranking]);
        top.into_vec()[0].position
    }

    #[test]
    fn the_nearest_row_is_the_first_of_a_ranking() {
        for (rows, dimension) in [(1, 1), (31, 3), (70, 64), (300, 192), (200, 255), (200, 256)] {
            let numbers = |seed, rows| {
                let mut values = Random::new(seed, "two bits").normals(rows * dimension, 0.3);
                // A row of zeros, and one that is there twice.
                values[..dimension].fill(0.0);
                if rows > 20 {
                    values.copy_within(10 * dimension..11 * dimension, 20 * dimension);
                }
                Rows::new(Table::new(dimension, values), Precision::I2)
            };
            let (kept, others) = (numbers(1, rows), numbers(2, 50));
            let norms: Vec<f32> = (0..rows).map(|row| kernels::norm(&kept.row(row))).collect();
            for epsilon in [0.0, 0.01, 2.0] {
                let bits = TwoBits::of(&kept, &norms, epsilon).unwrap();
                let all: Vec<u32> = (0..50).collect();
                for asked in [&others, &kept] {
                    let asked_rows = &all[..asked.len().min(50)];
                    let expected =
                        asked_rows.iter().map(|&row| ranked(&kept, &norms, epsilon, asked, row));
                    let found = bits.nearest(asked, asked_rows).unwrap();
                    assert_eq!(found, expected.collect::<Vec<_>>(), "{rows} {dimension} {epsilon}");
                }
            }
        }
    }

    #[test]
    fn rows_in_another_precision_or_of_more_numbers_are_left_to_a_ranking() {
        let rows = |dimension: usize, precision| {
            let values = Random::new(1, "two bits").normals(2 * dimension, 0.3);
            Rows::new(Table::new(dimension, values), precision)
        };
        for precision in [Precision::F32, Precision::F16, Precision::I8, Precision::I4] {
            assert!(TwoBits::of(&rows(16, precision), &[1.0; 2], 0.5).is_none());
        }
        assert!(TwoBits::of(&rows(257, Precision::I2), &[1.0; 2], 0.5).is_none());
    }
}
