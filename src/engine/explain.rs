//! Why a document is where it is.

use super::{Engine, check_query};
use crate::encoder::{Encoder, Reading};
use crate::error::check_epsilon;
use crate::kernels::{dot, norm};
use crate::scan::Query;
use crate::similarity::from_parts;
use crate::{Error, text};

/// What a score is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The query's words, each once, in the order of the text.
    pub query: Vec<Word>,
    /// The document's words; none where its text or its language's side is not here.
    pub document: Vec<Word>,
    /// The norm of the query's vector.
    pub query_norm: f32,
    /// The norm of the document's.
    pub document_norm: f32,
    /// Their dot product.
    pub dot: f32,
    /// Their smooth cosine similarity; 0 where the query has no known word.
    pub score: f32,
}

/// A word of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// As the text rule has it.
    pub token: String,
    /// The score less that without the word, wherever it stands in the text; a text without words
    /// scores 0. `None` for a word that the model does not know, which changes nothing.
    pub adds: Option<f32>,
}

impl Engine {
    /// Takes the score of a document apart, by its place among all: see [`find`](Self::find).
    ///
    /// What each word adds is exact. As a vector is the tanh of a mean, and the score a quotient,
    /// these do not add up to the score. A document's words are taken from its vector before that
    /// was rounded for the index. `None` where there is no such place.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`], [`Error::Epsilon`].
    pub fn explain(
        &self,
        query: &str,
        place: usize,
        epsilon: Option<f32>,
    ) -> Result<Option<Explanation>, Error> {
        check_query(query)?;
        let epsilon = check_epsilon(epsilon.unwrap_or(self.model.config.epsilon))?;
        let Some((number, position)) = self.place(place) else { return Ok(None) };
        let index = &self.indexes[number];
        let whole = Query::new(self.query.encode(query));
        let (dot_product, score) = index.score(position, &whole, epsilon);
        let words = words(&self.query, query, |vector| {
            index.score(position, &Query::new(vector), epsilon).1
        });
        let side = self.model.documents.get(index.language(position));
        let document = index.shown(position).zip(side).map_or(Vec::new(), |(shown, side)| {
            self::words(side, shown.text, |vector| {
                from_parts(dot(&whole.vector, &vector), whole.norm(), norm(&vector), epsilon)
            })
        });
        Ok(Some(Explanation {
            query: words,
            document,
            query_norm: whole.norm(),
            document_norm: index.norm(position),
            dot: dot_product,
            score,
        }))
    }
}

/// What each word of a text adds to the score that its vector has.
fn words(side: &Encoder, text: &str, score: impl Fn(Vec<f32>) -> f32) -> Vec<Word> {
    let tokens = text::tokens(text);
    let readings: Vec<Reading> = tokens.iter().map(|token| side.read_word(token)).collect();
    let without = |left_out: Option<&str>| {
        let mut kept = Reading::default();
        for (token, reading) in tokens.iter().zip(&readings) {
            if Some(&token[..]) != left_out {
                kept.append(reading);
            }
        }
        let mut vector = vec![0.0; side.network.dimension()];
        side.encode_reading(&kept, &mut vector);
        score(vector)
    };
    let whole = without(None);
    let mut words: Vec<Word> = Vec::new();
    for (token, reading) in tokens.iter().zip(&readings) {
        if words.iter().all(|word| word.token != *token) {
            let adds = (reading.known() > 0).then(|| whole - without(Some(token)));
            words.push(Word { token: token.clone(), adds });
        }
    }
    words
}
