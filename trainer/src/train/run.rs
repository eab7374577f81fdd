//! The loop of a training: epochs of steps, each epoch ranked on the validation queries.

use std::time::Instant;

use smooth_clir::encoder::Table;
use smooth_clir::math::metrics::Metrics;
use smooth_clir::training::lengths::Lengths;

use super::checkpoint::{Checkpoint, State};
use super::order::Order;
use super::plan::Plan;
use super::progress::Progress;
use super::start::trainer;
use super::trained::{Trained, gradient_limit};
use crate::corpus::Prepared;
use crate::error::Error;
use crate::evaluation::networks::{evaluate, evaluate_all};

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
    let mut order = Order::new(training, plan.batch_size, plan.variant.takes_whole_queries());
    let mut state = State::default();
    let (mut lengths, mut losses) = (Vec::new(), Vec::new());
    if let Some((checkpoint, true)) = &mut checkpoint
        && let Some(saved) = checkpoint.restore(trainer.as_mut())?
    {
        state = saved;
        progress.resumed(state.epoch, state.steps);
    }
    // The order of an epoch is that of the one before, shuffled once more.
    for epoch in 1..=state.epoch {
        order.begin(plan.seed, epoch);
    }
    for epoch in state.epoch + 1..=plan.epochs {
        order.begin(plan.seed, epoch);
        trainer.begin(epoch, plan.epochs);
        let decay = (1..epoch).fold(1.0, |product, _| product * plan.decay);
        trainer.set_learning_rate(plan.learning_rate * decay);
        for batch in order.batches() {
            trainer.step(&corpus.pairs(batch))?;
            state.steps += 1;
            progress.step();
        }
        let mut loss = 0.0;
        let mut undefined = 0;
        for (batch, report) in order.batches().zip(trainer.reports()?) {
            loss += report.loss * batch.len() as f64;
            undefined += report.undefined as u64;
            state.clipped += u64::from(report.clipped);
        }
        let of_epoch = trainer.gradient_lengths();
        if !of_epoch.is_empty() {
            lengths.push(Lengths::of(of_epoch, gradient_limit(plan.epsilon)));
        }
        loss /= order.len() as f64;
        losses.push(loss);
        state.undefined += undefined;
        state.epoch = epoch;
        let networks = trainer.networks()?;
        let epsilons = trainer.epsilons();
        let metrics: Vec<Metrics> = match plan.variant.validates_on_all {
            false => {
                let metrics = evaluate(epsilons, corpus, &networks, validation);
                metrics.into_iter().flat_map(|(_, metrics)| metrics).collect()
            }
            true => evaluate_all(epsilons, corpus, &networks, &prepared.judged, validation),
        };
        // With two grades no query has metrics: the last epoch is kept.
        let selected = (!metrics.is_empty()).then(|| plan.select.of(&Metrics::mean(&metrics)));
        let told = selected.map(|value| (plan.select.name(), value));
        progress.epoch(epoch, plan.epochs, loss, told, undefined);
        let better = match (&state.best, selected) {
            (Some(best), Some(now)) => best.selected.is_none_or(|so_far| now > so_far),
            _ => selected.is_some() || epoch == plan.epochs,
        };
        if better {
            let thresholds = trainer.thresholds();
            state.best = Some(Trained {
                networks,
                epoch,
                epsilons,
                thresholds,
                selected,
                ..Trained::default()
            });
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
    Ok(Trained { undefined, clipped, steps, lengths, losses, ..best })
}

/// Takes `steps` steps and says how fast they were.
pub fn measure(
    plan: &Plan,
    prepared: &Prepared,
    words: Vec<Table>,
    steps: u64,
) -> Result<Speed, Error> {
    let mut trainer = trainer(plan, &prepared.corpus, words)?;
    let whole_queries = plan.variant.takes_whole_queries();
    let mut order = Order::new(&prepared.training, plan.batch_size, whole_queries);
    let mut speed = Speed::default();
    for epoch in 1.. {
        let start = Instant::now();
        order.begin(plan.seed, epoch);
        let left = (steps - speed.steps) as usize;
        for batch in order.batches().take(left) {
            trainer.step(&prepared.corpus.pairs(batch))?;
        }
        let reports = trainer.reports()?;
        speed.seconds += start.elapsed().as_secs_f64();
        speed.active += reports.iter().map(|report| report.active as u64).sum::<u64>();
        for batch in order.batches().take(left) {
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
