//! `evaluate`: ranks a split's queries and prints their metrics.

use std::path::Path;

use rayon::prelude::*;
use serde_json::{Map, Value};
use smooth_clir::metrics::Metrics;
use smooth_clir::model::Model;

use super::{language_of, pairs};
use crate::cli;
use crate::data::{Candidates, Collection, Split, SplitBy, builtin, trec};
use crate::error::Error;
use crate::files;
use crate::ranking::{Encoded, MOST_RANKED, Scored, metrics, rank};
use crate::report::Summary;

/// How the queries were split and the candidates drawn when the model was trained.
pub(super) struct Drawn {
    pub(super) split_seed: u64,
    pub(super) split_by: SplitBy,
    pub(super) negatives: usize,
}

/// A query's ranking and its metrics.
struct Outcome {
    query: usize,
    ranked: Vec<Scored>,
    metrics: Metrics,
}

/// Prints the metrics of a split, or of a pairs file.
pub fn run(arguments: &cli::Evaluate) -> Result<(), Error> {
    let model = files::read_model(&arguments.model)?;
    if let Some(path) = &arguments.pairs {
        let language = language_of(&model, arguments.language.as_deref())?;
        return pairs::run(&model, path, &language, arguments.json);
    }
    let drawn = Drawn::of(&model, &arguments.model)?;
    let asked = (arguments.data.as_deref(), arguments.language.as_deref());
    let collections = collections(&model, asked)?;
    let written = [&arguments.write_candidates, &arguments.run, &arguments.qrels];
    let mut written = written.into_iter().flatten().peekable();
    if collections.len() > 1 && written.peek().is_some() {
        return Err(Error::Usage("a run is of one language: choose it with --language".into()));
    }
    written.try_for_each(|path| files::check_writable(path))?;
    let mut languages = Map::new();
    let mut all = Vec::new();
    for collection in &collections {
        let outcomes = evaluate(arguments, &model, &drawn, collection)?;
        let metrics: Vec<Metrics> = outcomes.iter().map(|outcome| outcome.metrics).collect();
        let summary = Summary::of(&metrics);
        languages.insert(collection.language.clone(), Value::Object(summary.to_json()));
        if collections.len() > 1 && !arguments.json {
            println!("{}", collection.language);
            print!("{}", summary.to_table());
        }
        all.extend(metrics);
    }
    let summary = Summary::of(&all);
    if arguments.json {
        let mut object = summary.to_json();
        if collections.len() > 1 {
            object.insert("languages".into(), Value::Object(languages));
        }
        println!("{}", Value::Object(object));
    } else {
        if collections.len() > 1 {
            println!("all");
        }
        print!("{}", summary.to_table());
    }
    Ok(())
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
    if languages.iter().any(|language| !builtin::LANGUAGES.contains(&language.as_str())) {
        let known = builtin::LANGUAGES.join(", ");
        return Err(Error::Usage(format!(
            "name a folder: the built-in corpus has documents in {known} only"
        )));
    }
    Ok(languages.iter().map(|language| builtin::collection(language)).collect())
}

fn evaluate(
    arguments: &cli::Evaluate,
    model: &Model,
    drawn: &Drawn,
    collection: &Collection,
) -> Result<Vec<Outcome>, Error> {
    let wanted = |query: usize| {
        let query = &collection.queries[query];
        query.belongs_to.is_none()
            && Split::of(query, drawn.split_by, drawn.split_seed) == arguments.split
    };
    let candidates = match arguments.candidates.as_str() {
        "sampled" => Candidates::sampled(collection, drawn.negatives, drawn.split_seed, wanted)?,
        "all" => Candidates::all(collection, wanted),
        file => {
            let grades = model.config.thresholds.len() + 1;
            Candidates::read(Path::new(file), collection, grades)?
        }
    };
    let query_side = model.query_encoder()?;
    let document_side = model.document_encoder(&collection.language)?;
    let queries: Vec<Vec<u32>> =
        collection.queries.par_iter().map(|q| query_side.vocabulary.rows(&q.text)).collect();
    let documents: Vec<Vec<u32>> =
        collection.documents.par_iter().map(|d| document_side.vocabulary.rows(&d.text)).collect();
    let queries = Encoded::new(&query_side.network, &queries);
    let documents = Encoded::new(&document_side.network, &documents);
    let epsilon = model.config.epsilon;
    let outcomes: Vec<Outcome> = (0..queries.len())
        .into_par_iter()
        .filter_map(|query| {
            let candidates = candidates.0[query].as_ref()?;
            let mut ranked = rank(&queries, query, &documents, candidates, epsilon);
            ranked.truncate(MOST_RANKED);
            let metrics = metrics(&ranked, candidates)?;
            Some(Outcome { query, ranked, metrics })
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
    candidates: &Candidates,
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
            let judged = candidates.0[outcome.query].iter().flatten();
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

impl Drawn {
    pub(super) fn of(model: &Model, path: &Path) -> Result<Self, Error> {
        let provenance: Value = serde_json::from_str(&model.provenance).unwrap_or(Value::Null);
        let options = &provenance["options"];
        let missing = |option: &str| {
            Error::data(path, format!("provenance has no option {option}, which splits the data"))
        };
        let number = |option| options[option].as_u64().ok_or_else(|| missing(option));
        let split_by = match options["split-by"].as_str() {
            Some("query") => SplitBy::Query,
            Some("group") => SplitBy::Group,
            _ => return Err(missing("split-by")),
        };
        let (split_seed, negatives) = (number("split-seed")?, number("negatives")? as usize);
        Ok(Self { split_seed, split_by, negatives })
    }
}
