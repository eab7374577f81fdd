//! Rows in the precision of their file: the words of an encoder, the vectors of an index.

use half::f16;

use super::{Changed, Precision, Quantised, Table};
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
        }
    }

    /// How they are held in memory.
    pub fn precision(&self) -> Precision {
        match self {
            Self::F32(_) => Precision::F32,
            Self::F16 { .. } => Precision::F16,
            Self::I8 { .. } => Precision::I8,
            Self::Changed(rows) => rows.base().precision(),
        }
    }

    /// Numbers in a row.
    pub fn dimension(&self) -> usize {
        match self {
            Self::F32(table) => table.dimension(),
            Self::F16 { dimension, .. } | Self::I8 { dimension, .. } => *dimension,
            Self::Changed(rows) => rows.base().dimension(),
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        match self {
            Self::F32(table) => table.len(),
            Self::F16 { dimension, bits } => bits.len() / (*dimension).max(1),
            Self::I8 { rows, .. } => rows.scales.len(),
            Self::Changed(rows) => rows.base().len(),
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
        }
    }

    /// The sum of some rows in the order given, each times its weight: `weights` has one for every
    /// row there is.
    ///
    /// # Panics
    /// If there is no such row or weight.
    pub fn weighted_sum(&self, numbers: &[u32], weights: &[f32], sum: &mut [f32]) {
        sum.fill(0.0);
        let mut row = vec![0.0; sum.len()];
        for &number in numbers {
            self.read(number as usize, &mut row);
            let weight = weights[number as usize];
            sum.iter_mut().zip(&row).for_each(|(sum, x)| *sum += x * weight);
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
