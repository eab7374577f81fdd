//! Every way in which documents are refused.

use std::io;

use crate::limits;

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
    /// A page is not UTF-8, and declares no other charset.
    #[error(
        "not UTF-8 at byte {byte}: convert the file, or let HTML declare another charset with <meta charset>"
    )]
    NotUtf8 {
        /// The byte, counted from 1.
        byte: u64,
        /// Its line.
        line: u64,
    },
    /// A page would cost far more than its length: it is to be left out, and the others read.
    #[error("more than {most} {what}, the most that is read: {remedy}")]
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// The limit, one of [`limits`](crate::limits).
        most: u64,
        /// What to do.
        remedy: &'static str,
    },
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
    let mut cut: String = value.chars().take(limits::SHOWN_CHARACTERS).collect();
    if cut.len() < value.len() {
        cut.push('…');
    }
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_is_cut() {
        let value = |chars| "é".repeat(chars);
        for chars in [limits::SHOWN_CHARACTERS - 1, limits::SHOWN_CHARACTERS] {
            assert_eq!(shown(&value(chars)), value(chars));
        }
        assert_eq!(
            shown(&value(limits::SHOWN_CHARACTERS + 1)),
            value(limits::SHOWN_CHARACTERS) + "…"
        );
    }
}
