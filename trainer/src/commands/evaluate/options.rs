//! The options of `evaluate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use smooth_clir::ranking::metrics::Metric;

use crate::data::{Direction, Split};
use crate::terminal::values::{dense, language, metric};

const COLLECTION: &str = "The queries and their candidates";
const METRICS: &str = "Metrics";
const FILES: &str = "Files of the ranking";
const PAIRS: &str = "Instead: translations in a file of pairs";
const TYPED: &str = "Instead: typed queries over the built-in corpus";

/// `evaluate`
#[derive(Debug, Args)]
pub struct Evaluate {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// The folder to evaluate on; none: the built-in corpus
    #[arg(conflicts_with = "pairs")]
    pub data: Option<PathBuf>,
    /// The weight of the dense score, from 0 (lexical score alone) to 1 (dense score alone), if not
    /// the model's own
    #[arg(long, value_name = "SHARE", value_parser = dense, allow_negative_numbers = true)]
    pub dense: Option<f32>,
    /// The documents' language, if the model has several
    #[arg(long, value_parser = language)]
    pub language: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// The split of the queries
    #[arg(long, value_enum, default_value_t = Queries::Test, conflicts_with_all = ["pairs", "typed", "typed_in"], help_heading = COLLECTION)]
    pub split: Queries,
    /// The direction of the ranking
    #[arg(long, value_enum, default_value_t = Direction::Forward, conflicts_with_all = ["pairs", "typed", "typed_in"], help_heading = COLLECTION)]
    pub direction: Direction,
    /// The candidates of each query: sampled, all, or a file of query, document and grade
    #[arg(long, default_value = "sampled", conflicts_with_all = ["pairs", "typed", "typed_in"], help_heading = COLLECTION)]
    pub candidates: String,
    /// Write the candidates to a file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "typed", "typed_in"], help_heading = COLLECTION)]
    pub write_candidates: Option<PathBuf>,
    /// Metrics, separated by commas, instead of the first paper's seven: ndcg@10, map, mrr@10, success@3, P@5, recall@100,
    /// Rprec, or as trec_eval names them (ndcg_cut_10, recip_rank, success_3, P_5, recall_100), with any cut-off. A
    /// document is relevant from grade 1; from 2 with `(rel=2)`, as in 'success(rel=2)@3'
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = metric, conflicts_with_all = ["pairs", "typed", "typed_in"], help_heading = METRICS)]
    pub metrics: Vec<Metric>,
    /// Write each query's metrics to a file: a line of names, then a line for each query, separated by tabs
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "typed", "typed_in"], help_heading = METRICS)]
    pub per_query: Option<PathBuf>,
    /// Write the ranking as a TREC run
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "typed", "typed_in"], help_heading = FILES)]
    pub run: Option<PathBuf>,
    /// Write the grades as TREC qrels
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pairs", "typed", "typed_in"], help_heading = FILES)]
    pub qrels: Option<PathBuf>,
    /// A file of set, group, id, English and other text: rank each text's translation in its set
    #[arg(long, value_name = "FILE", help_heading = PAIRS)]
    pub pairs: Option<PathBuf>,
    /// A file of kind, language or *, expected ids and query: measure how often the built-in corpus
    /// has an expected document among the top three
    #[arg(long, value_name = "FILE", group = "of_typed", conflicts_with_all = ["pairs", "data", "language"], help_heading = TYPED)]
    pub typed: Option<PathBuf>,
    /// A folder of files xx.tsv of kind, expected ids and query in the language xx: measure how well the queries of each
    /// language find the documents in each, and which language they are taken for
    #[arg(long, value_name = "FOLDER", group = "of_typed", conflicts_with_all = ["pairs", "data", "language"], help_heading = TYPED)]
    pub typed_in: Option<PathBuf>,
    /// Choose the language of each query of --typed-in instead of detecting it
    #[arg(long, requires = "typed_in", help_heading = TYPED)]
    pub chosen: bool,
    /// The documents' vectors, a file of index --vectors; without it, the model's own document encoders read
    /// them
    #[arg(long, value_name = "FILE", requires = "of_typed", help_heading = TYPED)]
    pub vectors: Option<PathBuf>,
    /// Print each typed query that failed, and its results
    #[arg(long, requires = "typed", conflicts_with = "json", help_heading = TYPED)]
    pub failures: bool,
}

impl Evaluate {
    /// The files that are written.
    pub fn written(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.write_candidates, &self.per_query, &self.run, &self.qrels].into_iter().flatten()
    }
}

/// The queries that are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Queries {
    /// Three in five queries, for training.
    Train,
    /// One in five queries, to select the best epoch.
    Validation,
    /// One in five queries, for the final evaluation.
    Test,
    /// All queries, those of training among them.
    All,
}

impl Queries {
    /// Whether a query of this split is one of them; `None` is of a query that is only trained on.
    pub fn has(self, split: Option<Split>) -> bool {
        match self {
            Self::Train => split == Some(Split::Train),
            Self::Validation => split == Some(Split::Validation),
            Self::Test => split == Some(Split::Test),
            Self::All => split.is_some(),
        }
    }
}
