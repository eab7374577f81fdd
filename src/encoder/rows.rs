//! Rows in the precision of their file: the words of an encoder, the vectors of an index.

#[cfg(feature = "learn")]
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use half::f16;

use super::{Precision, Quantised, Table};
use crate::math::kernels;
use crate::storage::Buffer;

/// Rows of equal length, in any precision. What is computed with them is as if each number had
/// been widened to 32 bits first.
#[derive(Debug, Clone, PartialEq)]
pub enum Rows {
    /// 32-bit floating point.
    F32(Table),
    /// 16-bit floating point.
    F16 {
        /// Numbers in a row.
        dimension: usize,
        /// The numbers' bits, row by row.
        bits: Buffer<u16>,
    },
    /// 8-bit integers, each row with a scale of its own.
    I8 {
        /// Numbers in a row.
        dimension: usize,
        /// The integers and their scales.
        rows: Quantised,
    },
    /// Any of these, with some rows changed.
    Changed(Changed),
    /// Sums of other rows.
    Mixed(Mixed),
}

impl Rows {
    /// A table's rows, rounded to `precision`.
    pub fn new(table: Table, precision: Precision) -> Self {
        let dimension = table.dimension();
        match precision {
            Precision::F32 => Self::F32(table),
            Precision::F16 => {
                let bits = table.values().iter().map(|&x| f16::from_f32(x).to_bits());
                Self::F16 { dimension, bits: bits.collect::<Vec<_>>().into() }
            }
            Precision::I8 => Self::I8 { dimension, rows: table.quantise() },
            Precision::I4 => Self::I8 { dimension, rows: table.quantise_to_four_bits() },
            Precision::I2 => Self::I8 { dimension, rows: table.quantise_to_two_bits() },
        }
    }

    /// Their precision in memory.
    pub fn precision(&self) -> Precision {
        match self {
            Self::F32(_) => Precision::F32,
            Self::F16 { .. } => Precision::F16,
            Self::I8 { .. } => Precision::I8,
            Self::Changed(rows) => rows.base().precision(),
            Self::Mixed(rows) => rows.base.precision(),
        }
    }

    /// Numbers in a row.
    pub fn dimension(&self) -> usize {
        match self {
            Self::F32(table) => table.dimension(),
            Self::F16 { dimension, .. } | Self::I8 { dimension, .. } => *dimension,
            Self::Changed(rows) => rows.base().dimension(),
            Self::Mixed(rows) => rows.base.dimension(),
        }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::F32(table) => table.len(),
            Self::F16 { dimension, bits } => bits.len() / (*dimension).max(1),
            Self::I8 { rows, .. } => rows.scales.len(),
            Self::Changed(rows) => rows.base().len(),
            Self::Mixed(rows) => rows.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes a row below [`len`](Self::len) to `row`, of its length.
    pub fn read(&self, number: usize, row: &mut [f32]) {
        match self {
            Self::F32(table) => row.copy_from_slice(table.row(number)),
            _ => self.sum(&[number as u32], row),
        }
    }

    /// A row below [`len`](Self::len).
    pub fn row(&self, number: usize) -> Vec<f32> {
        let mut row = vec![0.0; self.dimension()];
        self.read(number, &mut row);
        row
    }

    /// The sum of some rows in the order given: element by element, from 0.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn sum(&self, numbers: &[u32], sum: &mut [f32]) {
        match self {
            Self::F32(table) => kernels::sum_rows(table.values(), table.dimension(), numbers, sum),
            Self::F16 { dimension, bits } => {
                sum.fill(0.0);
                for &number in numbers {
                    let row = &bits[number as usize * dimension..][..*dimension];
                    let row = row.iter().map(|&bits| f16::from_bits(bits).to_f32());
                    sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
                }
            }
            Self::I8 { dimension, rows } => {
                kernels::sum_scaled_rows(&rows.values, &rows.scales, *dimension, numbers, sum);
            }
            Self::Changed(rows) => rows.sum(numbers, sum),
            Self::Mixed(rows) => rows.sum(numbers, sum),
        }
    }

