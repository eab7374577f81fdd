//! `train`: makes a model.

mod from;
pub mod light;
mod options;
mod pairs;
mod report;

use smooth_clir::model::DEFAULT_EPSILON;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};
use smooth_clir::encoder::{self, Encoder};
use smooth_clir::math::loss::Loss;
use smooth_clir::math::similarity::reach;
use smooth_clir::model::{Model, write_network};
use smooth_clir::storage::container::{Writer, sha256_hex};

use crate::corpus::{Corpus, Drawing, Prepared};
use crate::data::{Collection, SplitBy, builtin, layout};
use crate::error::Error;
use crate::evaluation::Summary;
use crate::evaluation::evaluation_file::{self, EvaluationFile};
use crate::evaluation::networks::evaluate;
use crate::files;
use crate::terminal::values::name_of;
use crate::train::general::General;
use crate::train::{
    self, Checkpoint, EpsilonRule, Init, LossName, Plan, Progress, Select, Speed, Trained, Variant,
};
pub use options::Train;
use options::TrainLoss;
pub use pairs::sources;

/// Trains a model, tests it, and writes it.
pub fn run(arguments: &Train) -> Result<(), Error> {
    match (arguments.loss, arguments.pairs.is_empty()) {
        (TrainLoss::Contrastive, _) => pairs::run(arguments),
        (TrainLoss::Graded(loss), true) => run_graded(arguments, loss),
        _ => Err(Error::Usage("--pairs: supported only with --loss contrastive".into())),
    }
}

fn run_graded(arguments: &Train, loss: LossName) -> Result<(), Error> {
    let general = arguments.from.as_deref().map(|path| from::read(arguments, path));
    let general = general.transpose()?;
    let plan = plan(arguments, loss, general.as_ref())?;
    if arguments.max_steps.is_none() {
        files::check_writable(&arguments.out)?;
    }
    if let Some(path) = &arguments.report {
        report::check(path, arguments)?;
    }
    tell_reach(&plan);
    let collections = collections(arguments, plan.loss.grades())?;
    let init = Init::new(&arguments.init, collections.iter().map(|c| &c.language[..]))?;
    let drawing = drawing(arguments);
    let mut prepared = Prepared::new(&collections, &drawing)?;
    if let Some(general) = &general {
        prepared.corpus = general.corpus(&collections)?;
    }
    let words = |plan: &Plan, prepared: &Prepared| match &general {
        Some(general) => Ok(general.words(&prepared.corpus)),
        None => init.words(plan, prepared),
    };
    if let Some(steps) = arguments.max_steps {
        let words = words(&plan, &prepared)?;
        let speed = train::measure(&plan, &prepared, words.tables, steps)?;
        let Speed { steps, pairs, active, words, rows, seconds } = speed;
        let rate = (pairs as f64 / seconds).round();
        let seconds = (seconds * 100.0).round() / 100.0;
        println!(
            "{}",
            json!({ "steps": steps, "pairs_per_s": rate, "seconds": seconds, "pairs": pairs,
                "active": active, "words": words, "rows": rows })
        );
        return Ok(());
    }
    let corpus = &prepared.corpus;
    eprintln!(
        "{} pairs to train on, {} words in queries, {} in documents",
        prepared.training.len(),
        corpus.query_vocabulary.len(),
        corpus.document_vocabularies.iter().map(|(_, words)| words.len()).sum::<usize>()
    );
    let words = words(&plan, &prepared)?;
    words.told.iter().for_each(|line| eprintln!("{line}"));
    let mut options = options(arguments, &plan, words.provenance);
    if let Some(general) = &general {
        options["from"] = json!(general.digest());
    }
    let digests: Vec<String> = collections.iter().map(Collection::digest).collect();
    let identity = train::identity(&options, &digests);
    let every = Duration::from_secs(arguments.save_every);
    let mut checkpoint = Checkpoint::beside(&arguments.out, identity, every);
    checkpoint.begin(arguments.resume)?;
    let progress = progress(&plan, &prepared);
    let saved = Some((&mut checkpoint, arguments.resume));
    let trained = train::train(&plan, &prepared, words.tables, &progress, saved)?;
    tell_troubles(&plan, &prepared, &trained);
    if plan.variant.epsilon != EpsilonRule::Fixed {
        eprintln!("epsilon {} in the best epoch", trained.epsilons.document);
    }
    if let Some(path) = &arguments.report {
        report::write(path, &plan, &trained.lengths)?;
    }
    let tested = tested(&prepared, &trained);
    // The lexical score of a model that the training begins with is weighed afterwards.
    let alone = if general.is_some() { ", by the dense score alone" } else { "" };
    eprintln!("best epoch {}; on the test queries{alone}:", trained.epoch);
    eprint!("{}", tested.all.to_table());
    let evaluation = files::names_folder(&arguments.out)
        .then(|| EvaluationFile::new(&collections, &prepared, &trained.networks));
    let (corpus, trained) = match arguments.refit {
        false => (prepared.corpus, trained),
        true => refit(&plan, &init, &drawing, &collections, trained)?,
    };
    let mut provenance = provenance(arguments, &options, &collections, &digests, &trained, &tested);
    if let Some(general) = &general {
        provenance["from"] = general.provenance();
    }
    let mut model =
        model(&plan, corpus, trained, provenance, &[&options.to_string(), &digests.concat()]);
    if let Some(general) = &general {
        let validation = (&collections[0], &prepared.validation[..]);
        from::finish(general, &mut model, validation, arguments)?;
    }
    write(arguments, &model, evaluation)?;
    checkpoint.remove()
}

