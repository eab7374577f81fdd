//! The top documents for a query on the device, as candidates for the core to score again.
//!
//! The device scores every document. Then each round keeps the top of every block of 1024 entries,
//! until one block is left, so the data read back does not grow with the index. More than 512
//! candidates would not shrink fast enough: then the device returns all scores and the host sorts
//! them.

use wgpu::{Buffer, BufferUsages};

use super::device::{Gpu, Kernel};
use super::lists::{Lists, section};
use super::not_for_gpu;
use crate::Error;
use crate::encoder::Rows;
use crate::error::check_epsilon;
use crate::ranking::scan::Query;

/// The vectors of an index in device memory.
#[derive(Debug)]
pub struct Scan {
    gpu: Gpu,
    dimension: usize,
    segments: Vec<Segment>,
    score: Kernel,
    keep_best: Kernel,
    /// The scored documents of two successive rounds.
    entries: [Buffer; 2],
}

/// Consecutive documents, as many as a shader can address at once.
#[derive(Debug)]
struct Segment {
    first: usize,
    documents: usize,
    vectors: Buffer,
    norms: Buffer,
    /// The scale of each row, for 8-bit integers.
    scales: Option<Buffer>,
}

/// A scored document as shaders store it: the score's bits, then the position.
type Entry = [u32; 2];

const ENTRY_BYTES: u64 = size_of::<Entry>() as u64;
/// The position of an empty entry.
const NONE: u32 = u32::MAX;
/// Documents in a block of vectors.
const LANES: usize = 64;
/// Columns in a group of a block.
const QUAD: usize = 4;
/// Entries in a block of the selection, which a workgroup sorts.
const BLOCK: usize = 1024;
/// The largest number of entries that a round keeps of a block.
const MOST_KEPT: usize = BLOCK / 2;

impl Scan {
    /// Uploads vectors [documents, dimension] and their norms, one each; 16-bit vectors as
    /// 32-bit.
    ///
    /// # Errors
    /// [`Error::NotForGpu`] if the numbers of norms and vectors differ, or if the device cannot
    /// address 64 vectors at once; [`Error::GpuFailed`] if memory runs out, in a browser at the
    /// first awaited answer.
    pub fn new(gpu: &Gpu, vectors: &Rows, norms: &[f32]) -> Result<Self, Error> {
        Self::in_segments(gpu, gpu.limits().binding, vectors, norms)
    }

