//! One command a file.

mod compact;
mod corpus;
mod encode;
mod evaluate;
mod evaluation_file;
mod experiment;
#[cfg(feature = "clickhouse")]
mod export;
#[cfg(feature = "import")]
mod import;
mod index;
mod manifest;
mod methods;
mod metrics;
mod pairs;
mod search;
mod theory;
mod train;
mod train_from;
mod train_pairs;
mod typed;
mod verify;

use smooth_clir::model::Model;

use crate::cli::Command;
use crate::error::Error;

/// Does what the command line asks for.
pub fn run(command: Command) -> Result<(), Error> {
    match command {
        Command::Train(arguments) => train::run(&arguments),
        Command::Evaluate(arguments) => evaluate::run(&arguments),
        Command::Metrics(arguments) => metrics::run(&arguments),
        Command::Encode(arguments) => encode::run(&arguments),
        Command::Index(arguments) => index::run(&arguments),
        Command::Compact(arguments) => compact::run(&arguments),
        Command::Corpus(arguments) => corpus::run(&arguments),
        #[cfg(feature = "clickhouse")]
        Command::Export(arguments) => export::run(&arguments),
        #[cfg(feature = "import")]
        Command::Import(arguments) => import::run(&arguments),
        Command::Search(arguments) => search::run(&arguments),
        #[cfg(feature = "serve")]
        Command::Serve(arguments) => crate::serve::run(&arguments),
        Command::Theory(arguments) => theory::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Manifest(arguments) => manifest::run(&arguments),
        Command::Compare(arguments) => experiment::compare(&arguments),
        Command::Sweep(arguments) => experiment::sweep(&arguments),
        Command::Figures(arguments) => experiment::figures(&arguments),
    }
}

/// The language asked for, or the model's only one.
fn language_of(model: &Model, asked: Option<&str>) -> Result<String, Error> {
    let known: Vec<&str> = model.documents.keys().map(String::as_str).collect();
    match (asked, &known[..]) {
        (Some(language), known) if known.contains(&language) => Ok(language.into()),
        (Some(language), known) => Err(Error::Usage(format!(
            "--language {language}: the model has documents in {}",
            known.join(", ")
        ))),
        (None, [only]) => Ok((*only).into()),
        (None, []) => Err(Error::Usage("the model has no side for documents".into())),
        (None, known) => Err(Error::Usage(format!(
            "the model has documents in {}: choose one with --language",
            known.join(", ")
        ))),
    }
}
