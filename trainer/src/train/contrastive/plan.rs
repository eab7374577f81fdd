//! How to train on pairs: the options, checked.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};
use smooth_clir::model::Config;
use smooth_clir::text::stem::End;
use smooth_clir::training::step::contrastive::Objective;

use crate::data::pairs::PairsFile;
use crate::train::number;

/// Options of the epochs that a training by a teacher spares.
const SPARED: [&str; 8] = [
    "objective",
    "epochs",
    "patience",
    "batch-size",
    "learning-rate",
    "init-deviation",
    "word-dropout",
    "repeat",
];

/// The thresholds between grades of a model that is not fitted.
pub const DEFAULT_THRESHOLDS: [f32; 2] = [0.2, 0.7];

/// How to train on pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The document languages, each with its files.
    pub languages: Vec<(String, Vec<PairsFile>)>,
    /// Epsilon of smooth cosine similarity.
    pub epsilon: f32,
    /// The objective that training minimises.
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
    /// The standard deviation of the initial rows.
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
    /// The digest of the teacher that the query encoder is made of; `None` if queries are trained.
    pub teacher: Option<String>,
}

/// Which translations a table keeps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kept {
    /// The least share of a word's.
    pub share: f32,
    /// At most so many of a word.
    pub most: usize,
}

impl Plan {
    /// The options that fix a training, by the names of the command line.
    pub fn describe(&self) -> Value {
        let thresholds: Vec<Value> = self.thresholds.iter().map(|&t| number(t)).collect();
        let mut options = json!({
            "loss": "contrastive",
            "encoder": "average",
            "epsilon": number(self.epsilon),
            "objective": objective_json(&self.objective),
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
            "repeat": self.languages.iter().flat_map(|(_, files)| files).map(|file| file.repeat).collect::<Vec<_>>(),
            "least-share": self.translations.map(|kept| number(kept.share)),
            "most-translations": self.translations.map_or(0, |kept| kept.most),
            "stems": self.stems.iter().map(|(name, end)| (name, end.name())).collect::<BTreeMap<_, _>>(),
        });
        if let Some(teacher) = &self.teacher {
            options["teacher"] = json!(teacher);
            if let Value::Object(options) = &mut options {
                options.retain(|name, _| !SPARED.contains(&&name[..]));
            }
        }
        options
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
            probability: Default::default(),
            packs: Vec::new(),
        }
    }

    /// All files it reads.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.languages.iter().flat_map(|(_, files)| files.iter().map(PairsFile::path))
    }
}

fn objective_json(objective: &Objective) -> Value {
    match objective {
        Objective::Softmax { temperature } => json!({ "temperature": number(*temperature) }),
        Objective::Graded { rivals, .. } => json!({ "sosl": { "rivals": rivals } }),
        Objective::Sum(one, other, times) => {
            json!([objective_json(one), objective_json(other), number(*times)])
        }
    }
}
