//! Time from a query to its top ten on the GPU and on one thread of the processor, over random
//! vectors, and whether the two rankings agree:
//!
//! ```text
//! cargo run --release --example gpu_rank --features gpu -- [DOCUMENTS] [DIMENSION] [QUERIES]
//! ```
//!
//! The GPU proposes candidates and the processor scores these again, as in a search; the time of
//! the GPU includes both. Times are medians with the minimum and the maximum, in milliseconds.

use std::time::Instant;

use smooth_clir::encoder::{Precision, Rows, Table};
use smooth_clir::gpu::{Gpu, Scan};
use smooth_clir::math::kernels;
use smooth_clir::math::random::Random;
use smooth_clir::ranking::scan::{Query, Ranking, Scored, TopK, rank, score};

const EPSILON: f32 = 0.25;
const TOP: usize = 10;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Result<Vec<usize>, _> = std::env::args().skip(1).map(|x| x.parse()).collect();
    let numbers = numbers?;
    let number = |at: usize, default: usize| numbers.get(at).copied().unwrap_or(default);
    let (documents, dimension, queries) = (number(0, 1_000_000), number(1, 64), number(2, 50));

    let gpu = pollster::block_on(Gpu::request())?;
    println!("adapter: {}", gpu.name());
    if gpu.is_software() {
        println!("software adapter: not a measurement of a card");
    }
    let mut random = Random::new(1, "gpu_rank");
    let values = random.normals(documents * dimension, 0.3);
    let queries: Vec<Query> =
        (0..queries).map(|_| Query::new(random.normals(dimension, 0.4))).collect();
    for (name, precision) in [("f32", Precision::F32), ("i8", Precision::I8)] {
        let vectors = Rows::new(Table::new(dimension, values.clone()), precision);
        let norms: Vec<f32> = (0..documents).map(|at| kernels::norm(&vectors.row(at))).collect();
        let start = Instant::now();
        let scan = Scan::new(&gpu, &vectors, &norms)?;
        let on_gpu = |query: &Query| -> Result<Vec<Scored>, smooth_clir::Error> {
            let candidates = scan.candidates(query, EPSILON, TOP);
            let mut top = TopK::new(TOP);
            for position in pollster::block_on(candidates)? {
                let (dot, score) = score(&vectors, &norms, position, query, EPSILON);
                top.offer(Scored { position, score, dot });
            }
            Ok(top.into_vec())
        };
        let here = |query: &Query| -> Vec<Scored> {
            let (mut top, mut dots) = (TopK::new(TOP), Vec::new());
            let ranking =
                Ranking { query, epsilon: EPSILON, dots: &mut dots, fusion: None, top: &mut top };
            rank(&vectors, &norms, |_| true, 0, &mut [ranking]);
            top.into_vec()
        };
        on_gpu(&queries[0])?;
        println!(
            "{documents} documents, {dimension} {name}: uploaded in {:.2} s",
            start.elapsed().as_secs_f64()
        );
        let (mut there_ms, mut here_ms, mut agreeing) = (Vec::new(), Vec::new(), 0);
        for query in &queries {
            let start = Instant::now();
            let found = on_gpu(query)?;
            there_ms.push(start.elapsed().as_secs_f64() * 1e3);
            let start = Instant::now();
            let expected = here(query);
            here_ms.push(start.elapsed().as_secs_f64() * 1e3);
            agreeing += usize::from(found == expected);
        }
        tell("GPU", &mut there_ms);
        tell("one thread", &mut here_ms);
        println!("{agreeing} of {} rankings are the same", queries.len());
    }
    Ok(())
}

fn tell(what: &str, times: &mut [f64]) {
    times.sort_by(f64::total_cmp);
    let (least, most) = (times[0], times[times.len() - 1]);
    println!("{what:>10}: {:9.3} ms ({least:.3} to {most:.3})", times[times.len() / 2]);
}
