//! What a request may take.

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
    /// Bytes of a body.
    pub body: usize,
    /// Bytes of a query.
    pub query: usize,
    /// Documents in an answer.
    pub documents: usize,
}
