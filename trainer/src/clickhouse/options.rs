//! How servers are reached: options that `export clickhouse` and `search` share.

use clap::Args;

use super::name::Name;

/// The connection to ClickHouse servers. User and password are those of CLICKHOUSE_USER and
/// CLICKHOUSE_PASSWORD in the environment.
#[derive(Debug, Args)]
pub struct Clickhouse {
    /// The database
    #[arg(long, default_value = "smooth_clir", value_parser = identifier)]
    pub database: Name,
    /// The prefix of the tables' names
    #[arg(long, default_value = "documents", value_parser = identifier)]
    pub table: Name,
    /// Find the other servers in the cluster of this name, in the configuration of the one given
    /// server; they have the same port
    #[arg(long, value_name = "NAME", value_parser = identifier)]
    pub cluster: Option<Name>,
    /// Timeout of a connection
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub connect_timeout: u64,
    /// Timeout of a whole answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout: u64,
}

/// A name in a database.
fn identifier(text: &str) -> Result<Name, String> {
    let name = Name::new(text)?;
    if name.len() <= 64 { Ok(name) } else { Err("expected 64 characters at most".into()) }
}
