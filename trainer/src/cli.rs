//! The command line.

use std::path::PathBuf;
#[cfg(feature = "serve")]
use std::time::Duration;

use clap::builder::PossibleValue;
use clap::{Args, Parser, Subcommand, ValueEnum};
use smooth_clir::encoder;
use smooth_clir::error::check_epsilon;

#[cfg(feature = "clickhouse")]
use crate::clickhouse::Name;
use crate::data::{Split, SplitBy};
use crate::experiments::compare::Over;
use crate::methods::MethodName;
use crate::train::{DeviceName, EncoderName, InitOption, LossName, Select};

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
    /// Write the vectors of texts that are piped through
    Encode(Encode),
    /// Encode documents
    Index(Index),
    /// Put the segments of an index together
    Compact(Compact),
    /// Write the built-in corpus as a folder to train on
    Corpus(Corpus),
    /// Write documents to the servers of another engine, to be searched there
    #[cfg(feature = "clickhouse")]
    Export(Export),
    /// Make what training reads of other people's collections
    #[cfg(feature = "import")]
    Import(crate::import::options::Import),
    /// Search an index
    Search(Search),
    /// Search an index over HTTP
    #[cfg(feature = "serve")]
    Serve(Serve),
    /// Compute what the paper's theory says of a model, beside what its data show
    Theory(Theory),
    /// Check model and index files and say what they are
    Verify(Verify),
    /// Write the lengths and SHA-256 of a folder's files to its manifest.json
    Manifest(Manifest),
    /// Compare losses or encoders, each with settings chosen on the validation queries
    Compare(Compare),
    /// See what epsilon or the number of irrelevant documents does
    Sweep(Sweep),
    /// Draw the gradient, the losses and the scores' densities
    Figures(Figures),
}

impl Command {
    /// Whether it has an end of its own when it is told to end.
    pub fn ends_when_told(&self) -> bool {
        match self {
            #[cfg(feature = "serve")]
            Self::Serve(_) => true,
            _ => false,
        }
    }
}

