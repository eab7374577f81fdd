//! The command `smooth-clir`: trains, evaluates and indexes.

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
mod error;
mod evaluation;
mod experiments;
mod files;
#[cfg(feature = "import")]
mod import;
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
    let command = cli::Arguments::parse().command;
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
