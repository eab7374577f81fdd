//! `serve`: searches an index over HTTP.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::error::Error;
use crate::serve::{self, Limits, Served};
use crate::terminal::values::seconds;

/// `serve`
#[derive(Debug, Args)]
pub struct Serve {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// An index that the model made; one in segments is opened again when they are others
    pub index: PathBuf,
    /// Where to listen; port 0 takes one that is free, and it is printed
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: String,
    /// A folder of files that is served too, such as the page's
    #[arg(long, value_name = "FOLDER")]
    pub page: Option<PathBuf>,
    /// Seconds until a request is answered, if by an error; and until a client is left that sends or
    /// takes nothing
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds, allow_negative_numbers = true)]
    pub timeout: Duration,
    /// Seconds until a request that finds all places taken is refused
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds, allow_negative_numbers = true)]
    pub max_wait: Duration,
    /// Rankings at once [default: one for each processor]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=4096), allow_negative_numbers = true)]
    pub max_concurrent: Option<u32>,
    /// Connections at once; more wait to be accepted
    #[arg(long, value_name = "COUNT", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=100_000), allow_negative_numbers = true)]
    pub max_connections: u32,
    /// Bytes of a request's body, at most
    #[arg(long, value_name = "BYTES", default_value_t = 65_536, value_parser = clap::value_parser!(u32).range(1..=1 << 24), allow_negative_numbers = true)]
    pub body_limit: u32,
    /// Bytes of a query, at most
    #[arg(long, value_name = "BYTES", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1 << 20), allow_negative_numbers = true)]
    pub query_limit: u32,
    /// Documents in an answer, at most
    #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000), allow_negative_numbers = true)]
    pub max_k: u32,
}

/// Answers requests until it is told to end.
pub fn run(arguments: &Serve) -> Result<(), Error> {
    let Serve { model, index, page, listen, .. } = arguments;
    serve::run(Served { model, index, page: page.as_deref() }, listen, limits(arguments))
}

fn limits(arguments: &Serve) -> Limits {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Limits {
        timeout: arguments.timeout,
        wait: arguments.max_wait,
        rankings: arguments.max_concurrent.map_or(processors, |count| count as usize),
        connections: arguments.max_connections as usize,
        body: arguments.body_limit as usize,
        query: arguments.query_limit as usize,
        documents: arguments.max_k as usize,
    }
}
