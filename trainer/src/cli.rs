//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use smooth_clir::encoder;
use smooth_clir::error::check_epsilon;

use crate::data::{Split, SplitBy};
use crate::train::{EncoderName, InitOption, LossName, Select};

/// Cross-lingual search by smooth cosine similarity: train, evaluate, index, search.
#[derive(Debug, Parser)]
#[command(name = "smooth-clir", version)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Train a model on folders of queries.tsv, documents.tsv and relevance.tsv
    Train(Box<Train>),
    /// Rank a split's queries, or the mates of a pairs file, and print metrics
    Evaluate(Evaluate),
    /// Print the metrics of a TREC run
    Metrics(Metrics),
    /// Encode documents
    Index(Index),
    /// Search an index
    Search(Search),
    /// Check model and index files and say what they are
    Verify(Verify),
}

/// `train`
#[derive(Debug, Args)]
pub struct Train {
    /// Folders to train on; none: the built-in corpus
    pub data: Vec<PathBuf>,
    /// Where the model goes: a file, or a folder (with a slash at its end) for one file a side
    #[arg(long)]
    pub out: PathBuf,
    /// The documents' language, once for each folder in the same order
    #[arg(long = "language", value_parser = language)]
    pub languages: Vec<String>,
    /// The loss
    #[arg(long, value_enum, default_value_t = LossName::Sosl)]
    pub loss: LossName,
    /// How a text becomes a vector
    #[arg(long, value_enum, default_value_t = EncoderName::Average)]
    pub encoder: EncoderName,
    /// Epsilon of smooth cosine similarity, 0 (cosine) or more
    #[arg(long, default_value_t = 0.5, value_parser = epsilon, allow_negative_numbers = true)]
    pub epsilon: f32,
    /// The scores between the grades, rising, between -1 and 1 [default: 0.2,0.7; three-part:
    /// 0.2,0.55,0.9]
    #[arg(long, value_parser = thresholds, allow_hyphen_values = true)]
    pub thresholds: Option<Thresholds>,
    /// The scale of proportional odds
    #[arg(long, default_value_t = 10.0, value_parser = positive, allow_negative_numbers = true)]
    pub scale: f32,
    /// The length of the vectors
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=4096), allow_negative_numbers = true)]
    pub dimension: u64,
    /// How often every pair is gone through [default: 30; lstm: 15]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100_000), allow_negative_numbers = true)]
    pub epochs: Option<u64>,
    /// Pairs in a step [default: 128; lstm: 64]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000), allow_negative_numbers = true)]
    pub batch_size: Option<u64>,
    /// Adam's step size [default: 0.01; cnn and lstm: 0.001, times 0.95 after each epoch]
    #[arg(long, value_parser = positive, allow_negative_numbers = true)]
    pub learning_rate: Option<f32>,
    /// Shorten a step's gradient to this length, over all rows together, where it is longer
    #[arg(long, value_name = "NORM", value_parser = positive, allow_negative_numbers = true)]
    pub clip: Option<f32>,
    /// Irrelevant documents drawn for each query
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u64).range(1..=1_000_000), allow_negative_numbers = true)]
    pub negatives: u64,
    /// Fixes initial weights and the order of the pairs
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// The deviation of the initial weights
    #[arg(long, default_value_t = 0.2, value_parser = positive, allow_negative_numbers = true)]
    pub init_deviation: f32,
    /// Begin with pre-trained vectors, a file for each side: en=FILE for the queries (query=FILE
    /// where documents are in en), xx=FILE for documents in xx; word2vec, fastText, GloVe or
    /// Polyglot. Or lsi: the training pairs' latent semantics
    #[arg(long, value_name = "SIDE=FILE|lsi", value_parser = init)]
    pub init: Vec<InitOption>,
    /// How the file stores the tables
    #[arg(long, value_enum, default_value_t = Precision::F32)]
    pub precision: Precision,
    /// Fixes which queries train and which test, and the irrelevant documents
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    pub split_seed: u64,
    /// What stays together in a split: each query, or queries of one title
    #[arg(long, value_enum, default_value_t = SplitBy::Query)]
    pub split_by: SplitBy,
    /// What the epoch kept has most of, on the validation queries
    #[arg(long, value_enum, default_value_t = Select::Map)]
    pub select: Select,
    /// Go on with a training that was stopped: it saves itself beside the model now and then
    #[arg(long)]
    pub resume: bool,
    /// Seconds between saves, at least
    #[arg(long, value_name = "SECONDS", default_value_t = 20, allow_negative_numbers = true)]
    pub save_every: u64,
    /// Train once more on all queries for as many epochs as were best; the metrics told are those
    /// of the first training, whose test queries were not trained on
    #[arg(long)]
    pub refit: bool,
    /// Stop after this many steps and print pairs per second, without writing a model
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..), hide = true)]
    pub max_steps: Option<u64>,
}