    /// The sum of some rows in the order given, each times its weight: `weights` has one for every
    /// row there is.
    ///
    /// # Panics
    /// If there is no such row or weight.
    pub fn weighted_sum(&self, numbers: &[u32], weights: &[f32], sum: &mut [f32]) {
        sum.fill(0.0);
        numbers.iter().for_each(|&number| self.add(number, weights[number as usize], sum));
    }

    /// Adds a row below [`len`](Self::len), times a factor, to a sum that has no -0, as one that began with 0 has none.
    fn add(&self, number: u32, factor: f32, sum: &mut [f32]) {
        let number = number as usize;
        match self {
            Self::F32(table) => kernels::add_scaled(table.row(number), factor, sum),
            Self::I8 { dimension, rows } => {
                let row = &rows.values[number * dimension..][..*dimension];
                kernels::add_scaled_integers(row, rows.scales[number], factor, sum);
            }
            _ => kernels::add_scaled(&self.row(number), factor, sum),
        }
    }

    /// The rows of all parts, one part after the other; `None` where they are not of one length and
    /// precision, or are changed.
    pub fn joined(parts: &[&Self]) -> Option<Self> {
        let dimension = parts.first()?.dimension();
        let precision = parts.first()?.precision();
        let alike = |part: &&Self| part.dimension() == dimension && part.precision() == precision;
        if !parts.iter().all(alike) {
            return None;
        }
        if precision == Precision::F32 {
            let values = parts.iter().map(|part| match part {
                Self::F32(table) => Some(table.values()),
                _ => None,
            });
            let values = values.collect::<Option<Vec<_>>>()?.concat();
            return Some(Self::F32(Table::new(dimension, values)));
        }
        let rows = parts.iter().map(|part| match part {
            Self::I8 { rows, .. } => Some((&*rows.values, &*rows.scales)),
            _ => None,
        });
        let (values, scales): (Vec<_>, Vec<_>) =
            rows.collect::<Option<Vec<_>>>()?.into_iter().unzip();
        let rows = Quantised { values: values.concat().into(), scales: scales.concat().into() };
        Some(Self::I8 { dimension, rows })
    }

    /// The rows without their changes.
    pub fn unchanged(&self) -> &Self {
        match self {
            Self::Changed(rows) => rows.base(),
            _ => self,
        }
    }

    /// The rows as 32-bit floating point.
    pub fn widened(&self) -> Table {
        match self {
            Self::F32(table) => table.clone(),
            _ => Table::new(
                self.dimension(),
                (0..self.len()).flat_map(|number| self.row(number)).collect(),
            ),
        }
    }

    /// The rows, to be changed: as 32-bit floating point from now on.
    pub fn to_mut(&mut self) -> &mut [f32] {
        if !matches!(self, Self::F32(_)) {
            *self = Self::F32(self.widened());
        }
        match self {
            Self::F32(table) => table.values_mut(),
            _ => &mut [],
        }
    }
}

impl From<Table> for Rows {
    fn from(table: Table) -> Self {
        Self::F32(table)
    }
}

impl Default for Rows {
    fn default() -> Self {
        Self::F32(Table::default())
    }
}

/// Rows each of which is the sum of some rows of a base, each times a factor. They take no memory but for their parts.
#[derive(Debug, Clone)]
pub struct Mixed {
    /// The rows that the sums are of.
    pub base: Arc<Rows>,
    len: usize,
    parts: Arc<LazyLock<Parts, MakeParts>>,
}

type MakeParts = Box<dyn FnOnce() -> Parts + Send>;

/// The parts of the rows of [`Mixed`].
#[derive(Debug, PartialEq)]
pub struct Parts {
    /// Where the parts of each row begin, and where those of the last end.
    starts: Vec<u32>,
    /// Rows of the base, and their factors.
    factors: Vec<(u32, f32)>,
}

impl Default for Parts {
    fn default() -> Self {
        Self { starts: vec![0], factors: Vec::new() }
    }
}

impl Parts {
    /// Adds a row: the sum of these rows of the base, each times its factor.
    pub fn push(&mut self, parts: impl IntoIterator<Item = (u32, f32)>) {
        self.factors.extend(parts);
        self.starts.push(self.factors.len() as u32);
    }
}

impl PartialEq for Mixed {
    fn eq(&self, other: &Self) -> bool {
        self.base == other.base && **self.parts == **other.parts
    }
}

