//! Training on pairs: each text of a batch is to find its translation among all others'.

mod fit;
mod lexical;
mod pairs;
mod validation;

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use smooth_clir::encoder::{Encoder, Network, Precision, Rows, Table};
use smooth_clir::kernels;
use smooth_clir::model::Config;
use smooth_clir::random::Random;
use smooth_clir::step::contrastive::{Batch, Learner, Objective, Settings, Words};
use smooth_clir::subwords::Spellings;
use smooth_clir::vocabulary::Vocabulary;

pub use fit::fit;
pub use lexical::{Kept, translations};
pub use pairs::{Pairs, thinned};
use validation::accuracy;

use super::Progress;
use super::plan::number;
use crate::data::pairs::PairsFile;
use crate::error::Error;

/// How to train on pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The document languages, each with its files.
    pub languages: Vec<(String, Vec<PairsFile>)>,
    /// Epsilon of smooth cosine similarity.
    pub epsilon: f32,
    /// What is made small.
    pub objective: Objective,
    /// The scores between the grades, for who asks for grades.
    pub thresholds: Vec<f32>,
    /// The length of the vectors.
    pub dimension: usize,
    /// How often every pair is gone through.
    pub epochs: u64,
    /// Pairs in a step.
    pub batch_size: usize,
    /// Adam's step size in the first step; it falls to 0 in even steps.
    pub learning_rate: f32,
    /// Fixes initial rows, the order of the pairs and which words are left out.
    pub seed: u64,
    /// The deviation of the initial rows.
    pub init_deviation: f32,
    /// Rows of the n-grams' table; 0 for none.
    pub subwords: usize,
    /// What the weight a / (a + share) of a word begins to fall at; `None` where all weigh the same.
    pub smoothing: Option<f32>,
    /// The share of a step's words that are taken as what their n-grams make of them.
    pub word_dropout: f32,
    /// Which translations to keep; `None` for a model without any.
    pub translations: Option<Kept>,
}

/// The sides of a model: the queries', then each language's.
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

impl Plan {
    /// The options that fix a training, by the names of the command line.
    pub fn describe(&self) -> Value {
        let thresholds: Vec<Value> = self.thresholds.iter().map(|&t| number(t)).collect();
        json!({
            "loss": "contrastive",
            "encoder": "average",
            "epsilon": number(self.epsilon),
            "objective": objective(&self.objective),
            "thresholds": thresholds,
            "dimension": self.dimension,
            "epochs": self.epochs,
            "batch-size": self.batch_size,
            "learning-rate": number(self.learning_rate),
            "seed": self.seed,
            "init-deviation": number(self.init_deviation),
            "subwords": self.subwords,
            "weights": if self.smoothing.is_some() { "inverse-frequency" } else { "uniform" },
            "smoothing": self.smoothing.map(number),
            "word-dropout": number(self.word_dropout),
            "repeat": self.languages.iter().flat_map(|(_, files)| files).map(|of| of.repeat).collect::<Vec<_>>(),
            "least-share": self.translations.map(|kept| number(kept.share)),
            "most-translations": self.translations.map_or(0, |kept| kept.most),
        })
    }

    /// The `config` of a model of these languages.
    pub fn config(&self) -> Config {
        let mut languages: Vec<String> =
            self.languages.iter().map(|(name, _)| name.clone()).collect();
        languages.sort();
        Config {
            encoder: "average".into(),
            dimension: self.dimension,
            epsilon: self.epsilon,
            thresholds: self.thresholds.clone(),
            languages,
            subwords: self.subwords,
            calibration: Default::default(),
        }
    }

    /// All files it reads.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.languages.iter().flat_map(|(_, files)| files.iter().map(PairsFile::path))
    }
}

fn objective(of: &Objective) -> Value {
    match of {
        Objective::Softmax { temperature } => json!({ "temperature": number(*temperature) }),
        Objective::Graded { rivals, .. } => json!({ "sosl": { "rivals": rivals } }),
        Objective::Both(one, other, times) => {
            json!([objective(one), objective(other), number(*times)])
        }
    }
}

/// Pairs of one language, in one step.
struct Step {
    language: usize,
    pairs: Vec<u32>,
}

