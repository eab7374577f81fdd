//! What a collection was found to have, and what of it was left out.

use std::collections::BTreeMap;
use std::fmt;

use crate::error::shown;

/// What came of a collection: told at the end of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Files that were left out, in the order of reading.
    pub left_out: Vec<LeftOut>,
    /// Of each language, its documents; that of documents whose language nothing told is "".
    pub languages: BTreeMap<String, Count>,
    /// Paragraphs that were left out because many pages have them.
    pub repeated: u64,
}

/// A file that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its place, as the page's.
    pub place: String,
    /// Why.
    pub reason: String,
    /// Whether something is wrong with it: it is not only without words.
    pub is_wrong: bool,
}

/// The documents of a language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Those that are indexed.
    pub indexed: u64,
    /// Those that are left out.
    pub left_out: u64,
}

impl Report {
    /// Notes that a file is left out.
    pub fn leave_out(&mut self, place: &str, reason: impl fmt::Display, is_wrong: bool) {
        let (place, reason) = (place.to_owned(), reason.to_string());
        self.left_out.push(LeftOut { place, reason, is_wrong });
    }

    /// The number of documents that are indexed.
    pub fn indexed(&self) -> u64 {
        self.languages.values().map(|count| count.indexed).sum()
    }
}

/// Its lines: files that were left out, languages, repeated paragraphs.
impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for LeftOut { place, reason, .. } in &self.left_out {
            writeln!(formatter, "{}: left out, {reason}", shown(place))?;
        }
        Ok(())
    }
}
