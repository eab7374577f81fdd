//! The loop of a training: epochs of steps, each epoch ranked on the validation queries.

use std::time::Instant;

use smooth_clir::encoder::Table;
use smooth_clir::math::metrics::Metrics;
use smooth_clir::training::corpus::shuffle;
use smooth_clir::training::lengths::Lengths;

use super::checkpoint::{Checkpoint, State};
use super::plan::Plan;
use super::progress::Progress;
use super::start::trainer;
use super::trained::{Trained, gradient_limit};
use crate::corpus::Prepared;
use crate::error::Error;
use crate::evaluation::networks::evaluate;

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
    let mut trainer = trainer(plan, corpus, words)?;
    let mut examples = training.clone();
    let mut state = State::default();
    let mut lengths = Vec::new();
    if let Some((checkpoint, true)) = &mut checkpoint
        && let Some(saved) = checkpoint.restore(trainer.as_mut())?
    {
        state = saved;
        progress.resumed(state.epoch, state.steps);
    }
    // The order of an epoch is that of the one before, shuffled once more.
    for epoch in 1..=state.epoch {
        shuffle(&mut examples, plan.seed, epoch);
    }
    for epoch in state.epoch + 1..=plan.epochs {
        shuffle(&mut examples, plan.seed, epoch);
        let decay = (1..epoch).fold(1.0, |product, _| product * plan.decay);
        trainer.set_learning_rate(plan.learning_rate * decay);
        for batch in examples.chunks(plan.batch_size) {
            trainer.step(&corpus.pairs(batch))?;
            state.steps += 1;
            progress.step();
        }
        let mut loss = 0.0;
        let mut undefined = 0;
        for (batch, report) in examples.chunks(plan.batch_size).zip(trainer.reports()?) {
            loss += report.loss * batch.len() as f64;
            undefined += report.undefined as u64;
            state.clipped += u64::from(report.clipped);
        }
        let of_epoch = trainer.gradient_lengths();
        if !of_epoch.is_empty() {
            lengths.push(Lengths::of(of_epoch, gradient_limit(plan.epsilon)));
        }
        loss /= examples.len() as f64;
        state.undefined += undefined;
        state.epoch = epoch;
        let networks = trainer.networks()?;
        let metrics = evaluate(plan.epsilon, corpus, &networks, validation);
        let metrics: Vec<Metrics> = metrics.into_iter().flat_map(|(_, metrics)| metrics).collect();
        // With two grades no query has metrics: the last epoch is kept.
        let selected = (!metrics.is_empty()).then(|| plan.select.of(&Metrics::mean(&metrics)));
        let told = selected.map(|value| (plan.select.name(), value));
        progress.epoch(epoch, plan.epochs, loss, told, undefined);
        let better = match (&state.best, selected) {
            (Some(best), Some(now)) => best.selected.is_none_or(|so_far| now > so_far),
            _ => selected.is_some() || epoch == plan.epochs,
        };
        if better {
            state.best = Some(Trained { networks, epoch, selected, ..Trained::default() });
        }
        if let Some((checkpoint, _)) = &mut checkpoint
            && epoch < plan.epochs
        {
            checkpoint.save(&state, trainer.as_ref())?;
        }
    }
    progress.finish();
    let State { undefined, clipped, steps, .. } = state;
    let best = state.best.ok_or_else(|| Error::Usage("--epochs must be at least 1".into()))?;
    Ok(Trained { undefined, clipped, steps, lengths, ..best })
}

/// Takes `steps` steps and says how fast they were.
pub fn measure(
    plan: &Plan,
    prepared: &Prepared,
    words: Vec<Table>,
    steps: u64,
) -> Result<Speed, Error> {
    let mut trainer = trainer(plan, &prepared.corpus, words)?;
    let mut examples = prepared.training.clone();
    let mut speed = Speed::default();
    for epoch in 1.. {
        let start = Instant::now();
        shuffle(&mut examples, plan.seed, epoch);
        let batches = examples.chunks(plan.batch_size).take((steps - speed.steps) as usize);
        for batch in batches.clone() {
            trainer.step(&prepared.corpus.pairs(batch))?;
        }
        let reports = trainer.reports()?;
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
