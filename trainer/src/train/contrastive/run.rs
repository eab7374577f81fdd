//! The loop of a training on pairs.

use smooth_clir::encoder::Encoder;
use smooth_clir::text::subwords::Spellings;
use smooth_clir::training::corpus::random_rows;
use smooth_clir::training::step::contrastive::{Batch, ContrastiveTrainer, Settings, Words};

use super::batches::{LeftOut, Order, same, steps_in_epoch};
use super::encoders::encoders;
use super::pairs::{Pairs, encoder_words, weights};
use super::plan::Plan;
use super::state::{Best, State};
use super::validation::accuracy;
use crate::error::Error;
use crate::train::checkpoint::Checkpoint;
use crate::train::progress::Progress;

/// The encoders of a model: the query encoder, then the document encoder of each language.
#[derive(Debug, Clone, Default)]
pub struct Trained {
    /// Which word has which row, and its weight.
    pub encoders: Vec<Encoder>,
    /// The epoch they are of, from 1.
    pub epoch: u64,
    /// The share of the texts kept back that were found first, over both directions and all
    /// languages; `None` where none were kept back.
    pub accuracy: Option<f64>,
    /// Steps taken.
    pub steps: u64,
}

/// Trains until the epochs or the patience are over, and keeps the epoch that finds most of the
/// texts kept back; `None` if it took `most` steps before, and saved itself. Goes on with what the
/// checkpoint saved if it is to `resume`.
pub fn train(
    plan: &Plan,
    pairs: &Pairs,
    progress: &Progress,
    (checkpoint, resume): (&mut Checkpoint, bool),
    most: Option<u64>,
) -> Result<Option<Trained>, Error> {
    let spellings: Vec<Spellings> = encoder_words(pairs)
        .map(|(_, words)| Spellings::new(&words.vocabulary, plan.subwords))
        .collect();
    let mut trainer = trainer(plan, pairs, &spellings);
    let mut state = State::default();
    if resume && let Some(saved) = State::restore(checkpoint, plan, pairs, &mut trainer)? {
        state = saved;
        progress.resumed(state.epoch, state.steps);
    }
    let all = plan.epochs * steps_in_epoch(plan, pairs);
    let last = most.map(|most| state.steps + most);
    while !state.is_over(plan) {
        let order = Order::new(plan, pairs, state.epoch + 1);
        for (language, batch) in order.steps().skip(state.in_epoch as usize) {
            if last == Some(state.steps) {
                state.save(checkpoint, &trainer)?;
                return Ok(None);
            }
            let left = 1.0 - state.steps as f32 / all.max(1) as f32;
            trainer.set_learning_rate(plan.learning_rate * left);
            let texts = pairs.languages[language].training.texts(batch)?;
            let [queries, documents] =
                texts.each_ref().map(|texts| texts.iter().collect::<Vec<_>>());
            let same = [&same(&queries)[..], &same(&documents)];
            let batch = Batch { language, texts: [&queries, &documents], same };
            let left_out = LeftOut::new(plan, state.steps);
            state.count(trainer.step(batch, |side, row| left_out.is(side, row)));
            progress.step();
        }
        let tables = trainer.tables();
        let accuracy =
            accuracy(&encoders(plan, pairs, &spellings, &tables), &pairs.languages, plan.epsilon);
        let loss = state.end_epoch(accuracy, tables);
        let told = accuracy.map(|value| ("accuracy@1", value));
        progress.epoch(state.epoch, plan.epochs, loss, told, 0);
        if checkpoint.is_due() && !state.is_over(plan) {
            state.save(checkpoint, &trainer)?;
        }
    }
    progress.finish();
    let Best { tables, epoch, accuracy } = state.best;
    let encoders = encoders(plan, pairs, &spellings, &tables);
    Ok(Some(Trained { encoders, epoch, accuracy, steps: state.steps }))
}

fn trainer(plan: &Plan, pairs: &Pairs, spellings: &[Spellings]) -> ContrastiveTrainer {
    let rows = |name: &str, count: usize| {
        random_rows(name, count, plan.dimension, plan.init_deviation, plan.seed)
    };
    let words = encoder_words(pairs).zip(spellings).map(|((name, words), spellings)| Words {
        table: rows(name, words.vocabulary.len()),
        weights: weights(plan, words),
        spellings: spellings.clone(),
    });
    let settings = Settings {
        epsilon: plan.epsilon,
        objective: plan.objective.clone(),
        learning_rate: plan.learning_rate,
    };
    let threads = rayon::current_num_threads();
    let subwords = rows("n-grams", plan.subwords);
    ContrastiveTrainer::on_threads(threads, settings, words.collect(), subwords)
}
