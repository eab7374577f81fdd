//! The options of `compare --methods` alone.

use std::path::PathBuf;

use clap::Args;

use crate::terminal::values::language;

const METHODS: &str = "Methods, instead of losses";

/// Pairs and texts that methods learn from.
#[derive(Debug, Args)]
pub struct MethodOptions {
    /// Learn from these percentages of the training pairs, one after the other; the seed of a training draws
    /// them
    #[arg(long, value_name = "PERCENT", value_delimiter = ',', default_values_t = [100], requires = "methods",
        value_parser = clap::value_parser!(u8).range(1..=100), allow_negative_numbers = true, help_heading = METHODS)]
    pub shares: Vec<u8>,
    /// Texts of a language without translations, one a line, with which dictionaries begin beside both sides of all
    /// training pairs. A line with eight words in a row of a validation or test text is left out
    #[arg(long, value_name = "LANGUAGE=FILE", value_parser = Text::parse, requires = "methods", help_heading = METHODS)]
    pub text: Vec<Text>,
}

/// Texts of a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The language.
    pub language: String,
    /// The file, a text a line.
    pub path: PathBuf,
}

impl Text {
    fn parse(text: &str) -> Result<Self, String> {
        let expected = || format!("`{text}`, expected LANGUAGE=FILE, as in en=texts.txt");
        let (name, path) = text.split_once('=').ok_or_else(expected)?;
        match path.is_empty() {
            true => Err(expected()),
            false => Ok(Self { language: language(name)?, path: path.into() }),
        }
    }
}
