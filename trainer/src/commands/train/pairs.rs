//! `train --loss contrastive --pairs`: makes a model from texts and their translations.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use smooth_clir::encoder::Encoder;
use smooth_clir::math::loss::{Loss, Thresholds};
use smooth_clir::model::calibration::Calibration;
use smooth_clir::model::translated::SMOOTHING;
use smooth_clir::model::{Model, write_network};
use smooth_clir::storage::container::{Writer, sha256_hex};
use smooth_clir::text::stem::End;
use smooth_clir::training::step::contrastive::Objective;

use super::light::{Light, Teaching};
use super::options::Train;
use crate::data::pairs::{Kind, PairsFile};
use crate::error::Error;
use crate::files;
use crate::terminal::output;
use crate::terminal::values::name_of;
use crate::train::contrastive::{self, DEFAULT_THRESHOLDS, Kept, Pairs, Plan, Scratch, Trained};
use crate::train::contrastive::{ObjectiveName, StemName, Weighting};
use crate::train::{self, Checkpoint, DeviceName, EncoderName, PROGRAM, Progress};

/// The weight of SOSL in the sum: the softmax's slopes are about as many times as steep.
const SOSL_TIMES: f32 = 10.0;

/// The weights of the dense and the lexical score where no pairs are kept back to fit that on.
const UNFITTED: Calibration =
    Calibration { dense: 0.25, lexical: 0.75, norms: [1.0, 1.0], deep: None };

/// Trains a model and writes it.
pub fn run(arguments: &Train) -> Result<(), Error> {
    let mut plan = plan(arguments)?;
    files::check_writable(&arguments.out)?;
    files::check_distinct([&*arguments.out], plan.files())?;
    let sources = arguments.sources.as_deref().map_or(Ok(json!([])), sources)?;
    let teaching = Teaching::open(arguments, &mut plan)?;
    let digests = plan.files().map(files::digest).collect::<Result<Vec<_>, _>>()?;
    let identity = train::identity(&plan.describe(), &digests);
    let every = Duration::from_secs(arguments.save_every);
    let mut checkpoint = Checkpoint::beside(&arguments.out, identity, every);
    checkpoint.begin(arguments.resume)?;
    let above = arguments.scratch_above.unwrap_or(Scratch::IN_MEMORY);
    let scratch = Scratch { beside: arguments.out.clone(), above };
    let pairs = Pairs::read(&plan.languages, &scratch, &teaching.words())?;
    for language in &pairs.languages {
        eprintln!(
            "{}: {} pairs to train on, {} to validate by, {} words in documents",
            language.name,
            language.training.len(),
            language.validation.len(),
            language.words.vocabulary.len()
        );
    }
    eprintln!("{} words in queries", pairs.english.vocabulary.len());
    let (mut trained, deep) = match teaching.queries(&plan, &pairs)? {
        // Documents are read by translations: there is nothing else to train.
        Some(Light { encoder, deep }) => {
            (Trained { encoders: vec![encoder], ..Trained::default() }, Some(deep))
        }
        None => {
            let progress = Progress::new(plan.epochs * contrastive::steps_in_epoch(&plan, &pairs));
            let saved = (&mut checkpoint, arguments.resume);
            let trained = contrastive::train(&plan, &pairs, &progress, saved, arguments.max_steps)?;
            let Some(trained) = trained else {
                eprintln!("the training is saved: resume it with --resume");
                return Ok(());
            };
            eprintln!("the model is from epoch {}", trained.epoch);
            (trained, None)
        }
    };
    trained.encoders = contrastive::pruned(trained.encoders, &pairs, most_words(arguments))?;
    let unrounded = trained.encoders.first().cloned();
    contrastive::rounded(&mut trained.encoders, arguments.precision.into());
    let tables = match plan.translations {
        Some(kept) => contrastive::translations(&pairs, &trained.encoders, kept, &plan.stems)?,
        None => Vec::new(),
    };
    let mut model = model(arguments, &plan, trained, (&digests, sources));
    model.deep = deep;
    for ((language, _), table) in plan.languages.iter().zip(tables) {
        model.config.calibration.insert(language.clone(), UNFITTED);
        model.translations.insert(language.clone(), Arc::new(table));
    }
    model.translate();
    if let Some(unrounded) = &unrounded
        && let Some(mut query) = teaching.learnt((&model, unrounded), &plan)?
    {
        contrastive::rounded(std::slice::from_mut(&mut query), arguments.precision.into());
        model.query = Some(query);
        model.documents.clear();
        model.translate();
    }
    let kept_back = teaching.kept_back(&model, &pairs)?;
    contrastive::fit(&mut model, &pairs, kept_back, arguments.thresholds.is_some())?;
    for (language, calibration) in &model.config.calibration {
        eprintln!("{language}: {}", output::weights(calibration));
    }
    let written = files::of_model(&arguments.out, &model, arguments.precision.into())?;
    files::write_and_tell(written)?;
    checkpoint.remove()
}

