//! A person's judgements on results -> steps of the training, on the device: rows that move, and back.
//!
//! A [`FineTuning`] copies the rows of the judged texts into small tables and takes the training's own
//! [steps](crate::training::step) on them. A [`History`] has the engine take over what it learned, which
//! encodes again the documents whose words moved, and goes back any number of times. Words that are
//! made of their n-grams take part as they are: only words with a row of their own move.

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

/// What a person said of a document that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judgement<'a> {
    /// The query's text.
    pub query: &'a str,
    /// The document's place among all that the engine holds.
    pub document: usize,
    /// How relevant it is: 0 for not at all, the number of the model's thresholds for most.
    pub grade: u8,
}

/// How a fine-tuning run learns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Adam's step size.
    pub learning_rate: f32,
    /// The longest gradient that a step takes as it is.
    pub clip: Option<f32>,
    /// How strongly rows are pulled back to those of the model's files.
    pub pull: f32,
}

/// Steps of a fine-tuning run, where nobody says how many.
pub const STEPS: usize = 30;

impl Default for Options {
    fn default() -> Self {
        Self { learning_rate: 0.01, clip: None, pull: 0.0 }
    }
}

/// Relevance judgements, and the rows of their texts on their way.
#[derive(Debug)]
pub struct FineTuning {
    trainer: Trainer,
    /// The name of each encoder, and the rows of it that its table begins with.
    encoders: Vec<(String, Vec<u32>)>,
    /// The judgements, as rows of the fine-tuning run's own tables.
    examples: Vec<OwnedPair>,
}

impl FineTuning {
    /// A fine-tuning run on some judgements, of the engine as it is now. Of several judgements on the same query and
    /// document the last counts.
    ///
    /// # Errors
    /// [`Error::Judgement`] for one that nothing can be learned from, [`Error::MissingEncoder`] where the
    /// document encoder of a language is not here, [`Error::MissingTexts`] where the text of a document is not,
    /// [`Error::LearningOption`], [`Error::QueryTooLong`].
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
            let words = Words::new(engine.encoder(&name)?, &mut texts);
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

    /// One step on all judgements at once, on the processor, where the fine-tuning run is from now on.
    pub fn step(&mut self) -> Report {
        self.trainer.step(&pairs(&self.examples))
    }

    /// The rows as they are now.
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

    /// How many judgements it learns from.
    pub fn judgements(&self) -> usize {
        self.examples.len()
    }

    /// How many rows it moves.
    pub fn rows(&self) -> usize {
        self.encoders.iter().map(|(_, rows)| rows.len()).sum()
    }
}

/// A judgement, as its texts are read.
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

/// A fine-tuning run whose rows are still those of the whole vocabularies.
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
        let missing = || Error::MissingTexts { block: index.block_of(position) };
        let shown = index.shown(position).ok_or_else(missing)?;
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
        let document = encoder(&format!("{DOCUMENT}{language}"))?.read(shown.text);
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
