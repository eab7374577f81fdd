//! The options of `compare`, `sweep` and `figures`.

use smooth_clir::model::MOST_DIMENSIONS;
use std::path::PathBuf;

use clap::Args;

use crate::data::SplitBy;
use crate::error::Error;
use crate::experiments::compare::Over;
use crate::methods::MethodName;
use crate::terminal::values::{epsilon, language, number, positive};
use crate::train::{EncoderName, InitOption, Select};

/// What experiments have in common. One that was stopped goes on when it is told the same again.
#[derive(Debug, Args)]
pub struct Experiment {
    /// The folder of queries.tsv, documents.tsv and relevance.tsv; none: the built-in corpus
    pub data: Option<PathBuf>,
    /// The documents' language
    #[arg(long, value_parser = language)]
    pub language: Option<String>,
    /// A folder for every training's outcome, and the results
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// So many queries, drawn at random, instead of all
    #[arg(long, value_parser = clap::value_parser!(u64).range(10..), allow_negative_numbers = true)]
    pub queries: Option<u64>,
    /// How often every pair is gone through [default: 30; lstm: 15]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100_000), allow_negative_numbers = true)]
    pub epochs: Option<u64>,
    /// The length of the vectors
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=MOST_DIMENSIONS as u64), allow_negative_numbers = true)]
    pub dimension: u64,
    /// Sampled negatives for each query; `sweep` also takes a range, as in 20..100
    #[arg(long, default_value = "40", value_parser = counts, allow_negative_numbers = true)]
    pub negatives: Range,
    /// The standard deviation of the initial weights
    #[arg(long, default_value_t = 0.2, value_parser = positive, allow_negative_numbers = true)]
    pub init_deviation: f32,
    /// Begin with pre-trained vectors, a file for each encoder: en=FILE for the query encoder (query=FILE
    /// where documents are in en), xx=FILE for the document encoder of xx; word2vec, fastText, GloVe or
    /// Polyglot. Or lsi: the training pairs' latent semantics
    #[arg(long, value_name = "ENCODER=FILE|lsi", value_parser = InitOption::parse)]
    pub init: Vec<InitOption>,
    /// Shorten a step's gradient to this length, over all rows together, where it is longer
    #[arg(long, value_name = "NORM", value_parser = positive, allow_negative_numbers = true)]
    pub clip: Option<f32>,
    /// Fixes which queries are drawn, which train and which test, and the sampled negatives
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    pub split_seed: u64,
    /// What stays together in a split: each query, or queries of one title; or both, one after the
    /// other
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [SplitBy::Query])]
    pub split_by: Vec<SplitBy>,
    /// What epochs and settings are chosen by, on the validation queries
    #[arg(long, value_enum, default_value_t = Select::Ndcg)]
    pub select: Select,
}

/// `compare`
#[derive(Debug, Args)]
pub struct Compare {
    /// What all trainings have in common
    #[command(flatten)]
    pub common: Experiment,
    /// What is compared
    #[arg(long, value_enum, default_value_t = Over::Losses)]
    pub over: Over,
    /// Methods, instead of losses: each with settings chosen on the validation queries, over the
    /// built-in corpus, a folder of queries.tsv, documents.tsv and relevance.tsv, or one of corpora:
    /// sentences/en-xx.tsv (set, group, id, English, other), and where there are, lexicon/en-xx.tsv,
    /// documents/en-xx and verses/en-xx
    #[arg(long, value_enum, value_delimiter = ',', conflicts_with_all = ["over", "encoders", "init",
        "clip", "seeds", "epochs", "dimension", "init_deviation", "epsilon", "select", "queries"])]
    pub methods: Vec<MethodName>,
    /// Of a folder of corpora, what methods are compared on [default: all that there is]
    #[arg(long, value_delimiter = ',', requires = "methods",
        value_parser = ["comparable", "documents", "verses"])]
    pub on: Vec<String>,
    /// Words and their translations for translated-bm25: source, English, other
    #[arg(long, value_name = "FILE", requires = "methods")]
    pub lexicon: Option<PathBuf>,
    /// Only settings of methods with so many numbers in a vector, or fewer
    #[arg(long, value_name = "COUNT", requires = "methods",
        value_parser = clap::value_parser!(u32).range(1..=MOST_DIMENSIONS as i64), allow_negative_numbers = true)]
    pub most_numbers: Option<u32>,
    /// Print one JSON object, of methods
    #[arg(long, requires = "methods")]
    pub json: bool,
    /// The encoders compared, the first with each of the others [default: all, average first]
    #[arg(long, value_enum, value_delimiter = ',')]
    pub encoders: Vec<EncoderName>,
    /// Epsilon of smooth cosine similarity
    #[arg(long, default_value_t = 1.0, value_parser = epsilon, allow_negative_numbers = true)]
    pub epsilon: f32,
    /// Trainings of each row, with seeds from 1
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000), allow_negative_numbers = true)]
    pub seeds: u64,
    /// Trials of each on the validation queries; the first has the paper's settings
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=10_000), allow_negative_numbers = true)]
    pub tries: u64,
}

