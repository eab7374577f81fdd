//! Exact search on several machines: documents and their words in sharded ClickHouse tables.
//!
//! What is stored of a document is `d/(|d|+eps)`, so that the dense score is an inner product with `q/(|q|+eps)`
//! (paper 1, eq. 1), and how often it has each word, for the [lexical](lexical) score. Every shard is spoken to by
//! itself, over HTTP: one that does not answer is an error that names it, and there is no `Distributed` table that
//! could leave it out. The best of all shards are scored again by the core, so that scores, order and ties are those
//! of a search in this process.
//!
//! A version of a table is known by what it holds. It is written beside the others, counted and summed
//! up by its server, and then made readable by one row in the list of versions.
//!
//! A statement holds numbers, of which the names of words are some, a [`Name`](name::Name) or a
//! [`Version`](documents::Version), none of which can end what it stands in. Text goes to a server as rows in the body of an `INSERT`: ClickHouse 18.16 does not
//! yet know parameters (`{name:String}`).

mod answer;
mod cluster;
mod documents;
mod export;
mod lexical;
mod name;
mod options;
mod rows;
mod server;
#[cfg(test)]
mod tests;
mod weights;
mod words;

pub use answer::best;
pub use cluster::Cluster;
pub use documents::Documents;
pub use export::export;
pub use options::Clickhouse;
