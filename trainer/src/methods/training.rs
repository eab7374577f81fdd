//! A method and a task -> what is learned.

use smooth_clir::model::DEFAULT_EPSILON;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use smooth_clir::encoder::{Encoder, Network, Precision, SparseCode};
use smooth_clir::math::loss::{Loss, Thresholds};
use smooth_clir::model::{Config, Model, write_network};
use smooth_clir::storage::container::{Reader, Writer, sha256_hex};

use super::bags::{Bags, Weighted};
use super::cdl::{self, State};
use super::figures::Figures;
use super::linear::Projection;
use super::method::{Method, Start};
use super::psq::Psq;
use super::task::Task;
use super::trained::Trained;
use super::{linear, topics};
use crate::corpus::{Corpus, Prepared};
use crate::data::Split;
use crate::error::Error;
use crate::train::{self, Checkpoint, EncoderName, Init, PROGRAM, Plan, Progress};

/// A side has at most so many words, the most frequent.
const MOST_WORDS: usize = 50_000;
/// Directions of each side that are looked at for correlations.
const REDUCTION: usize = 500;
/// Rounds of dictionaries on texts of each side, then on pairs.
const START_ROUNDS: usize = 5;
const ROUNDS: usize = 10;
/// Dictionaries are saved so often.
const SAVE_EVERY: Duration = Duration::from_secs(30);
/// The penalty of the mappings between codes.
const RIDGE: f64 = 0.1;
/// The shares of dictionaries that are tried beside the average encoder.
const SHARES: [f32; 5] = [0.1, 0.25, 0.5, 0.75, 0.9];
/// The thresholds between grades.
const THRESHOLDS: [f32; 2] = [0.2, 0.7];

/// The words of both languages in a task's training pairs, and these pairs.
struct Pairs<'a> {
    texts: [Vec<&'a str>; 2],
    words: [Weighted; 2],
}

impl Method {
    /// Learns from a task's training pairs. Dictionaries save themselves beside `out`, and go on from
    /// there after an interruption.
    ///
    /// # Errors
    /// If there is too little to learn from, or the method cannot be computed for it.
    pub fn train(self, task: &Task, seed: u64, out: Option<&Path>) -> Result<Trained, Error> {
        match self {
            Self::Bm25 => Ok(Trained::Bm25),
            Self::TranslatedBm25 => match &task.lexicon {
                Some(lexicon) => Ok(Trained::TranslatedBm25(lexicon.clone())),
                None => Err(Error::Usage(format!(
                    "translated-bm25: {} has no lexicon: name one by --lexicon FILE",
                    task.name
                ))),
            },
            Self::Psq => Psq::train(&task.training_sentences()).map(Trained::Psq),
            Self::Average { epsilon, from_lsi } => {
                let init = if from_lsi { Init::Lsi } else { Init::Random };
                average(task, epsilon, &init, seed)
            }
            Self::Jplsa { topics } => topic_model(task, topics, seed, topics::jplsa),
            Self::Cplsa { topics } => topic_model(task, topics, seed, topics::cplsa),
            Self::Lsi { rank } => projected(task, |pairs| linear::lsi(pairs, rank, seed)),
            Self::Opca { rank, ridge } => {
                let settings = linear::Regularised { rank, ridge, reduction: REDUCTION };
                projected(task, |pairs| linear::opca(pairs, &settings, seed))
            }
            Self::Cca { rank, ridge } => {
                let settings = linear::Regularised { rank, ridge, reduction: REDUCTION };
                projected(task, |pairs| linear::cca(pairs, &settings, seed))
            }
            Self::Cdl { mode, atoms, sparsity, weights: [alpha, beta], start } => {
                let settings = cdl::Settings {
                    atoms,
                    sparsity,
                    alpha,
                    beta,
                    mode,
                    start_rounds: START_ROUNDS,
                    rounds: ROUNDS,
                    ridge: RIDGE,
                    seed,
                };
                let texts: Vec<u8> = task.unlabelled.concat().join("\n").into_bytes();
                let identity = train::identity(
                    &json!({
                        "method": format!("{self:?}"),
                        "seed": seed,
                        "percent": task.part.percent,
                        "split seed": task.drawing.seed,
                        "split by": format!("{:?}", task.drawing.by),
                    }),
                    &[task.collection.digest(), sha256_hex(&[&texts])],
                );
                // Each setting has a file of its own: what another left is not in its way.
                let name = format!("{atoms}-{sparsity}-{alpha}-{beta}-{seed}");
                let beside = |out: &Path| out.with_extension(&name);
                let saved = out.map(|out| Checkpoint::beside(&beside(out), identity, SAVE_EVERY));
                dictionaries(task, &settings, start, saved)
            }
            Self::AverageCdl { atoms, sparsity, weights } => {
                let (mode, start) = (cdl::Mode::Exact, Start::Texts);
                let dictionaries = Self::Cdl { mode, atoms, sparsity, weights, start };
                let average = Self::Average { epsilon: DEFAULT_EPSILON, from_lsi: false };
                combined(
                    task,
                    [average.train(task, seed, out)?, dictionaries.train(task, seed, out)?],
                )
            }
        }
    }
}

