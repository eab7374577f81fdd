//! `theory`: the paper's constants and bound for a model, beside what its data show.

mod study;

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;
use smooth_clir::model::Model;

use super::evaluated::{collections, drawing};
use crate::corpus::Prepared;
use crate::data::{Collection, tsv::shown};
use crate::error::Error;
use crate::evaluation::ranking::Encoded;
use crate::files;
use crate::terminal::output::json;
use crate::terminal::values::{language, positive};
use crate::theory::{Bound, Constants, Descent, Met, Report, Sgd, Vectors, bound, decimal};
use crate::train::{EncoderName, Plan, Progress, random_words};
use clap::Args;
use std::path::PathBuf;
use study::StudyOptions;

/// `theory`
#[derive(Debug, Args)]
pub struct Theory {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// The folder it was trained on; none: the built-in corpus
    pub data: Option<PathBuf>,
    /// The documents' language, if the model has several
    #[arg(long, value_parser = language)]
    pub language: Option<String>,
    /// c of plain SGD's step sizes c/t [default: half of 1/gamma]
    #[arg(long, value_name = "C", value_parser = positive, allow_negative_numbers = true)]
    pub step_constant: Option<f32>,
    /// Steps of plain SGD, one pair each [default: the number of pairs]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000), allow_negative_numbers = true)]
    pub steps: Option<u64>,
    /// Number of further runs of SGD with one pair replaced
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000), allow_negative_numbers = true)]
    pub replacements: u64,
    /// The probability that the bound may fail
    #[arg(long, default_value_t = 0.05, value_parser = probability, allow_negative_numbers = true)]
    pub delta: f64,
    /// The seed of SGD's order, the replaced pairs and the directions towards zero
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// What a study varies
    #[command(flatten)]
    pub study: StudyOptions,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Prints constants, what the data meet of them, and the bound.
pub fn run(arguments: &Theory) -> Result<(), Error> {
    let path = &arguments.model;
    let model = files::read_model(path)?;
    if model.config.subwords > 0 {
        let problem =
            "the theory's constants are not known for vectors with n-grams or word weights";
        return Err(Error::data(path, problem));
    }
    let plan = Plan::from_provenance(&model, path)?;
    if plan.encoder != EncoderName::Average {
        let problem = format!(
            "its encoder is {}, but the theory's constants are known only for the average encoder",
            plan.encoder.name()
        );
        return Err(Error::data(path, problem));
    }
    let drawing = drawing(&model, path)?;
    let requested = (arguments.data.as_deref(), arguments.language.as_deref());
    let collections = collections(&model, requested)?;
    for collection in &collections {
        check_trained_on(&model, path, collection)?;
    }
    let prepared = Prepared::new(&collections, &drawing)?;
    if arguments.study.study.is_some() {
        let common = (arguments.replacements, arguments.delta, arguments.json);
        return study::run(&arguments.study, common, (&plan, &collections, &prepared));
    }
    let constants = Constants::of(&plan.loss, plan.epsilon);
    let met = met(&model, &collections, &prepared, &plan, arguments.seed)?;
    let queries: HashSet<(u32, u32)> =
        prepared.training.iter().map(|pair| (pair.collection, pair.query)).collect();
    let counts = [prepared.training.len(), queries.len()];
    let sgd = step_constant(arguments, &constants).map(|c| {
        let steps = arguments.steps.unwrap_or(counts[0] as u64);
        sgd(arguments, &plan, &prepared, &constants, counts, (c, steps))
    });
    let report = Report { plan: &plan, constants, counts, met, sgd };
    match arguments.json {
        true => json(&report.to_json()),
        false => print!("{}", report.to_text()),
    }
    Ok(())
}

/// Refuses data that the model was not trained on.
fn check_trained_on(model: &Model, path: &Path, collection: &Collection) -> Result<(), Error> {
    let provenance: Value = serde_json::from_str(&model.provenance).unwrap_or(Value::Null);
    let (language, digest) = (&collection.language, collection.digest());
    let data = provenance["data"].as_array().map_or(&[][..], Vec::as_slice);
    let of_language = data.iter().filter(|data| data["language"] == language.as_str());
    let known: Vec<&str> = of_language.filter_map(|data| data["digest"].as_str()).collect();
    if known.contains(&digest.as_str()) {
        return Ok(());
    }
    let known = if known.is_empty() { "none".into() } else { shown(&known.join(", ")) };
    let problem = format!(
        "not the training data of {}: these queries, documents and grades in {language} have the digest {}, its provenance has {known}",
        path.display(),
        shown(&digest)
    );
    Err(Error::data(&collection.path, problem))
}

fn met(
    model: &Model,
    collections: &[Collection],
    prepared: &Prepared,
    plan: &Plan,
    seed: u64,
) -> Result<Met, Error> {
    let query_side = model.query_encoder()?;
    let mut encoded = Vec::new();
    for collection in collections {
        let document_side = model.document_encoder(&collection.language)?;
        let queries = Encoded::of_texts(query_side, &collection.queries, |query| &query.text);
        let documents =
            Encoded::of_texts(document_side, &collection.documents, |document| &document.text);
        encoded.push((queries, documents));
    }
    let pair = |example: &crate::corpus::Example| {
        let (queries, documents) = &encoded[example.collection as usize];
        Vectors {
            query: queries.vector(example.query as usize),
            document: documents.vector(example.document as usize),
            grade: example.grade,
        }
    };
    let pairs: Vec<Vectors<'_>> = prepared.training.iter().map(pair).collect();
    let documents = encoded.iter().map(|(_, documents)| documents);
    let documents: Vec<&[f32]> =
        documents.flat_map(|side| (0..side.len()).map(|place| side.vector(place))).collect();
    Ok(Met::of(&pairs, &documents, &plan.loss, plan.epsilon, seed))
}

/// c: what was asked for, or so that gamma c is a half; none where there is no gamma.
fn step_constant(arguments: &Theory, constants: &Constants) -> Option<f64> {
    let default = constants.exist().then(|| 0.5 / constants.weights.smoothness);
    arguments.step_constant.map(decimal).or(default)
}

fn sgd(
    arguments: &Theory,
    plan: &Plan,
    prepared: &Prepared,
    constants: &Constants,
    counts: [usize; 2],
    (step_constant, steps): (f64, u64),
) -> Sgd {
    let words = random_words(plan, &prepared.corpus);
    let descent = Descent {
        plan,
        corpus: &prepared.corpus,
        training: &prepared.training,
        test: &prepared.test,
        words: &words,
        step_constant,
        steps,
        replacements: arguments.replacements,
        seed: arguments.seed,
    };
    let progress = Progress::new(descent.all_steps());
    let outcome = descent.run(&progress);
    progress.finish();
    let bounds = counts.map(|n| {
        let (n, steps) = (n as f64, steps as f64);
        let (weights, largest) = (constants.weights, constants.largest);
        let stability = bound::stability(weights, largest, step_constant, n, steps);
        let gap = bound::gap(stability, largest, n, arguments.delta);
        Bound { stability, gap, power: libm::log(steps) / libm::log(n) }
    });
    let bounds = constants.exist().then_some(bounds);
    Sgd { step_constant, steps, delta: arguments.delta, outcome, bounds }
}

fn probability(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(value) if 0.0 < value && value < 1.0 => Ok(value),
        _ => Err(format!("`{text}` is not a number between 0 and 1")),
    }
}