/// `sweep`
#[derive(Debug, Args)]
pub struct Sweep {
    /// What all trainings have in common
    #[command(flatten)]
    pub common: Experiment,
    /// From an epsilon to another, as in 0..2
    #[arg(long, value_parser = range)]
    pub epsilon: Option<Range>,
    /// How far apart the values are [default: 0.25 for epsilon, 10 for sampled negatives]
    #[arg(long, value_parser = positive, allow_negative_numbers = true)]
    pub step: Option<f32>,
    /// Trainings of each value, with seeds from 1
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000), allow_negative_numbers = true)]
    pub seeds: u64,
}

/// `figures`
#[derive(Debug, Args)]
pub struct Figures {
    /// What all trainings have in common
    #[command(flatten)]
    pub common: Experiment,
    /// Epsilon of smooth cosine similarity
    #[arg(long, default_value_t = 1.0, value_parser = epsilon, allow_negative_numbers = true)]
    pub epsilon: f32,
    /// Trials of each loss on the validation queries; the first has the paper's settings
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=10_000), allow_negative_numbers = true)]
    pub tries: u64,
}

/// From a number to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The first.
    pub from: f32,
    /// The last.
    pub to: f32,
}

impl Range {
    /// The only number there is, or what is wrong.
    pub fn only(self) -> Result<f32, String> {
        match self.from == self.to {
            true => Ok(self.from),
            false => Err(format!("expected one number, found {}..{}", self.from, self.to)),
        }
    }

    /// The numbers from first to last, `step` apart.
    pub fn values(self, step: f32) -> Result<Vec<f32>, String> {
        let [from, to, step] = [self.from, self.to, step].map(f64::from);
        let count = (to - from) / step + 1.0 + 1e-3;
        if count > 1000.0 {
            return Err(format!("--step {step} makes more than 1000 values"));
        }
        // In millionths, so that a tenth added ten times is one.
        let value = |i: usize| ((from + i as f64 * step) * 1e6).round() / 1e6;
        let values: Vec<f32> = (0..count as usize).map(|i| value(i) as f32).collect();
        match values.windows(2).all(|pair| pair[0] < pair[1]) {
            true => Ok(values),
            false => Err(format!("--step {step} is too small to tell values apart")),
        }
    }
}

/// A range of whole numbers above 0, or one such number.
fn counts(text: &str) -> Result<Range, String> {
    let range = match text.contains("..") {
        true => range(text)?,
        false => number(text).map(|count| Range { from: count, to: count })?,
    };
    let whole = |x: f32| x.fract() == 0.0 && (1.0..=1e6).contains(&x);
    match whole(range.from) && whole(range.to) {
        true => Ok(range),
        false => Err(format!("`{text}`, expected whole numbers from 1 to 1000000")),
    }
}

fn range(text: &str) -> Result<Range, String> {
    let expected = || format!("`{text}`, expected two numbers as in 0..2, none below 0");
    let (from, to) = text.split_once("..").ok_or_else(expected)?;
    let (from, to) = (number(from)?, number(to)?);
    match from >= 0.0 && to >= from && to.is_finite() {
        true => Ok(Range { from, to }),
        false => Err(expected()),
    }
}

/// Only `compare` makes a table for each split.
pub fn one_split(common: &Experiment) -> Result<(), Error> {
    match common.split_by.len() {
        1 => Ok(()),
        _ => Err(Error::Usage("--split-by: choose one".into())),
    }
}

/// Only `sweep` takes a range of them.
pub fn one_number_of_negatives(common: &Experiment) -> Result<(), Error> {
    let only = common.negatives.only();
    only.map(drop).map_err(|error| Error::Usage(format!("--negatives: {error}")))
}
