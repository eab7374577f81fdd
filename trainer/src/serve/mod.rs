//! `serve`: searching over HTTP.

mod collection;
mod connections;
mod explained;
mod fields;
mod metrics;
mod page;
mod refusal;
mod routes;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::runtime;

use crate::cli;
use crate::error::Error;
use collection::Collection;
use page::Page;
use routes::Service;

/// Threads beside those of rankings: for files of the page, and for opening an index again.
const SPARE_THREADS: usize = 8;

/// What a request may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Until it is answered.
    pub timeout: Duration,
    /// Until one that finds all places taken is refused.
    pub wait: Duration,
    /// Rankings at once.
    pub rankings: usize,
    /// Connections at once.
    pub connections: usize,
    /// Bytes of a body.
    pub body: usize,
    /// Bytes of a query.
    pub query: usize,
    /// Documents in an answer.
    pub documents: usize,
}

/// Answers requests until it is told to end.
pub fn run(arguments: &cli::Serve) -> Result<(), Error> {
    let limits = limits(arguments);
    let page = arguments.page.as_deref().map(Page::open).transpose()?;
    let collection = Collection::open(&arguments.model, &arguments.index)?;
    let failed = |source| Error::Listen { address: arguments.listen.clone(), source };
    let runtime = runtime::Builder::new_multi_thread()
        .max_blocking_threads(limits.rankings + SPARE_THREADS)
        .enable_all()
        .build()
        .map_err(failed)?;
    let service = Service::new(collection, page, limits);
    let done = runtime.block_on(serve(&arguments.listen, service));
    // A ranking that nobody waits for any more keeps nobody waiting.
    runtime.shutdown_background();
    done.map_err(failed)
}

fn limits(arguments: &cli::Serve) -> Limits {
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

async fn serve(address: &str, service: Service) -> io::Result<()> {
    let end = connections::told_to_end()?;
    let listener = TcpListener::bind(address).await?;
    let watching = tokio::spawn(collection::watch(Arc::clone(&service.collection))?);
    println!("listening on http://{}", listener.local_addr()?);
    connections::serve(listener, routes::router(service.clone()), service.limits, end).await;
    watching.abort();
    Ok(())
}
