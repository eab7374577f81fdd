//! Training: collections -> rows and pairs -> steps -> the best epoch's networks.

mod checkpoint;
pub mod contrastive;
mod corpus;
mod evaluation;
mod fit;
pub mod general;
mod init;
mod learner;
mod lsi;
#[cfg(feature = "neural")]
mod neural;
#[cfg(feature = "gpu")]
mod on_gpu;
mod plan;
mod prepared;
mod progress;

use std::collections::HashSet;
use std::time::Instant;

pub use checkpoint::{Checkpoint, PROGRAM, Stand, identity, read_of};
pub use corpus::Corpus;
#[cfg(test)]
pub use corpus::Texts;
pub use evaluation::{Parts, evaluate, evaluate_all, parts, scores};
pub use init::{Init, InitOption};
pub use learner::{Trainer, average, average_network, learner, random_words};
pub use plan::{DeviceName, EncoderName, LossName, Plan, Select};
pub use prepared::{Drawing, Prepared};
pub use progress::Progress;
use smooth_clir::encoder::{Network, Table};
use smooth_clir::math::metrics::Metrics;
use smooth_clir::math::random::Random;
use smooth_clir::training::step::Pair;

use crate::error::Error;

/// The networks of the best epoch: the query side's, then each language's.
#[derive(Debug, Clone, Default)]
pub struct Trained {
    /// The networks.
    pub networks: Vec<Network>,
    /// The epoch they are of, counted from 1.
    pub epoch: u64,
    /// What the epoch was chosen by, on the validation queries; `None` where there were none.
    pub selected: Option<f64>,
    /// Over the whole training, pairs whose gradient was undefined and taken as 0.
    pub undefined: u64,
    /// Over the whole training, steps whose gradient was shortened.
    pub clipped: u64,
    /// All steps taken.
    pub steps: u64,
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
#[derive(Debug, Clone, Copy, Default)]
pub struct Speed {
    /// Steps taken.
    pub steps: u64,
    /// Pairs seen.
    pub pairs: u64,
    /// Of them, those whose loss had a slope.
    pub active: u64,
    /// Known words in all of their texts.
    pub words: u64,
    /// Different rows in each step's texts, over all steps.
    pub rows: u64,
    /// Seconds spent on them.
    pub seconds: f64,
}

/// Trains for `plan.epochs` epochs and keeps the one that is best on the validation queries; the
/// last one where there are none. `words` are the rows to begin with.
pub fn train(
    plan: &Plan,
    prepared: &Prepared,
    words: Vec<Table>,
    progress: &Progress,
    mut checkpoint: Option<(&mut Checkpoint, bool)>,
) -> Result<Trained, Error> {
    let Prepared { corpus, training, validation, .. } = prepared;
    let mut learner = learner(plan, corpus, words)?;
    let mut examples = training.clone();
    let mut stand = Stand::default();
    if let Some((checkpoint, true)) = &mut checkpoint
        && let Some(saved) = checkpoint.restore(learner.as_mut())?
    {
        stand = saved;
        progress.resumed(stand.epoch, stand.steps);
    }
    // The order of an epoch is that of the one before, shuffled once more.
    for epoch in 1..=stand.epoch {
        Random::new(plan.seed, &format!("order {epoch}")).shuffle(&mut examples);
    }
    for epoch in stand.epoch + 1..=plan.epochs {
        Random::new(plan.seed, &format!("order {epoch}")).shuffle(&mut examples);
        let decay = (1..epoch).fold(1.0, |product, _| product * plan.decay);
        learner.set_learning_rate(plan.learning_rate * decay);
        for batch in examples.chunks(plan.batch_size) {
            learner.step(&corpus.pairs(batch))?;
            stand.steps += 1;
            progress.step();
        }
        let mut loss = 0.0;
        let mut undefined = 0;
        for (batch, report) in examples.chunks(plan.batch_size).zip(learner.reports()?) {
            loss += report.loss * batch.len() as f64;
            undefined += report.undefined as u64;
            stand.clipped += u64::from(report.clipped);
        }
        loss /= examples.len() as f64;
        stand.undefined += undefined;
        stand.epoch = epoch;
        let networks = learner.networks()?;
        let metrics = evaluate(plan.epsilon, corpus, &networks, validation);
        let metrics: Vec<Metrics> = metrics.into_iter().flat_map(|(_, of)| of).collect();
        // With two grades no query has metrics: the last epoch is kept.
        let selected = (!metrics.is_empty()).then(|| plan.select.of(&Metrics::mean(&metrics)));
        let told = selected.map(|value| (plan.select.name(), value));
        progress.epoch(epoch, plan.epochs, loss, told, undefined);
        let better = match (&stand.best, selected) {
            (Some(best), Some(now)) => best.selected.is_none_or(|so_far| now > so_far),
            _ => selected.is_some() || epoch == plan.epochs,
        };
        if better {
            stand.best = Some(Trained { networks, epoch, selected, ..Trained::default() });
        }
        if let Some((checkpoint, _)) = &mut checkpoint
            && epoch < plan.epochs
        {
            checkpoint.save(&stand, learner.as_ref())?;
        }
    }
    progress.finish();
    let Stand { undefined, clipped, steps, .. } = stand;
    let best = stand.best.ok_or_else(|| Error::Usage("--epochs must be at least 1".into()))?;
    Ok(Trained { undefined, clipped, steps, ..best })
}

/// Takes `steps` steps and says how fast they were.
pub fn measure(
    plan: &Plan,
    prepared: &Prepared,
    words: Vec<Table>,
    steps: u64,
) -> Result<Speed, Error> {
    let mut learner = learner(plan, &prepared.corpus, words)?;
    let mut examples = prepared.training.clone();
    let mut speed = Speed::default();
    for epoch in 1.. {
        let start = Instant::now();
        Random::new(plan.seed, &format!("order {epoch}")).shuffle(&mut examples);
        let batches = examples.chunks(plan.batch_size).take((steps - speed.steps) as usize);
        for batch in batches.clone() {
            learner.step(&prepared.corpus.pairs(batch))?;
        }
        let reports = learner.reports()?;
        speed.seconds += start.elapsed().as_secs_f64();
        speed.active += reports.iter().map(|report| report.active as u64).sum::<u64>();
        for batch in batches {
            let (words, rows) = prepared.corpus.words_and_rows(batch);
            speed.steps += 1;
            speed.pairs += batch.len() as u64;
            speed.words += words as u64;
            speed.rows += rows as u64;
        }
        if speed.steps == steps {
            break;
        }
    }
    Ok(speed)
}

impl Corpus {
    /// A batch as rows.
    pub fn pairs(&self, batch: &[Example]) -> Vec<Pair<'_>> {
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

    /// How many words a batch's texts have, and how many different rows those have.
    fn words_and_rows(&self, batch: &[Example]) -> (usize, usize) {
        let pairs = self.pairs(batch);
        let texts =
            pairs.iter().flat_map(|pair| [(0, pair.query), (pair.language + 1, pair.document)]);
        let words = texts.flat_map(|(side, rows)| rows.iter().map(move |&row| (side, row)));
        (words.clone().count(), words.collect::<HashSet<_>>().len())
    }
}
