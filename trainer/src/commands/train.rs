//! `train`: makes a model.

use std::collections::BTreeMap;

use clap::ValueEnum;
use serde_json::{Value, json};
use smooth_clir::container::sha256_hex;
use smooth_clir::encoder::{AverageEncoder, Table};
use smooth_clir::model::{Config, Model};

use crate::cli;
use crate::data::{Candidates, Collection, Split, builtin};
use crate::error::Error;
use crate::files;
use crate::report::Summary;
use crate::train::{self, Corpus, Example, Plan, Trained};

/// Trains a model, tests it, and writes it.
pub fn run(arguments: &cli::Train) -> Result<(), Error> {
    let plan = plan(arguments);
    check_reach(&plan)?;
    if arguments.max_steps.is_none() {
        files::check_writable(&arguments.out)?;
    }
    let collections = collections(arguments)?;
    let splits: Vec<Vec<Split>> = collections.iter().map(|c| splits(arguments, c)).collect();
    let [training, validation, test] =
        [Split::Train, Split::Validation, Split::Test].map(|split| {
            examples(arguments, &collections, |collection, query| {
                splits[collection][query] == split
            })
        });
    let (training, validation, test) = (training?, validation?, test?);
    // A query that is only trained on is not evaluated.
    let [validation, test] =
        [validation, test].map(|examples| only_evaluated(&collections, examples));
    for (name, examples) in [("training", &training), ("validation", &validation), ("test", &test)]
    {
        if examples.is_empty() {
            let problem =
                format!("too few queries: the {name} split has none with a graded document");
            return Err(Error::data(&collections[0].path, problem));
        }
    }
    let corpus =
        Corpus::new(&collections, |collection, query| splits[collection][query] == Split::Train)?;
    if let Some(steps) = arguments.max_steps {
        let speed = train::measure(&plan, &corpus, &training, steps)?;
        let rate = (speed.pairs as f64 / speed.seconds).round();
        let seconds = (speed.seconds * 100.0).round() / 100.0;
        println!("{}", json!({ "steps": speed.steps, "pairs_per_s": rate, "seconds": seconds }));
        return Ok(());
    }
    eprintln!(
        "{} pairs to train on, {} words in queries, {} in documents",
        training.len(),
        corpus.query_vocabulary.len(),
        corpus.document_vocabularies.iter().map(|(_, words)| words.len()).sum::<usize>()
    );
    let trained = train::train(&plan, &corpus, &training, &validation)?;
    let tested = tested(&plan, &corpus, &trained, &test);
    eprintln!("best epoch {}; on the test queries:", trained.epoch);
    eprint!("{}", tested.all.to_table());
    let (corpus, trained) = match arguments.refit {
        false => (corpus, trained),
        true => refit(arguments, &plan, &collections, trained.epoch)?,
    };
    let model = model(arguments, &plan, &collections, corpus, trained, &tested);
    write(arguments, &model)
}

/// The metrics on the test queries, by language and over all.
struct Tested {
    languages: BTreeMap<String, Summary>,
    all: Summary,
}

fn plan(arguments: &cli::Train) -> Plan {
    // The one loss and the one encoder there are so far.
    let (cli::Loss::Sosl, cli::Encoder::Average) = (arguments.loss, arguments.encoder);
    Plan {
        epsilon: arguments.epsilon,
        thresholds: arguments.thresholds.0.clone(),
        dimension: arguments.dimension as usize,
        epochs: arguments.epochs,
        batch_size: arguments.batch_size as usize,
        learning_rate: arguments.learning_rate,
        seed: arguments.seed,
        init_deviation: arguments.init_deviation,
    }
}

fn check_reach(plan: &Plan) -> Result<(), Error> {
    let config = Config {
        dimension: plan.dimension,
        epsilon: plan.epsilon,
        thresholds: plan.thresholds.clone(),
        languages: Vec::new(),
    };
    config.check().map_err(|error| Error::Usage(error.to_string()))
}

fn collections(arguments: &cli::Train) -> Result<Vec<Collection>, Error> {
    let languages = &arguments.languages;
    if arguments.data.is_empty() {
        let wanted: Vec<String> = match languages.is_empty() {
            true => builtin::LANGUAGES.map(str::to_owned).to_vec(),
            false => languages.clone(),
        };
        if let Some(other) = wanted.iter().find(|l| !builtin::LANGUAGES.contains(&l.as_str())) {
            let known = builtin::LANGUAGES.join(", ");
            let problem = format!("--language {other}: the built-in corpus has {known}");
            return Err(Error::Usage(problem));
        }
        return Ok(wanted.iter().map(|language| builtin::collection(language)).collect());
    }
    if languages.len() != arguments.data.len() {
        return Err(Error::Usage(format!(
            "{} folder(s) but {} --language: name the language of each folder, in the same order",
            arguments.data.len(),
            languages.len()
        )));
    }
    let grades = arguments.thresholds.0.len() + 1;
    let folders = arguments.data.iter().zip(languages);
    folders.map(|(folder, language)| Collection::read(folder, language, grades)).collect()
}

fn splits(arguments: &cli::Train, collection: &Collection) -> Vec<Split> {
    let split = |query| Split::of(query, arguments.split_by, arguments.split_seed);
    collection.queries.iter().map(split).collect()
}

/// The graded and the irrelevant documents of the wanted queries.
fn examples(
    arguments: &cli::Train,
    collections: &[Collection],
    wanted: impl Fn(usize, usize) -> bool,
) -> Result<Vec<Example>, Error> {
    let mut examples = Vec::new();
    for (number, collection) in collections.iter().enumerate() {
        let negatives = arguments.negatives as usize;
        let candidates =
            Candidates::sampled(collection, negatives, arguments.split_seed, |query| {
                wanted(number, query)
            })?;
        for (query, list) in candidates.0.iter().enumerate() {
            examples.extend(list.iter().flatten().map(|judged| Example {
                collection: number as u32,
                query: query as u32,
                document: judged.document,
                grade: judged.grade,
            }));
        }
    }
    Ok(examples)
}

