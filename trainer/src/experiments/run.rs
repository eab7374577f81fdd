//! One training of an experiment: what it is told, and what comes of it.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use smooth_clir::math::loss::Thresholds;
use smooth_clir::math::metrics::Metrics;

use crate::corpus::{Drawing, Example, Prepared};
use crate::data::Collection;
use crate::error::Error;
use crate::evaluation::networks::{evaluate, evaluate_all, scores};
use crate::terminal::values::name_of;
use crate::train::{self, Checkpoint, Init, Plan, Progress, Trained};

/// How finely the scores of a grade are counted, from -1 to 1.
pub const BINS: usize = 200;

/// One training.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// How it trains.
    pub plan: Plan,
    /// How queries are split and negatives sampled.
    pub drawing: Drawing,
    /// What the words' rows begin with.
    pub start: Start,
    /// Whether the test queries are ranked: not while settings are being chosen.
    pub test: bool,
}

/// What the words' rows begin with, and what fixes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// What they begin with.
    pub init: Init,
    /// [`Init::describe`].
    pub description: Option<Value>,
}

/// What came of a training.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// What the training was: [`Run::describe`].
    pub run: Value,
    /// The best epoch.
    pub epoch: u64,
    /// What it was chosen by, on the validation queries.
    pub selected: f64,
    /// Pairs whose gradient was undefined and taken as 0.
    pub undefined: u64,
    /// Epsilon of the query's and of the document's norm in the best epoch.
    pub epsilons: [f32; 2],
    /// The thresholds in the best epoch, where they were learned.
    pub thresholds: Option<Vec<f32>>,
    /// The longest gradient of the score in each epoch; empty where they are not known.
    pub longest: Vec<f32>,
    /// The mean loss of each epoch; `null` where it is not finite.
    pub losses: Vec<Option<f64>>,
    /// Steps whose gradient was shortened.
    pub clipped: u64,
    /// All steps.
    pub steps: u64,
    /// All pairs seen.
    pub pairs: u64,
    /// What the test queries gave.
    pub test: Option<Tested>,
}

/// Figures of the test queries, in the order of the queries' file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Tested {
    /// The title of each query: what is resampled together.
    pub groups: Vec<String>,
    /// The metrics of each query among its sampled candidates.
    pub sampled: Vec<[f64; 7]>,
    /// The metrics of each query among all documents.
    pub all: Vec<[f64; 7]>,
    /// By true grade, then predicted grade: how many of the sampled candidates.
    pub confusion: Vec<Vec<u64>>,
    /// By grade: how many training pairs score in each of [`BINS`] equal parts of -1 to 1.
    pub training_scores: Vec<Vec<u64>>,
}

impl Run {
    /// All that fixes the outcome, but for the data.
    pub fn describe(&self) -> Value {
        let mut description = self.plan.describe();
        description["negatives"] = json!(self.drawing.negatives);
        description["split-by"] = json!(name_of(self.drawing.by));
        description["split-seed"] = json!(self.drawing.seed);
        description["test"] = json!(self.test);
        if let Some(queries) = self.drawing.most_queries {
            description["training-queries"] = json!(queries);
        }
        if let Some(queries) = self.drawing.most_validation_queries {
            description["validation-queries"] = json!(queries);
        }
        if let Some(start) = &self.start.description {
            description["init"] = start.clone();
        }
        description
    }

    /// Trains, and ranks the test queries if the run is to.
    pub fn outcome(
        &self,
        collection: &Collection,
        prepared: &Prepared,
        checkpoint: &mut Checkpoint,
    ) -> Result<Outcome, Error> {
        let words = self.start.init.words(&self.plan, prepared)?.tables;
        let saved = Some((checkpoint, true));
        let trained = train::train(&self.plan, prepared, words, &Progress::silent(), saved)?;
        let test = self.test.then(|| self.tested(collection, prepared, &trained));
        Ok(Outcome {
            run: self.describe(),
            epoch: trained.epoch,
            selected: trained.selected.unwrap_or_default(),
            undefined: trained.undefined,
            epsilons: [trained.epsilons.query, trained.epsilons.document],
            thresholds: trained.thresholds,
            longest: trained.lengths.iter().map(|lengths| lengths.largest).collect(),
            losses: trained.losses.iter().map(|&loss| loss.is_finite().then_some(loss)).collect(),
            clipped: trained.clipped,
            steps: trained.steps,
            pairs: self.plan.epochs * prepared.training.len() as u64,
            test,
        })
    }

    fn tested(&self, collection: &Collection, prepared: &Prepared, trained: &Trained) -> Tested {
        let Prepared { corpus, training, test, .. } = prepared;
        let (plan, epsilon, networks) = (&self.plan, trained.epsilons, &trained.networks[..]);
        let relevant = |list: &[Example]| list.iter().any(|example| example.grade >= 2);
        let queries: Vec<usize> = test
            .chunk_by(|a, b| a.query == b.query)
            .filter(|list| relevant(list))
            .map(|list| list[0].query as usize)
            .collect();
        let sampled = evaluate(epsilon, corpus, networks, test);
        let sampled =
            sampled.iter().flat_map(|(_, metrics)| metrics).map(Metrics::values).collect();
        let all = evaluate_all(epsilon, corpus, networks, &prepared.judged, test);
        let grades = plan.loss.grades();
        let mut confusion = vec![vec![0; grades]; grades];
        let learned = trained.thresholds.as_deref().map(Thresholds::new);
        let thresholds = learned.and_then(Result::ok).unwrap_or_else(|| plan.loss.thresholds());
        for (example, score) in test.iter().zip(scores(epsilon, corpus, networks, test)) {
            let predicted = thresholds.predicted_grade(score);
            confusion[usize::from(example.grade)][usize::from(predicted)] += 1;
        }
        let mut training_scores = vec![vec![0; BINS]; grades];
        for (example, score) in training.iter().zip(scores(epsilon, corpus, networks, training)) {
            let bin = ((score + 1.0) * 0.5 * BINS as f32) as usize;
            training_scores[usize::from(example.grade)][bin.min(BINS - 1)] += 1;
        }
        Tested {
            groups: queries.iter().map(|&query| collection.queries[query].title.clone()).collect(),
            sampled,
            all: all.iter().map(Metrics::values).collect(),
            confusion,
            training_scores,
        }
    }
}
