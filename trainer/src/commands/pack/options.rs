//! The options of `language`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::terminal::values::language;
use crate::train::contrastive::StemName;

/// `language`
#[derive(Debug, Args)]
pub struct Language {
    /// What to do.
    #[command(subcommand)]
    pub action: Action,
}

/// What to do with a language.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Make a language pack: what a model needs to find documents in one more language
    Add(Add),
}

/// `language add`
#[derive(Debug, Args)]
pub struct Add {
    /// The model that the pack is for: the folder of its query encoder
    pub model: PathBuf,
    /// The language of the documents
    #[arg(long, value_parser = language)]
    pub language: String,
    /// Files of parallel sentences: set, group, id, English, other
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub pairs: Vec<PathBuf>,
    /// Files of translations of words and phrases: source, English, other
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub lexicon: Vec<PathBuf>,
    /// A model's folder with a pack of the language that was made of the same data: its translations, in place of an alignment
    #[arg(long, value_name = "DIR", conflicts_with_all = ["stems", "text"])]
    pub translations: Option<PathBuf>,
    /// Files of text in the language, a passage a line, which tell how frequent its words are
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub text: Vec<PathBuf>,
    /// The stems of the language's words, which are translated too, so that other forms of a word match [default: those that
    /// find most of the pairs kept back]
    #[arg(long, value_enum)]
    pub stems: Option<StemName>,
    /// The largest pack: the weakest translations are left out until it fits
    #[arg(long, value_name = "BYTES", default_value_t = 1_200_000, value_parser = clap::value_parser!(u64).range(1000..), allow_negative_numbers = true)]
    pub most_bytes: u64,
    /// The sentence encoder of the model's deep documents, for the share of their dense score [default: the median of the
    /// model's languages]
    #[cfg(feature = "teacher")]
    #[arg(long, value_name = "DIR|FILE")]
    pub teacher: Option<PathBuf>,
    /// A file that keeps the teacher's vectors
    #[cfg(feature = "teacher")]
    #[arg(long, value_name = "FILE", requires = "teacher")]
    pub teacher_vectors: Option<PathBuf>,
    /// A JSON file with a list `sources` of the data's names, licences and attributions, for the provenance and the card
    #[arg(long, value_name = "FILE")]
    pub sources: Option<PathBuf>,
    /// The pack, document.xx.safetensors, or a folder for it [default: the model's folder]. Its card, card.xx.json, goes
    /// beside it
    #[arg(long, value_name = "FILE|DIR")]
    pub out: Option<PathBuf>,
}
