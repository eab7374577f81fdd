//! Training: collections -> rows and pairs -> steps -> the best epoch's tables.

mod corpus;
mod progress;

use std::time::Instant;

pub use corpus::Corpus;
use progress::Progress;
use smooth_clir::encoder::Table;
use smooth_clir::loss::Sosl;
use smooth_clir::metrics::Metrics;
use smooth_clir::random::Random;
use smooth_clir::step::{Learner, Pair, Settings};

use crate::error::Error;
use crate::ranking::{Encoded, metrics, rank};

/// How to train.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Epsilon of smooth cosine similarity.
    pub epsilon: f32,
    /// The scores between the grades.
    pub thresholds: Vec<f32>,
    /// The length of the vectors.
    pub dimension: usize,
    /// How often every pair is gone through.
    pub epochs: u64,
    /// Pairs in a step.
    pub batch_size: usize,
    /// Adam's step size.
    pub learning_rate: f32,
    /// Fixes initial weights and the order of the pairs.
    pub seed: u64,
    /// The deviation of the initial weights.
    pub init_deviation: f32,
}

/// The tables of the best epoch: the query side's, then each language's.
pub struct Trained {
    /// The tables.
    pub tables: Vec<Table>,
    /// The epoch they are of, counted from 1.
    pub epoch: u64,
    /// The mean average precision on the validation queries; `None` where there were none.
    pub validation_map: Option<f64>,
}

/// A query and a document of a collection, and how relevant it is.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// Which collection.
    pub collection: u32,
    /// Which query.
    pub query: u32,
    /// Which document.
    pub document: u32,
    /// The grade.
    pub grade: u8,
}

/// What a training was fast enough for.
pub struct Speed {
    /// Steps taken.
    pub steps: u64,
    /// Pairs seen.
    pub pairs: u64,
    /// Seconds spent on them.
    pub seconds: f64,
}

/// Trains for `plan.epochs` epochs and keeps the one with the best average precision on
/// `validation`; the last one where that is empty.
pub fn train(
    plan: &Plan,
    corpus: &Corpus,
    examples: &[Example],
    validation: &[Example],
) -> Result<Trained, Error> {
    let mut learner = learner(plan, corpus)?;
    let mut examples = examples.to_vec();
    let steps = plan.epochs * examples.len().div_ceil(plan.batch_size) as u64;
    let progress = Progress::new(steps);
    let mut best: Option<Trained> = None;
    for epoch in 1..=plan.epochs {
        Random::new(plan.seed, &format!("order {epoch}")).shuffle(&mut examples);
        let mut loss = 0.0;
        let mut undefined = 0;
        for batch in examples.chunks(plan.batch_size) {
            let report = learner.step(&corpus.pairs(batch));
            loss += report.loss * batch.len() as f64;
            undefined += report.undefined;
            progress.step();
        }
        loss /= examples.len() as f64;
        let map = (!validation.is_empty())
            .then(|| mean_average_precision(plan.epsilon, corpus, &learner, validation));
        progress.epoch(epoch, plan.epochs, loss, map, undefined);
        let better = match (&best, map) {
            (Some(best), Some(map)) => best.validation_map.is_none_or(|so_far| map > so_far),
            _ => map.is_some() || epoch == plan.epochs,
        };
        if better {
            let tables = learner.tables().cloned().collect();
            best = Some(Trained { tables, epoch, validation_map: map });
        }
    }
    progress.finish();
    best.ok_or_else(|| Error::Usage("--epochs must be at least 1".into()))
}

/// Takes `steps` steps and says how fast they were.
pub fn measure(
    plan: &Plan,
    corpus: &Corpus,
    examples: &[Example],
    steps: u64,
) -> Result<Speed, Error> {
    let mut learner = learner(plan, corpus)?;
    let mut examples = examples.to_vec();
    let start = Instant::now();
    let (mut done, mut pairs) = (0, 0);
    for epoch in 1.. {
        Random::new(plan.seed, &format!("order {epoch}")).shuffle(&mut examples);
        for batch in examples.chunks(plan.batch_size).take((steps - done) as usize) {
            learner.step(&corpus.pairs(batch));
            done += 1;
            pairs += batch.len() as u64;
        }
        if done == steps {
            break;
        }
    }
    Ok(Speed { steps: done, pairs, seconds: start.elapsed().as_secs_f64() })
}

fn learner(plan: &Plan, corpus: &Corpus) -> Result<Learner, Error> {
    let table = |rows: usize, side: &str| {
        let mut random = Random::new(plan.seed, &format!("weights {side}"));
        Table::new(plan.dimension, random.normals(rows * plan.dimension, plan.init_deviation))
    };
    let query = table(corpus.query_vocabulary.len(), "query");
    let sides = corpus.document_vocabularies.iter();
    let documents = sides.map(|(language, vocabulary)| table(vocabulary.len(), language)).collect();
    let settings = Settings {
        epsilon: plan.epsilon,
        loss: Sosl::new(&plan.thresholds)?,
        learning_rate: plan.learning_rate,
    };
    Ok(Learner::new(settings, query, documents))
}

fn mean_average_precision(
    epsilon: f32,
    corpus: &Corpus,
    learner: &Learner,
    examples: &[Example],
) -> f64 {
    let tables: Vec<&Table> = learner.tables().collect();
    let metrics: Vec<Metrics> =
        evaluate(epsilon, corpus, &tables, examples).into_iter().flat_map(|(_, of)| of).collect();
    Metrics::mean(&metrics).map
}

/// The metrics of each query among `examples`, by language. Examples of one query stand together,
/// in the order of the documents' file.
pub fn evaluate(
    epsilon: f32,
    corpus: &Corpus,
    tables: &[&Table],
    examples: &[Example],
) -> Vec<(String, Vec<Metrics>)> {
    use rayon::prelude::*;
    let mut results = Vec::new();
    for (number, texts) in corpus.collections.iter().enumerate() {
        let own: Vec<Example> =
            examples.iter().filter(|e| e.collection as usize == number).copied().collect();
        let queries = Encoded::new(tables[0], &texts.queries);
        let documents = Encoded::new(tables[texts.language + 1], &texts.documents);
        let lists: Vec<&[Example]> = own.chunk_by(|a, b| a.query == b.query).collect();
        let of_query = |list: &&[Example]| {
            let query = list.first()?.query as usize;
            let candidates: Vec<_> = list.iter().map(Example::judged).collect();
            metrics(&rank(&queries, query, &documents, &candidates, epsilon), &candidates)
        };
        let metrics = lists.par_iter().filter_map(of_query).collect();
        let language = &corpus.document_vocabularies[texts.language].0;
        results.push((language.clone(), metrics));
    }
    results
}

impl Example {
    fn judged(&self) -> crate::data::collection::Judged {
        crate::data::collection::Judged { document: self.document, grade: self.grade }
    }
}

impl Corpus {
    fn pairs(&self, batch: &[Example]) -> Vec<Pair<'_>> {
        let pair = |example: &Example| {
            let texts = &self.collections[example.collection as usize];
            Pair {
                query: &texts.queries[example.query as usize],
                document: &texts.documents[example.document as usize],
                language: texts.language,
                grade: example.grade,
            }
        };
        batch.iter().map(pair).collect()
    }
}
