//! `evaluate`: ranks a split's queries and prints their metrics.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::{Map, Value};
use smooth_clir::math::loss::Thresholds;
use smooth_clir::math::metrics::Metrics;
use smooth_clir::model::Model;

use super::{language_of, pairs, typed};
use crate::calibration::Calibration;
use crate::cli;
use crate::data::collection::Query;
use crate::data::transpose::directed;
use crate::data::{Candidates, Collection, Pool, Split, SplitBy, builtin, layout, trec};
use crate::error::Error;
use crate::files;
use crate::halves::Halves;
use crate::ranking::{MOST_RANKED, Scored, first, metrics};
use crate::report::Summary;
use crate::train::Drawing;

/// A query's ranking and its metrics; its candidates by grade and score.
struct Outcome {
    query: usize,
    ranked: Vec<Scored>,
    metrics: Metrics,
    calibration: Calibration,
}

/// Prints the metrics of a split, or of a pairs file.
pub fn run(arguments: &cli::Evaluate) -> Result<(), Error> {
    let model = files::read_model(&arguments.model)?;
    if let Some(path) = &arguments.pairs {
        let language = language_of(&model, arguments.language.as_deref())?;
        return pairs::run(&model, path, &language, arguments.dense, arguments.json);
    }
    if let Some(path) = &arguments.typed {
        return typed::run(&model, path, (arguments.dense, arguments.failures, arguments.json));
    }
    let drawing = drawing(&model, &arguments.model)?;
    let asked = (arguments.data.as_deref(), arguments.language.as_deref());
    let collections = collections(&model, asked)?;
    let written = [&arguments.write_candidates, &arguments.run, &arguments.qrels];
    let mut written = written.into_iter().flatten().peekable();
    if collections.len() > 1 && written.peek().is_some() {
        return Err(Error::Usage("a run is of one language: choose it with --language".into()));
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
        println!("{}", Value::Object(object));
    } else {
        if several {
            println!("all");
        }
        print!("{}{}", summary.to_table(), all_calibration.to_table());
    }
    Ok(())
}

/// Refuses to write over what is read, or two files into one.
fn check_distinct(arguments: &cli::Evaluate, language: &str) -> Result<(), Error> {
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

/// The folder asked for, or the built-in corpus: in the language asked for, or all of the model's.
pub(super) fn collections(
    model: &Model,
    (folder, language): (Option<&Path>, Option<&str>),
) -> Result<Vec<Collection>, Error> {
    if let Some(folder) = folder {
        let language = language_of(model, language)?;
        let grades = model.config.thresholds.len() + 1;
        return Ok(vec![Collection::read(folder, &language, grades)?]);
    }
    let languages = match language {
        Some(_) => vec![language_of(model, language)?],
        None => model.documents.keys().cloned().collect(),
    };
    builtin::collections(&languages, model.config.thresholds.len() + 1)
}

fn evaluate(
    arguments: &cli::Evaluate,
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
    let documents: Vec<&str> = collection.documents.iter().map(|of| &of.text[..]).collect();
    let asked = (&language[..], arguments.direction);
    let halves = Halves::new(model, asked, [&queries, &documents], arguments.dense)?;
    let uncounted = Calibration::new(Thresholds::new(&model.config.thresholds)?);
    let outcomes: Vec<Outcome> = (0..halves.queries())
        .into_par_iter()
        .filter_map(|query| {
            let candidates = candidates.of(collection, query)?;
            let documents = candidates.iter().map(|judged| judged.document as usize);
            let parts = halves.parts(query, documents);
            // Thresholds are of SCS, whatever else scores are made of.
            let mut calibration = uncounted.clone();
            for (judged, [similarity, _]) in candidates.iter().zip(&parts) {
                calibration.count(judged.grade, *similarity);
            }
            let scored = candidates.iter().zip(parts);
            let scored =
                scored.map(|(&judged, parts)| Scored { judged, score: halves.weigh(parts) });
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
    arguments: &cli::Evaluate,
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

/// How the queries were split and the candidates drawn when the model was trained.
pub(super) fn drawing(model: &Model, path: &Path) -> Result<Drawing, Error> {
    let provenance: Value = serde_json::from_str(&model.provenance).unwrap_or(Value::Null);
    let options = &provenance["options"];
    let missing = |option: &str| {
        Error::data(path, format!("provenance has no option {option}, which splits the data"))
    };
    if options["loss"] == "contrastive" {
        // It was trained on no folder: the defaults of train.
        return Ok(Drawing { seed: 1, by: SplitBy::Query, negatives: 40 });
    }
    let number = |option| options[option].as_u64().ok_or_else(|| missing(option));
    let by = match options["split-by"].as_str() {
        Some("query") => SplitBy::Query,
        Some("group") => SplitBy::Group,
        _ => return Err(missing("split-by")),
    };
    let (seed, negatives) = (number("split-seed")?, number("negatives")? as usize);
    if options["refit"] == true {
        eprintln!(
            "note: this model was trained once more on all queries (--refit), these among them; what unseen queries gave stands in its provenance"
        );
    }
    Ok(Drawing { seed, by, negatives })
}
