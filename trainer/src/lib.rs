//! The command `smooth-clir`: trains, evaluates and indexes.
//!
//! Each room uses only those above it (a test holds that):
//!
//! | room | what it does |
//! |---|---|
//! | `error` | every way in which a command fails, and its exit status |
//! | `terminal` | results, notes and progress bars out; values of options in |
//! | `files` | files read, mapped, and written whole or not at all |
//! | `statistics` | intervals, tests and spreads of figures |
//! | `alignment` | pairs of texts -> which words translate which (IBM Model 1) |
//! | `data` | files of collections, pairs, judgements and documents, read and split |
//! | `vectors` | files of pre-trained word vectors |
//! | `corpus` | collections -> vocabularies, rows and examples |
//! | `deep` | a teacher's vectors -> light queries, deep documents (feature `teacher`), and a file that keeps them |
//! | `evaluation` | texts -> scores -> rankings -> metrics |
//! | `train` | rows and examples -> steps -> the best epoch's networks |
//! | `methods` | the second paper's method and its rivals |
//! | `experiments` | many trainings: tuning, tables, sweeps, figures |
//! | `theory` | the first paper's constants and bound for a model |
//! | `segments` | indexes that grow: appended to and put together while they are searched |
//! | `search` | a model with an index, searched |
//! | `serve` | search over HTTP |
//! | `clickhouse` | search on several machines |
//! | `import` | other people's collections -> the files that training reads |
//! | `readers` | the readers of people's files, for the fuzz targets |
//! | `commands` | each command with its options |
//! | `cli` | the list of commands |

// First: its macros are for all modules below.
#[macro_use]
mod terminal;

mod alignment;
mod cli;
#[cfg(feature = "clickhouse")]
mod clickhouse;
mod commands;
mod corpus;
mod data;
mod deep;
mod error;
mod evaluation;
mod experiments;
mod files;
#[cfg(feature = "import")]
mod import;
mod limits;
mod methods;
#[cfg(any(fuzzing, test))]
pub mod readers;
mod search;
mod segments;
#[cfg(feature = "serve")]
mod serve;
mod statistics;
mod theory;
mod train;
mod vectors;

use std::process::ExitCode;

use clap::Parser;

/// Does what the command line says. Done 0, the input or the work failed 1, the command line is wrong 2.
pub fn run() -> ExitCode {
    let cli::Arguments { command, no_mmap } = cli::Arguments::parse();
    if no_mmap {
        files::mapped::read_from_now_on();
    }
    if !command.ends_when_told() {
        files::interruption::watch();
    }
    match cli::run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_status())
        }
    }
}