    /// [`new`](Self::new) in segments of at most `most_bytes` bytes, or the device's limit if it is
    /// lower. Results do not depend on the segments.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn in_segments(
        gpu: &Gpu,
        most_bytes: u64,
        vectors: &Rows,
        norms: &[f32],
    ) -> Result<Self, Error> {
        gpu.check()?;
        let (dimension, documents) = (vectors.dimension(), norms.len());
        if vectors.len() != documents || documents >= NONE as usize {
            return Err(not_for_gpu("norms", documents, vectors.len()));
        }
        let in_integers = matches!(vectors, Rows::I8 { .. });
        let of_quad = if in_integers { 4 } else { 16 };
        let of_document = (dimension.div_ceil(QUAD) as u64 * of_quad).max(ENTRY_BYTES);
        let most = most_bytes.min(gpu.limits().binding).min(gpu.limits().buffer);
        let most_documents = (most / of_document) as usize / LANES * LANES;
        if most_documents == 0 {
            let expected = format!("at least {}", of_document * LANES as u64);
            return Err(not_for_gpu("bytes of a segment", most, expected));
        }
        let mut segments = Vec::new();
        for first in (0..documents).step_by(most_documents) {
            let documents = most_documents.min(documents - first);
            let scales = match vectors {
                Rows::I8 { rows, .. } => Some(gpu.upload(&rows.scales[first..][..documents])),
                _ => None,
            };
            let (vectors, norms) = (in_blocks(gpu, vectors, first, documents), &norms[first..]);
            let norms = gpu.upload(&norms[..documents]);
            segments.push(Segment { first, documents, vectors, norms, scales });
            gpu.check()?;
        }
        let largest = segments.first().map_or(0, |segment| segment.documents);
        let room = |entries: usize| gpu.buffer(entries as u64 * ENTRY_BYTES, BufferUsages::empty());
        let score: (&str, &[u32]) = if in_integers {
            ("score_integers", &[0, 2, 4, 5, 6, 7])
        } else {
            ("score_floats", &[0, 1, 3, 5, 7])
        };
        let [score, keep_best] =
            gpu.kernels(include_str!("scan.wgsl"), [score, ("keep_best", &[8, 9, 10])]);
        let entries = [room(largest), room(largest.div_ceil(BLOCK) * MOST_KEPT)];
        gpu.check()?;
        Ok(Self { gpu: gpu.clone(), dimension, segments, score, keep_best, entries })
    }

    /// Returns the positions of documents among which the core finds the top `k`, at least four times
    /// `k` and 64 if there are as many; the order is that of [`top`](Self::top).
    ///
    /// The device's scores are rounded otherwise than the core's. If the last candidate's score is so
    /// near the `k`th that rounding may have exchanged them, all documents near it are candidates.
    ///
    /// # Errors
    /// As [`top`](Self::top).
    pub async fn candidates(
        &self,
        query: &Query,
        epsilon: f32,
        k: usize,
    ) -> Result<Vec<usize>, Error> {
        let enough = k.saturating_mul(4).max(LANES);
        let mut entries = self.scored(query, epsilon, enough).await?;
        let least = k.checked_sub(1).and_then(|last| entries.get(last)).map_or(f32::MAX, score_of);
        let least = least - 2.0 * self.rounding();
        if entries.len() == enough && entries.last().is_some_and(|last| score_of(last) >= least) {
            entries = self.scored(query, epsilon, usize::MAX).await?;
            let near = entries.partition_point(|entry| score_of(entry) >= least);
            entries.truncate(near.max(enough));
        }
        Ok(positions(entries))
    }

    /// Returns the positions of the top `limit` documents by descending score on the device; equal
    /// scores in the order of the index.
    ///
    /// # Errors
    /// [`Error::Epsilon`]; [`Error::NotForGpu`] for a query of another dimension;
    /// [`Error::GpuFailed`] if the device was lost or has failed.
    pub async fn top(
        &self,
        query: &Query,
        epsilon: f32,
        limit: usize,
    ) -> Result<Vec<usize>, Error> {
        Ok(positions(self.scored(query, epsilon, limit).await?))
    }

    /// A bound of the difference of a score from the core's. Each of the two sums has a rounding error
    /// of at most half an ulp for an addition, relative to the product of the norms, and the score is
    /// at most 1; WGSL allows a quotient 2.5 ulps. The largest number of additions in a row is a
    /// quarter of the dimension.
    fn rounding(&self) -> f32 {
        (self.dimension as f32 / 2.0 + 16.0) * f32::EPSILON
    }

    /// The top `limit` documents with their scores, the best first.
    async fn scored(&self, query: &Query, epsilon: f32, limit: usize) -> Result<Vec<Entry>, Error> {
        self.gpu.check()?;
        let epsilon = check_epsilon(epsilon)?;
        if query.vector.len() != self.dimension && !self.segments.is_empty() {
            return Err(not_for_gpu("dimension", query.vector.len(), self.dimension));
        }
        let documents: usize = self.segments.iter().map(|segment| segment.documents).sum();
        let limit = limit.min(documents);
        let found = self.propose(query, epsilon, limit)?;
        let count = (found.size() / ENTRY_BYTES) as usize;
        if limit == 0 {
            return Ok(Vec::new());
        }
        let mut entries = self.gpu.read::<Entry>(&[(&found, count)]).await?;
        entries.retain(|&[_, position]| position != NONE);
        entries.sort_by(|a, b| score_of(b).total_cmp(&score_of(a)).then(a[1].cmp(&b[1])));
        entries.truncate(limit);
        Ok(entries)
    }

    /// The top entries of each segment, one segment after the other.
    fn propose(&self, query: &Query, epsilon: f32, limit: usize) -> Result<Buffer, Error> {
        let gpu = &self.gpu;
        let mut lists = Lists::default();
        let quads = self.dimension.div_ceil(QUAD);
        let mut floats = query.vector.clone();
        floats.resize(quads * QUAD, 0.0);
        let mut integers: Vec<i32> = query.whole.iter().map(|&x| i32::from(x)).collect();
        integers.resize(quads * QUAD, 0);
        let (floats, integers) = (lists.add(&floats), lists.add(&integers));
        let length = query.norm() + epsilon;
        let plans: Vec<_> = self
            .segments
            .iter()
            .map(|Segment { first, documents, .. }| {
                let counts = [quads, *documents, *first].map(|x| x as u32);
                let [epsilon, length, scale] = [epsilon, length, query.scale].map(f32::to_bits);
                let [quads, documents, first] = counts;
                let query = lists.add(&[quads, documents, first, epsilon, length, scale, 0, 0]);
                let rounds = rounds(documents as usize, limit);
                let rounds = rounds.into_iter().map(|count| {
                    let round = lists.add(&[count as u32, limit as u32, 0, 0]);
                    (count.div_ceil(BLOCK), round)
                });
                (query, rounds.collect::<Vec<_>>())
            })
            .collect();
        let uploaded = gpu.buffer(lists.bytes.len() as u64, BufferUsages::UNIFORM);
        gpu.queue.write_buffer(&uploaded, 0, &lists.bytes);

        let kept = |segment: &Segment| {
            if limit > MOST_KEPT {
                segment.documents as u64 * ENTRY_BYTES
            } else {
                limit as u64 * ENTRY_BYTES
            }
        };
        let found = gpu.buffer(self.segments.iter().map(kept).sum(), BufferUsages::empty());
        gpu.submit(|encoder| {
            let mut at = 0;
            for (segment, (query, rounds)) in self.segments.iter().zip(&plans) {
                let Segment { vectors, norms, scales, documents, .. } = segment;
                let [mut offered, mut room] = self.entries.each_ref();
                let mut pass = encoder.begin_compute_pass(&Default::default());
                let resources = [
                    (0, section(&uploaded, query)),
                    (1, section(&uploaded, &floats)),
                    (2, section(&uploaded, &integers)),
                    (3, vectors.as_entire_binding()),
                    (4, vectors.as_entire_binding()),
                    (5, norms.as_entire_binding()),
                    (6, scales.as_ref().unwrap_or(norms).as_entire_binding()),
                    (7, offered.as_entire_binding()),
                ];
                gpu.dispatch(&mut pass, &self.score, &resources, documents.div_ceil(LANES));
                for (blocks, round) in rounds {
                    let resources = [
                        (8, section(&uploaded, round)),
                        (9, offered.as_entire_binding()),
                        (10, room.as_entire_binding()),
                    ];
                    gpu.dispatch(&mut pass, &self.keep_best, &resources, *blocks);
                    (offered, room) = (room, offered);
                }
                drop(pass);
                encoder.copy_buffer_to_buffer(offered, 0, &found, at, kept(segment));
                at += kept(segment);
            }
        });
        gpu.check()?;
        Ok(found)
    }
}

