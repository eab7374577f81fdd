//! Connections: how many, of whom, how slow, how old, and how they end.

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::limits::Limits;
use crate::limits::serve::{GRACE, HEAD_BYTES};

/// Accepts connections until the end is told; then answers what is under way.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    end: impl Future<Output = ()>,
) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let clients = Arc::new(Clients::default());
    let (ending, is_ending) = watch::channel(());
    let service = TowerToHyperService::new(router);
    let mut http = http1::Builder::new();
    // Of the first lines, and of a connection on which nothing is asked.
    http.timer(TokioTimer::new()).header_read_timeout(limits.timeout).max_buf_size(HEAD_BYTES);
    let accept = async {
        loop {
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            let (stream, client) = match listener.accept().await {
                Ok((stream, address)) => (stream, address.ip()),
                Err(error) => {
                    // No more files may be open, say: that passes.
                    eprintln!("error: a connection could not be accepted: {error}");
                    sleep(Duration::from_millis(100)).await;
                    continue;
                }
            };
            let Some(counted) = Clients::enter(&clients, client, limits.of_client) else {
                continue;
            };
            let (http, service, is_ending) = (http.clone(), service.clone(), is_ending.clone());
            tokio::spawn(async move {
                answer(stream, (&http, service), limits, is_ending).await;
                drop((place, counted));
            });
        }
    };
    tokio::select! {
        () = accept => {}
        () = end => {}
    }
    drop((listener, ending));
    let all = places.acquire_many(limits.connections as u32);
    if timeout(limits.timeout + GRACE, all).await.is_err() {
        eprintln!("some clients did not read their answers");
    }
}

/// Answers what is asked on a connection, until the client ends it, all connections end, or it is too old.
async fn answer(
    stream: TcpStream,
    (http, service): (&http1::Builder, TowerToHyperService<Router>),
    limits: Limits,
    mut is_ending: watch::Receiver<()>,
) {
    let _slower_without = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    // For a client that takes nothing of its answer.
    stream.set_write_timeout(Some(limits.timeout));
    let mut connection = pin!(http.serve_connection(TokioIo::new(Box::pin(stream)), service));
    tokio::select! {
        _client_went_away = &mut connection => return,
        () = sleep(limits.age) => {}
        _ = is_ending.changed() => {}
    }
    connection.as_mut().graceful_shutdown();
    let _client_went_away = timeout(limits.timeout + GRACE, connection).await;
}

/// How many connections each client has.
#[derive(Default)]
struct Clients(Mutex<BTreeMap<IpAddr, usize>>);

/// A connection of a client, counted until it is dropped.
struct Counted {
    clients: Arc<Clients>,
    client: IpAddr,
}

impl Clients {
    /// Counts one more connection of a client; `None` if it has all that it may have.
    fn enter(clients: &Arc<Self>, address: IpAddr, most: usize) -> Option<Counted> {
        let client = network(address);
        let mut counts = clients.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(client).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Counted { clients: Arc::clone(clients), client })
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.clients.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.client) {
            *count -= 1;
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}

/// What stands for a client: its address, of IPv6 the first half, for one client has all with the same.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => address.into(),
            None => std::net::Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        },
        address => address,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_has_at_most_its_connections_and_gets_them_back() {
        let clients = Arc::new(Clients::default());
        let [one, other] = ["10.0.0.1", "10.0.0.2"].map(|address| address.parse().unwrap());
        let first = Clients::enter(&clients, one, 2);
        let second = Clients::enter(&clients, one, 2);
        assert!(first.is_some() && second.is_some());
        assert!(Clients::enter(&clients, one, 2).is_none());
        assert!(Clients::enter(&clients, other, 2).is_some());
        drop(first);
        assert!(Clients::enter(&clients, one, 2).is_some());
        drop(second);
        assert!(clients.0.lock().unwrap().is_empty());
    }

    #[test]
    fn addresses_of_one_client_count_together() {
        for (address, stands_for) in [
            ("10.0.0.1", "10.0.0.1"),
            ("::ffff:10.0.0.1", "10.0.0.1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:2:ffff::", "2001:db8:1:2::"),
        ] {
            let [address, stands_for] = [address, stands_for].map(|it| it.parse().unwrap());
            assert_eq!(network(address), stands_for);
        }
    }
}
