//! Fine-tuning from relevance judgements: steps of training on the device, with undo.
//!
//! A [`FineTuning`] copies the rows of the judged texts into small tables and takes the
//! [steps](crate::training::step) of training on them. A [`History`] applies the changed rows to
//! the engine, which encodes the affected documents again, and undoes any number of changes. Words
//! composed of n-grams contribute to a text's vector, but only words with a row of their own
//! change. The vectors of deep documents, and of those read by translations, are constants: feedback on them changes the rows
//! of queries alone.

#[cfg(feature = "gpu")]
mod device;
mod export;
mod history;
mod words;

pub use export::Exported;
pub use history::History;
use words::Words;

use crate::encoder::{Encoder, Network, Reading};
use crate::engine::{Engine, check_query};
use crate::error::Error;
#[cfg(feature = "gpu")]
use crate::gpu::MirroredTrainer as Trainer;
use crate::math::loss::{Loss, Thresholds};
use crate::model::changes::Changes;
use crate::model::{DOCUMENT, QUERY};
#[cfg(not(feature = "gpu"))]
use crate::training::step::PairTrainer as Trainer;
use crate::training::step::{OwnedPair, Report, Settings, pairs};

/// A relevance judgement: a user's grade of a document for a query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement<'a> {
    /// The query's text.
    pub query: &'a str,
    /// The document's position among all documents of the engine.
    pub document: usize,
    /// The grade, from 0 (not relevant) to the number of the model's thresholds (fully relevant).
    pub grade: u8,
}

/// The options of a fine-tuning run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Adam's step size.
    pub learning_rate: f32,
    /// The largest gradient norm: longer gradients are scaled down to it; `None` for no limit.
    pub clip: Option<f32>,
    /// The strength of the pull towards the rows of the model's files; 0 for none.
    pub pull: f32,
}

/// The largest component of a deep document's vector in a run, because atanh(1) is infinite.
const LARGEST: f32 = 0.999;

/// The default number of steps of a fine-tuning run.
pub const STEPS: usize = 30;

impl Default for Options {
    fn default() -> Self {
        Self { learning_rate: 0.01, clip: None, pull: 0.0 }
    }
}

/// A fine-tuning run: relevance judgements, and the rows of their texts during training.
#[derive(Debug)]
pub struct FineTuning {
    trainer: Trainer,
    /// For each encoder its name, and the row numbers of the small table's first rows.
    encoders: Vec<(String, Vec<u32>)>,
    /// The judgements, as row numbers of the run's own tables.
    examples: Vec<OwnedPair>,
}

impl FineTuning {
    /// Creates a run on some judgements, from the engine's current rows. Of several judgements of
    /// one query and document the last counts.
    ///
    /// # Errors
    /// [`Error::Judgement`] for a judgement without a trainable word, an existing document or a
    /// valid grade, or if there are no judgements; unless the document is deep,
    /// [`Error::MissingEncoder`] if the document encoder of its language is not loaded, and
    /// [`Error::MissingTexts`] if its text is not; [`Error::LearningOption`], [`Error::QueryTooLong`].
    pub fn new(
        engine: &Engine,
        judgements: &[Judgement<'_>],
        options: Options,
    ) -> Result<Self, Error> {
        check(options)?;
        let config = &engine.model().config;
        let thresholds = Thresholds::new(&config.thresholds)?;
        let mut fine_tuning = Draft { engine, languages: Vec::new(), examples: Vec::new() };
        for (number, judgement) in judgements.iter().enumerate() {
            let later = &judgements[number + 1..];
            if !later.iter().any(|l| (l.query, l.document) == (judgement.query, judgement.document))
            {
                fine_tuning.add(number, judgement)?;
            }
        }
        if fine_tuning.examples.is_empty() {
            return Err(Error::Judgement { number: 0, problem: "there is none".into() });
        }
        let Draft { languages, mut examples, .. } = fine_tuning;

        let mut texts: Vec<_> = examples.iter_mut().map(|example| &mut example.query).collect();
        let query = Words::new(engine.query(), &mut texts);
        let (mut encoders, mut documents) = (vec![(QUERY.to_owned(), query.rows)], Vec::new());
        let (mut homes, mut weightings) = (vec![query.home], vec![query.weighting]);
        for (number, language) in languages.iter().enumerate() {
            let of_language = examples.iter_mut().filter(|example| example.language == number);
            let mut texts: Vec<_> = of_language.map(|example| &mut example.document).collect();
            let name = format!("{DOCUMENT}{language}");
            // Documents of a language without an encoder are deep, and have no rows of it.
            let encoder = engine.encoder(&name).unwrap_or(engine.query());
            let words = Words::new(encoder, &mut texts);
            encoders.push((name, words.rows));
            documents.push(words.now);
            homes.push(words.home);
            weightings.push(words.weighting);
        }
        let settings = Settings {
            epsilon: config.epsilon,
            loss: Loss::Sosl(thresholds),
            learning_rate: options.learning_rate,
            clip: options.clip,
            pull: options.pull,
        };
        let mut trainer = Trainer::new(settings, query.now, documents);
        trainer.pull_towards(homes);
        trainer.weigh(weightings);
        let examples = examples.into_iter().map(OwnedPair::from).collect();
        Ok(Self { trainer, encoders, examples })
    }

    /// Takes one step on all judgements, on the processor, where the run continues.
    pub fn step(&mut self) -> Report {
        self.trainer.step(&pairs(&self.examples))
    }

    /// The current rows, as changes of the model.
    pub fn changes(&self) -> Changes {
        let tables = self.trainer.tables();
        let encoders = self.encoders.iter().zip(&tables);
        encoders
            .flat_map(|((name, rows), table)| {
                let rows = rows.iter().enumerate();
                rows.map(|(at, &row)| (name.clone(), row, Some(table.row(at).to_vec())))
            })
            .collect()
    }

    /// The number of judgements of the run.
    pub fn judgements(&self) -> usize {
        self.examples.len()
    }

    /// The number of rows that the run changes.
    pub fn rows(&self) -> usize {
        self.encoders.iter().map(|(_, rows)| rows.len()).sum()
    }
}

/// A judgement whose texts are read as row numbers.
struct Example {
    query: Reading,
    document: Reading,
    language: usize,
    grade: u8,
}

impl From<Example> for OwnedPair {
    fn from(Example { query, document, language, grade }: Example) -> Self {
        Self { query: query.rows, document: document.rows, language, grade }
    }
}

/// A run under construction: its row numbers are still those of the whole vocabularies.
struct Draft<'a> {
    engine: &'a Engine,
    languages: Vec<String>,
    examples: Vec<Example>,
}

