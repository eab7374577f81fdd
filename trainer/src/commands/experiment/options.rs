//! The options of `compare`, `sweep` and `figures`.

use smooth_clir::limits::DIMENSIONS;
use std::path::PathBuf;

use clap::Args;

use super::method_options::MethodOptions;
use crate::data::SplitBy;
use crate::error::Error;
use crate::experiments::compare::Over;
use crate::methods::MethodName;
use crate::terminal::values::{epsilon, language, number, positive};
use crate::train::{EncoderName, InitOption, Select};

const TRAININGS: &str =
    "Trainings (of these, --methods takes --negatives, --split-by and --split-seed alone)";
const METHODS: &str = "Methods, instead of losses";
/// The values of epsilon that a loss tries, unless told.
const EPSILONS_OF_LOSSES: [f32; 6] = [0.05, 0.1, 0.25, 0.5, 1.0, 2.0];
/// That of an encoder, which costs more to try.
const EPSILON_OF_ENCODERS: f32 = 1.0;

/// Options of every experiment. An interrupted experiment resumes with the same options.
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
    /// Use this number of random queries instead of all
    #[arg(long, value_parser = clap::value_parser!(u64).range(10..), allow_negative_numbers = true, help_heading = TRAININGS)]
    pub queries: Option<u64>,
    /// Train on at most this number of random queries and validate on a third as many; all test queries
    /// are ranked
    #[arg(long, value_parser = clap::value_parser!(u64).range(3..), allow_negative_numbers = true, help_heading = TRAININGS)]
    pub training_queries: Option<u64>,
    /// Validate on at most this number of random queries [default: a third of --training-queries; without
    /// it, all]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true, help_heading = TRAININGS)]
    pub validation_queries: Option<u64>,
    /// Epochs [default: 30; lstm: 15]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100_000), allow_negative_numbers = true, help_heading = TRAININGS)]
    pub epochs: Option<u64>,
    /// The dimension of the vectors
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=DIMENSIONS as u64), allow_negative_numbers = true, help_heading = TRAININGS)]
    pub dimension: u64,
    /// Sampled negatives for each query; `sweep` also takes a range, such as 20..100
    #[arg(long, default_value = "40", value_parser = counts, allow_negative_numbers = true, help_heading = TRAININGS)]
    pub negatives: Range,
    /// The standard deviation of the initial weights
    #[arg(long, default_value_t = 0.2, value_parser = positive, allow_negative_numbers = true, help_heading = TRAININGS)]
    pub init_deviation: f32,
    /// Begin with pre-trained vectors, a file for each encoder: en=FILE for the query encoder (query=FILE
    /// where documents are in en), xx=FILE for the document encoder of xx; word2vec, fastText, GloVe or
    /// Polyglot. Or lsi: the training pairs' latent semantics
    #[arg(long, value_name = "ENCODER=FILE|lsi", value_parser = InitOption::parse, help_heading = TRAININGS)]
    pub init: Vec<InitOption>,
    /// Clip each step's gradient to this norm, over all rows together
    #[arg(long, value_name = "NORM", value_parser = positive, allow_negative_numbers = true, help_heading = TRAININGS)]
    pub clip: Option<f32>,
    /// The seed of the random queries, the split and the sampled negatives
    #[arg(long, default_value_t = 1, allow_negative_numbers = true, help_heading = TRAININGS)]
    pub split_seed: u64,
    /// The unit of a split: each query, or queries of one title; with two values, one table each
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [SplitBy::Query], help_heading = TRAININGS)]
    pub split_by: Vec<SplitBy>,
    /// The metric that selects epochs and settings, on the validation queries
    #[arg(long, value_enum, default_value_t = Select::Ndcg, help_heading = TRAININGS)]
    pub select: Select,
    /// The documents that validation queries rank
    #[arg(long, value_enum, default_value_t = ValidateOn::All, help_heading = TRAININGS)]
    pub validate_on: ValidateOn,
    /// What queries are grouped by, in a split by group and in intervals and tests
    #[arg(long, value_enum, default_value_t = Groups::Titles, help_heading = TRAININGS)]
    pub groups: Groups,
}

/// The documents that validation queries rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum ValidateOn {
    /// Their graded ones and the negatives sampled for them
    Sampled,
    /// All documents of the collection
    All,
}

/// What queries are grouped by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Groups {
    /// Their titles
    Titles,
    /// Graded documents that they share, directly or through other queries
    Clusters,
}