/// Two methods, with the share of the second that ranks validation queries best.
fn combined(task: &Task, methods: [Trained; 2]) -> Result<Trained, Error> {
    let methods = Arc::new(methods);
    let with = |share: f32| Trained::Combined { methods: methods.clone(), share };
    let mut best = (f64::NEG_INFINITY, with(0.0));
    for candidate in SHARES.map(with) {
        let merit = Figures::of(&candidate, task, Split::Validation)?.merit();
        if merit > best.0 {
            best = (merit, candidate);
        }
    }
    Ok(best.1)
}

fn projected(
    task: &Task,
    find: impl Fn([&Bags; 2]) -> Result<Projection, Error>,
) -> Result<Trained, Error> {
    let pairs = Pairs::of(task)?;
    let [english, foreign] = pairs.bags();
    let networks = find([&english, &foreign])?.sides.map(|rows| Network::Linear(rows.into()));
    Ok(Trained::Model { there: Box::new(pairs.model(task, networks)), back: None })
}

fn dictionaries(
    task: &Task,
    settings: &cdl::Settings,
    start: Start,
    mut saved: Option<Checkpoint>,
) -> Result<Trained, Error> {
    let texts = match start {
        Start::Texts => task.texts_of_languages(),
        Start::Pairs => task.training_texts()?,
    };
    let pairs = Pairs::with_words_of(task, &texts)?;
    let [english, foreign] = pairs.bags();
    let bags = [&english, &foreign];
    let alone = [0, 1].map(|side| pairs.words[side].bags(texts[side].iter().copied()).filled());
    let words = bags.map(|bags| bags.words);
    let restore =
        |_: &Value, reader: &mut Reader<'_>| State::restore(reader, words, settings.atoms);
    let state = saved.as_ref().map(|saved| saved.read(restore)).transpose()?.flatten();
    let progress = Progress::new((settings.start_rounds + settings.rounds) as u64);
    if let Some(state) = &state {
        progress.resumed(state.round as u64, state.round as u64);
    }
    let told = |round: cdl::Round<'_>| {
        progress.step();
        if let Some(&objective) = round.state.objective.last() {
            progress.epoch(round.done as u64, round.total as u64, objective, None, 0);
        }
        match saved.as_mut().filter(|saved| saved.is_due()) {
            Some(saved) => {
                let mut writer = Checkpoint::writer();
                round.state.save(&mut writer);
                saved.write(json!({}), writer)
            }
            None => Ok(()),
        }
    };
    let learned = cdl::train(bags, alone.each_ref(), settings, told, state)?;
    if let Some(saved) = saved {
        saved.remove()?;
    }
    let network = |side: usize, is_query: bool| {
        Network::SparseCode(SparseCode {
            words: learned.words(side).into(),
            gram: learned.gram(side),
            map: is_query.then(|| learned.map(side)),
            sparsity: settings.sparsity,
        })
    };
    let there = pairs.model(task, [network(0, true), network(1, false)]);
    let Pairs { texts: [english, foreign], words: [first, second] } = pairs;
    let turned = Pairs { texts: [foreign, english], words: [second, first] };
    let back = turned.model(task, [network(1, true), network(0, false)]);
    Ok(Trained::Model { there: Box::new(there), back: Some(Box::new(back)) })
}

/// What makes topics of counted words.
type TopicModel =
    fn([&Bags; 2], &topics::Settings, &mut dyn FnMut(usize, f64)) -> Result<topics::Topics, Error>;

fn topic_model(task: &Task, topics: usize, seed: u64, train: TopicModel) -> Result<Trained, Error> {
    let Pairs { texts, words } = Pairs::of(task)?;
    let counts = |side: usize| words[side].counts(texts[side].iter().copied());
    let settings = topics::Settings { topics, seed, ..Default::default() };
    let found = train([&counts(0), &counts(1)], &settings, &mut |_, _| ())?;
    Ok(Trained::Topics(Box::new(found), words))
}

