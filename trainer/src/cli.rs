//! The command line: the list of commands.

use clap::{Parser, Subcommand};

use crate::commands::compact::{self, Compact};
#[cfg(feature = "teacher")]
use crate::commands::compact_teacher::{self, CompactTeacher};
use crate::commands::corpus::{self, Corpus};
use crate::commands::encode::{self, Encode};
use crate::commands::evaluate::{self, Evaluate};
use crate::commands::experiment::{self, Compare, Figures, Sweep};
#[cfg(feature = "clickhouse")]
use crate::commands::export::{self, Export};
#[cfg(feature = "import")]
use crate::commands::import;
use crate::commands::index::{self, IndexOptions};
use crate::commands::manifest::{self, Manifest};
use crate::commands::metrics::{self, MetricsOptions};
use crate::commands::pack::{self, Language};
use crate::commands::search::{self, Search};
#[cfg(feature = "serve")]
use crate::commands::serve::{self, Serve};
use crate::commands::statistics::{self, Statistics};
use crate::commands::theory::{self, Theory};
use crate::commands::train::{self, Train};
use crate::commands::verify::{self, Verify};
use crate::error::Error;
#[cfg(feature = "import")]
use crate::import::options::Import;

/// Cross-lingual search by smooth cosine similarity: train, evaluate, index, search.
#[derive(Debug, Parser)]
#[command(name = "smooth-clir", version)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Read index files into memory instead of mapping them. A mapped file that another program truncates ends
    /// the program
    #[arg(long, global = true)]
    pub no_mmap: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Train a model on folders of queries.tsv, documents.tsv and relevance.tsv
    Train(Box<Train>),
    /// Add a language to a model
    Language(Box<Language>),
    /// Rank a split's queries, or translations in a pairs file, and print metrics
    Evaluate(Evaluate),
    /// Print the metrics of a TREC run, or compare two
    Metrics(MetricsOptions),
    /// Write the vectors of texts, from a file or standard input
    Encode(Encode),
    /// Encode documents
    Index(IndexOptions),
    /// Merge the segments of an index
    Compact(Compact),
    /// Write a sentence encoder as one file, a quarter as large
    #[cfg(feature = "teacher")]
    CompactTeacher(CompactTeacher),
    /// Write the built-in corpus as a training folder
    Corpus(Corpus),
    /// Export documents to the servers of another engine, for searches there
    #[cfg(feature = "clickhouse")]
    Export(Export),
    /// Convert public collections to training data
    #[cfg(feature = "import")]
    Import(Import),
    /// Search an index
    Search(Search),
    /// Search an index over HTTP
    #[cfg(feature = "serve")]
    Serve(Serve),
    /// Count queries, documents, grades and words of training folders
    Statistics(Statistics),
    /// Compute the constants and the bound of the paper's theory for a model, with the values of
    /// its data
    Theory(Theory),
    /// Check model and index files and describe them
    Verify(Verify),
    /// Write the lengths and SHA-256 of a folder's files to its manifest.json
    Manifest(Manifest),
    /// Compare losses or encoders, each with settings chosen on the validation queries
    Compare(Compare),
    /// Vary epsilon or the number of sampled negatives
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

/// Does what the command line asks for.
pub fn run(command: Command) -> Result<(), Error> {
    match command {
        Command::Train(arguments) => train::run(&arguments),
        Command::Language(arguments) => pack::run(&arguments),
        Command::Evaluate(arguments) => evaluate::run(&arguments),
        Command::Metrics(arguments) => metrics::run(&arguments),
        Command::Encode(arguments) => encode::run(&arguments),
        Command::Index(arguments) => index::run(&arguments),
        Command::Compact(arguments) => compact::run(&arguments),
        #[cfg(feature = "teacher")]
        Command::CompactTeacher(arguments) => compact_teacher::run(&arguments),
        Command::Corpus(arguments) => corpus::run(&arguments),
        #[cfg(feature = "clickhouse")]
        Command::Export(arguments) => export::run(&arguments),
        #[cfg(feature = "import")]
        Command::Import(arguments) => import::run(&arguments),
        Command::Search(arguments) => search::run(&arguments),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => serve::run(&arguments),
        Command::Statistics(arguments) => statistics::run(&arguments),
        Command::Theory(arguments) => theory::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Manifest(arguments) => manifest::run(&arguments),
        Command::Compare(arguments) => experiment::compare(&arguments),
        Command::Sweep(arguments) => experiment::sweep(&arguments),
        Command::Figures(arguments) => experiment::figures(&arguments),
    }
}