/// Trains for all epochs and keeps the one that finds most of the texts kept back.
pub fn train(plan: &Plan, pairs: &Pairs, progress: &Progress) -> Trained {
    let spellings: Vec<Spellings> =
        sides(pairs).map(|(_, words)| Spellings::new(&words.vocabulary, plan.subwords)).collect();
    let mut learner = learner(plan, pairs, &spellings);
    let all = plan.epochs * steps_in_epoch(plan, pairs);
    let mut best = Trained::default();
    let mut taken = 0;
    for epoch in 1..=plan.epochs {
        let mut losses = (0.0, 0u64);
        for step in order(plan, pairs, epoch) {
            let left = 1.0 - taken as f32 / all.max(1) as f32;
            learner.set_learning_rate(plan.learning_rate * left);
            let [queries, documents] = &pairs.languages[step.language].training;
            let rows = |texts| -> Vec<&[u32]> {
                let texts: &pairs::Texts = texts;
                step.pairs.iter().map(|&at| texts.rows(at as usize)).collect()
            };
            let same = |texts| -> Vec<u32> {
                let texts: &pairs::Texts = texts;
                step.pairs.iter().map(|&at| texts.same(at as usize)).collect()
            };
            let batch = Batch {
                language: step.language,
                texts: [&rows(queries), &rows(documents)],
                same: [&same(queries), &same(documents)],
            };
            let left_out = LeftOut::new(plan, taken);
            losses.0 += learner.step(batch, |side, row| left_out.is(side, row));
            losses.1 += 1;
            taken += 1;
            progress.step();
        }
        let encoders = encoders(plan, pairs, &spellings, &learner.tables());
        let accuracy = accuracy(&encoders, &pairs.languages, plan.epsilon);
        let told = accuracy.map(|value| ("accuracy@1", value));
        progress.epoch(epoch, plan.epochs, losses.0 / losses.1.max(1) as f64, told, 0);
        if accuracy.is_none() || best.accuracy.is_none() || accuracy > best.accuracy {
            best = Trained { encoders, epoch, accuracy, steps: 0 };
        }
    }
    progress.finish();
    Trained { steps: taken, ..best }
}

/// Steps in an epoch.
pub fn steps_in_epoch(plan: &Plan, pairs: &Pairs) -> u64 {
    let steps = |language: &pairs::Language| whole_batches(plan, language.turns.len());
    pairs.languages.iter().map(steps).sum::<usize>() as u64
}

/// What is left of a last batch waits for the next epoch, unless there is no other.
fn whole_batches(plan: &Plan, pairs: usize) -> usize {
    (pairs / plan.batch_size).max(1)
}

/// The steps of an epoch: pairs in random order, languages in turn at random.
fn order(plan: &Plan, pairs: &Pairs, epoch: u64) -> Vec<Step> {
    let mut steps = Vec::new();
    for (language, of) in pairs.languages.iter().enumerate() {
        let mut order = of.turns.clone();
        Random::new(plan.seed, &format!("order {epoch} {}", of.name)).shuffle(&mut order);
        let batches = order.chunks(plan.batch_size).take(whole_batches(plan, order.len()));
        steps.extend(batches.map(|pairs| Step { language, pairs: pairs.to_vec() }));
    }
    Random::new(plan.seed, &format!("steps {epoch}")).shuffle(&mut steps);
    steps
}

/// Which words a step leaves out: a hash of step and word, so that no order matters.
struct LeftOut {
    seed: u64,
    below: u64,
}

impl LeftOut {
    fn new(plan: &Plan, step: u64) -> Self {
        let seed = Random::new(plan.seed, &format!("left out {step}")).next_u64();
        let dropout = if plan.subwords == 0 { 0.0 } else { plan.word_dropout };
        Self { seed, below: (f64::from(dropout) * f64::from(u32::MAX)) as u64 }
    }