/// `train`
#[derive(Debug, Args)]
pub struct Train {
    /// Folders to train on; none: the built-in corpus
    pub data: Vec<PathBuf>,
    /// Where the model goes: a file, or a folder (with a slash at its end) for one file a side and
    /// evaluation.json, what its scores on the test queries are made of
    #[arg(long)]
    pub out: PathBuf,
    /// The documents' language, once for each folder in the same order
    #[arg(long = "language", value_parser = language)]
    pub languages: Vec<String>,
    /// The loss
    #[arg(long, value_enum, default_value_t = TrainLoss::Graded(LossName::Sosl))]
    pub loss: TrainLoss,
    /// Pairs of texts to train on with --loss contrastive: set, group, id, English, other; the nth
    /// belongs to the nth language
    #[arg(long, value_name = "FILE")]
    pub pairs: Vec<PathBuf>,
    /// Words and their translations, more pairs: source, English, other; the nth belongs to the nth
    /// language
    #[arg(long, value_name = "FILE", requires = "pairs")]
    pub lexicon: Vec<PathBuf>,
    /// Queries and what answers them, of which vectors learn, and translations of words that are rare
    /// in pairs: columns as of --pairs; the nth belongs to the nth language
    #[arg(long, value_name = "FILE", requires = "pairs")]
    pub queries: Vec<PathBuf>,
    /// What contrastive training divides scores by [default: 0.1]
    #[arg(long, value_parser = positive, allow_negative_numbers = true, requires = "pairs")]
    pub temperature: Option<f32>,
    /// What contrastive training makes small of a batch's scores
    #[arg(long, value_enum, requires = "pairs")]
    pub objective: Option<ObjectiveName>,
    /// Against how many rivals a text's score is held by --objective sosl and sum: those of its batch
    /// that score highest [default: all]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true, requires = "pairs")]
    pub rivals: Option<u32>,
    /// Rows of a table of character n-grams, which all languages share, so that no word is unknown;
    /// 0 for none [default: 20000]
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u32).range(0..=10_000_000), allow_negative_numbers = true, requires = "pairs")]
    pub subwords: Option<u32>,
    /// Words of each side that keep a row, those that it changes most; the others are made of their
    /// n-grams
    #[arg(long, value_name = "WORDS", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true, requires = "pairs")]
    pub most_words: Option<u32>,
    /// Whether rare words count for more in the mean of a text [default: inverse-frequency]
    #[arg(long, value_enum, requires = "pairs")]
    pub weights: Option<Weighting>,
    /// The share of a step's words that contrastive training takes as what their n-grams make of
    /// them [default: 0.3]
    #[arg(long, value_name = "SHARE", value_parser = share, allow_negative_numbers = true, requires = "pairs")]
    pub word_dropout: Option<f32>,
    /// How often an epoch goes through the pairs of each --pairs file, in the same order [default: 1]
    #[arg(long, value_name = "TIMES", value_parser = clap::value_parser!(u32).range(1..=1000), requires = "pairs")]
    pub repeat: Vec<u32>,
    /// A JSON file with a list `sources` of the data's names, licences and attributions, which the model
    /// then states
    #[arg(long, value_name = "FILE", requires = "pairs")]
    pub sources: Option<PathBuf>,
    /// How many translations of a word a model trained on pairs keeps at most; 0 for a model that
    /// ranks by vectors alone [default: 20]
    #[arg(long, value_name = "COUNT", allow_negative_numbers = true, requires = "pairs")]
    pub most_translations: Option<usize>,
    /// The least share that a translation of a word must have to be kept [default: 0.003]
    #[arg(long, value_name = "SHARE", value_parser = share, allow_negative_numbers = true, requires = "pairs")]
    pub least_share: Option<f32>,
    /// What documents' words are cut to where they are translated a second time, so that other forms
    /// of a word are found; the nth belongs to the nth language [default: head]
    #[arg(long, value_enum, requires = "pairs")]
    pub stems: Vec<StemName>,
    /// How a text becomes a vector
    #[arg(long, value_enum, default_value_t = EncoderName::Average)]
    pub encoder: EncoderName,
    /// Epsilon of smooth cosine similarity, 0 (cosine) or more [default: 0.5; contrastive: 0.1]
    #[arg(long, value_parser = epsilon, allow_negative_numbers = true)]
    pub epsilon: Option<f32>,
    /// The scores between the grades, rising, between -1 and 1 [default: 0.2,0.7; three-part:
    /// 0.2,0.55,0.9; with --from the model says other ones, which part the validation pairs' grades]
    #[arg(long, value_parser = thresholds, allow_hyphen_values = true)]
    pub thresholds: Option<Thresholds>,
    /// The scale of proportional odds [default: 10]
    #[arg(long, value_parser = positive, allow_negative_numbers = true)]
    pub scale: Option<f32>,
    /// The length of the vectors [default: 64]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=4096), allow_negative_numbers = true)]
    pub dimension: Option<u64>,
    /// How often every pair is gone through [default: 30; lstm: 15; contrastive: 12]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=100_000), allow_negative_numbers = true)]
    pub epochs: Option<u64>,
    /// End contrastive training after so many epochs without a better one; its rate falls to 0 over
    /// --epochs, so a better one often comes late [default: 5]
    #[arg(long, value_name = "EPOCHS", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true, requires = "pairs")]
    pub patience: Option<u64>,
    /// Pairs in a step [default: 128; lstm: 64; contrastive: 512]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000), allow_negative_numbers = true)]
    pub batch_size: Option<u64>,
    /// Adam's step size [default: 0.01; cnn and lstm: 0.001, times 0.95 after each epoch;
    /// contrastive: 0.02, falling to 0]
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
    /// The deviation of the initial weights [default: 0.2; contrastive: 0.01]
    #[arg(long, value_parser = positive, allow_negative_numbers = true)]
    pub init_deviation: Option<f32>,
    /// Begin with pre-trained vectors, a file for each side: en=FILE for the queries (query=FILE
    /// where documents are in en), xx=FILE for documents in xx; word2vec, fastText, GloVe or
    /// Polyglot. Or lsi: the training pairs' latent semantics
    #[arg(long, value_name = "SIDE=FILE|lsi", value_parser = init)]
    pub init: Vec<InitOption>,
    /// Begin with a model of --loss contrastive: its rows, weights, n-grams, dimension and epsilon.
    /// Afterwards the halves of scores are weighed anew, and thresholds found unless they are given,
    /// on the validation queries
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["init", "init_deviation", "pairs", "refit"])]
    pub from: Option<PathBuf>,
    /// The share of the words' numbers that a step of cnn and lstm leaves out [default: 0.4]
    #[arg(long, value_parser = share, allow_negative_numbers = true)]
    pub dropout: Option<f32>,
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
    /// What takes the steps; gpu in a program built with --features gpu
    #[arg(long, value_enum, default_value_t = DeviceName::Cpu)]
    pub device: DeviceName,
    /// Go on with a training that was stopped: it saves itself beside the model now and then
    #[arg(long)]
    pub resume: bool,
    /// Seconds between saves, at least
    #[arg(long, value_name = "SECONDS", default_value_t = 20, allow_negative_numbers = true)]
    pub save_every: u64,
    /// Keep so many bytes of pairs in memory before a scratch file beside the model takes them; the
    /// model is the same
    #[arg(long, value_name = "BYTES", requires = "pairs", hide = true)]
    pub scratch_above: Option<usize>,
    /// Train once more on all queries for as many epochs as were best; the metrics told are those
    /// of the first training, whose test queries were not trained on
    #[arg(long)]
    pub refit: bool,
    /// Stop after this many steps and print pairs per second, without writing a model; a training
    /// on pairs saves itself instead, for --resume
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
    /// The share of SCS in scores, from 0 (words and their translations alone) to 1 (SCS alone), if
    /// not the model's own
    #[arg(long, value_name = "SHARE", value_parser = dense, allow_negative_numbers = true)]
    pub dense: Option<f32>,
    /// A file of set, group, id, English and foreign text: find each text's mate in its set
    #[arg(long)]
    pub pairs: Option<PathBuf>,
    /// A file of kind, language or *, expected ids and query: how often the built-in corpus has an
    /// expected document among the first three
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "data", "language"])]
    pub typed: Option<PathBuf>,
    /// Print each typed query that failed, and what it found
    #[arg(long, requires = "typed", conflicts_with = "json")]
    pub failures: bool,
    /// The documents' language, where the model has several
    #[arg(long, value_parser = language)]
    pub language: Option<String>,
    /// Which side asks
    #[arg(long, value_enum, default_value_t = Direction::Forward, conflicts_with = "pairs")]
    pub direction: Direction,
    /// Which queries
    #[arg(long, value_enum, default_value_t = Split::Test, conflicts_with = "pairs")]
    pub split: Split,
    /// Which documents each query ranks: sampled, all, or a file of query, document and grade
    #[arg(long, default_value = "sampled", conflicts_with = "pairs")]
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
    /// A file of documents: lines of id, title and text, .jsonl or .csv with these names; or a folder
    /// with a documents.tsv, or of pages: .md, .html, .txt; or a sitemap (.xml) beside its pages; none:
    /// the built-in corpus
    pub documents: Option<PathBuf>,
    /// A field to choose documents by: a name in the .jsonl or .csv, in the front matter of .md, in
    /// <meta name=...> or data-pagefind-filter of .html, or a sitemap's lastmod; can be given several times
    #[arg(long = "field", value_name = "NAME")]
    pub fields: Vec<String>,
    /// Cut documents into passages of at most so many words [default: 200 for pages; others are whole]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true)]
    pub passage_words: Option<u64>,
    /// Where the index goes; a name that ends with a slash makes a folder: the vectors, and files of
    /// texts, which are fetched when they are shown
    #[arg(long)]
    pub out: PathBuf,
    /// Add the documents to the index in the folder, in segments, each of which can be searched as soon
    /// as it is there; documents that it has already are passed over
    #[arg(long, requires = "documents")]
    pub append: bool,
    /// Documents in each segment [default: 65536]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true, requires = "append")]
    pub segment: Option<u64>,
    /// Documents in each file of texts [default: 1000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true)]
    pub block: Option<u64>,
    /// The documents' language, where the model has several
    #[arg(long, value_parser = language)]
    pub language: Option<String>,
    /// How the file stores the vectors
    #[arg(long, value_enum, default_value_t = IndexPrecision::F32)]
    pub precision: IndexPrecision,
}

