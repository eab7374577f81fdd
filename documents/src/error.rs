//! Every way in which documents are refused.

use std::io;

/// The most bytes of a line, a record or a page.
pub const MOST_BYTES: u64 = 16 << 20;

/// What is wrong, and where in the file; the caller knows which file.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The bytes cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    /// A line or a record is refused.
    #[error("line {line}: {problem}")]
    Line {
        /// The line, counted from 1.
        line: u64,
        /// What was found and what was expected.
        problem: String,
    },
    /// The file or page as a whole is refused.
    #[error("{0}")]
    Whole(String),
    /// No document has a field that was asked for.
    #[error("{name}: no document has it; there are {there}")]
    NoField {
        /// The field's name.
        name: String,
        /// The names of the first fields that documents have.
        there: String,
    },
}

/// A value in an error, cut where it is long.
pub fn shown(value: &str) -> String {
    let mut cut: String = value.chars().take(60).collect();
    if cut.len() < value.len() {
        cut.push('…');
    }
    cut
}