fn score_of(entry: &Entry) -> f32 {
    f32::from_bits(entry[0])
}

fn positions(entries: Vec<Entry>) -> Vec<usize> {
    entries.into_iter().map(|[_, position]| position as usize).collect()
}

/// The number of entries at the start of each round, until one block is left.
fn rounds(documents: usize, limit: usize) -> Vec<usize> {
    let mut rounds = Vec::new();
    if (1..=MOST_KEPT).contains(&limit) {
        let mut count = documents;
        rounds.push(count);
        while count > BLOCK {
            count = count.div_ceil(BLOCK) * limit;
            rounds.push(count);
        }
    }
    rounds
}

/// Uploads vectors in the layout of the shaders: for each block of documents and each group of four
/// columns, the values of one document after the other. The rest of the last block is 0.
fn in_blocks(gpu: &Gpu, vectors: &Rows, first: usize, documents: usize) -> Buffer {
    fn spread<T: Copy + Default>(
        values: &mut [T],
        [quads, number]: [usize; 2],
        row: impl Iterator<Item = T>,
    ) {
        let (block, lane) = (number / LANES, number % LANES);
        for (column, x) in row.enumerate() {
            let quad = (block * quads + column / QUAD) * LANES + lane;
            values[quad * QUAD + column % QUAD] = x;
        }
    }
    let dimension = vectors.dimension();
    let quads = dimension.div_ceil(QUAD);
    let count = documents.next_multiple_of(LANES) * quads * QUAD;
    if let Rows::I8 { rows, .. } = vectors {
        let mut values = vec![0i8; count];
        let from = rows.values[first * dimension..].chunks_exact(dimension.max(1));
        for (number, row) in from.take(documents).enumerate() {
            spread(&mut values, [quads, number], row.iter().copied());
        }
        return gpu.upload(&values);
    }
    let (mut values, mut row) = (vec![0f32; count], vec![0.0; dimension]);
    for number in 0..documents {
        vectors.read(first + number, &mut row);
        spread(&mut values, [quads, number], row.iter().copied());
    }
    gpu.upload(&values)
}
