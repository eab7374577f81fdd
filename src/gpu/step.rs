//! The training step on the device, with the arithmetic of
//! [`step::PairTrainer`](crate::training::step::PairTrainer).
//!
//! A batch touches few rows of its tables. A kernel that addresses one segment of a table at a time
//! copies them into one buffer, and the kernels after it use only this buffer. A table may
//! therefore exceed the size that a shader can address, and a batch of many languages is one
//! dispatch of each kernel. Only Adam also addresses the tables: it changes the touched rows in
//! place. (Copy commands, one for each row, would cost more than the step.)

use std::ops::Range;

use wgpu::{Buffer, BufferUsages};

use super::batch::Batch;
use super::device::{Gpu, Kernel};
use super::lists::{Lists, section};
use super::not_for_gpu;
use super::table::{GpuTable, Segment};
use crate::Error;
use crate::encoder::Table;
use crate::storage::container::{Reader, Writer};
use crate::training::step::{self, Adam, Pair, Part, Report, Settings, State, Weighting};

/// A trainer whose tables are in device memory: the query table first, then one for each document
/// language.
#[derive(Debug)]
pub struct GpuTrainer {
    gpu: Gpu,
    settings: Settings,
    tables: Vec<GpuTable>,
    adam: Adam,
    batch: Batch,
    kernels: [Kernel; 6],
    work: Work,
    /// The report buffer and the number of pairs of each step that was not reported yet.
    pending: Vec<(Buffer, usize)>,
}

/// The buffers between the kernels, reused from batch to batch.
#[derive(Debug)]
struct Work {
    /// The batch's lists.
    lists: Buffer,
    /// [slots, dimension].
    rows: Buffer,
    /// [slots, dimension].
    gradients: Buffer,
    /// [slots].
    squares: Buffer,
    /// [texts, dimension].
    vectors: Buffer,
    /// [texts, dimension].
    flows: Buffer,
    /// [pairs, 4].
    outcomes: Buffer,
}

/// The number of values in a step's report.
const REPORT: usize = 5;

impl GpuTrainer {
    /// Uploads tables of one dimension: the query table, then the document tables.
    ///
    /// # Errors
    /// [`Error::NotForGpu`] for a loss other than a squared distance (proportional odds), and for
    /// tables of no or several dimensions; [`Error::GpuFailed`] if memory runs out, in a browser at
    /// the first awaited answer.
    pub fn new(
        gpu: &Gpu,
        settings: Settings,
        query: Table,
        documents: Vec<Table>,
    ) -> Result<Self, Error> {
        Self::in_segments(gpu, gpu.limits().binding, settings, query, documents)
    }