/// `compact`
#[derive(Debug, Args)]
pub struct Compact {
    /// The folder of an index in segments
    pub index: PathBuf,
    /// Documents in each segment, at most: so many are held in memory at once
    #[arg(long, default_value_t = 262_144, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true)]
    pub segment: u64,
    /// Documents in each file of texts
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true)]
    pub block: u64,
}

/// `corpus`
#[derive(Debug, Args)]
pub struct Corpus {
    /// The documents' language
    #[arg(long, value_parser = language)]
    pub language: String,
    /// The folder that queries.tsv, documents.tsv and relevance.tsv go into
    #[arg(long)]
    pub out: PathBuf,
}

/// `encode`
#[derive(Debug, Args)]
pub struct Encode {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// Read lines from standard input; there is no other way yet
    #[arg(long, required = true)]
    pub stdin: bool,
    /// The documents' language, where the model has several
    #[arg(long, value_parser = language, conflicts_with = "queries")]
    pub language: Option<String>,
    /// Encode them as queries
    #[arg(long)]
    pub queries: bool,
    /// What lines are
    #[arg(long, value_enum, default_value_t = LineFormat::Tsv)]
    pub from: LineFormat,
    /// What is written of each
    #[arg(long = "as", value_enum, default_value_t = VectorFormat::Jsonl)]
    pub to: VectorFormat,
}

