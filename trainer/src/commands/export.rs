//! `export`: writes documents to the servers of another engine.

use smooth_clir::index::Index;

use crate::cli::{self, ExportTo};
use crate::clickhouse::{self, Cluster, Documents};
use crate::error::Error;
use crate::files;
use crate::segments;

/// Writes documents where the command line says.
pub fn run(arguments: &cli::Export) -> Result<(), Error> {
    match &arguments.to {
        ExportTo::Clickhouse(arguments) => to_clickhouse(arguments),
    }
}

fn to_clickhouse(arguments: &cli::ExportClickhouse) -> Result<(), Error> {
    let path = &arguments.index;
    let cluster = Cluster::find(&arguments.urls, &arguments.clickhouse)?;
    let indexes: Vec<Index> = segments::open(path)?.into_iter().map(|(index, _)| index).collect();
    if let Some(other) = indexes.iter().find(|index| index.model != indexes[0].model) {
        let problem =
            format!("has segments of the models {} and {}", indexes[0].model, other.model);
        return Err(Error::data(path, problem));
    }
    let documents = Documents::new(&indexes, epsilon(arguments, &indexes)?)?;
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
fn epsilon(arguments: &cli::ExportClickhouse, indexes: &[Index]) -> Result<f32, Error> {
    let Some(path) = &arguments.model else { return Ok(arguments.epsilon.unwrap_or_default()) };
    let model = files::read_model(path)?;
    if let Some(index) = indexes.iter().find(|index| index.model != model.space) {
        let (what, found, expected) = ("the index".into(), index.model.clone(), model.space);
        let source = smooth_clir::Error::Mismatch { what, found, expected };
        return Err(Error::File { path: arguments.index.clone(), source });
    }
    Ok(arguments.epsilon.unwrap_or(model.config.epsilon))
}
