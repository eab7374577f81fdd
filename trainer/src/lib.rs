//! The command `smooth-clir`: trains, evaluates and indexes.

// First: the macros in it are for all modules below.
#[macro_use]
mod output;

mod alignment;
mod bm25;
mod calibration;
mod cli;
#[cfg(feature = "clickhouse")]
mod clickhouse;
mod commands;
mod data;
mod error;
mod experiments;
mod files;
mod halves;
#[cfg(feature = "import")]
mod import;
mod interruption;
mod mapped;
mod mates;
mod methods;
mod own;
mod partial;
mod progress_bar;
mod ranking;
#[cfg(any(fuzzing, test))]
pub mod readers;
mod report;
mod searcher;
mod segments;
#[cfg(feature = "serve")]
mod serve;
mod statistics;
mod theory;
mod train;
mod vectors;
mod within;

use std::process::ExitCode;

use clap::Parser;

/// Does what the command line says. Done 0, the input or the work failed 1, the command line is wrong 2.
pub fn run() -> ExitCode {
    let command = cli::Arguments::parse().command;
    if !command.ends_when_told() {
        interruption::watch();
    }
    match commands::run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(error.exit_status())
        }
    }
}