/// The metrics on the test queries, by language and over all.
struct Tested {
    languages: BTreeMap<String, Summary>,
    all: Summary,
}

fn plan(arguments: &Train, loss: LossName, general: Option<&General>) -> Result<Plan, Error> {
    let config = general.map(|general| &general.model().config);
    let (learning_rate, decay, batch_size, epochs) = arguments.encoder.defaults();
    let thresholds = arguments.thresholds.as_ref().map(|thresholds| &thresholds.0[..]);
    let thresholds = thresholds.unwrap_or(loss.default_thresholds());
    if arguments.scale.is_some() && !loss.has_scale() {
        let problem = "--scale: supported only with --loss proportional-odds";
        return Err(Error::Usage(problem.into()));
    }
    if arguments.dropout.is_some() && !arguments.encoder.has_layers() {
        let problem = "--dropout: supported only with --encoder cnn, lstm or lstm-first";
        return Err(Error::Usage(problem.into()));
    }
    let loss = loss.build(thresholds, arguments.scale.unwrap_or(LossName::SCALE));
    let plan = Plan {
        encoder: arguments.encoder,
        epsilon: arguments
            .epsilon
            .or(config.map(|config| config.epsilon))
            .unwrap_or(DEFAULT_EPSILON),
        loss: loss.map_err(|error| Error::Usage(format!("--thresholds: {error}")))?,
        dimension: config
            .map_or(arguments.dimension.unwrap_or(64) as usize, |config| config.dimension),
        epochs: arguments.epochs.unwrap_or(epochs),
        batch_size: arguments.batch_size.unwrap_or(batch_size) as usize,
        learning_rate: arguments.learning_rate.unwrap_or(learning_rate),
        decay,
        clip: arguments.clip,
        dropout: arguments.dropout.unwrap_or(Plan::DROPOUT),
        seed: arguments.seed,
        init_deviation: arguments.init_deviation.unwrap_or(0.2),
        select: arguments.select.unwrap_or(Select::Map),
        device: arguments.device,
        variant: variant(arguments),
    };
    plan.check()?;
    Ok(plan)
}

fn variant(arguments: &Train) -> Variant {
    let epsilon = match (arguments.learn_epsilon, arguments.anneal_epsilon) {
        (true, _) => EpsilonRule::Learned,
        (false, Some(from)) => EpsilonRule::Annealed(from),
        (false, None) => EpsilonRule::Fixed,
    };
    Variant { epsilon, shared_layers: arguments.shared_layers, ..Variant::default() }
}

fn progress(plan: &Plan, prepared: &Prepared) -> Progress {
    Progress::new(plan.epochs * prepared.training.len().div_ceil(plan.batch_size) as u64)
}

/// Says where three-part L2 aims beyond what a score can reach: it works, but is never satisfied.
fn tell_reach(plan: &Plan) {
    let reach = reach(plan.dimension, plan.epsilon);
    if let Loss::ThreePart([_, _, last]) = plan.loss
        && last >= reach
    {
        eprintln!(
            "note: no score exceeds {reach}, so the last threshold, {last}, is never reached"
        );
    }
}

/// Says how often a gradient was not there, or was shortened.
fn tell_troubles(plan: &Plan, prepared: &Prepared, trained: &Trained) {
    let pairs = plan.epochs * prepared.training.len() as u64;
    if trained.undefined > 0 || plan.epsilon == 0.0 {
        eprintln!("{} of {pairs} gradients were undefined and counted as 0", trained.undefined);
    }
    if plan.clip.is_some() {
        eprintln!("{} of {} steps were clipped", trained.clipped, trained.steps);
    }
}

fn collections(arguments: &Train, grades: usize) -> Result<Vec<Collection>, Error> {
    let languages = &arguments.languages;
    if arguments.data.is_empty() {
        let wanted: Vec<String> = match languages.is_empty() {
            true => builtin::LANGUAGES.map(str::to_owned).to_vec(),
            false => languages.clone(),
        };
        return builtin::collections(&wanted, grades);
    }
    if languages.len() != arguments.data.len() {
        return Err(Error::Usage(format!(
            "{} folder(s) but {} --language: name the language of each folder, in the same order",
            arguments.data.len(),
            languages.len()
        )));
    }
    let mut read = Vec::new();
    for (folder, language) in arguments.data.iter().zip(languages).filter(|(f, _)| f.is_dir()) {
        read.extend(layout::collection(folder, language)?);
    }
    files::check_distinct([&*arguments.out], read.iter().map(PathBuf::as_path))?;
    let folders = arguments.data.iter().zip(languages);
    folders.map(|(folder, language)| Collection::read(folder, language, grades)).collect()
}

