//! `export`: writes documents to the servers of another engine.

use smooth_clir::index::Index;

use crate::clickhouse::Clickhouse;
use crate::clickhouse::{self, Cluster, Documents};
use crate::error::Error;
use crate::files;
use crate::segments;
use crate::terminal::values::epsilon;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `export`
#[derive(Debug, Args)]
pub struct Export {
    /// The engine
    #[command(subcommand)]
    pub to: ExportTo,
}

/// The engine that documents are exported to.
#[derive(Debug, Subcommand)]
pub enum ExportTo {
    /// ClickHouse, a shard on each server
    Clickhouse(ExportClickhouse),
}

/// `export clickhouse`
#[derive(Debug, Args)]
pub struct ExportClickhouse {
    /// An index
    pub index: PathBuf,
    /// The servers, one shard each: http://HOST:PORT, separated by commas or repeated
    #[arg(long = "url", value_name = "URL", required = true, value_delimiter = ',')]
    pub urls: Vec<String>,
    /// The model that made the index, for its epsilon
    #[arg(long, required_unless_present = "epsilon")]
    pub model: Option<PathBuf>,
    /// Epsilon, if not the model's own
    #[arg(long, value_parser = epsilon, allow_negative_numbers = true)]
    pub epsilon: Option<f32>,
    /// Drop all other versions when this one is complete
    #[arg(long)]
    pub drop_old: bool,
    /// The connection to the servers
    #[command(flatten)]
    pub clickhouse: Clickhouse,
}

/// Writes documents where the command line says.
pub fn run(arguments: &Export) -> Result<(), Error> {
    match &arguments.to {
        ExportTo::Clickhouse(arguments) => to_clickhouse(arguments),
    }
}

fn to_clickhouse(arguments: &ExportClickhouse) -> Result<(), Error> {
    let path = &arguments.index;
    let cluster = Cluster::find(&arguments.urls, &arguments.clickhouse)?;
    let indexes: Vec<Index> = segments::open(path)?.into_iter().map(|(index, _)| index).collect();
    if let Some(other) = indexes.iter().find(|index| index.model != indexes[0].model) {
        let problem =
            format!("has segments of the models {} and {}", indexes[0].model, other.model);
        return Err(Error::data(path, problem));
    }
    let documents = Documents::new(&indexes, epsilon_of(arguments, &indexes)?)?;
    let done = clickhouse::export(&cluster, &documents, arguments.drop_old)?;
    let dropped = match done.dropped {
        0 => String::new(),
        dropped => format!("; {dropped} tables of others dropped"),
    };
    eprintln!(
        "{}: version {} of {} documents on {} servers: {} batches sent, {} there already{dropped}",
        cluster.versions(),
        documents.version(),
        documents.len(),
        cluster.servers.len(),
        done.sent,
        done.there,
    );
    Ok(())
}

/// The epsilon that is given, or the model's.
fn epsilon_of(arguments: &ExportClickhouse, indexes: &[Index]) -> Result<f32, Error> {
    let Some(path) = &arguments.model else { return Ok(arguments.epsilon.unwrap_or_default()) };
    let model = files::read_model(path)?;
    if let Some(index) = indexes.iter().find(|index| index.model != model.space) {
        let (what, found, expected) = ("the index".into(), index.model.clone(), model.space);
        let source = smooth_clir::Error::Mismatch { what, found, expected };
        return Err(Error::File { path: arguments.index.clone(), source });
    }
    Ok(arguments.epsilon.unwrap_or(model.config.epsilon))
}