impl Mixed {
    /// So many rows, whose parts are made when the first row is read: most readers of a model never read one.
    pub fn new(base: Arc<Rows>, len: usize, make: impl FnOnce() -> Parts + Send + 'static) -> Self {
        let make: MakeParts = Box::new(make);
        Self { base, len, parts: Arc::new(LazyLock::new(make)) }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether these are the other rows or a clone of them, as a look at no row tells.
    pub(super) fn is_clone_of(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.base, &other.base) && Arc::ptr_eq(&self.parts, &other.parts)
    }

    /// Adds up some rows in the order given, part by part.
    pub(super) fn sum(&self, numbers: &[u32], sum: &mut [f32]) {
        let Parts { starts, factors } = &**self.parts;
        sum.fill(0.0);
        for &number in numbers {
            let [start, end] = [0, 1].map(|next| starts[number as usize + next] as usize);
            factors[start..end].iter().for_each(|&(part, factor)| self.base.add(part, factor, sum));
        }
    }
}

/// Rows as they are in a file, and those that replace some of them, in 32 bits whatever the
/// others have.
#[cfg(feature = "learn")]
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    base: Box<Rows>,
    changes: BTreeMap<u32, Vec<f32>>,
}

#[cfg(feature = "learn")]
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

    fn sum(&self, numbers: &[u32], sum: &mut [f32]) {
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
                // Rows of documents that are made of those of queries: no training changes them, and no file has them.
                Rows::Mixed(_) | Rows::Changed(_) => {}
            }
        }
        rows
    }
}

/// Rows of which some were changed, in a program that changes none: without the feature `learn` this
/// type has no value, so that code about it takes no room.
#[cfg(not(feature = "learn"))]
#[derive(Debug, Clone, PartialEq)]
pub enum Changed {}

#[cfg(not(feature = "learn"))]
impl Changed {
    /// The rows of the file.
    pub fn base(&self) -> &Rows {
        match *self {}
    }

    fn sum(&self, _: &[u32], _: &mut [f32]) {
        match *self {}
    }

    /// All rows in the file's own precision.
    pub fn rounded(&self) -> Rows {
        match *self {}
    }
}

#[cfg(feature = "learn")]
impl Rows {
    /// Replaces a row below [`len`](Self::len), of their length; with `None` it is that of the file
    /// again. What replaced it before comes back.
    pub fn change(&mut self, number: u32, row: Option<Vec<f32>>) -> Option<Vec<f32>> {
        let mut changed = match std::mem::take(self) {
            Self::Changed(changed) => changed,
            base => Changed::new(base),
        };
        let before = changed.set(number, row);
        *self =
            if changed.changes().is_empty() { changed.into_base() } else { Self::Changed(changed) };
        before
    }
}

#[cfg(all(test, feature = "learn"))]
mod tests {
    use super::*;

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
            let expected = |at: usize| [0.1, 0.7][at] + before.row(0)[at] + [0.1, 0.7][at];
            assert_eq!(sum, [expected(0), expected(1)]);
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

    #[test]
    fn a_row_is_the_sum_of_its_parts_in_any_precision() {
        let base = Table::new(2, vec![1.0, -2.0, 0.0, 4.0]);
        for precision in [Precision::F32, Precision::F16, Precision::I8] {
            let rows =
                Rows::Mixed(Mixed::new(Arc::new(Rows::new(base.clone(), precision)), 3, || {
                    let mut parts = Parts::default();
                    parts.push([(0, 0.5), (1, 0.25)]);
                    parts.push([]);
                    parts.push([(1, 1.0)]);
                    parts
                }));
            assert_eq!((rows.len(), rows.dimension(), rows.precision()), (3, 2, precision));
            let close = |found: Vec<f32>, expected: [f32; 2]| {
                for (found, expected) in found.iter().zip(expected) {
                    assert!((found - expected).abs() < 1e-2, "{found} {expected}");
                }
            };
            close(rows.row(0), [0.5, 0.0]);
            close(rows.row(1), [0.0, 0.0]);
            let mut sum = vec![9.0; 2];
            rows.sum(&[2, 0, 2], &mut sum);
            close(sum, [0.5, 8.0]);
        }
    }
}
