//! `metrics`: the metrics of a TREC run.

use smooth_clir::metrics::Metrics;

use crate::cli;
use crate::data::trec;
use crate::error::Error;
use crate::report::Summary;

/// Prints the metrics of a run. A query that the run lacks counts as one that found nothing.
pub fn run(arguments: &cli::Metrics) -> Result<(), Error> {
    let qrels = trec::read_qrels(&arguments.qrels)?;
    let run = trec::read_run(&arguments.run)?;
    let mut queries: Vec<_> = qrels.iter().collect();
    queries.sort_by_key(|(query, _)| *query);
    let of_query = |(query, grades): (&String, &std::collections::HashMap<String, u8>)| {
        let ranked = run.get(query).map_or(&[][..], Vec::as_slice);
        let ranked: Vec<u8> = ranked
            .iter()
            .map(|ranked| grades.get(&ranked.document).copied().unwrap_or(0))
            .collect();
        let judged: Vec<u8> = grades.values().copied().collect();
        Metrics::of_ranking(&ranked, &judged)
    };
    let metrics: Vec<Metrics> = queries.into_iter().filter_map(of_query).collect();
    if metrics.is_empty() {
        return Err(Error::data(&arguments.qrels, "no query has a document of grade 2"));
    }
    let summary = Summary::of(&metrics);
    if arguments.json {
        println!("{}", serde_json::Value::Object(summary.to_json()));
    } else {
        print!("{}", summary.to_table());
    }
    Ok(())
}