fn tested(prepared: &Prepared, trained: &Trained) -> Tested {
    let mut languages: BTreeMap<String, Vec<_>> = BTreeMap::new();
    let metrics = evaluate(trained.epsilons, &prepared.corpus, &trained.networks, &prepared.test);
    for (language, metrics) in metrics {
        languages.entry(language).or_default().extend(metrics);
    }
    let all: Vec<_> = languages.values().flatten().copied().collect();
    let languages =
        languages.into_iter().map(|(language, metrics)| (language, Summary::of(&metrics)));
    Tested { languages: languages.collect(), all: Summary::of(&all) }
}

fn refit(
    plan: &Plan,
    init: &Init,
    drawing: &Drawing,
    collections: &[Collection],
    trained: Trained,
) -> Result<(Corpus, Trained), Error> {
    eprintln!("again, on all queries");
    let prepared = Prepared::all(collections, drawing)?;
    let plan = Plan { epochs: trained.epoch, ..plan.clone() };
    let words = init.words(&plan, &prepared)?.tables;
    let trained = train::train(&plan, &prepared, words, &progress(&plan, &prepared), None)?;
    Ok((prepared.corpus, trained))
}

fn provenance(
    arguments: &Train,
    options: &Value,
    collections: &[Collection],
    digests: &[String],
    trained: &Trained,
    tested: &Tested,
) -> Value {
    let data: Vec<Value> = collections
        .iter()
        .zip(digests)
        .map(|(collection, digest)| json!({ "language": collection.language, "digest": digest }))
        .collect();
    let sources = if arguments.data.is_empty() { json!([builtin::SOURCE]) } else { json!([]) };
    let languages = tested.languages.iter();
    let test: serde_json::Map<String, Value> = languages
        .map(|(language, summary)| (language.clone(), Value::Object(summary.to_json())))
        .collect();
    json!({
        "program": train::PROGRAM,
        "seed": arguments.seed,
        "options": options,
        "data": data,
        "sources": sources,
        "epoch": trained.epoch,
        "undefined-gradients": trained.undefined,
        "clipped-steps": trained.clipped,
        "steps": trained.steps,
        "test": test,
    })
}

/// The model; its `space` covers the weights and `parts`.
fn model(
    plan: &Plan,
    corpus: Corpus,
    trained: Trained,
    provenance: Value,
    parts: &[&str],
) -> Model {
    let mut weights = Writer::new("weights");
    for (side, network) in trained.networks.iter().enumerate() {
        write_network(&mut weights, &side.to_string(), network, encoder::Precision::F32);
    }
    let weights = weights.into_bytes();
    let mut bytes: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
    bytes.push(&weights);
    let space = sha256_hex(&bytes);
    let epsilon = trained.epsilons.document;
    let mut networks = trained.networks.into_iter();
    let mut encoder = |vocabulary| {
        let network = networks.next().unwrap_or_default();
        Encoder::new(vocabulary, network)
    };
    let query = Some(encoder(corpus.query_vocabulary));
    let sides = corpus.document_vocabularies.into_iter();
    let documents: BTreeMap<String, Encoder> =
        sides.map(|(language, vocabulary)| (language, encoder(vocabulary))).collect();
    let plan = Plan { epsilon, ..plan.clone() };
    let config = plan.config(documents.keys().cloned().collect());
    Model {
        config,
        provenance: provenance.to_string(),
        space,
        query,
        documents,
        translations: BTreeMap::new(),
        deep: None,
    }
}

/// How the queries are split and negatives are sampled.
fn drawing(arguments: &Train) -> Drawing {
    Drawing::of_all(
        arguments.split_seed.unwrap_or(1),
        arguments.split_by.unwrap_or(SplitBy::Query),
        arguments.negatives.unwrap_or(40) as usize,
    )
}

/// All that fixes the model, by the names of the command line.
fn options(arguments: &Train, plan: &Plan, init: Option<Value>) -> Value {
    let mut options = plan.describe();
    let drawing = drawing(arguments);
    options["negatives"] = json!(drawing.negatives);
    options["precision"] = json!(name_of(arguments.precision));
    options["split-seed"] = json!(drawing.seed);
    options["split-by"] = json!(name_of(drawing.by));
    options["refit"] = json!(arguments.refit);
    if let Some(init) = init {
        options["init"] = init;
    }
    options
}

fn write(
    arguments: &Train,
    model: &Model,
    evaluation: Option<EvaluationFile>,
) -> Result<(), Error> {
    let out = &arguments.out;
    let mut written = files::of_model(out, model, arguments.precision.into())?;
    if let Some(evaluation) = evaluation {
        let path = out.join(evaluation_file::NAME);
        let bytes = evaluation.into_json(model, arguments.refit);
        let failed =
            |source: serde_json::Error| Error::Write { path: path.clone(), source: source.into() };
        written.push((path.clone(), bytes.map_err(failed)?));
    }
    files::write_and_tell(written)
}
