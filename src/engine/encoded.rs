//! An encoded query: the part of a search that does not depend on epsilon or the limit.

use crate::Error;
use crate::limits;
use crate::ranking::scan::Query;

/// A query that was encoded, its dot products with the documents and their lexical scores: ranking
/// them again, at another epsilon or with another limit, reads no vectors or words.
#[derive(Debug, Clone)]
pub struct EncodedQuery {
    /// Its words, as they are interpreted.
    pub(super) tokens: Vec<String>,
    /// The known word that each is probably a form of, if it is unknown.
    pub(super) relatives: Vec<Option<String>>,
    /// The language of documents that they are in; `None` for the queries' own.
    pub(super) language: Option<String>,
    /// `None` where it has no known word.
    pub(super) query: Option<Query>,
    /// The lexical scores in each index, once they were looked up; empty where none is above 0.
    pub(super) lexical: Option<Vec<LexicalScores>>,
    /// The dot products in each index, as far as it was ranked.
    pub(super) dots: Vec<Vec<f32>>,
}

/// The lexical scores of the documents of an index.
#[derive(Debug, Clone)]
pub(super) enum LexicalScores {
    /// Of all.
    OfAll(Vec<f32>),
    /// The index is large: of a few documents, each with its position, once it was ranked.
    OfFew(Vec<(usize, f32)>),
}

impl LexicalScores {
    /// Of all documents, if they are there.
    pub fn of_all(&self) -> &[f32] {
        match self {
            Self::OfAll(scores) => scores,
            Self::OfFew(_) => &[],
        }
    }
}

impl EncodedQuery {
    /// Whether an index is large and has words of the query.
    pub(super) fn is_of_few(&self, index: usize) -> bool {
        let scores = self.lexical.as_ref().and_then(|scores| scores.get(index));
        matches!(scores, Some(LexicalScores::OfFew(_)))
    }

    /// Whether any index is.
    pub(super) fn is_any_of_few(&self) -> bool {
        let indexes = self.lexical.as_ref().map_or(0, Vec::len);
        (0..indexes).any(|index| self.is_of_few(index))
    }

    /// The query's vector; `None` where it has no known word.
    pub fn query(&self) -> Option<&Query> {
        self.query.as_ref()
    }
}

/// The text of a query, and its language where that was chosen.
#[derive(Debug, Clone, Copy)]
pub struct QueryText<'a> {
    /// The text.
    pub text: &'a str,
    /// The queries' language or one of documents; it is detected where it is `None`.
    pub language: Option<&'a str>,
}

impl<'a> From<&'a str> for QueryText<'a> {
    fn from(text: &'a str) -> Self {
        Self { text, language: None }
    }
}

impl<'a> From<&'a String> for QueryText<'a> {
    fn from(text: &'a String) -> Self {
        Self { text, language: None }
    }
}

/// Refuses a query longer than [`limits::QUERY_BYTES`].
pub(crate) fn check_query(query: &str) -> Result<(), Error> {
    if query.len() > limits::QUERY_BYTES {
        return Err(Error::QueryTooLong { found: query.len(), most: limits::QUERY_BYTES });
    }
    Ok(())
}