/// `evaluate`
#[derive(Debug, Args)]
pub struct Evaluate {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// The folder to evaluate on; none: the built-in corpus
    #[arg(conflicts_with = "pairs")]
    pub data: Option<PathBuf>,
    /// A file of set, group, id, English and foreign text: find each text's mate in its set
    #[arg(long)]
    pub pairs: Option<PathBuf>,
    /// The documents' language, where the model has several
    #[arg(long, value_parser = language)]
    pub language: Option<String>,
    /// Which queries
    #[arg(long, value_enum, default_value_t = Split::Test)]
    pub split: Split,
    /// Which documents each query ranks: sampled, all, or a file of query, document and grade
    #[arg(long, default_value = "sampled")]
    pub candidates: String,
    /// Write the candidates to a file
    #[arg(long, value_name = "FILE", conflicts_with = "pairs")]
    pub write_candidates: Option<PathBuf>,
    /// Write the ranking as a TREC run
    #[arg(long, value_name = "FILE", conflicts_with = "pairs")]
    pub run: Option<PathBuf>,
    /// Write the grades as TREC qrels
    #[arg(long, value_name = "FILE", conflicts_with = "pairs")]
    pub qrels: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `metrics`
#[derive(Debug, Args)]
pub struct Metrics {
    /// A TREC run
    #[arg(long, value_name = "FILE")]
    pub run: PathBuf,
    /// TREC qrels
    #[arg(long, value_name = "FILE")]
    pub qrels: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `index`
#[derive(Debug, Args)]
pub struct Index {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// A file of id, title and text, or a folder with a documents.tsv; none: the built-in corpus
    pub documents: Option<PathBuf>,
    /// Where the index goes
    #[arg(long)]
    pub out: PathBuf,
    /// The documents' language, where the model has several
    #[arg(long, value_parser = language)]
    pub language: Option<String>,
    /// How the file stores the vectors
    #[arg(long, value_enum, default_value_t = IndexPrecision::F32)]
    pub precision: IndexPrecision,
}

/// `search`
#[derive(Debug, Args)]
pub struct Search {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// An index that the model made
    pub index: PathBuf,
    /// What to search for
    pub query: String,
    /// Epsilon, if not the model's own
    #[arg(long, value_parser = epsilon, allow_negative_numbers = true)]
    pub epsilon: Option<f32>,
    /// How many documents at most
    #[arg(long, default_value_t = 10, allow_negative_numbers = true)]
    pub limit: usize,
    /// Documents of one language only
    #[arg(long, value_parser = language)]
    pub language: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `verify`
#[derive(Debug, Args)]
pub struct Verify {
    /// Model and index files
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

/// How a model stores its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Precision {
    /// 32-bit floating point
    F32,
    /// 16-bit floating point
    F16,
    /// 8-bit integers with a scale for each row
    I8,
}

/// How an index stores its vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum IndexPrecision {
    /// 32-bit floating point
    F32,
    /// 8-bit integers with a scale for each document
    I8,
}

impl From<Precision> for encoder::Precision {
    fn from(precision: Precision) -> Self {
        match precision {
            Precision::F32 => encoder::Precision::F32,
            Precision::F16 => encoder::Precision::F16,
            Precision::I8 => encoder::Precision::I8,
        }
    }
}

impl From<IndexPrecision> for encoder::Precision {
    fn from(precision: IndexPrecision) -> Self {
        match precision {
            IndexPrecision::F32 => encoder::Precision::F32,
            IndexPrecision::I8 => encoder::Precision::I8,
        }
    }
}

/// The scores between the grades.
#[derive(Debug, Clone, PartialEq)]
pub struct Thresholds(pub Vec<f32>);

fn number(text: &str) -> Result<f32, String> {
    text.trim().parse().map_err(|_| format!("`{text}` is not a number"))
}

fn epsilon(text: &str) -> Result<f32, String> {
    check_epsilon(number(text)?).map_err(|error| error.to_string())
}

fn positive(text: &str) -> Result<f32, String> {
    let value = number(text)?;
    match value.is_finite() && value > 0.0 {
        true => Ok(value),
        false => Err(format!("{value} is not a finite number above 0")),
    }
}

fn thresholds(text: &str) -> Result<Thresholds, String> {
    Ok(Thresholds(text.split(',').map(number).collect::<Result<_, _>>()?))
}

fn init(text: &str) -> Result<InitOption, String> {
    match text.split_once('=') {
        None if text == "lsi" => Ok(InitOption::Lsi),
        Some((side, path)) if !side.is_empty() && !path.is_empty() => {
            Ok(InitOption::File { side: side.into(), path: path.into() })
        }
        _ => Err("expected lsi, or a side and a file: en=FILE".into()),
    }
}

/// A language's name becomes part of tensor and file names.
fn language(text: &str) -> Result<String, String> {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-';
    match (1..=35).contains(&text.len()) && text.chars().all(good) {
        true => Ok(text.into()),
        false => Err("expected a language code: letters, digits and hyphens".into()),
    }
}
