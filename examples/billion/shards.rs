//! A cluster that answers exactly: each query goes to every shard, and is answered when the last has answered.

use std::hint::black_box;
use std::time::Instant;

use smooth_clir::encoder::{Precision, Rows, Table};
use smooth_clir::math::random::Random;
use smooth_clir::ranking::scan;

use crate::collection::Collection;
use crate::growth::{at, mean};

const BILLION: f64 = 1e9;
const SHARDS: [usize; 4] = [16, 64, 256, 1024];
const LOADS: [f64; 3] = [0.2, 0.5, 0.8];
const ARRIVALS: usize = 20_000;
/// Of the simulation's begin nothing is counted: queues are empty.
const UNCOUNTED: usize = 2_000;
/// How often a shard answers when it is asked: "three nines".
const UP: f64 = 0.999;

pub fn print(collection: &Collection) {
    let times = scans(collection);
    let median = at(times.clone(), 0.5);
    let core_seconds = median * BILLION;
    println!(
        "one thread scans a document of 8 bits in {:.1} ns (median; nine in ten within {:.1}, all within {:.1}): {core_seconds:.1} s for 10^9\n",
        1e9 * median,
        1e9 * at(times.clone(), 0.9),
        1e9 * at(times.clone(), 1.0),
    );
    println!(
        "| shards, a core each | documents of each | its scan, ms | load | queries a second | all answered: median, ms | 99 % within, ms |"
    );
    println!("|---|---|---|---|---|---|---|");
    for shards in SHARDS {
        let documents = BILLION / shards as f64;
        for load in LOADS {
            let rate = load / (mean(&times) * documents);
            let waits = simulated(shards, rate, documents, &times);
            println!(
                "| {shards} | {documents:.0} | {:.1} | {load} | {rate:.1} | {:.1} | {:.1} |",
                1e3 * median * documents,
                1e3 * at(waits.clone(), 0.5),
                1e3 * at(waits, 0.99),
            );
        }
    }
    println!("\n| shards | all answer, one copy of each | two copies | three |\n|---|---|---|---|");
    for shards in SHARDS {
        let all = |copies: i32| 100.0 * (1.0 - (1.0 - UP).powi(copies)).powi(shards as i32);
        println!("| {shards} | {:.2} % | {:.4} % | {:.6} % |", all(1), all(2), all(3));
    }
}

/// Seconds that a document takes in a scan of 8 bits, of many scans: what other work on the machine does to them is in it.
fn scans(collection: &Collection) -> Vec<f64> {
    let size = collection.len().min(500_000);
    let values = (0..size).flat_map(|at| collection.vector(at)).copied().collect();
    let rows = Rows::new(Table::new(collection.dimension, values), Precision::I8);
    let mut dots = vec![0.0; size];
    let scan = |query| {
        let begun = Instant::now();
        scan::dots(&rows, query, 0, &mut dots);
        black_box(&mut dots);
        begun.elapsed().as_secs_f64() / size as f64
    };
    collection.queries.iter().map(scan).collect()
}

/// How long queries take that come by chance, so many a second: each shard answers one after the other, and how
/// long one takes is drawn from `times`.
fn simulated(shards: usize, rate: f64, documents: f64, times: &[f64]) -> Vec<f64> {
    let mut random = Random::new(1, "shards");
    let mut unit = move || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let mut free = vec![0.0f64; shards];
    let mut now = 0.0;
    let mut waits = Vec::with_capacity(ARRIVALS);
    for _ in 0..ARRIVALS {
        now -= libm::log(1.0 - unit()) / rate;
        let mut last = now;
        for free in &mut free {
            let time = times[((unit() * times.len() as f64) as usize).min(times.len() - 1)];
            *free = free.max(now) + time * documents;
            last = last.max(*free);
        }
        waits.push(last - now);
    }
    waits.split_off(UNCOUNTED)
}
