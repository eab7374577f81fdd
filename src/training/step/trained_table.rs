//! A trainable table.

use ndarray::{Array2, Array3, ArrayView2, ArrayViewMut3, Axis, s};

use super::adam::Adam;
use super::touched::Touched;
use super::weighting::{Weighting, total, weigh};
use crate::Error;
use crate::encoder::Table;
use crate::math::arrays::{values, values_mut};
use crate::math::kernels;
use crate::storage::container::{Reader, Writer};

/// A table with Adam's two moments of each weight, in blocks of columns, and the touched rows of a
/// batch.
///
/// Each thread prefers its own block, so that no row moves between the caches of two threads.
#[derive(Debug, Clone)]
pub(super) struct TrainedTable {
    rows: usize,
    dimension: usize,
    blocks: Vec<Block>,
    home: Option<Home>,
    /// `None` if all rows weigh 1.
    pub weighting: Option<Weighting>,
    pub touched: Touched,
}

/// The pull: the initial rows, and its strength.
#[derive(Debug, Clone)]
struct Home {
    table: Table,
    pull: f32,
}

impl Home {
    /// Adds the pull to the gradient of some columns of a row, from `column` on.
    fn add(&self, row: usize, column: usize, weights: &[f32], gradient: &mut [f32]) {
        let home = &self.table.row(row)[column..];
        for ((gradient, weight), home) in gradient.iter_mut().zip(weights).zip(home) {
            *gradient += self.pull * (weight - home);
        }
    }
}

/// A block of columns of a table.
#[derive(Debug, Clone)]
pub(super) struct Block {
    /// The first column.
    pub column: usize,
    /// The number of columns.
    pub width: usize,
    /// [rows, 3, width]: for each row its weights, then their first, then their second moments.
    records: Array3<f32>,
}

/// The parts of a block's record of a row, in this order.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    Weights,
    First,
    Second,
}

impl Part {
    pub const ALL: [Self; 3] = [Self::Weights, Self::First, Self::Second];

    /// The name of its tensor in a file, for the table of this number.
    pub fn tensor(self, table: usize) -> String {
        let name = match self {
            Self::Weights => "weights",
            Self::First => "first",
            Self::Second => "second",
        };
        format!("learner.{table}.{name}")
    }
}

/// The update of a row by its gradient.
#[derive(Debug, Clone, Copy)]
pub(super) enum Rule {
    /// Adam, with the gradient multiplied by `factor` first.
    Adam { step_size: f32, factor: f32 },
    /// Gradient descent: subtracts a multiple of the gradient.
    Descent { step_size: f32 },
}

/// The prefetch distance in rows.
const AHEAD: usize = 4;
/// Blocks start at a cache line.
const LINE: usize = 16;

impl TrainedTable {
    /// Cut into about this many blocks; its rows are pulled back to where they are now.
    pub fn new(table: Table, blocks: usize, pull: f32) -> Self {
        let (rows, dimension) = (table.len(), table.dimension());
        let lines = dimension.div_ceil(LINE);
        let width = (lines.div_ceil(blocks.clamp(1, lines.max(1))) * LINE).max(LINE);
        let block = |column: usize| {
            let width = width.min(dimension - column);
            Block { column, width, records: Array3::zeros((rows, 3, width)) }
        };
        let blocks = (0..dimension).step_by(width).map(block).collect();
        let touched = Touched::default();
        let mut trained = Self { rows, dimension, blocks, home: None, weighting: None, touched };
        trained.set(Part::Weights, table.view());
        trained.home = (pull > 0.0).then_some(Home { table, pull });
        trained
    }

    /// Sets the table that the pull is towards, if there is a pull.
    pub fn pull_towards(&mut self, table: Table) {
        if let Some(home) = &mut self.home {
            home.table = table;
            // Rows that no pair has changed yet may differ from that table.
            self.touched.move_all(self.rows);
        }
    }

