//! The commands: a file or a folder each, with its options.

pub mod compact;
#[cfg(feature = "teacher")]
pub mod compact_teacher;
pub mod corpus;
pub mod encode;
pub mod evaluate;
mod evaluated;
pub mod experiment;
#[cfg(feature = "clickhouse")]
pub mod export;
#[cfg(feature = "import")]
pub mod import;
pub mod index;
mod language;
pub mod manifest;
pub mod metrics;
pub mod pack;
pub mod search;
#[cfg(feature = "serve")]
pub mod serve;
pub mod statistics;
pub mod theory;
pub mod train;
pub mod verify;
