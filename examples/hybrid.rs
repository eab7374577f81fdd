//! How long a ranking takes, natively: `cargo run --release --example hybrid -- QUERY-ENCODER DOCUMENT-ENCODER QUERIES INDEX...`
//!
//! Each INDEX is an index file; QUERIES has a query a line, up to a tab. Each is ranked by the hybrid score and by vectors alone, by
//! turns, on one thread. The median, the 95th and the 99th percentile of the milliseconds go to standard output, and a digest of the
//! rankings, which says whether two versions of the program rank alike.
//!
//! If QUERIES is `-`, queries come on standard input, and each is answered with its milliseconds (`benches/hybrid.py`).

use std::error::Error;
use std::fs::{read, read_to_string};
use std::io::stdin;
use std::time::Instant;

use smooth_clir::engine::{Engine, Search};
use smooth_clir::index::Index;
use smooth_clir::model::Model;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [query, document, queries, indexes @ ..] = &arguments[..] else {
        return Err("usage: hybrid QUERY-ENCODER DOCUMENT-ENCODER QUERIES INDEX...".into());
    };
    let mut model = Model::read(&read(query)?)?;
    model.join(Model::read(&read(document)?)?)?;
    let mut engine = Engine::new(model)?;
    let begun = Instant::now();
    for index in indexes {
        engine.add(Index::read_in_place(read(index)?)?)?;
    }
    let rank = |query: &str, dense| -> Result<_, smooth_clir::Error> {
        let query = query.split('\t').next().unwrap_or_default();
        let begun = Instant::now();
        let mut encoded = engine.encode_query(query)?;
        let ranked = engine.rank(&mut encoded, Search { limit: 10, dense, ..Search::default() })?;
        Ok((begun.elapsed().as_secs_f64() * 1000.0, ranked))
    };
    if queries == "-" {
        println!("ready {:.1}", begun.elapsed().as_secs_f64());
        for query in stdin().lines() {
            let query = query?;
            let ((hybrid, _), (dense, _)) = (rank(&query, None)?, rank(&query, Some(1.0))?);
            println!(
                "{{\"smooth-clir, hybrid\": {hybrid}, \"smooth-clir, vectors alone\": {dense}}}"
            );
        }
        return Ok(());
    }
    println!("read in {:.1} s", begun.elapsed().as_secs_f64());
    let (mut times, mut digest) = ([Vec::new(), Vec::new()], 0u64);
    for query in read_to_string(queries)?.lines() {
        for (dense, times) in [None, Some(1.0)].into_iter().zip(&mut times) {
            let (milliseconds, ranked) = rank(query, dense)?;
            times.push(milliseconds);
            for scored in ranked {
                let bits = (scored.position as u64) << 32 | u64::from(scored.score.to_bits());
                digest = (digest.rotate_left(5) ^ bits).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            }
        }
    }
    for (name, times) in ["hybrid", "vectors alone"].into_iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        println!("{name}: median {:.2} ms, 95 % {:.2}, 99 % {:.2}", at(0.5), at(0.95), at(0.99));
    }
    println!("rankings {digest:016x}");
    Ok(())
}
