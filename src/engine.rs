//! What a host holds: a model and its indexes.

use crate::encoder::Encoder;
use crate::error::check_epsilon;
use crate::index::{Best, Index, Scored};
use crate::model::Model;
use crate::{Error, text};

/// The longest query that is searched for, in bytes.
pub const MOST_QUERY_BYTES: usize = 1 << 20;

/// A model with a query side, and the indexes that it made.
#[derive(Debug)]
pub struct Engine {
    model: Model,
    query: Encoder,
    indexes: Vec<Index>,
}

/// A document found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit<'a> {
    /// Its name.
    pub id: &'a str,
    /// Its language.
    pub language: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its text.
    pub text: &'a str,
    /// Its smooth cosine similarity to the query.
    pub score: f32,
    /// Its dot product with the query.
    pub dot: f32,
    /// The norm of its vector.
    pub document_norm: f32,
}

/// What is searched for, and how.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// The query's text.
    pub query: &'a str,
    /// Epsilon, the model's own where it is `None`.
    pub epsilon: Option<f32>,
    /// How many documents at most.
    pub limit: usize,
    /// One language only.
    pub language: Option<&'a str>,
}

impl Engine {
    /// An engine without documents.
    ///
    /// # Errors
    /// [`Error::MissingPart`] if the model has no query side.
    pub fn new(mut model: Model) -> Result<Self, Error> {
        let query = model.query_encoder()?.clone();
        model.query = None;
        Ok(Self { model, query, indexes: Vec::new() })
    }

    /// Adds an index.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if another model made it.
    pub fn add(&mut self, index: Index) -> Result<(), Error> {
        let (found, expected) = (&index.model, &self.model.space);
        if found != expected || index.dimension() != self.model.config.dimension {
            let (found, expected) = (found.clone(), expected.clone());
            return Err(Error::Mismatch { what: "the index".into(), found, expected });
        }
        self.indexes.push(index);
        Ok(())
    }

    /// The model, without its query side.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The indexes, in the order in which they were added.
    pub fn indexes(&self) -> &[Index] {
        &self.indexes
    }

    /// The languages of the documents, in the order in which they were added.
    pub fn languages(&self) -> Vec<&str> {
        let mut languages: Vec<&str> = Vec::new();
        for language in self.indexes.iter().flat_map(|index| &index.languages) {
            if !languages.contains(&language.as_str()) {
                languages.push(language);
            }
        }
        languages
    }

    /// The tokens of a query, and whether the model knows each.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`].
    pub fn tokens(&self, query: &str) -> Result<Vec<(String, bool)>, Error> {
        check_query(query)?;
        let known = |token: String| {
            let known = self.query.vocabulary.row(&token).is_some();
            (token, known)
        };
        Ok(text::tokens(query).into_iter().map(known).collect())
    }

    /// The best documents, best first; of equal scores the one that was added first. None where
    /// the query has no known word.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`], [`Error::Epsilon`], [`Error::MissingPart`] for a language that no
    /// index has.
    pub fn search(&self, search: Search<'_>) -> Result<Vec<Hit<'_>>, Error> {
        check_query(search.query)?;
        let epsilon = check_epsilon(search.epsilon.unwrap_or(self.model.config.epsilon))?;
        if let Some(language) = search.language {
            let languages = self.languages();
            if !languages.contains(&language) {
                return Err(Error::MissingPart {
                    part: format!("documents in `{language}`"),
                    available: languages.join(", "),
                });
            }
        }
        if self.query.vocabulary.rows(search.query).is_empty() {
            return Ok(Vec::new());
        }
        let query = self.query.encode(search.query);
        let mut best = Best::new(search.limit);
        let mut first_place = 0;
        for index in &self.indexes {
            index.rank(&query, epsilon, search.language, first_place, &mut best);
            first_place += index.len();
        }
        Ok(best.into_vec().into_iter().filter_map(|scored| self.hit(scored)).collect())
    }

    fn hit(&self, scored: Scored) -> Option<Hit<'_>> {
        let mut position = scored.position;
        for index in &self.indexes {
            if position < index.len() {
                return Some(Hit {
                    id: index.ids.get(position),
                    language: index.language(position),
                    title: index.titles.get(position),
                    text: index.texts.get(position),
                    score: scored.score,
                    dot: scored.dot,
                    document_norm: index.norm(position),
                });
            }
            position -= index.len();
        }
        None
    }
}

fn check_query(query: &str) -> Result<(), Error> {
    match query.len() > MOST_QUERY_BYTES {
        true => Err(Error::QueryTooLong { found: query.len(), most: MOST_QUERY_BYTES }),
        false => Ok(()),
    }
}
