//! A trainable table in device memory.

use wgpu::{Buffer, BufferUsages};

use super::device::Gpu;
use super::not_for_gpu;
use crate::Error;
use crate::encoder::Table;
use crate::training::step::Part;

/// A table with Adam's two moments of each weight, in segments of rows, each small enough for a
/// shader to address.
#[derive(Debug)]
pub(super) struct GpuTable {
    pub rows: usize,
    pub dimension: usize,
    /// The number of rows of a segment; the last may have fewer.
    pub segment_rows: usize,
    pub segments: Vec<Segment>,
}

/// Consecutive rows.
#[derive(Debug)]
pub(super) struct Segment {
    rows: usize,
    pub weights: Buffer,
    pub first: Buffer,
    pub second: Buffer,
    /// The weights that the pull is towards.
    pub home: Option<Buffer>,
}

impl Segment {
    fn part(&self, part: Part) -> &Buffer {
        match part {
            Part::Weights => &self.weights,
            Part::First => &self.first,
            Part::Second => &self.second,
        }
    }
}

impl GpuTable {
    /// Uploads a table in segments of at most `most_bytes` bytes.
    ///
    /// # Errors
    /// [`Error::NotForGpu`] if a row does not fit, [`Error::GpuFailed`] if memory runs out.
    pub fn new(gpu: &Gpu, table: &Table, most_bytes: u64, pull: bool) -> Result<Self, Error> {
        let (rows, dimension) = (table.len(), table.dimension());
        let row_bytes = 4 * dimension as u64;
        let segment_rows = (most_bytes / row_bytes.max(1)) as usize;
        if segment_rows == 0 {
            let (found, expected) = (format!("{row_bytes} bytes"), format!("at most {most_bytes}"));
            return Err(not_for_gpu("a row of a table", found, expected));
        }
        let mut segments = Vec::new();
        for values in table.values().chunks((segment_rows * dimension).max(1)) {
            let moments = || gpu.buffer(4 * values.len() as u64, BufferUsages::empty());
            segments.push(Segment {
                rows: values.len() / dimension,
                weights: gpu.upload(values),
                first: moments(),
                second: moments(),
                home: pull.then(|| gpu.upload(values)),
            });
            gpu.check()?;
        }
        Ok(Self { rows, dimension, segment_rows, segments })
    }

    /// Reads the weights or one of their moments, row by row.
    pub async fn get(&self, gpu: &Gpu, part: Part) -> Result<Vec<f32>, Error> {
        let mut values = Vec::with_capacity(self.rows * self.dimension);
        for segment in &self.segments {
            let count = segment.rows * self.dimension;
            values.extend(gpu.read::<f32>(&[(segment.part(part), count)]).await?);
        }
        Ok(values)
    }

    /// The buffers of all values and their lengths: the segments of one part, then of the next.
    pub fn buffers(&self) -> Vec<(&Buffer, usize)> {
        let mut buffers = Vec::new();
        for part in Part::ALL {
            let count = |segment: &Segment| segment.rows * self.dimension;
            buffers
                .extend(self.segments.iter().map(|segment| (segment.part(part), count(segment))));
        }
        buffers
    }

    /// Writes values in the order of [`get`](Self::get).
    pub fn set(&self, gpu: &Gpu, part: Part, values: &[f32]) {
        let parts = values.chunks((self.segment_rows * self.dimension).max(1));
        for (segment, values) in self.segments.iter().zip(parts) {
            gpu.queue.write_buffer(segment.part(part), 0, bytemuck::cast_slice(values));
        }
    }
}
