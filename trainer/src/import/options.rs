//! The options of `import`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// `import`
#[derive(Debug, Args)]
pub struct Import {
    /// The collection to import.
    #[command(subcommand)]
    pub from: From,
}

/// The collection to import.
#[derive(Debug, Subcommand)]
pub enum From {
    /// Make a training folder from the dumps of two Wikipedias, as Sasaki et al. (2018) did
    Wikipedia(Wikipedia),
    /// Make a training folder from CLIRMatrix
    Clirmatrix(Clirmatrix),
    /// Make a file of pairs from two files that translate each other line by line
    Moses(Moses),
    /// Make a file of pairs from a translation memory
    Tmx(Tmx),
    /// Make queries from topics of TREC or CLEF
    Topics(Topics),
}

/// `import wikipedia`
#[derive(Debug, Args)]
pub struct Wikipedia {
    /// The language of the queries, which are first sentences of its pages
    #[arg(long, default_value = "en", value_parser = wiki)]
    pub from: String,
    /// The documents' language
    #[arg(long, value_parser = wiki)]
    pub to: String,
    /// The folder of the dumps: pages-articles of the two wikis, langlinks of the first, pagelinks
    /// and linktarget of the second; optionally page_props of either
    #[arg(long, value_name = "DIR")]
    pub dumps: PathBuf,
    /// The output folder of queries.tsv, documents.tsv and relevance.tsv
    #[arg(long)]
    pub out: PathBuf,
    /// The date of the dumps, such as 20250101, or latest [default: the date of the dumps in the
    /// folder]
    #[arg(long)]
    pub date: Option<String>,
    /// Download missing dumps into the folder, and check the existing ones
    #[cfg(feature = "download")]
    #[arg(long)]
    pub download: bool,
    /// The server of the dumps
    #[cfg(feature = "download")]
    #[arg(
        long,
        value_name = "URL",
        default_value = "https://dumps.wikimedia.org",
        requires = "download"
    )]
    pub mirror: String,
    /// The delay before the first repetition of a failed request
    #[cfg(feature = "download")]
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(..=60_000), hide = true)]
    pub retry_milliseconds: u64,
    /// Largest number of words of a document
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_negative_numbers = true)]
    pub words: u32,
    /// A further template of disambiguation pages; may be repeated
    #[arg(long = "disambiguation", value_name = "TEMPLATE")]
    pub disambiguation: Vec<String>,
}

/// `import clirmatrix`
#[derive(Debug, Args)]
pub struct Clirmatrix {
    /// Queries with their graded documents, such as en.sw.train.jl; may be repeated
    #[arg(long, required = true, value_name = "FILE")]
    pub queries: Vec<PathBuf>,
    /// The documents: a line of id and text each
    #[arg(long, value_name = "FILE")]
    pub documents: PathBuf,
    /// The output folder of queries.tsv, documents.tsv and relevance.tsv
    #[arg(long)]
    pub out: PathBuf,
    /// The lowest grade of the collection, 0 to 6, that becomes grade 2; lower ones from 1 become
    /// grade 1
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u8).range(2..=6), allow_negative_numbers = true)]
    pub relevant: u8,
    /// Keep the collection's seven grades; train on them with six --thresholds
    #[arg(long, conflicts_with = "relevant")]
    pub keep_grades: bool,
}

/// `import moses`
#[derive(Debug, Args)]
pub struct Moses {
    /// The file of English lines
    pub english: PathBuf,
    /// The file of their translations
    pub other: PathBuf,
    /// The file of pairs
    #[arg(long)]
    pub out: PathBuf,
    /// The name of the collection
    #[arg(long, value_name = "NAME", default_value = "moses")]
    pub set: String,
}

/// `import tmx`
#[derive(Debug, Args)]
pub struct Tmx {
    /// The translation memory
    pub file: PathBuf,
    /// The language of the pairs' first text, in any region
    #[arg(long, default_value = "en", value_parser = language)]
    pub from: String,
    /// The language of the pairs' second text
    #[arg(long, value_parser = language)]
    pub to: String,
    /// The file of pairs
    #[arg(long)]
    pub out: PathBuf,
    /// The name of the collection
    #[arg(long, value_name = "NAME", default_value = "tmx")]
    pub set: String,
}

/// `import topics`
#[derive(Debug, Args)]
pub struct Topics {
    /// The topics
    pub file: PathBuf,
    /// The fields of a topic that make the query's text
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Field::Title])]
    pub fields: Vec<Field>,
    /// Graded documents, which make relevance.tsv; grades above 2 become 2
    #[arg(long, value_name = "FILE")]
    pub qrels: Option<PathBuf>,
    /// The output folder of queries.tsv
    #[arg(long)]
    pub out: PathBuf,
}

/// A part of a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Field {
    /// Some words
    Title,
    /// A sentence
    Description,
    /// What counts as an answer
    Narrative,
}

/// A language's tag.
fn language(text: &str) -> Result<String, String> {
    let is_tag = text.len() >= 2 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    match is_tag {
        true => Ok(text.into()),
        false => Err("expected a language, as en or pt-BR".into()),
    }
}

/// A Wikipedia's name in addresses: letters of a language, with hyphens.
fn wiki(text: &str) -> Result<String, String> {
    let is_name = (2..=12).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
        && !text.starts_with('-');
    match is_name {
        true => Ok(text.into()),
        false => Err("expected a language as in the Wikipedia's address, as en or sw".into()),
    }
}