    /// [`new`](Self::new) with tables in segments of at most `most_bytes` bytes, or the device's
    /// limit if it is lower. Results do not depend on the segments.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn in_segments(
        gpu: &Gpu,
        most_bytes: u64,
        settings: Settings,
        query: Table,
        documents: Vec<Table>,
    ) -> Result<Self, Error> {
        gpu.check()?;
        if settings.loss.target(0).is_none() {
            let expected = "SOSL, three-part L2 or mean square";
            return Err(not_for_gpu("loss", "proportional odds", expected));
        }
        let dimension = query.dimension();
        if dimension == 0 || documents.iter().any(|table| table.dimension() != dimension) {
            let tables = std::iter::once(&query).chain(&documents);
            let found: Vec<usize> = tables.map(Table::dimension).collect();
            return Err(not_for_gpu("dimensions", format!("{found:?}"), "one for all, above 0"));
        }
        let limits = gpu.limits();
        let most_bytes = most_bytes.min(limits.binding).min(limits.buffer);
        let upload = |table| GpuTable::new(gpu, table, most_bytes, settings.pull > 0.0);
        let tables: Vec<_> =
            std::iter::once(&query).chain(&documents).map(upload).collect::<Result<_, _>>()?;
        let kernels = gpu.kernels(
            include_str!("step.wgsl"),
            [
                ("gather", &[0, 1, 7, 8, 14, 15, 16]),
                ("encode", &[0, 2, 3, 7, 10, 20, 21]),
                ("score", &[0, 6, 10, 11, 12, 21]),
                ("backward", &[0, 4, 5, 8, 9, 11, 20]),
                ("finish", &[0, 9, 12, 13]),
                ("adam", &[0, 1, 8, 13, 14, 17, 18, 19]),
            ],
        );
        let trainer = Self {
            batch: Batch::new(tables.iter().map(|table| table.rows)),
            gpu: gpu.clone(),
            settings,
            tables,
            adam: Adam::after(0),
            kernels,
            work: Work::new(gpu),
            pending: Vec::new(),
        };
        gpu.check()?;
        Ok(trainer)
    }

    /// Creates a trainer that continues from the state of a trainer of the core.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(super) fn from_core(gpu: &Gpu, core: &step::PairTrainer) -> Result<Self, Error> {
        let mut homes = core.homes();
        let documents = homes.split_off(1);
        let query = homes.pop().unwrap_or_default();
        let mut trainer = Self::new(gpu, core.settings().clone(), query, documents)?;
        let State { adam, tables } = core.state();
        trainer.adam = adam;
        trainer.batch.weightings = core.weightings();
        for (table, parts) in trainer.tables.iter().zip(tables) {
            for (part, values) in Part::ALL.into_iter().zip(parts) {
                table.set(gpu, part, &values);
            }
        }
        gpu.check()?;
        Ok(trainer)
    }

    /// See [`step::PairTrainer::weigh`].
    pub fn weigh(&mut self, weightings: Vec<Weighting>) {
        self.batch.weightings = weightings.into_iter().map(Some).collect();
    }

    /// Sets the step size of the next steps.
    pub fn set_learning_rate(&mut self, learning_rate: f32) {
        self.settings.learning_rate = learning_rate;
    }

    /// Takes one step of Adam on a batch.
    ///
    /// # Errors
    /// [`Error::NotForGpu`] if a row, language or grade of a pair does not exist, or if the batch
    /// has more rows than the device can hold at once: the tables stay unchanged.
    /// [`Error::GpuFailed`] if the device was lost or has failed.
    pub async fn step(&mut self, batch: &[Pair<'_>]) -> Result<Report, Error> {
        self.enqueue(batch)?;
        let own = self.pending.split_off(self.pending.len() - 1);
        let reports = self.read_reports(&own).await?;
        Ok(reports.into_iter().next().unwrap_or_default())
    }

    /// Submits a step without waiting. A submitted step takes memory until
    /// [`reports`](Self::reports) waits for it, so wait after some tens of steps.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn enqueue(&mut self, batch: &[Pair<'_>]) -> Result<(), Error> {
        let mut adam = self.adam.clone();
        let step_size = adam.advance(self.settings.learning_rate);
        let report = self.run(batch, Some(step_size))?;
        self.adam = adam;
        self.pending.push((report, batch.len()));
        Ok(())
    }

    /// Waits for the steps submitted since the last call, and returns a report of each.
    ///
    /// # Errors
    /// [`Error::GpuFailed`].
    pub async fn reports(&mut self) -> Result<Vec<Report>, Error> {
        let pending = std::mem::take(&mut self.pending);
        self.read_reports(&pending).await
    }

    async fn read_reports(&self, pending: &[(Buffer, usize)]) -> Result<Vec<Report>, Error> {
        let parts: Vec<_> = pending.iter().map(|(buffer, _)| (buffer, REPORT)).collect();
        let numbers = self.gpu.read::<f32>(&parts).await?;
        let reports = numbers.as_chunks::<REPORT>().0.iter().zip(pending);
        let report = |(numbers, (_, pairs)): (&[f32; REPORT], &(Buffer, usize))| {
            let [loss, active, undefined, clipped, _] = *numbers;
            Report {
                loss: f64::from(loss) / (*pairs).max(1) as f64,
                active: active as usize,
                undefined: undefined as usize,
                clipped: clipped != 0.0,
            }
        };
        Ok(reports.map(report).collect())
    }

    /// The gradient of the batch's mean loss with respect to every touched row, without a step: for
    /// each table its touched rows in rising order.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub async fn gradients(
        &mut self,
        batch: &[Pair<'_>],
    ) -> Result<Vec<Vec<(u32, Vec<f32>)>>, Error> {
        self.run(batch, None)?;
        let dimension = self.tables[0].dimension;
        let count = self.batch.slots() * dimension;
        let values = self.gpu.read::<f32>(&[(&self.work.gradients, count)]).await?;
        let mut rows = values.chunks_exact(dimension).map(<[f32]>::to_vec);
        let gradients = |touched: &Vec<u32>| touched.iter().copied().zip(rows.by_ref()).collect();
        Ok(self.batch.touched.iter().map(gradients).collect())
    }

    /// Reads the current tables: the query table, then the document tables.
    ///
    /// # Errors
    /// [`Error::GpuFailed`].
    pub async fn tables(&self) -> Result<Vec<Table>, Error> {
        let mut tables = Vec::new();
        for table in &self.tables {
            tables.push(Table::new(table.dimension, table.get(&self.gpu, Part::Weights).await?));
        }
        Ok(tables)
    }

    /// Reads the state, from which a trainer of the core can continue.
    ///
    /// # Errors
    /// [`Error::GpuFailed`].
    pub(super) async fn state(&self) -> Result<State, Error> {
        let buffers: Vec<_> = self.tables.iter().flat_map(GpuTable::buffers).collect();
        let mut numbers = self.gpu.read::<f32>(&buffers).await?.into_iter();
        let parts = |table: &GpuTable| {
            let count = table.rows * table.dimension;
            Part::ALL.map(|_| numbers.by_ref().take(count).collect())
        };
        let tables = self.tables.iter().map(parts).collect();
        Ok(State { adam: self.adam.clone(), tables })
    }

    /// Writes the complete state in the format of the core's trainer, so that either can continue
    /// from the other's.
    ///
    /// # Errors
    /// [`Error::GpuFailed`].
    pub async fn save(&self, writer: &mut Writer) -> Result<(), Error> {
        self.adam.save(writer);
        for (number, table) in self.tables.iter().enumerate() {
            for part in Part::ALL {
                let name = part.tensor(number);
                let values = table.get(&self.gpu, part).await?;
                writer.f32(&name, &[table.rows, table.dimension], &values);
            }
        }
        Ok(())
    }

    /// Reads a state that [`save`](Self::save), or the core's trainer, wrote.
    ///
    /// # Errors
    /// For missing tensors, types or shapes that differ; [`Error::GpuFailed`].
    pub fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), Error> {
        self.adam = Adam::restore(reader)?;
        for (number, table) in self.tables.iter().enumerate() {
            for part in Part::ALL {
                let name = part.tensor(number);
                let stored = reader.table(&name, Some(table.rows), table.dimension)?;
                table.set(&self.gpu, part, stored.values());
            }
        }
        self.gpu.check()
    }

    /// Submits the forward and backward kernels and, with a step size, the step. The report is
    /// written to the returned buffer.
    fn run(&mut self, pairs: &[Pair<'_>], step_size: Option<f32>) -> Result<Buffer, Error> {
        let Self { gpu, settings, tables, batch, kernels, work, .. } = self;
        gpu.check()?;
        batch.list(pairs, &settings.loss)?;
        let (dimension, slots, texts) = (tables[0].dimension, batch.slots(), 2 * pairs.len());
        work.make_room(gpu, dimension, slots, pairs.len())?;

        let mut lists = Lists::default();
        let numbers = [settings.epsilon, settings.pull, settings.clip.unwrap_or(-1.0)];
        let [epsilon, pull, clip] = numbers.map(f32::to_bits);
        let step = step_size.unwrap_or(0.0).to_bits();
        let counts = [dimension, pairs.len(), slots].map(|count| count as u32);
        let general = lists.add(&[counts[0], counts[1], counts[2], epsilon, pull, clip, step, 0]);
        let parts = Touched::list(tables, batch, &mut lists);
        let places: Vec<u32> = (tables.iter().zip(&batch.touched))
            .flat_map(|(table, rows)| rows.iter().map(|row| row % table.segment_rows as u32))
            .collect();
        let listed = [
            (1, lists.add(&places)),
            (2, lists.add(&batch.text_starts)),
            (3, lists.add(&batch.words)),
            (4, lists.add(&batch.row_starts)),
            (5, lists.add(&batch.row_texts)),
            (6, lists.add(&batch.targets)),
            (20, lists.add(&batch.row_weights)),
            (21, lists.add(&batch.text_weights)),
        ];
        gpu.make_room(&mut work.lists, lists.bytes.len() as u64)?;
        gpu.queue.write_buffer(&work.lists, 0, &lists.bytes);

        let report = gpu.buffer(4 * REPORT as u64, BufferUsages::empty());
        let mut shared = vec![(0, section(&work.lists, &general))];
        shared.extend(listed.iter().map(|(at, range)| (*at, section(&work.lists, range))));
        let buffers = [
            &work.rows,
            &work.gradients,
            &work.squares,
            &work.vectors,
            &work.flows,
            &work.outcomes,
        ];
        let buffers = buffers.into_iter().chain([&report]).map(Buffer::as_entire_binding);
        shared.extend((7..).zip(buffers));
        let parts = parts.iter().map(|Touched { segment, count, range }| {
            let Segment { weights, first, second, home, .. } = segment;
            let mut resources = shared.clone();
            resources.push((14, section(&work.lists, range)));
            // Without a pull the shader does not read `home`.
            let seen = [weights, home.as_ref().unwrap_or(weights), weights, first, second];
            resources.extend((15..).zip(seen.map(Buffer::as_entire_binding)));
            (resources, *count)
        });
        let parts: Vec<_> = parts.collect();
        let [gather, encode, score, backward, finish, adam] = kernels;
        gpu.submit(|encoder| {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            for (resources, count) in &parts {
                gpu.dispatch(&mut pass, gather, resources, *count);
            }
            gpu.dispatch(&mut pass, encode, &shared, texts);
            gpu.dispatch(&mut pass, score, &shared, pairs.len());
            gpu.dispatch(&mut pass, backward, &shared, slots);
            gpu.dispatch(&mut pass, finish, &shared, 1);
            for (resources, count) in parts.iter().filter(|_| step_size.is_some()) {
                gpu.dispatch(&mut pass, adam, resources, *count);
            }
        });
        gpu.check()?;
        Ok(report)
    }
}

