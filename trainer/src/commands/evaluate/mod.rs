//! `evaluate`: ranks a split's queries and prints their metrics.

mod mates;
mod typed;

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::{Map, Value};
use smooth_clir::math::loss::Thresholds;
use smooth_clir::math::metrics::Metrics;
use smooth_clir::model::Model;

use super::evaluated::{collections, drawing};
use super::language::language_of;
use crate::corpus::Drawing;
use crate::data::Direction;
use crate::data::collection::Query;
use crate::data::direction::directed;
use crate::data::{Candidates, Collection, Pool, Split, layout, trec};
use crate::error::Error;
use crate::evaluation::Summary;
use crate::evaluation::calibration::Calibration;
use crate::evaluation::hybrid::Hybrid;
use crate::evaluation::ranking::{MOST_RANKED, Scored, first, metrics};
use crate::files;
use crate::terminal::output::json;
use crate::terminal::values::{dense, language};
use clap::Args;

/// `evaluate`
#[derive(Debug, Args)]
pub struct Evaluate {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// The folder to evaluate on; none: the built-in corpus
    #[arg(conflicts_with = "pairs")]
    pub data: Option<PathBuf>,
    /// The weight of the dense score, from 0 (lexical score alone) to 1 (dense score alone), if not
    /// the model's own
    #[arg(long, value_name = "SHARE", value_parser = dense, allow_negative_numbers = true)]
    pub dense: Option<f32>,
    /// A file of set, group, id, English and other text: rank each text's translation in its set
    #[arg(long)]
    pub pairs: Option<PathBuf>,
    /// A file of kind, language or *, expected ids and query: measure how often the built-in corpus
    /// has an expected document among the top three
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "data", "language"])]
    pub typed: Option<PathBuf>,
    /// With --typed: the documents' vectors, a file of index --vectors; without it, the model's own document encoders read
    /// them
    #[arg(long, value_name = "FILE", requires = "typed")]
    pub vectors: Option<PathBuf>,
    /// Print each typed query that failed, and its results
    #[arg(long, requires = "typed", conflicts_with = "json")]
    pub failures: bool,
    /// The documents' language, if the model has several
    #[arg(long, value_parser = language)]
    pub language: Option<String>,
    /// The direction of the ranking
    #[arg(long, value_enum, default_value_t = Direction::Forward, conflicts_with = "pairs")]
    pub direction: Direction,
    /// The split of the queries
    #[arg(long, value_enum, default_value_t = Split::Test, conflicts_with = "pairs")]
    pub split: Split,
    /// The candidates of each query: sampled, all, or a file of query, document and grade
    #[arg(long, default_value = "sampled", conflicts_with = "pairs")]
    pub candidates: String,
    /// Write the candidates to a file
    #[arg(long, value_name = "FILE", conflicts_with = "pairs")]
    pub write_candidates: Option<PathBuf>,
    /// Write the ranking as a TREC run
    #[arg(long, value_name = "FILE", conflicts_with = "pairs")]
    pub run: Option<PathBuf>,
    /// Write the grades as TREC qrels
    #[arg(long, value_name = "FILE", conflicts_with = "pairs")]
    pub qrels: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// A query's ranking and its metrics; its candidates by grade and score.
struct Outcome {
    query: usize,
    ranked: Vec<Scored>,
    metrics: Metrics,
    calibration: Calibration,
}

/// Prints the metrics of a split, or of a pairs file.
pub fn run(arguments: &Evaluate) -> Result<(), Error> {
    let model = files::read_model(&arguments.model)?;
    if let Some(path) = &arguments.pairs {
        let language = language_of(&model, arguments.language.as_deref())?;
        return mates::run(&model, path, &language, arguments.dense, arguments.json);
    }
    if let Some(path) = &arguments.typed {
        return typed::run(
            &model,
            path,
            arguments.vectors.as_deref(),
            (arguments.dense, arguments.failures, arguments.json),
        );
    }
    let drawing = drawing(&model, &arguments.model)?;
    let requested = (arguments.data.as_deref(), arguments.language.as_deref());
    let collections = collections(&model, requested)?;
    let written = [&arguments.write_candidates, &arguments.run, &arguments.qrels];
    let mut written = written.into_iter().flatten().peekable();
    if collections.len() > 1 && written.peek().is_some() {
        return Err(Error::Usage("a run has one language: choose it with --language".into()));
    }
    written.try_for_each(|path| files::check_writable(path))?;
    check_distinct(arguments, &collections[0].language)?;
    let mut languages = Map::new();
    let mut all = Vec::new();
    let mut all_calibration = Calibration::new(Thresholds::new(&model.config.thresholds)?);
    let several = collections.len() > 1;
    for collection in collections {
        let language = collection.language.clone();
        let outcomes = evaluate(arguments, &model, &drawing, collection)?;
        let metrics: Vec<Metrics> = outcomes.iter().map(|outcome| outcome.metrics).collect();
        // In the queries' order, so that sums do not depend on the number of threads.
        let mut calibration = Calibration::new(Thresholds::new(&model.config.thresholds)?);
        outcomes.iter().for_each(|outcome| calibration.add(&outcome.calibration));
        let summary = Summary::of(&metrics);
        if several && !arguments.json {
            println!("{language}");
            print!("{}", summary.to_table());
        }
        languages.insert(language, Value::Object(to_json(summary, &calibration)));
        all.extend(metrics);
        all_calibration.add(&calibration);
    }
    let summary = Summary::of(&all);
    if arguments.json {
        let mut object = to_json(summary, &all_calibration);
        if several {
            object.insert("languages".into(), Value::Object(languages));
        }
        json(&Value::Object(object));
    } else {
        if several {
            println!("all");
        }
        print!("{}{}", summary.to_table(), all_calibration.to_table());
    }
    Ok(())
}