fn plan(arguments: &Train) -> Result<Plan, Error> {
    let thresholds =
        arguments.thresholds.as_ref().map_or(DEFAULT_THRESHOLDS.to_vec(), |list| list.0.clone());
    let plan = Plan {
        languages: languages(arguments)?,
        epsilon: arguments.epsilon.unwrap_or(0.1),
        objective: objective(arguments, &thresholds)?,
        thresholds,
        dimension: arguments.dimension.unwrap_or(64) as usize,
        epochs: arguments.epochs.unwrap_or(12),
        patience: arguments.patience.unwrap_or(5),
        batch_size: arguments.batch_size.unwrap_or(512) as usize,
        learning_rate: arguments.learning_rate.unwrap_or(0.02),
        seed: arguments.seed,
        init_deviation: arguments.init_deviation.unwrap_or(0.01),
        subwords: arguments.subwords.unwrap_or(20_000) as usize,
        smoothing: match arguments.weights.unwrap_or(Weighting::InverseFrequency) {
            Weighting::Uniform => None,
            Weighting::InverseFrequency => Some(SMOOTHING),
        },
        word_dropout: arguments.word_dropout.unwrap_or(0.3),
        translations: match arguments.most_translations.unwrap_or(20) {
            0 => None,
            most => Some(Kept { share: arguments.least_share.unwrap_or(0.003), most }),
        },
        stems: stems(arguments)?,
        teacher: None,
    };
    plan.config().check().map_err(|error| Error::Usage(format!("--thresholds: {error}")))?;
    Ok(plan)
}

fn objective(arguments: &Train, thresholds: &[f32]) -> Result<Objective, Error> {
    let softmax = Objective::Softmax { temperature: arguments.temperature.unwrap_or(0.1) };
    let graded = || -> Result<Objective, Error> {
        Ok(Objective::Graded {
            loss: Loss::Sosl(Thresholds::new(thresholds)?),
            grade: thresholds.len() as u8,
            rivals: arguments.rivals.map_or(usize::MAX, |rivals| rivals as usize),
        })
    };
    Ok(match arguments.objective.unwrap_or(ObjectiveName::Softmax) {
        ObjectiveName::Softmax => softmax,
        ObjectiveName::Sosl => graded()?,
        ObjectiveName::Sum => Objective::Sum(Box::new(softmax), Box::new(graded()?), SOSL_TIMES),
    })
}

/// Which letters of each language's words are translated as stems; the first said of a language holds.
fn stems(arguments: &Train) -> Result<BTreeMap<String, End>, Error> {
    let Train { languages, stems, .. } = arguments;
    if stems.len() > languages.len() {
        let (stems, languages) = (stems.len(), languages.len());
        let problem =
            format!("{stems} --stems, but {languages} --language: one for each, in the same order");
        return Err(Error::Usage(problem));
    }
    let mut ends = BTreeMap::new();
    for (number, language) in languages.iter().enumerate() {
        let name = stems.get(number).copied().unwrap_or(StemName::Head);
        ends.entry(language.clone()).or_insert(name);
    }
    let end = |(language, name): (String, StemName)| Some((language, name.end()?));
    Ok(ends.into_iter().filter_map(end).collect())
}