    /// The table that the pull is towards; the current rows without a pull.
    #[cfg(feature = "gpu")]
    pub fn home(&self) -> Table {
        self.home.as_ref().map_or_else(|| self.table(), |home| home.table.clone())
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn dimension(&self) -> usize {
        self.dimension
    }

    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The weights or one of their moments: [rows, dimension].
    pub fn get(&self, part: Part) -> Array2<f32> {
        let mut values = Array2::zeros((self.rows, self.dimension));
        for Block { column, width, records } in &self.blocks {
            let mut columns = values.slice_mut(s![.., *column..column + width]);
            columns.assign(&records.index_axis(Axis(1), part as usize));
        }
        values
    }

    /// Sets the values in the order of [`get`](Self::get).
    pub fn set(&mut self, part: Part, values: ArrayView2<'_, f32>) {
        for Block { column, width, records } in &mut self.blocks {
            let columns = values.slice(s![.., *column..*column + *width]);
            records.index_axis_mut(Axis(1), part as usize).assign(&columns);
        }
    }

    /// Writes the values to a file, as the table of this number.
    pub fn save(&self, number: usize, writer: &mut Writer) {
        for part in Part::ALL {
            let numbers = self.get(part);
            writer.f32(&part.tensor(number), numbers.shape(), values(&numbers));
        }
    }

    /// Reads the values that [`save`](Self::save) wrote.
    pub fn restore(&mut self, number: usize, reader: &mut Reader<'_>) -> Result<(), Error> {
        for part in Part::ALL {
            let table = reader.table(&part.tensor(number), Some(self.rows), self.dimension)?;
            self.set(part, table.view());
        }
        self.touched.move_all(self.rows);
        Ok(())
    }

    /// The rows as a table.
    pub fn table(&self) -> Table {
        self.get(Part::Weights).into()
    }

    /// Writes the sum of some rows.
    pub fn sum(&self, rows: &[u32], sum: &mut [f32]) {
        for block in &self.blocks {
            block.sum(rows, &mut sum[block.column..][..block.width]);
        }
    }

    /// The divisor of the sum of a text's rows.
    pub fn total(&self, rows: &[u32]) -> f32 {
        total(self.weighting.as_ref(), rows)
    }

    /// Writes a block's columns of the mean of a text's rows.
    pub fn mean(&self, block: usize, rows: &[u32], mean: &mut [f32]) {
        let block = &self.blocks[block];
        match &self.weighting {
            Some(weighting) => block.weighted_sum(rows, weighting, mean),
            None => block.sum(rows, mean),
        }
        let total = self.total(rows);
        mean.iter_mut().for_each(|x| *x /= total);
    }

    /// The gradient of the row in a slot of the batch's list, from the gradients of the pairs'
    /// texts.
    pub fn gradient(&self, slot: usize, flow: &Array2<f32>, gradient: &mut [f32]) {
        let row = self.touched.rows[slot] as usize;
        let occurrences = self.touched.occurrences(slot);
        kernels::sum_rows(values(flow), self.dimension, occurrences, gradient);
        weigh(self.weighting.as_ref(), row, gradient);
        if let Some(home) = &self.home {
            for Block { column, width, records } in &self.blocks {
                let weights = records.slice(s![row, 0, ..]);
                home.add(row, *column, values(&weights), &mut gradient[*column..column + width]);
            }
        }
    }

    /// Splits the batch's list into runs of each block, close to `parts` in number, which can be
    /// updated concurrently: every block's first run, then every block's second.
    pub fn runs(&mut self, parts: usize) -> Vec<Run<'_>> {
        let (touched, home, dimension) = (&self.touched, self.home.as_ref(), self.dimension);
        let weighting = self.weighting.as_ref();
        let most = touched.rows.len().div_ceil(parts).max(1);
        let mut runs = Vec::new();
        for Block { column, width, records } in &mut self.blocks {
            let (mut rest, mut first_row) = (records.view_mut(), 0);
            for (number, start) in (0..touched.rows.len()).step_by(most).enumerate() {
                let slots = start..touched.rows.len().min(start + most);
                let next_row = touched.rows[slots.end - 1] as usize + 1;
                let (records, after) = rest.split_at(Axis(0), next_row - first_row);
                let (column, width) = (*column, *width);
                runs.push((
                    number,
                    Run {
                        dimension,
                        touched,
                        home,
                        weighting,
                        slots,
                        first_row,
                        column,
                        width,
                        records,
                    },
                ));
                (rest, first_row) = (after, next_row);
            }
        }
        runs.sort_by_key(|&(number, _)| number);
        runs.into_iter().map(|(_, run)| run).collect()
    }
}

impl Block {
    /// Writes the sum of some rows' weights.
    pub fn sum(&self, rows: &[u32], sum: &mut [f32]) {
        kernels::sum_rows(values(&self.records), 3 * self.width, rows, sum);
    }

    /// Writes the sum of some rows' weights, each multiplied by its factor.
    fn weighted_sum(&self, rows: &[u32], weighting: &Weighting, sum: &mut [f32]) {
        let factors = &weighting.weights;
        kernels::sum_weighted_rows(values(&self.records), 3 * self.width, rows, factors, sum);
    }
}

/// A run of a batch's touched rows in one block, which one thread updates.
pub(super) struct Run<'a> {
    dimension: usize,
    touched: &'a Touched,
    home: Option<&'a Home>,
    weighting: Option<&'a Weighting>,
    slots: std::ops::Range<usize>,
    /// The row of the first record.
    first_row: usize,
    column: usize,
    width: usize,
    records: ArrayViewMut3<'a, f32>,
}

impl Run<'_> {
    /// Updates the rows. `flow` are the gradients of the pairs' texts: [pairs, dimension].
    pub fn update(&mut self, flow: &Array2<f32>, rule: Rule) {
        let (width, first_row) = (self.width, self.first_row);
        let record = |row: usize| (row - first_row) * 3 * width..(row - first_row + 1) * 3 * width;
        let flow = values(flow).get(self.column..).unwrap_or_default();
        let records = values_mut(&mut self.records);
        let mut gradient = vec![0.0; width];
        for slot in self.slots.clone() {
            if let Some(&row) = self.touched.rows[..self.slots.end].get(slot + AHEAD) {
                kernels::prefetch(&records[record(row as usize)]);
            }
            let row = self.touched.rows[slot] as usize;
            if !self.touched.can_move(row) {
                continue;
            }
            let occurrences = self.touched.occurrences(slot);
            kernels::sum_rows(flow, self.dimension, occurrences, &mut gradient);
            weigh(self.weighting, row, &mut gradient);
            let (weights, moments) = records[record(row)].split_at_mut(width);
            if let Some(home) = self.home {
                home.add(row, self.column, weights, &mut gradient);
            }
            match rule {
                Rule::Adam { step_size, factor } => {
                    if factor != 1.0 {
                        gradient.iter_mut().for_each(|x| *x *= factor);
                    }
                    let (first, second) = moments.split_at_mut(width);
                    Adam::update(step_size, &gradient, weights, first, second);
                }
                Rule::Descent { step_size } => {
                    for (weight, gradient) in weights.iter_mut().zip(&gradient) {
                        *weight -= step_size * gradient;
                    }
                }
            }
        }
    }
}
