//! The options of `import`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// `import`
#[derive(Debug, Args)]
pub struct Import {
    /// From where.
    #[command(subcommand)]
    pub from: From,
}

/// What is imported.
#[derive(Debug, Subcommand)]
pub enum From {
    /// Make a folder to train on of the dumps of two Wikipedias, as Sasaki et al. (2018) did
    Wikipedia(Wikipedia),
    /// Make a folder to train on of CLIRMatrix
    Clirmatrix(Clirmatrix),
    /// Make a file of pairs of two files that translate each other line by line
    Moses(Moses),
    /// Make a file of pairs of a translation memory
    Tmx(Tmx),
    /// Make queries of the topics of TREC or CLEF
    Topics(Topics),
}

/// `import wikipedia`
#[derive(Debug, Args)]
pub struct Wikipedia {
    /// The language that asks: queries are first sentences of its pages
    #[arg(long, default_value = "en", value_parser = wiki)]
    pub from: String,
    /// The documents' language
    #[arg(long, value_parser = wiki)]
    pub to: String,
    /// The folder of the dumps: pages-articles of both, langlinks of the first, pagelinks and linktarget
    /// of the second; page_props of either where it is there
    #[arg(long, value_name = "DIR")]
    pub dumps: PathBuf,
    /// The folder that queries.tsv, documents.tsv and relevance.tsv go into
    #[arg(long)]
    pub out: PathBuf,
    /// Dumps of this date, as 20250101, or latest [default: those that are there]
    #[arg(long)]
    pub date: Option<String>,
    /// Fetch the dumps that are not there into the folder, and check what is there
    #[cfg(feature = "download")]
    #[arg(long)]
    pub download: bool,
    /// Where dumps are fetched from
    #[cfg(feature = "download")]
    #[arg(
        long,
        value_name = "URL",
        default_value = "https://dumps.wikimedia.org",
        requires = "download"
    )]
    pub mirror: String,
    /// How long to wait before a request is made again the first time
    #[cfg(feature = "download")]
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(..=60_000), hide = true)]
    pub retry_milliseconds: u64,
    /// Words of a document, at most
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_negative_numbers = true)]
    pub words: u32,
    /// A template of disambiguation pages besides those that are known; can be given several times
    #[arg(long = "disambiguation", value_name = "TEMPLATE")]
    pub disambiguation: Vec<String>,
}

/// `import clirmatrix`
#[derive(Debug, Args)]
pub struct Clirmatrix {
    /// Queries with their graded documents, as en.sw.train.jl; can be given several times
    #[arg(long, required = true, value_name = "FILE")]
    pub queries: Vec<PathBuf>,
    /// The documents: id and text a line
    #[arg(long, value_name = "FILE")]
    pub documents: PathBuf,
    /// The folder that queries.tsv, documents.tsv and relevance.tsv go into
    #[arg(long)]
    pub out: PathBuf,
    /// The least of its grades, 0 to 6, that is grade 2 here; 1 and more are grade 1
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u8).range(2..=6), allow_negative_numbers = true)]
    pub relevant: u8,
}

/// `import moses`
#[derive(Debug, Args)]
pub struct Moses {
    /// The file of English lines
    pub english: PathBuf,
    /// The file of lines that translate them
    pub other: PathBuf,
    /// The file of pairs
    #[arg(long)]
    pub out: PathBuf,
    /// What the collection is called
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
    /// The language of their second
    #[arg(long, value_parser = language)]
    pub to: String,
    /// The file of pairs
    #[arg(long)]
    pub out: PathBuf,
    /// What the collection is called
    #[arg(long, value_name = "NAME", default_value = "tmx")]
    pub set: String,
}

/// `import topics`
#[derive(Debug, Args)]
pub struct Topics {
    /// The topics
    pub file: PathBuf,
    /// What of a topic is the query's text
    #[arg(long, value_enum, value_delimiter = ',', default_values_t = [Field::Title])]
    pub fields: Vec<Field>,
    /// Graded documents, which make relevance.tsv; grades above 2 become 2
    #[arg(long, value_name = "FILE")]
    pub qrels: Option<PathBuf>,
    /// The folder that queries.tsv goes into
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
