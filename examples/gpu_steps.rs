//! Training steps a second on the GPU and on the processor, over the same made-up batches:
//!
//! ```text
//! cargo run --release --example gpu_steps --features gpu -- [STEPS] [PAIRS] [WORDS] [FILE]
//! ```
//!
//! Words of a query; a document has eight times as many. Both trainers begin at the same tables,
//! so that the last losses tell whether both did the same. With FILE the tables and the batches are
//! also written there, for the same steps in PyTorch (`benches/gpu.py`).

use std::path::Path;
use std::time::Instant;

use safetensors::{Dtype, tensor::TensorView};
use smooth_clir::encoder::Table;
use smooth_clir::gpu::{self, Gpu};
use smooth_clir::math::loss::{Loss, Thresholds};
use smooth_clir::math::random::Random;
use smooth_clir::training::step::{self, Pair, Settings};

const ROWS: usize = 50_000;
const DIMENSION: usize = 64;
/// Steps that are handed over before their reports are waited for.
const AHEAD: usize = 32;
/// Batches that differ.
const BATCHES: usize = 16;

type Text = Vec<u32>;

/// A query, a document and a grade for each pair; common words are common.
fn batch(random: &mut Random, pairs: usize, words: usize) -> Vec<(Text, Text, u8)> {
    let mut text = |words: usize| -> Text {
        (0..words)
            .map(|_| {
                let most = 1 + random.below(ROWS);
                random.below(most) as u32
            })
            .collect()
    };
    (0..pairs).map(|pair| (text(words), text(8 * words), (pair % 3) as u8)).collect()
}

fn pairs(batch: &[(Text, Text, u8)]) -> Vec<Pair<'_>> {
    let pair = |(query, document, grade)| Pair { query, document, language: 0, grade };
    batch.iter().map(|(query, document, grade)| pair((&query[..], &document[..], *grade))).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Result<Vec<usize>, _> =
        std::env::args().skip(1).take(3).map(|x| x.parse()).collect();
    let numbers = numbers?;
    let number = |at: usize, default: usize| numbers.get(at).copied().unwrap_or(default);
    let (steps, size, words) = (number(0, 500), number(1, 128), number(2, 8));

    let mut random = Random::new(1, "gpu_steps");
    let mut table = || Table::new(DIMENSION, random.normals(ROWS * DIMENSION, 0.1));
    let (query, document) = (table(), table());
    let batches: Vec<_> = (0..BATCHES).map(|_| batch(&mut random, size, words)).collect();
    if let Some(file) = std::env::args().nth(4) {
        write(file.as_ref(), [&query, &document], &batches, words)?;
    }
    let batches: Vec<_> = batches.iter().map(|batch| pairs(batch)).collect();
    let loss = Loss::Sosl(Thresholds::new(&[0.2, 0.7])?);
    let settings = Settings { epsilon: 0.5, loss, learning_rate: 0.01, clip: None, pull: 0.0 };
    println!("{steps} steps of {size} pairs, {words} and {} words a text", 8 * words);

    let gpu = pollster::block_on(Gpu::request())?;
    println!("adapter: {}", gpu.name());
    if gpu.is_software() {
        println!("software adapter: not a measurement of a card");
    }
    let mut trainer =
        gpu::GpuTrainer::new(&gpu, settings.clone(), query.clone(), vec![document.clone()])?;
    let mut run = |steps: usize| -> Result<f64, smooth_clir::Error> {
        let mut last = 0.0;
        for step in 0..steps {
            trainer.enqueue(&batches[step % BATCHES])?;
            if (step + 1) % AHEAD == 0 || step + 1 == steps {
                let reports = pollster::block_on(trainer.reports())?;
                last = reports.last().map_or(last, |report| report.loss);
            }
        }
        Ok(last)
    };
    run(AHEAD)?;
    let start = Instant::now();
    let last = run(steps)?;
    tell("GPU", steps, start, last);

    let most = std::thread::available_parallelism()?.get();
    let mut counts = vec![1, most];
    counts.dedup();
    for threads in counts {
        let tables = (query.clone(), vec![document.clone()]);
        let mut trainer =
            step::PairTrainer::on_threads(threads, settings.clone(), tables.0, tables.1);
        let mut run = |steps: usize| {
            (0..steps).map(|step| trainer.step(&batches[step % BATCHES]).loss).last()
        };
        run(AHEAD);
        let start = Instant::now();
        let last = run(steps).unwrap_or_default();
        tell(&format!("{threads} threads"), steps, start, last);
    }
    Ok(())
}

/// Writes the tables, and of each batch the words of the queries, those of the documents, and the
/// grades.
fn write(
    file: &Path,
    tables: [&Table; 2],
    batches: &[Vec<(Text, Text, u8)>],
    words: usize,
) -> Result<(), Box<dyn std::error::Error>> {
    let pairs = batches.iter().flatten();
    let queries: Vec<u32> = pairs.clone().flat_map(|(query, _, _)| query.clone()).collect();
    let documents: Vec<u32> = pairs.clone().flat_map(|(_, document, _)| document.clone()).collect();
    let grades: Vec<u8> = pairs.map(|(_, _, grade)| *grade).collect();
    let shape = |words: usize| vec![batches.len(), batches[0].len(), words];
    let rows = vec![ROWS, DIMENSION];
    let bytes = bytemuck::cast_slice::<u32, u8>;
    let tensors = [
        ("query table", Dtype::F32, rows.clone(), bytemuck::cast_slice(tables[0].values())),
        ("document table", Dtype::F32, rows, bytemuck::cast_slice(tables[1].values())),
        ("queries", Dtype::U32, shape(words), bytes(&queries)),
        ("documents", Dtype::U32, shape(8 * words), bytes(&documents)),
        ("grades", Dtype::U8, vec![batches.len(), batches[0].len()], &grades),
    ];
    let views: Result<Vec<_>, safetensors::SafeTensorError> = tensors
        .into_iter()
        .map(|(name, dtype, shape, data)| Ok((name, TensorView::new(dtype, shape, data)?)))
        .collect();
    std::fs::write(file, safetensors::serialize(views?, None)?)?;
    Ok(())
}

fn tell(what: &str, steps: usize, start: Instant, loss: f64) {
    let rate = steps as f64 / start.elapsed().as_secs_f64();
    println!("{what:>10}: {rate:9.1} steps/s, last loss {loss:.6}");
}
