//! `evaluate`: ranks a split's queries and prints their metrics.

mod mates;
mod options;
mod outcome;
mod outputs;
mod typed;
mod typed_in;

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::{Map, Value};
use smooth_clir::math::loss::Thresholds;
use smooth_clir::model::Model;
use smooth_clir::ranking::measured::Measured;
use smooth_clir::training::corpus::Graded;

pub use self::options::{Evaluate, Queries};
use self::outcome::Outcome;
use super::evaluated::{collections, drawing, grades_are_fitted, is_trained_on_folders};
use super::language::language_of;
use crate::corpus::Drawing;
use crate::data::collection::Query;
use crate::data::direction::directed;
use crate::data::{Candidates, Collection, Pool, Split, layout};
use crate::error::Error;
use crate::evaluation::Means;
use crate::evaluation::calibration::Calibration;
use crate::evaluation::hybrid::Hybrid;
use crate::evaluation::ranking::{MOST_RANKED, Scored, first, grades};
use crate::files;
use crate::terminal::output::json;
use crate::terminal::phase::Phases;

/// Prints the metrics of a split, or of a pairs file.
pub fn run(arguments: &Evaluate) -> Result<(), Error> {
    let model = files::read_model(&arguments.model)?;
    if let Some(path) = &arguments.pairs {
        let language = language_of(&model, arguments.language.as_deref())?;
        note_other_name(path, &language);
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
    if let Some(folder) = &arguments.typed_in {
        return typed_in::run(
            &model,
            folder,
            arguments.vectors.as_deref(),
            (arguments.dense, arguments.chosen, arguments.json),
        );
    }
    let drawing = drawing(&model, &arguments.model)?;
    if arguments.split == Queries::All && is_trained_on_folders(&model) {
        eprintln!(
            "note: --split all has the queries of training too, if the model was trained on this collection"
        );
    }
    let requested = (arguments.data.as_deref(), arguments.language.as_deref());
    let reading = Phases::Shown.wait("reading the collection");
    let collections = collections(&model, requested)?;
    reading.finish_and_clear();
    let mut written = arguments.written().peekable();
    if collections.len() > 1 && written.peek().is_some() {
        return Err(Error::Usage("a run has one language: choose it with --language".into()));
    }
    written.try_for_each(|path| files::check_writable(path))?;
    check_distinct(arguments, &collections[0].language)?;
    let measured = Measured::new(&arguments.metrics);
    let several = collections.len() > 1;
    if let (Some(folder), [collection]) = (&arguments.data, &collections[..]) {
        note_other_name(folder, &collection.language);
    }
    let report = Report {
        names: measured.names(),
        // Others have thresholds that no training chose: a table of grades would mean nothing.
        has_grades: grades_are_fitted(&model),
        as_json: arguments.json,
    };
    let mut languages = Map::new();
    let mut all = Vec::new();
    for collection in collections {
        let language = collection.language.clone();
        let outcomes = evaluate(arguments, &model, (&drawing, &measured), collection)?;
        if several {
            let of_language = report.told(Some(&language), &model, &outcomes)?;
            languages.insert(language, Value::Object(of_language));
        }
        // Rankings are not told any more, and are large.
        all.extend(outcomes.into_iter().map(|outcome| Outcome { ranked: Vec::new(), ..outcome }));
    }
    let mut object = report.told(several.then_some("all"), &model, &all)?;
    if arguments.json {
        if several {
            object.insert("languages".into(), Value::Object(languages));
        }
        json(&Value::Object(object));
    }
    Ok(())
}

/// Says that a file or folder is named after another language than its texts are read in: their figures may look plausible.
fn note_other_name(path: &Path, language: &str) {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    if let Some(named) = name.strip_prefix("en-")
        && (2..=3).contains(&named.len())
        && named != language
    {
        eprintln!("note: {} is read as texts in {language}, not {named}", path.display());
    }
}

/// How outcomes are told.
struct Report<'a> {
    names: Vec<&'a str>,
    has_grades: bool,
    as_json: bool,
}

impl Report<'_> {
    /// The means over queries, and the table of grades where it says something; printed as tables unless JSON was asked
    /// for. The table of grades is not printed for single languages.
    fn told(
        &self,
        head: Option<&str>,
        model: &Model,
        outcomes: &[Outcome],
    ) -> Result<Map<String, Value>, Error> {
        let means = Means::of(&self.names, outcomes.iter().map(|outcome| &*outcome.metrics));
        // In the queries' order, so that sums do not depend on the number of threads.
        let mut calibration = Calibration::new(Thresholds::new(&model.config.thresholds)?);
        outcomes.iter().for_each(|outcome| calibration.add(&outcome.calibration));
        if !self.as_json {
            if let Some(head) = head {
                println!("{head}");
            }
            print!("{}", means.to_table());
            if self.has_grades && head.is_none_or(|head| head == "all") {
                print!("{}", calibration.to_table());
            }
        }
        let mut object = means.to_json();
        if self.has_grades {
            object.insert("grades".into(), calibration.to_json());
        }
        Ok(object)
    }
}

/// Refuses to write over what is read, or two files into one.
fn check_distinct(arguments: &Evaluate, language: &str) -> Result<(), Error> {
    let mut read = vec![arguments.model.clone(), PathBuf::from(&arguments.candidates)];
    if let Some(folder) = &arguments.data {
        read.extend(layout::collection(folder, language)?);
    }
    let written = arguments.written().map(PathBuf::as_path);
    files::check_distinct(written, read.iter().map(PathBuf::as_path))
}

fn evaluate(
    arguments: &Evaluate,
    model: &Model,
    (drawing, measured): (&Drawing, &Measured),
    collection: Collection,
) -> Result<Vec<Outcome>, Error> {
    let language = collection.language.clone();
    let split_of = |query: &Query| Split::of(query, drawing.by, drawing.seed);
    let (collection, splits) = directed(collection, arguments.direction, split_of);
    let collection = &collection;
    let wanted = |query: usize| arguments.split.has(splits[query]);
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
    let texts = [&queries[..], &documents];
    let hybrid = Hybrid::watched(model, requested, texts, arguments.dense, Phases::Shown)?;
    let uncounted = Calibration::new(Thresholds::new(&model.config.thresholds)?);
    let is_relevant = |judged: &Graded| judged.grade > 0;
    let asked: Vec<usize> = (0..hybrid.queries()).filter(|&query| candidates.asks(query)).collect();
    let ranking = Phases::Shown.phase("ranking", asked.len(), "queries");
    let outcomes: Vec<Outcome> = asked
        .into_par_iter()
        .filter_map(|query| {
            ranking.step(1);
            let candidates =
                candidates.of(collection, query).filter(|all| all.iter().any(is_relevant))?;
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
            let [of_ranked, of_all] = grades(&ranked, &candidates);
            let metrics = measured.of_ranking(&of_ranked, &of_all)?;
            Some(Outcome { query, ranked, metrics, calibration })
        })
        .collect();
    drop(ranking);
    if outcomes.is_empty() {
        let problem = match measured {
            Measured::Paper => {
                "no query to rank has a document of grade 2: metrics of lower grades are those of --metrics, such as ndcg@10"
            }
            Measured::Named(_) => "no query to rank has a document of a grade above 0",
        };
        return Err(Error::data(&collection.path, problem));
    }
    outputs::write(arguments, collection, (&candidates, &measured.names()), &outcomes)?;
    Ok(outcomes)
}
