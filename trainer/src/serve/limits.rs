//! What requests and connections may take.

use std::time::Duration;

/// Bytes that are read ahead of a request: its first lines must fit.
pub const BUFFER: usize = 64 << 10;
/// How long answers under way are waited for, beyond the time that a request may take.
pub const GRACE: Duration = Duration::from_secs(2);

/// The limits of requests, answers and connections.
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
    /// Those of one client.
    pub of_client: usize,
    /// Of a connection: whoever reads an answer byte by byte gives its place back then.
    pub age: Duration,
    /// Bytes of a body.
    pub body: usize,
    /// Bytes of a query.
    pub query: usize,
    /// Documents in an answer.
    pub documents: usize,
}
