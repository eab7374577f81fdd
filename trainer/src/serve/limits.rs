//! What requests and connections may take.

use std::time::Duration;

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
