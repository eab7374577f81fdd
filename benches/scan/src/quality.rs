//! What an index of 8-bit integers loses.

use std::collections::HashMap;
use std::error::Error;
use std::fs::{read, read_to_string};
use std::io::Write;

use smooth_clir::engine::{Engine, Search};
use smooth_clir::index::Index;
use smooth_clir::model::Model;

const CANDIDATES: usize = 100;
const FIRST: usize = 10;

/// Runs every query of a file of `id<TAB>title<TAB>text` on two indexes of the same documents, one
/// exact and one rounded, and writes how many of the exact one's first 100 the rounded one finds,
/// and how often its 100, scored again exactly, give the exact one's first ten.
pub fn compare(files: [&str; 4], out: &mut impl Write) -> Result<(), Box<dyn Error>> {
    let [model, exact, rounded, queries] = files;
    let model = Model::read(&read(model)?)?;
    let mut engines = [Engine::new(model.clone())?, Engine::new(model)?];
    engines[0].add(Index::read(&read(exact)?)?)?;
    engines[1].add(Index::read(&read(rounded)?)?)?;
    let documents = engines[0].indexes().iter().map(Index::len).sum();
    let limits = [documents, CANDIDATES];

    let (mut count, mut common, mut wanted, mut same) = (0, 0, 0, 0);
    for line in read_to_string(queries)?.lines() {
        let query = line.splitn(3, '\t').nth(2).ok_or("expected id, title and text")?;
        let mut found = Vec::new();
        for (engine, limit) in engines.iter().zip(limits) {
            let hits = engine.search(Search { query, limit, ..Search::default() })?;
            found.push(hits.iter().map(|hit| hit.id).collect::<Vec<_>>());
        }
        let [exact, rounded] = &found[..] else { continue };
        if exact.is_empty() {
            continue;
        }
        let ranks: HashMap<&str, usize> = exact.iter().copied().zip(0..).collect();
        let mut again: Vec<usize> = rounded.iter().map(|id| ranks[id]).collect();
        again.sort_unstable();
        count += 1;
        wanted += CANDIDATES.min(documents);
        common += again.iter().filter(|&&rank| rank < CANDIDATES).count();
        same += usize::from(again.iter().take(FIRST).copied().eq(0..FIRST.min(documents)));
    }
    let percent = 100.0 * common as f64 / wanted as f64;
    writeln!(
        out,
        "{count} queries, {documents} documents: {percent:.2} % of the first {CANDIDATES}; \
         scored again, the first {FIRST} are the same in {same} of {count}"
    )?;
    Ok(())
}
