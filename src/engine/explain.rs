//! Explanations of scores.

use serde_json::{Map, Value};

use super::weights::DENSE_ONLY;
use super::{Engine, QueryText};
use crate::Error;
use crate::encoder::{Encoder, Reading};
use crate::error::check_dense;
use crate::index::Index;
use crate::lexical::score::{LexicalQuery, Occurrence};
use crate::limits;
use crate::math::kernels::{dot, norm};
use crate::math::similarity::from_parts;
use crate::ranking::scan::Query;
use crate::text;

/// The parts of a score.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The query's words, each once, in the order of the text. Of a long text the first are explained: see
    /// [`limits::EXPLAINED_WORDS`].
    pub query: Vec<WordContribution>,
    /// The document's words, as for the query; none where its text or the document encoder of its language is not here.
    pub document: Vec<WordContribution>,
    /// The norm of the query's vector.
    pub query_norm: f32,
    /// The norm of the document's.
    pub document_norm: f32,
    /// Their dot product.
    pub dot: f32,
    /// Their smooth cosine similarity; 0 where the query has no known word.
    pub similarity: f32,
    /// Their lexical score; `None` where the model has no translations of the document's language.
    pub lexical: Option<f32>,
    /// The weights of the two.
    pub weights: [f32; 2],
    /// The score: the two by their weights.
    pub score: f32,
    /// The query's words whose terms the document contains.
    pub matches: Vec<LexicalMatch>,
    /// The language of documents that the query is in; `None` for the queries' own.
    pub query_language: Option<String>,
}

/// A word of the query whose translations a document contains; or the stem of one, with a hyphen where
/// letters are missing.
#[derive(Debug, Clone, PartialEq)]
pub struct LexicalMatch {
    /// As the text rule has it.
    pub token: String,
    /// Its terms in the document: translations, or the word itself.
    pub terms: Vec<Term>,
    /// Its contribution to the score, weighted: these add up to the lexical part of the score.
    pub contribution: f32,
}

/// A term of a query's word in a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// A word, or the stem of one, with a hyphen where letters are missing.
    pub token: String,
    /// Its probability among all terms of the word.
    pub probability: f32,
    /// Its number of occurrences in the document.
    pub count: u32,
}

/// A word of a text, and its contribution to the similarity.
#[derive(Debug, Clone, PartialEq)]
pub struct WordContribution {
    /// As the text rule has it.
    pub token: String,
    /// The nearest known spelling that it is interpreted as, where it is unknown itself.
    pub interpreted: Option<String>,
    /// The similarity less that without the word, wherever it stands in the text; a text without words
    /// scores 0. `None` for a word that the model does not know, which changes nothing.
    pub contribution: Option<f32>,
}

