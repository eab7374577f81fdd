//! Texts that are ranked for other texts as a model ranks them: by SCS and, where it has
//! translations, by the lexical score beside it.

use std::sync::Arc;

use smooth_clir::lexical::score::Matching;
use smooth_clir::lexical::stems::Stems;
use smooth_clir::lexical::translation::{Entry, Translations, Translator};
use smooth_clir::model::Model;
use smooth_clir::text;
use smooth_clir::text::vocabulary::Vocabulary;

use super::bm25::Bm25;
use super::ranking::Encoded;
use crate::data::Direction;
use crate::error::Error;
use crate::terminal::phase::Phases;

/// Queries, documents and how they are scored.
#[derive(Debug)]
pub struct Hybrid<'a> {
    queries: Encoded,
    documents: Encoded,
    epsilon: f32,
    lexical: Option<(Lexical<'a>, Vec<Vec<String>>)>,
    weights: [f32; 2],
}

/// Documents by their words.
#[derive(Debug)]
pub struct Lexical<'a> {
    table: Arc<Translations>,
    query: &'a Vocabulary,
    document: &'a Vocabulary,
    weights: Option<&'a [f32]>,
    documents: Bm25,
}

impl<'a> Hybrid<'a> {
    /// Texts of English and of a language as the model scores them in a direction: the queries
    /// first. `dense` is the share of SCS; without it, that of the model.
    ///
    /// # Errors
    /// If the model lacks an encoder, or there are too many words.
    pub fn new(
        model: &'a Model,
        (language, direction): (&str, Direction),
        texts: [&[&str]; 2],
        dense: Option<f32>,
    ) -> Result<Self, Error> {
        Self::watched(model, (language, direction), texts, dense, Phases::Hidden)
    }

    /// [`new`](Self::new), with a bar for each phase.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn watched(
        model: &'a Model,
        (language, direction): (&str, Direction),
        [queries, documents]: [&[&str]; 2],
        dense: Option<f32>,
        phases: Phases,
    ) -> Result<Self, Error> {
        let (english, foreign) = (model.query_encoder()?, model.document_encoder(language)?);
        let [asking, asked] = match direction {
            Direction::Forward => [english, foreign],
            Direction::Back => [foreign, english],
        };
        let epsilon = model.config.epsilon;
        let calibration = model.config.calibration.get(language);
        if dense.is_some() && calibration.is_none() {
            eprintln!(
                "note: --dense changes nothing: the model has no lexical scores of {language}"
            );
        }
        let weights = calibration
            .map_or([1.0, 0.0], |calibration| calibration.weights(epsilon, epsilon, dense));
        let table = model.translations.get(language).filter(|_| weights[1] > 0.0);
        let lexical = table.map(|table| -> Result<_, Error> {
            let of_direction = match direction {
                Direction::Forward => table.clone(),
                Direction::Back => {
                    Arc::new(turned(table, &english.vocabulary, &foreign.vocabulary)?)
                }
            };
            let words = [&asking.vocabulary, &asked.vocabulary];
            let phase = phases.phase("counting words", documents.len(), "documents");
            let texts = documents.iter().copied().inspect(|_| phase.step(1));
            let lexical = Lexical::new(of_direction, (words, asking.weights.as_deref()), texts)?;
            let read = |token: String| match direction {
                Direction::Forward => token,
                // As a query's word: by its base.
                Direction::Back => table.base(&token).map(str::to_owned).unwrap_or(token),
            };
            let tokens = |query: &&str| text::tokens(query).into_iter().map(read).collect();
            Ok((lexical, queries.iter().map(tokens).collect()))
        });
        let encoded = |what: &str, encoder, texts: &[&str]| {
            let phase = phases.phase(what, texts.len(), "texts");
            Encoded::of_texts(encoder, texts, |text| {
                phase.step(1);
                text
            })
        };
        Ok(Self {
            queries: encoded("encoding queries", asking, queries),
            documents: encoded("encoding documents", asked, documents),
            epsilon,
            lexical: lexical.transpose()?,
            weights,
        })
    }

    /// The same documents with other vectors, one after the other.
    #[must_use]
    pub fn with_vectors(self, values: Vec<f32>) -> Self {
        Self { documents: Encoded::of_vectors(self.documents.dimension(), values), ..self }
    }

    /// How many queries there are.
    pub fn queries(&self) -> usize {
        self.queries.len()
    }

    /// The scores of some documents for a query.
    pub fn scores(&self, query: usize, documents: impl Iterator<Item = usize>) -> Vec<f32> {
        self.parts(query, documents).into_iter().map(|parts| self.weigh(parts)).collect()
    }

    /// The score of an SCS and a lexical score.
    pub fn weigh(&self, [similarity, lexical]: [f32; 2]) -> f32 {
        let [dense, other] = self.weights;
        dense * similarity + other * lexical
    }

    /// The SCS and the lexical score of some documents for a query.
    pub fn parts(&self, query: usize, documents: impl Iterator<Item = usize>) -> Vec<[f32; 2]> {
        let lexical = self.lexical.as_ref().map(|(lexical, tokens)| lexical.scores(&tokens[query]));
        let parts = |document| {
            let similarity = self.queries.score(query, &self.documents, document, self.epsilon);
            [similarity, lexical.as_ref().map_or(0.0, |scores| scores[document])]
        };
        documents.map(parts).collect()
    }

    /// The median norms of queries and of documents, at least one of which there must be.
    pub fn median_norms(&self) -> [f32; 2] {
        [&self.queries, &self.documents].map(|vectors| {
            let mut norms: Vec<f32> = (0..vectors.len()).map(|at| vectors.norm(at)).collect();
            let middle = norms.len() / 2;
            *norms.select_nth_unstable_by(middle, f32::total_cmp).1
        })
    }
}

impl<'a> Lexical<'a> {
    /// Counts the words of documents. `words` are those that the table is of: of queries, then of
    /// documents.
    ///
    /// # Errors
    /// If there are too many.
    pub fn new<'b>(
        table: Arc<Translations>,
        ([query, document], weights): ([&'a Vocabulary; 2], Option<&'a [f32]>),
        texts: impl Iterator<Item = &'b str>,
    ) -> Result<Self, Error> {
        let documents = Bm25::new(texts, Some(table.clone()))?;
        Ok(Self { table, query, document, weights, documents })
    }

    /// The lexical score of each document for a query's words.
    pub fn scores(&self, tokens: &[String]) -> Vec<f32> {
        let Self { table, query, document, weights, documents } = self;
        let translator = Translator { table, query, document, weights: *weights };
        documents.scores(tokens, Matching::Translated(translator))
    }
}

/// The table of the other direction.
///
/// # Errors
/// If there are too many words.
pub fn turned(
    table: &Translations,
    english: &Vocabulary,
    foreign: &Vocabulary,
) -> Result<Translations, Error> {
    let mut back = Translations::new(&swapped(table.entries(english, foreign)), foreign, english)?;
    let stems = table.stems.as_ref();
    let of_stems = |stems: &Stems| {
        let [query, document] = stems.ends;
        Stems::new(&swapped(stems.entries()), [document, query])
    };
    back.stems = stems.map(of_stems).transpose()?;
    Ok(back)
}

fn swapped(entries: Vec<Entry<'_>>) -> Vec<Entry<'_>> {
    let swap = |entry| {
        let Entry { query, document, strength } = entry;
        Entry { query: document, document: query, strength }
    };
    entries.into_iter().map(swap).collect()
}