/// Refuses to write over what is read, or two files into one.
fn check_distinct(arguments: &Evaluate, language: &str) -> Result<(), Error> {
    let written = [&arguments.write_candidates, &arguments.run, &arguments.qrels];
    let mut read = vec![arguments.model.clone(), PathBuf::from(&arguments.candidates)];
    if let Some(folder) = &arguments.data {
        read.extend(layout::collection(folder, language)?);
    }
    let written = written.into_iter().flatten().map(PathBuf::as_path);
    files::check_distinct(written, read.iter().map(PathBuf::as_path))
}

fn to_json(summary: Summary, calibration: &Calibration) -> Map<String, Value> {
    let mut object = summary.to_json();
    object.insert("grades".into(), calibration.to_json());
    object
}

fn evaluate(
    arguments: &Evaluate,
    model: &Model,
    drawing: &Drawing,
    collection: Collection,
) -> Result<Vec<Outcome>, Error> {
    let language = collection.language.clone();
    let split_of = |query: &Query| Split::of(query, drawing.by, drawing.seed);
    let (collection, splits) = directed(collection, arguments.direction, split_of);
    let collection = &collection;
    let wanted = |query: usize| splits[query] == Some(arguments.split);
    let candidates = match arguments.candidates.as_str() {
        "sampled" => {
            Pool::Lists(Candidates::sampled(collection, drawing.negatives, drawing.seed, wanted)?)
        }
        "all" => Pool::all(collection, wanted),
        file => {
            let grades = model.config.thresholds.len() + 1;
            Pool::Lists(Candidates::read(Path::new(file), collection, grades)?)
        }
    };
    let queries: Vec<&str> = collection.queries.iter().map(|query| &query.text[..]).collect();
    let documents: Vec<&str> =
        collection.documents.iter().map(|document| &document.text[..]).collect();
    let requested = (&language[..], arguments.direction);
    let hybrid = Hybrid::new(model, requested, [&queries, &documents], arguments.dense)?;
    let uncounted = Calibration::new(Thresholds::new(&model.config.thresholds)?);
    let outcomes: Vec<Outcome> = (0..hybrid.queries())
        .into_par_iter()
        .filter_map(|query| {
            let candidates = candidates.of(collection, query)?;
            let documents = candidates.iter().map(|judged| judged.document as usize);
            let parts = hybrid.parts(query, documents);
            // Thresholds are of SCS, whatever else scores are made of.
            let mut calibration = uncounted.clone();
            for (judged, [similarity, _]) in candidates.iter().zip(&parts) {
                calibration.count(judged.grade, *similarity);
            }
            let scored = candidates.iter().zip(parts);
            let scored =
                scored.map(|(&judged, parts)| Scored { judged, score: hybrid.weigh(parts) });
            let scored: Vec<Scored> = scored.collect();
            let ranked = first(scored, MOST_RANKED);
            let metrics = metrics(&ranked, &candidates)?;
            Some(Outcome { query, ranked, metrics, calibration })
        })
        .collect();
    if outcomes.is_empty() {
        let problem = "no query to rank has a document of grade 2";
        return Err(Error::data(&collection.path, problem));
    }
    write_files(arguments, collection, &candidates, &outcomes)?;
    Ok(outcomes)
}

fn write_files(
    arguments: &Evaluate,
    collection: &Collection,
    candidates: &Pool,
    outcomes: &[Outcome],
) -> Result<(), Error> {
    // All that could be refused comes before the first file is written.
    let mut contents = Vec::new();
    if let Some(path) = &arguments.write_candidates {
        contents.push((path, candidates.write(collection)));
    }
    let query_id = |query: usize| &collection.queries[query].id;
    let document_id = |document: u32| &collection.documents[document as usize].id;
    if let Some(path) = &arguments.run {
        let mut lines = String::new();
        for outcome in outcomes {
            let query = query_id(outcome.query);
            trec::check_id(path, query)?;
            let mut ranked = Vec::with_capacity(outcome.ranked.len());
            for scored in &outcome.ranked {
                let document = document_id(scored.judged.document).clone();
                trec::check_id(path, &document)?;
                ranked.push(trec::Ranked { document, score: scored.score });
            }
            lines.push_str(&trec::run_lines(query, &ranked));
        }
        contents.push((path, lines));
    }
    if let Some(path) = &arguments.qrels {
        let mut lines = String::new();
        for outcome in outcomes {
            let query = query_id(outcome.query);
            trec::check_id(path, query)?;
            let judged = candidates.of(collection, outcome.query);
            let judged = judged.iter().flat_map(|list| list.iter());
            for judged in judged.filter(|judged| judged.grade > 0) {
                let document = document_id(judged.document);
                trec::check_id(path, document)?;
                lines.push_str(&trec::qrels_line(query, document, judged.grade));
            }
        }
        contents.push((path, lines));
    }
    for (path, content) in contents {
        files::write(path, content.as_bytes())?;
    }
    Ok(())
}