impl Draft<'_> {
    fn add(&mut self, number: usize, judgement: &Judgement<'_>) -> Result<(), Error> {
        let wrong = |problem: String| Error::Judgement { number, problem };
        let most = self.engine.model().config.thresholds.len();
        if usize::from(judgement.grade) > most {
            return Err(wrong(format!("its grade is {}, expected 0 to {most}", judgement.grade)));
        }
        let (index, position) = self
            .engine
            .place(judgement.document)
            .ok_or_else(|| wrong(format!("there is no document {}", judgement.document)))?;
        let index = &self.engine.indexes()[index];
        let language = index.language(position);
        let encoder = |name: &str| -> Result<&Encoder, Error> {
            let encoder = self.engine.encoder(name)?;
            match encoder.network {
                Network::Average(_) => Ok(encoder),
                _ => Err(wrong(format!(
                    "a model of kind {} does not learn from judgements",
                    encoder.network.kind()
                ))),
            }
        };
        check_query(judgement.query)?;
        encoder(QUERY)?;
        let query = self.engine.query_reading(judgement.query);
        let name = format!("{DOCUMENT}{language}");
        let is_translated = || self.engine.encoder(&name).is_ok_and(Encoder::is_translated);
        let is_fixed = index.teacher.is_some() || self.engine.is_of_queries(language);
        let document = if is_fixed || is_translated() {
            constant(index.vector(position))
        } else {
            let missing = || Error::MissingTexts { block: index.block_of(position) };
            let shown = index.shown(position).ok_or_else(missing)?;
            encoder(&name)?.read(shown.text)
        };
        if query.known() == 0 || document.known() == 0 {
            let which = if query.known() == 0 { "query" } else { "document" };
            return Err(wrong(format!("no word of its {which} is known")));
        }
        if query.rows.is_empty() && document.rows.is_empty() {
            return Err(wrong("none of its words has a row of its own".into()));
        }
        let known = self.languages.iter().position(|known| known == language);
        let language = known.unwrap_or_else(|| {
            self.languages.push(language.into());
            self.languages.len() - 1
        });
        self.examples.push(Example { query, document, language, grade: judgement.grade });
        Ok(())
    }
}

/// A document whose vector is this and does not change: one word without a row, whose tanh it is.
fn constant(vector: Vec<f32>) -> Reading {
    let inverse = |x: f32| libm::atanhf(x.clamp(-LARGEST, LARGEST));
    match vector.iter().all(|&x| x == 0.0) {
        true => Reading::default(),
        false => Reading::of_vector(vector.into_iter().map(inverse).collect()),
    }
}

fn check(Options { learning_rate, clip, pull }: Options) -> Result<(), Error> {
    let positive = |x: f32| x.is_finite() && x > 0.0;
    let wrong = |option, found, expected: &str| {
        Err(Error::LearningOption { option, found, expected: expected.into() })
    };
    match clip {
        _ if !positive(learning_rate) => {
            wrong("learningRate", learning_rate, "a finite number above 0")
        }
        Some(clip) if !positive(clip) => wrong("clip", clip, "a finite number above 0"),
        _ if !positive(pull) && pull != 0.0 => wrong("pull", pull, "a finite number, 0 or more"),
        _ => Ok(()),
    }
}
