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
    /// An index that the model made; an index in segments is reopened when its list changes
    pub index: PathBuf,
    /// The address to listen on; port 0 selects a free port, which is printed
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: String,
    /// A folder of static files to serve, such as the page's
    #[arg(long, value_name = "FOLDER")]
    pub page: Option<PathBuf>,
    /// A name that requests may use for the host, beside localhost and IP addresses; `*` allows any; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    pub hosts: Vec<String>,
    /// Timeout of a request in seconds, and of a client that sends or reads nothing
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds, allow_negative_numbers = true)]
    pub timeout: Duration,
    /// Seconds that a request waits for a ranking slot before it is refused
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = seconds, allow_negative_numbers = true)]
    pub max_wait: Duration,
    /// Concurrent rankings [default: one for each processor]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=4096), allow_negative_numbers = true)]
    pub max_concurrent: Option<u32>,
    /// Concurrent connections; others wait to be accepted
    #[arg(long, value_name = "COUNT", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=100_000), allow_negative_numbers = true)]
    pub max_connections: u32,
    /// Concurrent connections of one client address; more are closed at once
    #[arg(long, value_name = "COUNT", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=100_000), allow_negative_numbers = true)]
    pub max_connections_per_client: u32,
    /// Seconds until a connection is closed, after the answer under way
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds, allow_negative_numbers = true)]
    pub max_connection_age: Duration,
    /// Largest request body in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 65_536, value_parser = clap::value_parser!(u32).range(1..=1 << 24), allow_negative_numbers = true)]
    pub body_limit: u32,
    /// Largest query in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1 << 20), allow_negative_numbers = true)]
    pub query_limit: u32,
    /// Largest number of documents in an answer
    #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=100_000), allow_negative_numbers = true)]
    pub max_k: u32,
}

/// Answers requests until a signal ends the service.
pub fn run(arguments: &Serve) -> Result<(), Error> {
    let Serve { model, index, page, hosts, listen, .. } = arguments;
    serve::run(Served { model, index, page: page.as_deref(), hosts }, listen, limits(arguments))
}

fn limits(arguments: &Serve) -> Limits {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Limits {
        timeout: arguments.timeout,
        wait: arguments.max_wait,
        rankings: arguments.max_concurrent.map_or(processors, |count| count as usize),
        connections: arguments.max_connections as usize,
        age: arguments.max_connection_age,
        of_client: arguments.max_connections_per_client as usize,
        body: arguments.body_limit as usize,
        query: arguments.query_limit as usize,
        documents: arguments.max_k as usize,
    }
}