/// What the lines of standard input are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LineFormat {
    /// id, tab, text
    Tsv,
    /// An object with `id` and `text`
    Jsonl,
}

/// How vectors are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum VectorFormat {
    /// An object with `id` and `vector`, whose numbers are read back to the bit
    Jsonl,
    /// id, tab, the bytes of little-endian 32-bit numbers in hexadecimal
    F32,
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
    /// Only documents that have this value in this field; of a field given several times, one of them
    #[arg(long = "filter", value_name = "FIELD=VALUE", value_parser = filter)]
    pub filters: Vec<(String, String)>,
    /// Epsilon, if not the model's own
    #[arg(long, value_parser = epsilon, allow_negative_numbers = true)]
    pub epsilon: Option<f32>,
    /// The share of SCS in scores, from 0 (words and their translations alone) to 1 (SCS alone), if
    /// not the model's own
    #[arg(long, value_name = "SHARE", value_parser = dense, allow_negative_numbers = true)]
    pub dense: Option<f32>,
    /// How many documents at most
    #[arg(long, default_value_t = 10, allow_negative_numbers = true)]
    pub limit: usize,
    /// Documents of one language only
    #[arg(long, value_parser = language)]
    pub language: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Where to search, instead of here: the servers that the index was exported to, in the same order;
    /// http://HOST:PORT of each
    #[cfg(feature = "clickhouse")]
    #[arg(long, value_name = "clickhouse=URL,URL...", value_parser = engine)]
    pub engine: Option<Servers>,
    /// How they are reached
    #[cfg(feature = "clickhouse")]
    #[command(flatten)]
    pub clickhouse: Clickhouse,
}

/// The addresses of servers.
#[cfg(feature = "clickhouse")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Servers(pub Vec<String>);

/// `export`
#[cfg(feature = "clickhouse")]
#[derive(Debug, Args)]
pub struct Export {
    /// Where to
    #[command(subcommand)]
    pub to: ExportTo,
}

/// What documents are exported to.
#[cfg(feature = "clickhouse")]
#[derive(Debug, Subcommand)]
pub enum ExportTo {
    /// ClickHouse, a shard on each server
    Clickhouse(ExportClickhouse),
}

/// `export clickhouse`
#[cfg(feature = "clickhouse")]
#[derive(Debug, Args)]
pub struct ExportClickhouse {
    /// An index
    pub index: PathBuf,
    /// The servers, a shard each: http://HOST:PORT; several with commas, or given several times
    #[arg(long = "url", value_name = "URL", required = true, value_delimiter = ',')]
    pub urls: Vec<String>,
    /// The model that made the index, for its epsilon
    #[arg(long, required_unless_present = "epsilon")]
    pub model: Option<PathBuf>,
    /// Epsilon, if not the model's own
    #[arg(long, value_parser = epsilon, allow_negative_numbers = true)]
    pub epsilon: Option<f32>,
    /// Drop all other versions, once this one is there
    #[arg(long)]
    pub drop_old: bool,
    /// How servers are reached
    #[command(flatten)]
    pub clickhouse: Clickhouse,
}

/// How ClickHouse servers are reached. User and password are those of CLICKHOUSE_USER and
/// CLICKHOUSE_PASSWORD in the environment.
#[cfg(feature = "clickhouse")]
#[derive(Debug, Args)]
pub struct Clickhouse {
    /// The database
    #[arg(long, default_value = "smooth_clir", value_parser = identifier)]
    pub database: Name,
    /// What the tables' names begin with
    #[arg(long, default_value = "documents", value_parser = identifier)]
    pub table: Name,
    /// Find the other servers in the cluster of this name, as the only one that is given knows it; they
    /// have the same port
    #[arg(long, value_name = "NAME", value_parser = identifier)]
    pub cluster: Option<Name>,
    /// How long to wait for a connection
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub connect_timeout: u64,
    /// How long to wait for a whole answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: u64,
}