impl<'a> Pairs<'a> {
    fn of(task: &'a Task) -> Result<Self, Error> {
        let texts = task.training_texts()?;
        Self::with_words_of(task, &texts)
    }

    /// The training pairs, as words of other texts.
    fn with_words_of(task: &'a Task, texts: &[Vec<&str>; 2]) -> Result<Self, Error> {
        let words = |side: usize| Weighted::new(texts[side].iter().copied(), MOST_WORDS);
        let words = [words(0)?, words(1)?];
        if let Some(side) = words.iter().position(|word| word.vocabulary.is_empty()) {
            let name = ["queries", "documents"][side];
            let problem = format!("the training {name} have no words");
            return Err(Error::data(&task.collection.path, problem));
        }
        Ok(Self { texts: task.training_texts()?, words })
    }

    /// TF-IDF of the pairs that have words on both sides.
    fn bags(&self) -> [Bags; 2] {
        let all = [0, 1].map(|side| self.words[side].bags(self.texts[side].iter().copied()));
        let mut kept = all.each_ref().map(|bags| Bags::new(bags.words));
        for row in 0..all[0].len() {
            let rows = all.each_ref().map(|bags| bags.row(row));
            if rows.iter().all(|row| !row.is_empty()) {
                kept.iter_mut().zip(rows).for_each(|(bags, row)| bags.push(row.iter().copied()));
            }
        }
        kept
    }

    /// A model with these networks for both sides.
    fn model(&self, task: &Task, [english, foreign]: [Network; 2]) -> Model {
        let side = |side: usize, network: Network| {
            let Weighted { vocabulary, weights } = &self.words[side];
            let weights = Some(weights[..].into());
            Encoder { weights, ..Encoder::new(vocabulary.clone(), network) }
        };
        model(task, [side(0, english), side(1, foreign)], (0.0, &THRESHOLDS))
    }
}

/// A model of encoders of queries and documents.
fn model(
    task: &Task,
    [query, document]: [Encoder; 2],
    (epsilon, thresholds): (f32, &[f32]),
) -> Model {
    let language = task.collection.language.clone();
    let config = Config {
        encoder: query.network.kind().into(),
        dimension: query.network.dimension(),
        epsilon,
        thresholds: thresholds.to_vec(),
        languages: vec![language.clone()],
        subwords: 0,
        calibration: BTreeMap::new(),
        probability: Default::default(),
        packs: Vec::new(),
    };
    let mut weights = Writer::new("weights");
    for (side, encoder) in [&query, &document].into_iter().enumerate() {
        write_network(&mut weights, &side.to_string(), &encoder.network, Precision::F32);
    }
    let provenance = json!({
        "program": PROGRAM,
        "data": [{ "language": language, "task": task.name, "digest": task.collection.digest() }],
    });
    let provenance = provenance.to_string();
    let space = sha256_hex(&[provenance.as_bytes(), &weights.into_bytes()]);
    Model {
        config,
        provenance,
        space,
        query: Some(query),
        documents: BTreeMap::from([(language, document)]),
        translations: BTreeMap::new(),
        deep: None,
    }
}

/// The first paper's method.
fn average(task: &Task, epsilon: f32, init: &Init, seed: u64) -> Result<Trained, Error> {
    let loss = Loss::Sosl(Thresholds::new(&THRESHOLDS)?);
    let plan =
        Plan { epsilon, seed, init_deviation: 0.1, ..Plan::of_paper(EncoderName::Average, loss) };
    let collection = task.taught_collection();
    let prepared = Prepared::new(std::slice::from_ref(&collection), &task.drawing)?;
    let words = init.words(&plan, &prepared)?.tables;
    let trained = train::train(&plan, &prepared, words, &Progress::silent(), None)?;
    let Corpus { query_vocabulary, document_vocabularies, .. } = prepared.corpus;
    let document = document_vocabularies.into_iter().map(|(_, words)| words);
    let sides = std::iter::once(query_vocabulary).chain(document).zip(trained.networks);
    let mut encoders = sides.map(|(words, network)| Encoder::new(words, network));
    let encoders = [(); 2].map(|()| encoders.next().unwrap_or_default());
    let there = Box::new(model(task, encoders, (epsilon, &THRESHOLDS)));
    Ok(Trained::Model { there, back: None })
}
