//! `metrics`: the metrics of a TREC run.

use smooth_clir::math::metrics::Metrics;

use crate::data::trec;
use crate::error::Error;
use crate::evaluation::Summary;
use crate::terminal::output::json;
use clap::Args;
use std::path::PathBuf;

/// `metrics`
#[derive(Debug, Args)]
pub struct MetricsOptions {
    /// A TREC run
    #[arg(long, value_name = "FILE")]
    pub run: PathBuf,
    /// TREC qrels
    #[arg(long, value_name = "FILE")]
    pub qrels: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Prints the metrics of a run over the queries that have a document of grade 2 in the qrels, and
/// says which queries were left out. A query that the run lacks counts as one that found nothing.
pub fn run(arguments: &MetricsOptions) -> Result<(), Error> {
    let qrels = trec::read_qrels(&arguments.qrels)?;
    let run = trec::read_run(&arguments.run)?;
    let mut metrics = Vec::new();
    let mut missing = 0;
    for (query, grades) in &qrels {
        let ranked = run.get(query).map_or(&[][..], Vec::as_slice);
        let grade = |ranked: &trec::Ranked| grades.get(&ranked.document).copied().unwrap_or(0);
        let ranked: Vec<u8> = ranked.iter().map(grade).collect();
        let judged: Vec<u8> = grades.values().copied().collect();
        if let Some(of_query) = Metrics::of_ranking(&ranked, &judged) {
            metrics.push(of_query);
            missing += usize::from(!run.contains_key(query));
        }
    }
    if metrics.is_empty() {
        return Err(Error::data(&arguments.qrels, "no query has a document of grade 2"));
    }
    let unjudged = run.keys().filter(|query| !qrels.contains_key(*query)).count();
    let without = qrels.len() - metrics.len();
    for (what, count) in [
        ("not in the run, counted as zero", missing),
        ("without a document of grade 2 in the qrels, left out", without),
        ("of the run that are not in the qrels, left out", unjudged),
    ] {
        if count > 0 {
            eprintln!("queries {what}: {count}");
        }
    }
    let summary = Summary::of(&metrics);
    if arguments.json {
        json(&serde_json::Value::Object(summary.to_json()));
    } else {
        print!("{}", summary.to_table());
    }
    Ok(())
}