impl Work {
    fn new(gpu: &Gpu) -> Self {
        let empty = || gpu.buffer(0, BufferUsages::empty());
        Self {
            lists: gpu.buffer(0, BufferUsages::UNIFORM),
            rows: empty(),
            gradients: empty(),
            squares: empty(),
            vectors: empty(),
            flows: empty(),
            outcomes: empty(),
        }
    }

    fn make_room(
        &mut self,
        gpu: &Gpu,
        dimension: usize,
        slots: usize,
        pairs: usize,
    ) -> Result<(), Error> {
        for (buffer, numbers) in [
            (&mut self.rows, slots * dimension),
            (&mut self.gradients, slots * dimension),
            (&mut self.squares, slots),
            (&mut self.vectors, 2 * pairs * dimension),
            (&mut self.flows, 2 * pairs * dimension),
            (&mut self.outcomes, pairs * 4),
        ] {
            gpu.make_room(buffer, 4 * numbers as u64)?;
        }
        Ok(())
    }
}

/// The slots of the touched rows in a segment of a table.
struct Touched<'a> {
    segment: &'a Segment,
    count: usize,
    /// The range of the segment's slots in the uploaded lists.
    range: Range<u64>,
}

impl<'a> Touched<'a> {
    fn list(tables: &'a [GpuTable], batch: &Batch, lists: &mut Lists) -> Vec<Self> {
        let (mut parts, mut first_slot) = (Vec::new(), 0);
        for (table, touched) in tables.iter().zip(&batch.touched) {
            let number = |row: u32| row as usize / table.segment_rows;
            for rows in touched.chunk_by(|&a, &b| number(a) == number(b)) {
                let range = lists.add(&[first_slot, rows.len() as u32, 0, 0]);
                let segment = &table.segments[number(rows[0])];
                parts.push(Self { segment, count: rows.len(), range });
                first_slot += rows.len() as u32;
            }
        }
        parts
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;
    use crate::math::loss::{Loss, Thresholds};
    use crate::math::random::Random;
    use pollster::block_on;

    #[test]
    fn a_vector_is_the_tanh_of_the_core_within_a_millionth_of_itself() {
        let gpu = block_on(Gpu::request()).unwrap();
        let mut xs = Random::new(1, "tanh").uniforms(4000, 12.0);
        xs.extend(Random::new(2, "tanh").uniforms(4000, 1.0));
        xs.extend((0..30).flat_map(|i| [1.0f32, -0.7].map(|x| x * libm::exp10f(-(i as f32)))));
        xs.extend([0.0, -0.0, 0.625, 0.62499994, 9.0, 10.0, 88.0, 89.0, 1e18, -1e30, f32::MAX]);
        let settings = Settings {
            epsilon: 0.5,
            loss: Loss::Sosl(Thresholds::new(&[0.0]).unwrap()),
            learning_rate: 0.01,
            clip: None,
            pull: 0.0,
        };
        let (query, document) = (Table::new(1, xs.clone()), Table::new(1, vec![0.5]));
        let mut trainer = GpuTrainer::new(&gpu, settings, query, vec![document]).unwrap();
        let rows: Vec<[u32; 1]> = (0..xs.len() as u32).map(|row| [row]).collect();
        let pair = |query| Pair { query, document: &[0], language: 0, grade: 1 };
        let pairs: Vec<Pair<'_>> = rows.iter().map(|row| pair(row)).collect();
        trainer.run(&pairs, None).unwrap();
        let parts = [(&trainer.work.vectors, xs.len())];
        let found = block_on(gpu.read::<f32>(&parts)).unwrap();
        let mut most = 0.0f32;
        for (x, found) in xs.iter().zip(found) {
            let expected = libm::tanhf(*x);
            let difference = (found - expected).abs() / expected.abs().max(f32::MIN_POSITIVE);
            assert!(difference <= 1e-6, "{x}: {found}, expected {expected}");
            most = most.max(difference);
        }
        println!("largest relative error of tanh: {most:e}");
    }
}