    fn is(&self, side: usize, row: u32) -> bool {
        let word = (u64::from(row) * 2 + side as u64) ^ self.seed;
        let mixed = (word ^ (word >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        ((mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 32) < self.below
    }
}

/// The words of each side: the queries', then each language's.
fn sides(pairs: &Pairs) -> impl Iterator<Item = (&str, &pairs::Words)> {
    let languages = pairs.languages.iter().map(|language| (&language.name[..], &language.words));
    std::iter::once(("query", &pairs.english)).chain(languages)
}

fn weights(plan: &Plan, words: &pairs::Words) -> Vec<f32> {
    match plan.smoothing {
        Some(a) => words.inverse_frequencies(f64::from(a)),
        None => vec![1.0; words.counts.len()],
    }
}

fn learner(plan: &Plan, pairs: &Pairs, spellings: &[Spellings]) -> Learner {
    let rows = |name: &str, count: usize| {
        let mut random = Random::new(plan.seed, &format!("weights {name}"));
        Table::new(plan.dimension, random.normals(count * plan.dimension, plan.init_deviation))
    };
    let words = sides(pairs).zip(spellings).map(|((name, words), spellings)| Words {
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
    Learner::on_threads(threads, settings, words.collect(), rows("n-grams", plan.subwords))
}

/// Tables as trained -> encoders: a word's row and the mean of its n-grams' become one row, so that
/// only words without one need n-grams.
fn encoders(plan: &Plan, pairs: &Pairs, spellings: &[Spellings], tables: &[Table]) -> Vec<Encoder> {
    let (Some(subwords), dimension) = (tables.last(), plan.dimension) else { return Vec::new() };
    let shared = (plan.subwords > 0).then(|| Arc::new(Rows::from(subwords.clone())));
    let encoder = |(((_, words), spellings), table): (((_, &pairs::Words), &Spellings), &Table)| {
        let mut values = table.values().to_vec();
        let mut sum = vec![0.0; dimension];
        for (row, value) in values.chunks_exact_mut(dimension).enumerate() {
            let buckets = spellings.of(row);
            if !buckets.is_empty() {
                kernels::sum_rows(subwords.values(), dimension, buckets, &mut sum);
                let share = 1.0 / buckets.len() as f32;
                value.iter_mut().zip(&sum).for_each(|(x, y)| *x += y * share);
            }
        }
        let network = Network::Average(Table::new(dimension, values).into());
        Encoder {
            weights: plan.smoothing.map(|_| weights(plan, words).into()),
            subwords: shared.clone(),
            ..Encoder::new(words.vocabulary.clone(), network)
        }
    };
    sides(pairs).zip(spellings).zip(tables).map(encoder).collect()
}

/// Leaves each side only so many of its words: those whose rows, were they made of their n-grams,
/// would move the training's texts most. `encoders` are of the same training.
pub fn pruned(encoders: Vec<Encoder>, pairs: &Pairs, most: usize) -> Result<Vec<Encoder>, Error> {
    let prune = |(encoder, (_, words)): (Encoder, (_, &pairs::Words))| {
        if words.vocabulary.len() <= most {
            return Ok(encoder);
        }
        let mut moved: Vec<(f32, u32)> = (0..words.vocabulary.len() as u32)
            .map(|row| (-loss_without(&encoder, row) * words.counts[row as usize] as f32, row))
            .collect();
        moved.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut kept: Vec<u32> = moved[..most].iter().map(|&(_, row)| row).collect();
        kept.sort_unstable();
        let token = |&row: &u32| words.vocabulary.token(row as usize);
        let vocabulary = Vocabulary::from_tokens(kept.iter().map(token))?;
        let rows = encoder.network.words();
        let values = kept.iter().flat_map(|&row| rows.row(row as usize)).collect();
        let weight = |of: &Arc<[f32]>| kept.iter().map(|&row| of[row as usize]).collect();
        Ok(Encoder {
            vocabulary,
            network: Network::Average(Table::new(rows.dimension(), values).into()),
            weights: encoder.weights.as_ref().map(weight),
            subwords: encoder.subwords,
        })
    };
    encoders.into_iter().zip(sides(pairs)).map(prune).collect()
}

/// How far a text with one such word moves if the word is made of its n-grams.
fn loss_without(encoder: &Encoder, row: u32) -> f32 {
    let token = encoder.vocabulary.token(row as usize);
    let weight = encoder.weights.as_ref().map_or(1.0, |weights| weights[row as usize]);
    let own = encoder.network.words().row(row as usize);
    let spelled = encoder.spell(token).unwrap_or_else(|| vec![0.0; own.len()]);
    let difference: Vec<f32> = own.iter().zip(spelled).map(|(a, b)| weight * a - b).collect();
    kernels::norm(&difference)
}

/// The encoders in another precision.
pub fn rounded(encoders: &mut [Encoder], precision: Precision) {
    let subwords = encoders.first().and_then(|side| side.subwords.clone());
    let subwords = subwords.map(|rows| Arc::new(Rows::new(rows.widened(), precision)));
    for encoder in encoders {
        let words = encoder.network.words_mut();
        *words = Rows::new(words.widened(), precision);
        encoder.subwords.clone_from(&subwords);
    }
}
