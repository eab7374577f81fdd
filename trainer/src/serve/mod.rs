//! `serve`: searching over HTTP.

mod collection;
mod connections;
mod explained;
mod fields;
mod hosts;
mod ids;
mod limits;
mod metrics;
mod page;
mod refusal;
mod routes;

use std::io;
use std::path::Path;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::runtime;

use crate::error::Error;
use collection::Collection;
use hosts::Hosts;
pub use limits::Limits;
use page::Page;
use routes::Service;

/// Threads beside those of rankings: for files of the page, and for opening an index again.
const SPARE_THREADS: usize = 8;

/// What is served.
#[derive(Debug, Clone, Copy)]
pub struct Served<'a> {
    /// A model: a file, or a folder of its files.
    pub model: &'a Path,
    /// An index that the model made.
    pub index: &'a Path,
    /// A folder of files that is served too.
    pub page: Option<&'a Path>,
    /// Names by which it may be asked, beside its addresses.
    pub hosts: &'a [String],
}

/// Answers requests until it is told to end.
pub fn run(served: Served<'_>, address: &str, limits: Limits) -> Result<(), Error> {
    let page = served.page.map(Page::open).transpose()?;
    let collection = Collection::open(served.model, served.index)?;
    let failed = |source| Error::Listen { address: address.into(), source };
    let runtime = runtime::Builder::new_multi_thread()
        .max_blocking_threads(limits.rankings + SPARE_THREADS)
        .enable_all()
        .build()
        .map_err(failed)?;
    let service = Service::new(collection, page, Hosts::new(served.hosts), limits);
    let done = runtime.block_on(serve(address, service));
    // A ranking that nobody waits for any more keeps nobody waiting.
    runtime.shutdown_background();
    done.map_err(failed)
}

async fn serve(address: &str, service: Service) -> io::Result<()> {
    let end = connections::told_to_end()?;
    let listener = TcpListener::bind(address).await?;
    let watching = tokio::spawn(collection::watch(Arc::clone(&service.collection))?);
    println!("listening on http://{}", listener.local_addr()?);
    connections::serve(listener, routes::router(service.clone()), service.limits, end).await;
    watching.abort();
    Ok(())
}