/// `serve`
#[cfg(feature = "serve")]
#[derive(Debug, Args)]
pub struct Serve {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// An index that the model made; one in segments is opened again when they are others
    pub index: PathBuf,
    /// Where to listen; port 0 takes one that is free, and it is printed
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: String,
    /// A folder of files that is served too, such as the page's
    #[arg(long, value_name = "FOLDER")]
    pub page: Option<PathBuf>,
    /// Seconds until a request is answered, if by an error; and until a client is left that sends or
    /// takes nothing
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds, allow_negative_numbers = true)]
    pub timeout: Duration,
    /// Seconds until a request that finds all places taken is refused
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds, allow_negative_numbers = true)]
    pub max_wait: Duration,
    /// Rankings at once [default: one for each processor]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=4096), allow_negative_numbers = true)]
    pub max_concurrent: Option<u32>,
    /// Connections at once; more wait to be accepted
    #[arg(long, value_name = "COUNT", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=100_000), allow_negative_numbers = true)]
    pub max_connections: u32,
    /// Bytes of a request's body, at most
    #[arg(long, value_name = "BYTES", default_value_t = 65_536, value_parser = clap::value_parser!(u32).range(1..=1 << 24), allow_negative_numbers = true)]
    pub body_limit: u32,
    /// Bytes of a query, at most
    #[arg(long, value_name = "BYTES", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1 << 20), allow_negative_numbers = true)]
    pub query_limit: u32,
    /// Documents in an answer, at most
    #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000), allow_negative_numbers = true)]
    pub max_k: u32,
}

/// `theory`
#[derive(Debug, Args)]
pub struct Theory {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// The folder it was trained on; none: the built-in corpus
    pub data: Option<PathBuf>,
    /// The documents' language, where the model has several
    #[arg(long, value_parser = language)]
    pub language: Option<String>,
    /// c of plain SGD's step sizes c/t [default: half of 1/gamma]
    #[arg(long, value_name = "C", value_parser = positive, allow_negative_numbers = true)]
    pub step_constant: Option<f32>,
    /// Steps of plain SGD, one pair each [default: as many as there are pairs]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000), allow_negative_numbers = true)]
    pub steps: Option<u64>,
    /// How often SGD is run again with one pair replaced
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000), allow_negative_numbers = true)]
    pub replacements: u64,
    /// How probable it may be that the bound fails
    #[arg(long, default_value_t = 0.05, value_parser = probability, allow_negative_numbers = true)]
    pub delta: f64,
    /// Fixes SGD's order, the pairs replaced and the directions toward zero
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
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

/// `manifest`
#[derive(Debug, Args)]
pub struct Manifest {
    /// A folder of models, indexes or both
    pub folder: PathBuf,
}

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
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=4096), allow_negative_numbers = true)]
    pub dimension: u64,
    /// Irrelevant documents drawn for each query; `sweep` also takes a range, as in 20..100
    #[arg(long, default_value = "40", value_parser = counts, allow_negative_numbers = true)]
    pub negatives: Range,
    /// The deviation of the initial weights
    #[arg(long, default_value_t = 0.2, value_parser = positive, allow_negative_numbers = true)]
    pub init_deviation: f32,
    /// Begin with pre-trained vectors, a file for each side: en=FILE for the queries (query=FILE
    /// where documents are in en), xx=FILE for documents in xx; word2vec, fastText, GloVe or
    /// Polyglot. Or lsi: the training pairs' latent semantics
    #[arg(long, value_name = "SIDE=FILE|lsi", value_parser = init)]
    pub init: Vec<InitOption>,
    /// Shorten a step's gradient to this length, over all rows together, where it is longer
    #[arg(long, value_name = "NORM", value_parser = positive, allow_negative_numbers = true)]
    pub clip: Option<f32>,
    /// Fixes which queries are drawn, which train and which test, and the irrelevant documents
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
        value_parser = clap::value_parser!(u32).range(1..=4096), allow_negative_numbers = true)]
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
    /// How many settings of each are tried on the validation queries; the first is the paper's
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
    /// How far apart the values are [default: 0.25 for epsilon, 10 for irrelevant documents]
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
    /// How many settings of each loss are tried on the validation queries; the first is the paper's
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=10_000), allow_negative_numbers = true)]
    pub tries: u64,
}

