//! The options of `import`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

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
    /// Words of a document, at most
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_negative_numbers = true)]
    pub words: u32,
    /// A template of disambiguation pages besides those that are known; can be given several times
    #[arg(long = "disambiguation", value_name = "TEMPLATE")]
    pub disambiguation: Vec<String>,
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
