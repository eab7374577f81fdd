//! `metrics`: the metrics of a TREC run, or of two and their difference.

mod compare;
mod options;
mod values;

use std::path::{Path, PathBuf};

use serde_json::Value;
use smooth_clir::ranking::measured::Measured;

use self::compare::{Drawn, told};
pub use self::options::MetricsOptions;
use self::values::{OfQuery, values};
use crate::data::trec::{self, Qrels, Run};
use crate::data::tsv::shown;
use crate::error::Error;
use crate::evaluation::Means;
use crate::evaluation::per_query::per_query;
use crate::files;
use crate::statistics::DRAWS;
use crate::terminal::output::json;

/// Prints the metrics of a run, or of two with their differences. The first paper's are of the queries that have a
/// document of grade 2 in the qrels, named ones of all queries of the qrels. A query that the run lacks counts as one
/// that found nothing. Says which queries were left out.
pub fn run(arguments: &MetricsOptions) -> Result<(), Error> {
    let measured = Measured::new(&arguments.metrics);
    check(arguments)?;
    let qrels = trec::read_qrels(&arguments.qrels)?;
    if qrels.is_empty() && matches!(measured, Measured::Named(_)) {
        let problem = "no lines; expected query, iteration, document, grade";
        return Err(Error::data(&arguments.qrels, problem));
    }
    let mut found = Vec::new();
    for path in &arguments.runs {
        let run = read(path, (&arguments.qrels, &qrels))?;
        let values = values(&run, &qrels, &measured);
        if values.is_empty() {
            let problem = "no query has a document of grade 2: metrics of lower grades are those of --metrics, such as ndcg@10";
            return Err(Error::data(&arguments.qrels, problem));
        }
        let of = (arguments.runs.len() > 1).then_some(&**path);
        tell_queries(of, (&run, &qrels), &values);
        found.push(values);
    }
    let names = measured.names();
    match &found[..] {
        [first, second] => {
            let drawn = Drawn {
                draws: arguments.draws.map_or(DRAWS, |draws| draws as usize),
                seed: arguments.seed.unwrap_or(1),
            };
            told(arguments, &names, [first, second], drawn)
        }
        found => {
            let values = found.concat();
            if let Some(path) = &arguments.per_query {
                let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
                let lines = values.iter().map(|query| (query.query, &*query.values));
                files::write(path, per_query(&names, lines).as_bytes())?;
            }
            let means = Means::of(&names, values.iter().map(|query| &*query.values));
            if arguments.json {
                json(&Value::Object(means.to_json()));
            } else {
                print!("{}", means.to_table());
            }
            Ok(())
        }
    }
}

/// Refuses options that do not go together, and a file of which one is written over.
fn check(arguments: &MetricsOptions) -> Result<(), Error> {
    let runs = arguments.runs.len();
    if runs > 2 {
        let problem = format!("--run: expected one run, or two to compare, got {runs}");
        return Err(Error::Usage(problem));
    }
    let drawn = [("--draws", arguments.draws.is_some()), ("--seed", arguments.seed.is_some())];
    if let Some((option, _)) = drawn.iter().find(|(_, given)| *given && runs < 2) {
        let problem = format!("{option}: supported only with two runs, which are compared");
        return Err(Error::Usage(problem));
    }
    let read = arguments.runs.iter().chain([&arguments.qrels]).map(PathBuf::as_path);
    files::check_distinct(arguments.per_query.as_deref(), read)?;
    arguments.per_query.as_deref().map_or(Ok(()), files::check_writable)
}

/// Reads a run with at least one query of the qrels.
fn read(path: &Path, (qrels_path, qrels): (&Path, &Qrels)) -> Result<Run, Error> {
    let run = trec::read_run(path)?;
    let Some(first) = run.keys().next() else {
        return Err(Error::data(path, "no lines; expected query, Q0, document, rank, score, tag"));
    };
    if !qrels.is_empty() && run.keys().all(|query| !qrels.contains_key(query)) {
        let problem = format!(
            "none of its {} queries (the first is `{}`) is in {}",
            run.len(),
            shown(first),
            qrels_path.display()
        );
        return Err(Error::data(path, problem));
    }
    Ok(run)
}

/// Says which queries count as zero or not at all; of which run, where there are two.
fn tell_queries(of: Option<&Path>, (run, qrels): (&Run, &Qrels), values: &[OfQuery<'_>]) {
    let missing = values.iter().filter(|query| !run.contains_key(query.query)).count();
    let without = qrels.len() - values.len();
    let irrelevant =
        values.iter().filter(|query| qrels[query.query].values().all(|&grade| grade == 0)).count();
    let unjudged = run.keys().filter(|query| !qrels.contains_key(*query)).count();
    let of = of.map(|path| format!("{}: ", path.display())).unwrap_or_default();
    for (what, count) in [
        ("not in the run, counted as zero", missing),
        ("without a document of grade 2 in the qrels, left out", without),
        ("without a relevant document in the qrels, counted as zero", irrelevant),
        ("of the run that are not in the qrels, left out", unjudged),
    ] {
        if count > 0 {
            eprintln!("{of}queries {what}: {count}");
        }
    }
}
