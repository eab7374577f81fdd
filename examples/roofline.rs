//! What the processor can do, as `benches/costs.py` needs it: how fast rows are read and added up
//! when they lie in each cache or anywhere in a table, and how fast Adam and tanh are on numbers in
//! the fastest cache.
//!
//!     cargo run --release --example roofline -- ROWS THREADS
//!
//! ROWS is the size of a table in training: a row of it is 64 weights with two moments each. One
//! JSON object goes to standard output: bytes or numbers a second, of all threads together.

use std::error::Error;
use std::hint::black_box;
use std::thread;
use std::time::Instant;

use smooth_clir::math::kernels;
use smooth_clir::math::random::Random;

const WIDTH: usize = 64;
const RECORD: usize = 3 * WIDTH;
/// Rows of a text.
const TEXT: usize = 25;
const PASSES: usize = 10_000;
const SECONDS: f64 = 0.5;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rows, threads] = &arguments[..] else {
        return Err("usage: roofline ROWS THREADS".into());
    };
    let (rows, threads): (usize, usize) = (rows.parse()?, threads.parse()?);
    let read = |rows: usize| together(threads, || read_rate(rows.max(TEXT)));
    println!(
        r#"{{"first_cache": {:.4e}, "second_cache": {:.4e}, "table": {:.4e}, "adam": {:.4e}, "tanh": {:.4e}}}"#,
        read(24 * 1024 / (RECORD * size_of::<f32>())),
        read(1024 * 1024 / (RECORD * size_of::<f32>())),
        read(rows),
        together(threads, adam_rate),
        together(threads, tanh_rate),
    );
    Ok(())
}

/// The sum over threads that work at the same time.
fn together(threads: usize, rate: impl Fn() -> f64 + Sync) -> f64 {
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(&rate)).collect();
        running.into_iter().filter_map(|thread| thread.join().ok()).sum()
    })
}

/// Bytes of rows, drawn at random and added up as a text's are, a second.
fn read_rate(rows: usize) -> f64 {
    let table = Random::new(1, "table").normals(rows * RECORD, 0.1);
    let mut random = Random::new(2, "rows");
    let texts: Vec<u32> = (0..4096 * TEXT).map(|_| random.below(rows) as u32).collect();
    let mut sum = [0.0; WIDTH];
    let bytes = texts.len() * WIDTH * size_of::<f32>();
    rate(bytes as f64, || {
        for text in texts.chunks_exact(TEXT) {
            kernels::sum_rows(&table, RECORD, text, &mut sum);
            black_box(&sum);
        }
    })
}

/// Numbers that Adam moves a second.
fn adam_rate() -> f64 {
    let gradient = [1e-3; WIDTH];
    let [mut weights, mut first, mut second] = [[0.1; WIDTH]; 3];
    rate((PASSES * WIDTH) as f64, || {
        for _ in 0..PASSES {
            let gradient = black_box(&gradient);
            kernels::adam(
                1e-9,
                [0.1, 0.001],
                1e-8,
                gradient,
                &mut weights,
                &mut first,
                &mut second,
            );
        }
    })
}

/// Hyperbolic tangents a second.
fn tanh_rate() -> f64 {
    let mut values = [0.3; WIDTH];
    rate((PASSES * WIDTH) as f64, || {
        for _ in 0..PASSES {
            kernels::tanh(black_box(&mut values));
        }
    })
}

/// How much is done a second, when one pass does so much: the best of many passes.
fn rate(done: f64, mut pass: impl FnMut()) -> f64 {
    pass();
    let (begun, mut best) = (Instant::now(), f64::INFINITY);
    while begun.elapsed().as_secs_f64() < SECONDS {
        let start = Instant::now();
        pass();
        best = best.min(start.elapsed().as_secs_f64());
    }
    done / best
}
