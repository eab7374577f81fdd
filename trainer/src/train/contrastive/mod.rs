//! Training on pairs: each text of a batch is to find its translation among all others'.

mod batches;
mod counts;
mod encoders;
mod fit;
mod lexical;
mod pairs;
mod stand;
mod store;
mod validation;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use smooth_clir::encoder::{Encoder, Table};
use smooth_clir::math::random::Random;
use smooth_clir::model::Config;
use smooth_clir::text::stem::End;
use smooth_clir::text::subwords::Spellings;
use smooth_clir::training::step::contrastive::{
    Batch, ContrastiveTrainer, Objective, Settings, Words,
};

pub use batches::steps_in_epoch;
use batches::{LeftOut, Order, same};
pub use counts::Counts;
use encoders::encoders;
pub use encoders::{pruned, rounded};
pub use fit::fit;
pub use lexical::{Kept, table, translations};
pub use pairs::{Pairs, thinned};
use stand::{Best, Stand};
pub use store::Scratch;
use validation::accuracy;

use super::plan::number;
use super::{Checkpoint, Progress};
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
    /// How often every pair is gone through, at most.
    pub epochs: u64,
    /// The training ends after so many epochs, one after the other, that find no more than the best.
    pub patience: u64,
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
    /// For each language whose stems are translated too, which letters of its words these are.
    pub stems: BTreeMap<String, End>,
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
            "patience": self.patience,
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
            "stems": self.stems.iter().map(|(name, end)| (name, end.name())).collect::<BTreeMap<_, _>>(),
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
    let spellings: Vec<Spellings> =
        sides(pairs).map(|(_, words)| Spellings::new(&words.vocabulary, plan.subwords)).collect();
    let mut learner = learner(plan, pairs, &spellings);
    let mut stand = Stand::default();
    if resume && let Some(saved) = Stand::restore(checkpoint, plan, pairs, &mut learner)? {
        stand = saved;
        progress.resumed(stand.epoch, stand.steps);
    }
    let all = plan.epochs * steps_in_epoch(plan, pairs);
    let last = most.map(|most| stand.steps + most);
    while !stand.is_over(plan) {
        let order = Order::new(plan, pairs, stand.epoch + 1);
        for (language, batch) in order.steps().skip(stand.in_epoch as usize) {
            if last == Some(stand.steps) {
                stand.save(checkpoint, &learner)?;
                return Ok(None);
            }
            let left = 1.0 - stand.steps as f32 / all.max(1) as f32;
            learner.set_learning_rate(plan.learning_rate * left);
            let texts = pairs.languages[language].training.texts(batch)?;
            let [queries, documents] =
                texts.each_ref().map(|texts| texts.iter().collect::<Vec<_>>());
            let same = [&same(&queries)[..], &same(&documents)];
            let batch = Batch { language, texts: [&queries, &documents], same };
            let left_out = LeftOut::new(plan, stand.steps);
            stand.count(learner.step(batch, |side, row| left_out.is(side, row)));
            progress.step();
        }
        let tables = learner.tables();
        let accuracy =
            accuracy(&encoders(plan, pairs, &spellings, &tables), &pairs.languages, plan.epsilon);
        let loss = stand.end_epoch(accuracy, tables);
        let told = accuracy.map(|value| ("accuracy@1", value));
        progress.epoch(stand.epoch, plan.epochs, loss, told, 0);
        if checkpoint.is_due() && !stand.is_over(plan) {
            stand.save(checkpoint, &learner)?;
        }
    }
    progress.finish();
    let Best { tables, epoch, accuracy } = stand.best;
    let encoders = encoders(plan, pairs, &spellings, &tables);
    Ok(Some(Trained { encoders, epoch, accuracy, steps: stand.steps }))
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

fn learner(plan: &Plan, pairs: &Pairs, spellings: &[Spellings]) -> ContrastiveTrainer {
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
    ContrastiveTrainer::on_threads(
        threads,
        settings,
        words.collect(),
        rows("n-grams", plan.subwords),
    )
}
