//! Why a document is where it is.

use super::Engine;
use super::encoded::check_query;
use super::weights::DENSE_ONLY;
use crate::Error;
use crate::encoder::{Encoder, Reading};
use crate::error::check_dense;
use crate::math::kernels::{dot, norm};
use crate::math::similarity::from_parts;
use crate::ranking::scan::Query;
use crate::text;

/// What a score is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The query's words, each once, in the order of the text.
    pub query: Vec<Word>,
    /// The document's words; none where its text or the document encoder of its language is not here.
    pub document: Vec<Word>,
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
    /// What the two weigh.
    pub weights: [f32; 2],
    /// The score: the two by their weights.
    pub score: f32,
    /// The query's words that were found in the document, and what they were taken for.
    pub taken: Vec<Taken>,
    /// The language of documents that the query is in; `None` for the queries' own.
    pub query_language: Option<String>,
}

/// A word of the query that was found in a document, in translation; or the stem of one, with a
/// hyphen where letters are missing.
#[derive(Debug, Clone, PartialEq)]
pub struct Taken {
    /// As the text rule has it.
    pub token: String,
    /// The words, or stems, it was taken for that the document has, each with its share of all that
    /// the word is taken for, and how often it is there.
    pub terms: Vec<(String, f32, u32)>,
    /// Its part of the lexical score, by its weight: these add up to that score's part.
    pub adds: f32,
}

/// A word of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Word {
    /// As the text rule has it.
    pub token: String,
    /// The known word that it is taken for, where it is none itself.
    pub meant: Option<String>,
    /// The similarity less that without the word, wherever it stands in the text; a text without words
    /// scores 0. `None` for a word that the model does not know, which changes nothing.
    pub adds: Option<f32>,
}

impl Engine {
    /// Takes the score of a document apart, by its place among all: see [`find`](Self::find).
    /// `dense` is the share of SCS, as in a [search](super::Search).
    ///
    /// What each word adds is exact. As a vector is no sum of words', but the tanh of a mean, say, and
    /// the score a quotient, these do not add up to the score. A document's words are taken from its
    /// vector before that was rounded for the index. `None` where there is no such place.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`], [`Error::Epsilon`], [`Error::Dense`].
    pub fn explain(
        &self,
        query: &str,
        place: usize,
        epsilon: Option<f32>,
        dense: Option<f32>,
    ) -> Result<Option<Explanation>, Error> {
        check_query(query)?;
        check_dense(dense)?;
        let epsilon = self.check_epsilon(epsilon)?;
        let Some((number, position)) = self.place(place) else { return Ok(None) };
        let index = &self.indexes[number];
        let interpreted = self.interpret(query);
        let zeros = || vec![0.0; self.model.config.dimension];
        let whole = Query::new(interpreted.vector().unwrap_or_else(zeros));
        let (dot_product, similarity) = index.score(position, &whole, epsilon);
        let words = words(
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
        let number = index.languages.iter().position(|l| l == language).unwrap_or(0);
        let weights =
            self.weights(index, epsilon, dense).map_or(DENSE_ONLY, |weights| weights[number]);
        let tokens = (&interpreted.read[..], interpreted.language.is_none());
        let question = self.question(tokens, language).zip(index.words(language));
        let (mut taken, mut lexical) = (Vec::new(), None);
        if let Some((question, part)) = question {
            let mut sum = 0.0;
            for word in &question.words {
                let terms = question.found(word, part, position);
                let count =
                    terms.iter().fold(0.0, |sum, (_, share, count)| sum + share * *count as f32);
                if count > 0.0 {
                    let adds = question.adds(word, count, part.lengths[position]);
                    sum += adds;
                    let own = |(term, share, count)| (word.shown_term(term), share, count);
                    taken.push(Taken {
                        token: word.shown(),
                        terms: terms.into_iter().map(own).collect(),
                        adds: weights[1] * adds,
                    });
                }
            }
            lexical = Some(sum);
        }
        Ok(Some(Explanation {
            query: words,
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
            taken,
            query_language: interpreted.language.map(str::to_owned),
        }))
    }
}

/// What each word of a text adds to the score that its vector has. The words are as they are in the
/// text, then as they are read.
fn words(
    encoder: &Encoder,
    [tokens, read]: [&[String]; 2],
    readings: &[Reading],
    score: impl Fn(Vec<f32>) -> f32,
) -> Vec<Word> {
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
    let mut words: Vec<Word> = Vec::new();
    for ((token, read), reading) in tokens.iter().zip(read).zip(readings) {
        if words.iter().all(|word| word.token != *token) {
            let adds = (reading.known() > 0).then(|| whole - without(Some(token)));
            let meant = (read != token).then(|| read.clone());
            words.push(Word { token: token.clone(), meant, adds });
        }
    }
    words
}