/// Each language with its files; several of one language stand together.
fn languages(arguments: &Train) -> Result<Vec<(String, Vec<PairsFile>)>, Error> {
    let Train { languages, pairs, lexicon, queries, .. } = arguments;
    let usage = |problem: &str| Err(Error::Usage(problem.into()));
    if pairs.is_empty() {
        return usage("--loss contrastive: expected one --pairs FILE for each --language");
    }
    if !arguments.data.is_empty() {
        return usage("--loss contrastive trains on --pairs, not on folders");
    }
    if arguments.encoder != EncoderName::Average {
        return usage("--encoder: --loss contrastive supports only the average encoder");
    }
    match arguments.objective.unwrap_or(ObjectiveName::Softmax) {
        ObjectiveName::Softmax if arguments.rivals.is_some() => {
            return usage("--rivals: only --objective sosl and sum use it");
        }
        ObjectiveName::Sosl if arguments.temperature.is_some() => {
            return usage("--temperature: only --objective softmax and sum use it");
        }
        _ => {}
    }
    let idle = [
        ("--negatives", arguments.negatives.is_some()),
        ("--select", arguments.select.is_some()),
        ("--split-by", arguments.split_by.is_some()),
        ("--split-seed", arguments.split_seed.is_some()),
        ("--scale", arguments.scale.is_some()),
        ("--clip", arguments.clip.is_some()),
        ("--dropout", arguments.dropout.is_some()),
        ("--init", !arguments.init.is_empty()),
        ("--refit", arguments.refit),
        ("--device gpu", arguments.device != DeviceName::Cpu),
    ];
    if let Some((option, _)) = idle.into_iter().find(|(_, given)| *given) {
        return Err(Error::Usage(format!("{option}: not supported with --loss contrastive")));
    }
    let most = lexicon.len().max(queries.len());
    if pairs.len() != languages.len() || most > languages.len() {
        return Err(Error::Usage(format!(
            "{} --pairs, {} --lexicon and {} --queries but {} --language: name the language of each file, in the same order",
            pairs.len(),
            lexicon.len(),
            queries.len(),
            languages.len()
        )));
    }
    let mut grouped: Vec<(String, Vec<PairsFile>)> = Vec::new();
    let kinds = [(Kind::Sentences, pairs), (Kind::Lexicon, lexicon), (Kind::Queries, queries)];
    for (kind, files) in kinds {
        for (number, (language, path)) in languages.iter().zip(files).enumerate() {
            let repeat = match kind {
                Kind::Sentences => arguments.repeat.get(number).copied().unwrap_or(1),
                Kind::Lexicon | Kind::Queries => 1,
            };
            let file = PairsFile { path: path.clone(), kind, repeat };
            match grouped.iter_mut().find(|(name, _)| name == language) {
                Some((_, list)) => list.push(file),
                None => grouped.push((language.clone(), vec![file])),
            }
        }
    }
    Ok(grouped)
}

/// How many words keep a row: of queries, and of the documents of each language.
fn most_words(arguments: &Train) -> [usize; 2] {
    let Train { most_words: documents, most_query_words: queries, .. } = arguments;
    [queries.or(*documents), *documents].map(|most| most.map_or(usize::MAX, |most| most as usize))
}

/// The model; its `space` covers options, data and weights.
fn model(
    arguments: &Train,
    plan: &Plan,
    trained: Trained,
    (digests, sources): (&[String], Value),
) -> Model {
    let mut options = plan.describe();
    for (name, most) in
        [("most-words", arguments.most_words), ("most-query-words", arguments.most_query_words)]
    {
        if let Some(most) = most {
            options[name] = json!(most);
        }
    }
    options["precision"] = json!(name_of(arguments.precision));
    let mut weights = Writer::new("weights");
    for (side, encoder) in trained.encoders.iter().enumerate() {
        write_network(
            &mut weights,
            &side.to_string(),
            &encoder.network,
            arguments.precision.into(),
        );
    }
    let weights = weights.into_bytes();
    let space =
        sha256_hex(&[options.to_string().as_bytes(), digests.concat().as_bytes(), &weights]);
    let provenance = provenance(plan, &options, &trained, (digests, sources));
    let mut encoders = trained.encoders.into_iter();
    let query = encoders.next();
    let names = plan.languages.iter().map(|(name, _)| name.clone());
    let documents: BTreeMap<String, Encoder> = names.zip(encoders).collect();
    Model {
        config: plan.config(),
        provenance: provenance.to_string(),
        space,
        query,
        documents,
        translations: BTreeMap::new(),
        deep: None,
    }
}

fn provenance(
    plan: &Plan,
    options: &Value,
    trained: &Trained,
    (digests, sources): (&[String], Value),
) -> Value {
    let names = plan.languages.iter().flat_map(|(language, files)| {
        files.iter().map(move |file| (language, file_name(file.path())))
    });
    let data: Vec<Value> = names
        .zip(digests)
        .map(|((language, file), digest)| {
            json!({ "language": language, "file": file, "digest": digest })
        })
        .collect();
    json!({
        "program": PROGRAM,
        "seed": plan.seed,
        "options": options,
        "data": data,
        "sources": sources,
        "epoch": trained.epoch,
        "steps": trained.steps,
        "validation": { "accuracy@1": trained.accuracy },
    })
}

/// The list of sources in a file, each with a name and a licence.
pub fn sources(path: &Path) -> Result<Value, Error> {
    let file: Option<Value> = serde_json::from_slice(&files::read(path)?).ok();
    let list = file.as_ref().map(|file| &file["sources"]);
    let is_source = |entry: &Value| entry["name"].is_string() && entry["licence"].is_string();
    match list {
        Some(Value::Array(list)) if list.iter().all(is_source) => Ok(json!(list)),
        _ => {
            Err(Error::data(path, "not JSON with a list `sources`, each with `name` and `licence`"))
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