/// What `train` makes small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrainLoss {
    /// A function of each pair's score and grade.
    Graded(LossName),
    /// The cross-entropy of finding a text's translation among all others of a batch.
    Contrastive,
}

impl ValueEnum for TrainLoss {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [TrainLoss; 6] = [
            TrainLoss::Graded(LossName::Sosl),
            TrainLoss::Graded(LossName::ThreePart),
            TrainLoss::Graded(LossName::Mse),
            TrainLoss::Graded(LossName::ProportionalOdds),
            TrainLoss::Graded(LossName::ProportionalOddsPaper),
            TrainLoss::Contrastive,
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Graded(loss) => loss.to_possible_value(),
            Self::Contrastive => Some(PossibleValue::new("contrastive").help(
                "Finding each text's translation among all others of a batch; takes --pairs",
            )),
        }
    }
}

/// What contrastive training makes small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ObjectiveName {
    /// Cross-entropy of finding the mate by a softmax over all scores
    Softmax,
    /// Smooth ordinal search loss of the mate's score at the highest grade, of rivals' at the lowest
    Sosl,
    /// The softmax's and ten times the other
    Sum,
}

/// What a word counts for in the mean of its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Weighting {
    /// All words alike
    Uniform,
    /// a / (a + the word's share of all words), a = 0.001 (Arora et al., 2017)
    InverseFrequency,
}

/// What words are cut to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StemName {
    /// The first four letters, where words are inflected at the end
    Head,
    /// The last four letters, where words are inflected at the beginning
    Tail,
    /// Words are translated whole only
    None,
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

/// Which side of a collection asks, and which is ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Direction {
    /// English queries rank documents
    Forward,
    /// Documents rank English queries. A document belongs to the split of the query that it is
    /// relevant to; of several splits, to the first of train, validation and test
    Back,
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
    /// 4-bit integers with a scale for each row
    I4,
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
            Precision::I4 => encoder::Precision::I4,
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

fn positive(text: &str) -> Result<f32, String> {
    let value = number(text)?;
    match value.is_finite() && value > 0.0 {
        true => Ok(value),
        false => Err(format!("{value} is not a finite number above 0")),
    }
}

#[cfg(feature = "serve")]
fn seconds(text: &str) -> Result<Duration, String> {
    match positive(text)? {
        value if (0.001..=3600.0).contains(&value) => Ok(Duration::from_secs_f32(value)),
        value => Err(format!("{value} is not a number of seconds from 0.001 to 3600")),
    }
}

fn dense(text: &str) -> Result<f32, String> {
    match number(text)? {
        value if (0.0..=1.0).contains(&value) => Ok(value),
        value => Err(format!("{value} is not a number from 0 to 1")),
    }
}

fn share(text: &str) -> Result<f32, String> {
    match number(text)? {
        value if (0.0..1.0).contains(&value) => Ok(value),
        value => Err(format!("{value} is not a number from 0 up to but not 1")),
    }
}

fn probability(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(value) if 0.0 < value && value < 1.0 => Ok(value),
        _ => Err(format!("`{text}` is not a number between 0 and 1")),
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

/// A field and a value of it.
pub fn filter(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected FIELD=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// The engine of a search.
#[cfg(feature = "clickhouse")]
fn engine(text: &str) -> Result<Servers, String> {
    let servers = text.strip_prefix("clickhouse=").ok_or("expected clickhouse=URL,URL...")?;
    Ok(Servers(servers.split(',').map(str::to_owned).collect()))
}

/// A name in a database.
#[cfg(feature = "clickhouse")]
fn identifier(text: &str) -> Result<Name, String> {
    let name = Name::new(text)?;
    if name.len() <= 64 { Ok(name) } else { Err("expected 64 characters at most".into()) }
}

/// A language's name becomes part of tensor and file names.
fn language(text: &str) -> Result<String, String> {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-';
    match (1..=35).contains(&text.len()) && text.chars().all(good) {
        true => Ok(text.into()),
        false => Err("expected a language code: letters, digits and hyphens".into()),
    }
}

/// What a value is called on the command line.
pub fn name_of(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}
