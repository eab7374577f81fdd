//! The number of judgements that bring a document from rank 20 to rank 1, and their effect on other queries.
//!
//!     cargo run --release --example feedback --features learn -- MODEL INDEX QUERIES [LEARNING-RATE PULL STEPS]
//!
//! QUERIES is a file of `id<TAB>title<TAB>text` whose ids are those of the documents that answer
//! them. For each of some queries the document at rank 20 is judged relevant, again and again,
//! until it is first; then the mean reciprocal rank of other queries' own documents is compared
//! with that before, and everything is undone. One line of JSON goes to standard output.

use std::error::Error;
use std::fs::{read, read_to_string};

use smooth_clir::engine::{Engine, Search};
use smooth_clir::index::Index;
use smooth_clir::learning::finetune::{FineTuning, History, Judgement, Options};
use smooth_clir::model::Model;

/// Queries with feedback, one after the other and each from the original model.
const JUDGED: usize = 50;
/// Queries without feedback.
const OTHERS: usize = 200;
const RANK: usize = 20;
const MOST_JUDGEMENTS: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, index, queries, rest @ ..] = &arguments[..] else {
        return Err("usage: feedback MODEL INDEX QUERIES [LEARNING-RATE PULL STEPS]".into());
    };
    let usual = Options::default();
    let (learning_rate, pull, steps) = match rest {
        [rate, pull, steps] => (rate.parse()?, pull.parse()?, steps.parse()?),
        _ => (usual.learning_rate, usual.pull, smooth_clir::learning::finetune::STEPS),
    };
    let options = Options { learning_rate, pull, ..usual };
    let mut engine = Engine::new(Model::read(&read(model)?)?)?;
    engine.add(Index::read(&read(index)?)?)?;
    let queries = read_to_string(queries)?;
    let queries: Vec<(&str, &str)> = queries
        .lines()
        .filter_map(|line| Some((line.split('\t').next()?, line.rsplit('\t').next()?)))
        .collect();
    let apart = queries.len() / (JUDGED + OTHERS).max(1);
    let chosen: Vec<(&str, &str)> =
        queries.into_iter().step_by(apart.max(1)).take(JUDGED + OTHERS).collect();
    let (judged, others) = chosen.split_at(JUDGED.min(chosen.len()));

    let before = reciprocal_rank(&engine, others)?;
    let (mut judgements, mut first, mut after, mut moved) = (0, 0, 0.0, 0);
    for (_, query) in judged {
        let Some(place) = places(&engine, query)?.get(RANK - 1).copied() else { continue };
        let mut history = History::default();
        for _ in 0..MOST_JUDGEMENTS {
            judgements += 1;
            let mut fine_tuning = FineTuning::new(
                &engine,
                &[Judgement { query, document: place, grade: 2 }],
                options,
            )?;
            for _ in 0..steps {
                fine_tuning.step();
            }
            moved += history.apply(&mut engine, fine_tuning.changes())?.documents;
            if places(&engine, query)?.first() == Some(&place) {
                first += 1;
                break;
            }
        }
        after += reciprocal_rank(&engine, others)?;
        while history.undo(&mut engine)?.is_some() {}
    }
    let count = judged.len() as f64;
    println!(
        r#"{{"queries": {}, "first": {first}, "judgements": {:.2}, "documents_moved": {:.0}, "others_mrr_before": {before:.4}, "others_mrr_after": {:.4}}}"#,
        judged.len(),
        judgements as f64 / count,
        moved as f64 / count,
        after / count
    );
    Ok(())
}

/// The places of the first documents of a query.
fn places(engine: &Engine, query: &str) -> Result<Vec<usize>, smooth_clir::Error> {
    let search = Search { query, limit: RANK, ..Search::default() };
    let ranked = engine.rank(&mut engine.encode_query(query)?, search)?;
    Ok(ranked.iter().map(|scored| scored.position).collect())
}

/// The mean, over queries, of one over the rank of the query's own document; 0 beyond 1,000.
fn reciprocal_rank(engine: &Engine, queries: &[(&str, &str)]) -> Result<f64, smooth_clir::Error> {
    let mut sum = 0.0;
    for (id, query) in queries {
        let search = Search { query, limit: 1000, ..Search::default() };
        let hits = engine.search(search)?;
        let rank = hits.iter().position(|hit| hit.id == *id);
        sum += rank.map_or(0.0, |rank| 1.0 / (rank + 1) as f64);
    }
    Ok(sum / queries.len().max(1) as f64)
}
