//! Connections: how many, how slow, and how they end.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::limits::Limits;

/// What is read ahead of a request: its first lines must fit.
const BUFFER: usize = 64 << 10;
/// How long answers under way are waited for, beyond the time that a request may take.
const GRACE: Duration = Duration::from_secs(2);

/// Accepts connections until the end is told; then answers what is under way.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    end: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(limits.connections));
    let service = TowerToHyperService::new(router);
    let mut http = http1::Builder::new();
    // Of the first lines, and of a connection on which nothing is asked.
    http.timer(TokioTimer::new()).header_read_timeout(limits.timeout).max_buf_size(BUFFER);
    let accept = async {
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            let stream = match listener.accept().await {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // No more files may be open, say: that passes.
                    eprintln!("error: a connection could not be accepted: {error}");
                    sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            let _slower_without = stream.set_nodelay(true);
            let mut stream = TimeoutStream::new(stream);
            // For a client that takes nothing of its answer.
            stream.set_write_timeout(Some(limits.timeout));
            let io = TokioIo::new(Box::pin(stream));
            let connection = graceful.watch(http.serve_connection(io, service.clone()));
            tokio::spawn(async move {
                let _client_went_away = connection.await;
                drop(place);
            });
        }
    };
    tokio::select! {
        () = accept => {}
        () = end => {}
    }
    drop(listener);
    if timeout(limits.timeout + GRACE, graceful.shutdown()).await.is_err() {
        eprintln!("some clients did not read their answers");
    }
}

/// Waits for SIGTERM or Ctrl-C.
#[cfg(unix)]
pub fn told_to_end() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
pub fn told_to_end() -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    Ok(async move {
        let _ = interrupt.recv().await;
    })
}