fn only_evaluated(collections: &[Collection], mut examples: Vec<Example>) -> Vec<Example> {
    examples.retain(|example| {
        let query = &collections[example.collection as usize].queries[example.query as usize];
        query.belongs_to.is_none()
    });
    examples
}

fn tested(plan: &Plan, corpus: &Corpus, trained: &Trained, test: &[Example]) -> Tested {
    let tables: Vec<&Table> = trained.tables.iter().collect();
    let mut languages: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for (language, metrics) in train::evaluate(plan.epsilon, corpus, &tables, test) {
        languages.entry(language).or_default().extend(metrics);
    }
    let all: Vec<_> = languages.values().flatten().copied().collect();
    let languages = languages.into_iter().map(|(language, of)| (language, Summary::of(&of)));
    Tested { languages: languages.collect(), all: Summary::of(&all) }
}

fn refit(
    arguments: &cli::Train,
    plan: &Plan,
    collections: &[Collection],
    epochs: u64,
) -> Result<(Corpus, Trained), Error> {
    eprintln!("once more, on all queries");
    let corpus = Corpus::new(collections, |_, _| true)?;
    let examples = examples(arguments, collections, |_, _| true)?;
    let plan = Plan { epochs, ..plan.clone() };
    let trained = train::train(&plan, &corpus, &examples, &[])?;
    Ok((corpus, trained))
}

fn model(
    arguments: &cli::Train,
    plan: &Plan,
    collections: &[Collection],
    corpus: Corpus,
    trained: Trained,
    tested: &Tested,
) -> Model {
    let options = options(arguments);
    let digests: Vec<String> = collections.iter().map(Collection::digest).collect();
    let data: Vec<Value> = collections
        .iter()
        .zip(&digests)
        .map(|(collection, digest)| json!({ "language": collection.language, "digest": digest }))
        .collect();
    let sources = if arguments.data.is_empty() { json!([builtin::SOURCE]) } else { json!([]) };
    let languages = tested.languages.iter();
    let test: serde_json::Map<String, Value> = languages
        .map(|(language, summary)| (language.clone(), Value::Object(summary.to_json())))
        .collect();
    let provenance = json!({
        "program": concat!("smooth-clir ", env!("CARGO_PKG_VERSION")),
        "seed": plan.seed,
        "options": options,
        "data": data,
        "sources": sources,
        "epoch": trained.epoch,
        "test": test,
    });
    let options = options.to_string();
    let weights: Vec<u8> =
        trained.tables.iter().flat_map(Table::values).flat_map(|x| x.to_le_bytes()).collect();
    let mut parts = vec![options.as_bytes(), &weights];
    parts.extend(digests.iter().map(String::as_bytes));
    let space = sha256_hex(&parts);
    let mut tables = trained.tables.into_iter();
    let mut encoder =
        |vocabulary| AverageEncoder { vocabulary, table: tables.next().unwrap_or_default() };
    let query = Some(encoder(corpus.query_vocabulary));
    let sides = corpus.document_vocabularies.into_iter();
    let documents: BTreeMap<String, AverageEncoder> =
        sides.map(|(language, vocabulary)| (language, encoder(vocabulary))).collect();
    let config = Config {
        dimension: plan.dimension,
        epsilon: plan.epsilon,
        thresholds: plan.thresholds.clone(),
        languages: documents.keys().cloned().collect(),
    };
    Model { config, provenance: provenance.to_string(), space, query, documents }
}

/// All that fixes the model, by the names of the command line.
fn options(arguments: &cli::Train) -> Value {
    let name = |value: Option<clap::builder::PossibleValue>| {
        value.map(|value| value.get_name().to_owned()).unwrap_or_default()
    };
    // Displayed, an f32 has the fewest digits that stand for it.
    let number = |x: f32| x.to_string().parse::<f64>().unwrap_or(f64::from(x));
    json!({
        "loss": name(arguments.loss.to_possible_value()),
        "encoder": name(arguments.encoder.to_possible_value()),
        "epsilon": number(arguments.epsilon),
        "thresholds": arguments.thresholds.0.iter().map(|&t| number(t)).collect::<Vec<_>>(),
        "dimension": arguments.dimension,
        "epochs": arguments.epochs,
        "batch-size": arguments.batch_size,
        "learning-rate": number(arguments.learning_rate),
        "negatives": arguments.negatives,
        "seed": arguments.seed,
        "init-deviation": number(arguments.init_deviation),
        "precision": name(arguments.precision.to_possible_value()),
        "split-seed": arguments.split_seed,
        "split-by": name(arguments.split_by.to_possible_value()),
        "refit": arguments.refit,
    })
}

fn write(arguments: &cli::Train, model: &Model) -> Result<(), Error> {
    let precision = arguments.precision.into();
    let out = &arguments.out;
    let written = match files::names_folder(out) {
        true => {
            files::make_folder(out)?;
            let parts = model.write_parts(precision).into_iter();
            parts.map(|(name, bytes)| (out.join(name), bytes)).collect()
        }
        false => vec![(out.clone(), model.write(precision))],
    };
    let told =
        written.iter().map(|(path, bytes)| format!("{}: {} bytes", path.display(), bytes.len()));
    let told: Vec<String> = told.collect();
    files::write_all(written)?;
    eprintln!("{}", told.join("\n"));
    Ok(())
}