/// `compare`
#[derive(Debug, Args)]
pub struct Compare {
    /// Options of every training
    #[command(flatten)]
    pub common: Experiment,
    /// The subject of the comparison
    #[arg(long, value_enum, default_value_t = Over::Losses)]
    pub over: Over,
    /// A row to compare, by its name in the report, such as "three-part L2"; several times for several.
    /// The first in the report's order is the one that the others are compared with [default: all rows]
    #[arg(long, value_name = "NAME")]
    pub row: Vec<String>,
    /// Methods, instead of losses, each with settings chosen on the validation queries. The data
    /// are the built-in corpus, a folder of queries.tsv, documents.tsv and relevance.tsv, or a
    /// folder of corpora: sentences/en-xx.tsv (set, group, id, English, other) and optionally
    /// lexicon/en-xx.tsv, documents/en-xx and verses/en-xx
    #[arg(long, value_enum, value_delimiter = ',', conflicts_with_all = ["over", "encoders", "init",
        "clip", "epochs", "dimension", "init_deviation", "epsilon", "epsilons", "select", "validate_on", "groups",
        "tuning_epochs", "queries", "training_queries", "validation_queries", "row"], help_heading = METHODS)]
    pub methods: Vec<MethodName>,
    /// The corpora of a folder to compare methods on [default: all]
    #[arg(long, value_delimiter = ',', requires = "methods",
        value_parser = ["comparable", "documents", "verses"], help_heading = METHODS)]
    pub on: Vec<String>,
    /// Words and their translations for translated-bm25: source, English, other
    #[arg(long, value_name = "FILE", requires = "methods", help_heading = METHODS)]
    pub lexicon: Option<PathBuf>,
    /// Use only settings of at most this dimension
    #[arg(long, value_name = "COUNT", requires = "methods",
        value_parser = clap::value_parser!(u32).range(1..=DIMENSIONS as i64), allow_negative_numbers = true, help_heading = METHODS)]
    pub most_dimension: Option<u32>,
    /// Pairs and texts that methods learn from
    #[command(flatten)]
    pub learning: MethodOptions,
    /// Print one JSON object, of methods
    #[arg(long, requires = "methods", help_heading = METHODS)]
    pub json: bool,
    /// The encoders to compare, the first with each of the others [default: all, average first]
    #[arg(long, value_enum, value_delimiter = ',')]
    pub encoders: Vec<EncoderName>,
    /// The only epsilon of smooth cosine similarity of every row that is not on cosine
    #[arg(long, value_parser = epsilon, allow_negative_numbers = true)]
    pub epsilon: Option<f32>,
    /// The values of epsilon that each row tries first, with the paper's other settings [default:
    /// 0.05,0.1,0.25,0.5,1,2; encoders: 1]
    #[arg(long, value_delimiter = ',', value_parser = epsilon, allow_negative_numbers = true, conflicts_with = "epsilon")]
    pub epsilons: Vec<f32>,
    /// Trainings of each row, with seeds from 1
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000), allow_negative_numbers = true)]
    pub seeds: u64,
    /// Trials of each at its best epsilon, on the validation queries; the first has the paper's settings. A
    /// row with one epsilon has as many more as the others have values of epsilon
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=10_000), allow_negative_numbers = true)]
    pub trials: u64,
    /// Epochs of a trial [default: those of a row]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100_000), allow_negative_numbers = true)]
    pub tuning_epochs: Option<u64>,
}

impl Compare {
    /// The values of epsilon that each row tries.
    pub fn epsilons(&self) -> Vec<f32> {
        match (self.epsilon, self.over) {
            (Some(only), _) => vec![only],
            (None, _) if !self.epsilons.is_empty() => self.epsilons.clone(),
            (None, Over::Encoders) => vec![EPSILON_OF_ENCODERS],
            (None, Over::Losses | Over::Grades) => EPSILONS_OF_LOSSES.to_vec(),
        }
    }
}

/// `sweep`
#[derive(Debug, Args)]
pub struct Sweep {
    /// Options of every training
    #[command(flatten)]
    pub common: Experiment,
    /// Values of epsilon, or a range, such as 0,0.005,0.5 or 0..2
    #[arg(long, value_parser = values)]
    pub epsilon: Option<Values>,
    /// Beside the values of --epsilon, learn it (one for both norms, or one for each) and anneal it
    #[arg(long, requires = "epsilon")]
    pub changing: bool,
    /// Values of --init-deviation, each with cosine and SCS at epsilon 0.25, with and without clipping
    #[arg(long, value_name = "VALUES", value_parser = values, conflicts_with_all = ["epsilon", "init_deviation"])]
    pub initial: Option<Values>,
    /// With --initial, plain gradient descent by this step size instead of Adam
    #[arg(long, value_name = "STEP_SIZE", requires = "initial", value_parser = positive, allow_negative_numbers = true)]
    pub descent: Option<f32>,
    /// The step between the values of a range [default: 0.25 for --epsilon, 0.05 for --initial, 10 for --negatives]
    #[arg(long, value_parser = positive, allow_negative_numbers = true)]
    pub step: Option<f32>,
    /// Epochs of a trial [default: those of a value's trainings]
    #[arg(long, requires = "epsilon", value_parser = clap::value_parser!(u64).range(1..=100_000), allow_negative_numbers = true)]
    pub tuning_epochs: Option<u64>,
    /// Trainings of each value, with seeds from 1
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000), allow_negative_numbers = true)]
    pub seeds: u64,
}

/// `figures`
#[derive(Debug, Args)]
pub struct Figures {
    /// Options of every training
    #[command(flatten)]
    pub common: Experiment,
    /// Epsilon of smooth cosine similarity
    #[arg(long, default_value_t = 1.0, value_parser = epsilon, allow_negative_numbers = true)]
    pub epsilon: f32,
    /// Trials of each loss on the validation queries; the first has the paper's settings
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=10_000), allow_negative_numbers = true)]
    pub trials: u64,
}

/// A range of numbers.
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

/// A range of numbers or a list of them.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// From first to last.
    Range(Range),
    /// In rising order.
    List(Vec<f32>),
}

impl Values {
    /// The numbers, those of a range `step` apart.
    pub fn values(&self, step: f32) -> Result<Vec<f32>, String> {
        match self {
            Self::Range(range) => range.values(step),
            Self::List(list) => Ok(list.clone()),
        }
    }
}

fn values(text: &str) -> Result<Values, String> {
    if text.contains("..") {
        return range(text).map(Values::Range);
    }
    let list: Vec<f32> = text.split(',').map(number).collect::<Result<_, _>>()?;
    let rises = list.windows(2).all(|pair| pair[0] < pair[1]);
    match rises && list.iter().all(|x| *x >= 0.0 && x.is_finite()) {
        true => Ok(Values::List(list)),
        false => Err(format!("`{text}`, expected rising numbers from 0, as in 0,0.5,2, or 0..2")),
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