impl Engine {
    /// Explains the score of the document at a place among all: see [`find`](Self::find).
    /// `dense` is the weight of SCS, as in a [search](super::Search).
    ///
    /// The contribution of each word is exact. Contributions do not add up to the score, because a vector
    /// is not the sum of its words' rows (it is the tanh of their mean, say), and the score is a quotient. A
    /// document's words are removed from its vector as it was before it was rounded for the index. `None`
    /// where there is no such place.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`], [`Error::UnknownQueryLanguage`], [`Error::Epsilon`], [`Error::Dense`].
    pub fn explain<'a>(
        &self,
        query: impl Into<QueryText<'a>>,
        place: usize,
        epsilon: Option<f32>,
        dense: Option<f32>,
    ) -> Result<Option<Explanation>, Error> {
        let interpreted = self.interpret(query.into())?;
        check_dense(dense)?;
        let epsilon = self.check_epsilon(epsilon)?;
        let Some((number, position)) = self.place(place) else { return Ok(None) };
        let index = &self.indexes[number];
        let zeros = || vec![0.0; self.model.config.dimension];
        let whole = Query::new(interpreted.vector().unwrap_or_else(zeros));
        let (dot_product, similarity) = index.score(position, &whole, epsilon);
        let query_words = words(
            interpreted.encoder,
            [&interpreted.typed, &interpreted.read],
            &interpreted.readings,
            |vector| index.score(position, &Query::new(vector), epsilon).1,
        );
        let encoder = self.model.documents.get(index.language(position));
        let document = index.shown(position).zip(encoder).map_or(Vec::new(), |(shown, encoder)| {
            let tokens = text::tokens(shown.text);
            let readings: Vec<_> = tokens.iter().map(|token| encoder.read_word(token)).collect();
            self::words(encoder, [&tokens, &tokens], &readings, |vector| {
                from_parts(dot(&whole.vector, &vector), whole.norm(), norm(&vector), epsilon)
            })
        });
        let language = index.language(position);
        let by_pivot = interpreted.language.is_some();
        let weights = self.weights_in((index, language), (epsilon, by_pivot), dense);
        let words =
            self.lexical_words(&interpreted.read, &interpreted.relatives, interpreted.language);
        let query = self.lexical_query(&words, language);
        let found = query.and_then(|query| lexical_matches(&query, index, position, weights[1]));
        let (matches, lexical) = found.map_or_else(Default::default, |(all, sum)| (all, Some(sum)));
        Ok(Some(Explanation {
            query: query_words,
            document,
            query_norm: whole.norm(),
            document_norm: index.norm(position),
            dot: dot_product,
            similarity,
            lexical,
            weights,
            score: lexical.map_or(weights[0] * similarity, |lexical| {
                weights[0] * similarity + weights[1] * lexical
            }),
            matches,
            query_language: interpreted.language.map(str::to_owned),
        }))
    }

    /// For the document at each of some places, the words of a query whose terms it contains: as in an explanation by
    /// the model's own weights, without the contributions to the similarity, which cost far more. None for a place
    /// that there is not.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`], [`Error::UnknownQueryLanguage`].
    pub fn matches<'a>(
        &self,
        query: impl Into<QueryText<'a>>,
        places: &[usize],
    ) -> Result<Vec<Vec<LexicalMatch>>, Error> {
        let interpreted = self.interpret(query.into())?;
        let words =
            self.lexical_words(&interpreted.read, &interpreted.relatives, interpreted.language);
        // The translations into each language are looked up once.
        let queries: Vec<_> = (self.languages().into_iter())
            .filter_map(|language| Some((language, self.lexical_query(&words, language)?)))
            .collect();
        let found = |&place| {
            let (number, position) = self.place(place)?;
            let index = &self.indexes[number];
            let language = index.language(position);
            let at = (self.model.config.epsilon, interpreted.language.is_some());
            let [_, weight] = self.weights_in((index, language), at, None);
            let (_, query) = queries.iter().find(|(one, _)| *one == language)?;
            Some(lexical_matches(query, index, position, weight)?.0)
        };
        Ok(places.iter().map(|place| found(place).unwrap_or_default()).collect())
    }

    /// The weights of the dense and the lexical score of an index's documents in a language.
    fn weights_in(
        &self,
        (index, language): (&Index, &str),
        at: (f32, bool),
        dense: Option<f32>,
    ) -> [f32; 2] {
        let number = index.languages.iter().position(|one| one == language).unwrap_or(0);
        self.weights(index, at, dense).map_or(DENSE_ONLY, |weights| weights[number])
    }
}

/// The words of a query whose terms the document of an index contains, their contributions times `weight`, and the
/// lexical score; `None` where the index has no words of the document's language.
fn lexical_matches(
    query: &LexicalQuery<'_>,
    index: &Index,
    position: usize,
    weight: f32,
) -> Option<(Vec<LexicalMatch>, f32)> {
    let part = index.words(index.language(position))?;
    let (mut matches, mut lexical) = (Vec::new(), 0.0);
    for word in &query.words {
        let occurrences = query.occurrences(word, part, position);
        let expected = |sum, found: &Occurrence<'_>| sum + found.probability * found.count as f32;
        let count = occurrences.iter().fold(0.0, expected);
        if count > 0.0 {
            let contribution = query.contribution(word, count, part.lengths[position]);
            lexical += contribution;
            let term = |Occurrence { term, probability, count }| Term {
                token: word.shown_term(term),
                probability,
                count,
            };
            matches.push(LexicalMatch {
                token: word.shown(),
                terms: occurrences.into_iter().map(term).collect(),
                contribution: weight * contribution,
            });
        }
    }
    Some((matches, lexical))
}

/// The contribution of each word of a text to the score of its vector. `tokens` are the words of the text,
/// `read` the words that they are interpreted as.
fn words(
    encoder: &Encoder,
    [tokens, read]: [&[String]; 2],
    readings: &[Reading],
    score: impl Fn(Vec<f32>) -> f32,
) -> Vec<WordContribution> {
    let without = |left_out: Option<&str>| {
        let mut kept = Reading::default();
        for (token, reading) in tokens.iter().zip(readings) {
            if Some(&token[..]) != left_out {
                kept.append(reading);
            }
        }
        let mut vector = vec![0.0; encoder.network.dimension()];
        encoder.encode_reading(&kept, &mut vector);
        score(vector)
    };
    let whole = without(None);
    // A map of JSON's, whose code is in the module already.
    let (mut words, mut seen) = (Vec::new(), Map::new());
    // The text is encoded again for each.
    let mut most = limits::EXPLAINED_WORDS / tokens.len().max(1);
    for ((token, read), reading) in tokens.iter().zip(read).zip(readings) {
        if seen.insert(token.clone(), Value::Null).is_some() {
            continue;
        }
        let is_known = reading.known() > 0;
        if is_known && most == 0 {
            break;
        }
        most -= usize::from(is_known);
        let contribution = is_known.then(|| whole - without(Some(token)));
        let interpreted = (read != token).then(|| read.clone());
        words.push(WordContribution { token: token.clone(), interpreted, contribution });
    }
    words
}
