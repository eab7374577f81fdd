//! What a host holds: a model and its indexes.

mod among;
mod explain;
mod halves;
mod languages;
#[cfg(feature = "learn")]
mod learned;
mod meant;
#[cfg(feature = "learn")]
mod own;

pub use explain::{Explanation, Taken, Word};
#[cfg(feature = "learn")]
pub use own::Own;

use std::collections::BTreeMap;

use crate::Error;
use crate::encoder::{Encoder, Reading};
use crate::error::{check_dense, check_epsilon};
use crate::index::{BlockFile, Filter, Index};
use crate::math::similarity::from_parts;
use crate::model::Model;
use crate::ranking::scan;
use crate::ranking::scan::{Query, Ranking, Scored, TopK};
use meant::InterpretedQuery;

/// The longest query that is searched for, in bytes.
pub const MOST_QUERY_BYTES: usize = 1 << 20;

/// A model with a query side, and the indexes that it made.
#[derive(Debug)]
pub struct Engine {
    model: Model,
    query: Encoder,
    indexes: Vec<Index>,
    /// The numbers of the indexes that were made here.
    #[cfg(feature = "learn")]
    own: Vec<usize>,
}

/// A word of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// As the text rule has it.
    pub token: String,
    /// Whether the model knows it, as a vector or by its translations.
    pub known: bool,
    /// The known word that it is taken for, where it is none itself.
    pub meant: Option<String>,
}

/// A document found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit<'a> {
    /// Its name.
    pub id: &'a str,
    /// Its language.
    pub language: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its text.
    pub text: &'a str,
    /// What it was ranked by.
    pub score: f32,
    /// Its smooth cosine similarity to the query.
    pub similarity: f32,
    /// Its lexical score; `None` where the model has no translations of its language, or where SCS
    /// alone was asked for.
    pub lexical: Option<f32>,
    /// Its dot product with the query.
    pub dot: f32,
    /// The norm of its vector.
    pub document_norm: f32,
    /// The names and values of its fields, sorted.
    pub fields: Vec<(&'a str, &'a str)>,
}

/// A query that was encoded, its dot products with the documents and their lexical scores: ranking
/// them again, at another epsilon or with another limit, needs no look at vectors or words.
#[derive(Debug, Clone)]
pub struct EncodedQuery {
    /// Its words, as they are read.
    tokens: Vec<String>,
    /// Whether they are in the queries' language.
    is_translated: bool,
    /// `None` where it has no known word.
    query: Option<Query>,
    /// Of each index, once they were looked up; empty where none is above 0.
    lexical: Option<Vec<Vec<f32>>>,
    /// Of each index, as far as it was ranked.
    dots: Vec<Vec<f32>>,
}

impl EncodedQuery {
    /// The query's vector; `None` where it has no known word.
    pub fn query(&self) -> Option<&Query> {
        self.query.as_ref()
    }
}

/// What is searched for, and how.
#[derive(Debug, Clone, Copy, Default)]
pub struct Search<'a> {
    /// The query's text.
    pub query: &'a str,
    /// Epsilon, the model's own where it is `None`.
    pub epsilon: Option<f32>,
    /// How many documents at most.
    pub limit: usize,
    /// One language only.
    pub language: Option<&'a str>,
    /// The share of SCS in scores, from 0 to 1; the model's own where it is `None`. Where the model
    /// has no translations, SCS is all there is.
    pub dense: Option<f32>,
    /// Only documents that pass all of them.
    pub filters: &'a [Filter<'a>],
}

impl Engine {
    /// An engine without documents.
    ///
    /// # Errors
    /// [`Error::MissingPart`] if the model has no query side.
    pub fn new(mut model: Model) -> Result<Self, Error> {
        let query = model.query_encoder()?.clone();
        model.query = None;
        Ok(Self {
            model,
            query,
            indexes: Vec::new(),
            #[cfg(feature = "learn")]
            own: Vec::new(),
        })
    }

    /// Adds an index. What was learned before holds for its documents too.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if another model made it.
    #[cfg_attr(not(feature = "learn"), expect(unused_mut))]
    pub fn add(&mut self, mut index: Index) -> Result<(), Error> {
        let (found, expected) = (&index.model, &self.model.space);
        if found != expected || index.dimension() != self.model.config.dimension {
            let (found, expected) = (found.clone(), expected.clone());
            return Err(Error::Mismatch { what: "the index".into(), found, expected });
        }
        #[cfg(feature = "learn")]
        index.catch_up(0..index.len(), &self.model);
        self.indexes.push(index);
        Ok(())
    }

    /// The model, without its query side.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The query side.
    pub fn query(&self) -> &Encoder {
        &self.query
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

    /// Of each field that documents have, how many have which value.
    pub fn fields(&self) -> BTreeMap<&str, BTreeMap<&str, usize>> {
        let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
        for index in &self.indexes {
            index.each_value(|name, value, count| {
                *counts.entry(name).or_default().entry(value).or_default() += count;
            });
        }
        counts
    }

    /// The tokens of a query, and what each is to the model.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`].
    pub fn tokens(&self, query: &str) -> Result<Vec<Token>, Error> {
        check_query(query)?;
        let InterpretedQuery { typed, read, readings, language, .. } = self.meant(query);
        let words = typed.into_iter().zip(read).zip(readings);
        let token = |((token, read), reading): ((String, String), Reading)| {
            let known = reading.known() > 0 || self.is_known(&read, language);
            Token { known, meant: (read != token).then_some(read), token }
        };
        Ok(words.map(token).collect())
    }

    /// The best documents, best first; of equal scores the one that was added first. None where
    /// the query has no known word and none that documents have.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`], [`Error::Epsilon`], [`Error::Dense`], [`Error::MissingPart`] for a
    /// language or a field that no index has, or a block of texts that has not been added.
    pub fn search(&self, search: Search<'_>) -> Result<Vec<Hit<'_>>, Error> {
        let mut asked = self.ask(search.query)?;
        let ranked = self.rank(&mut asked, search)?;
        self.hits(&asked, search.epsilon, &ranked)
    }

    /// Encodes a query.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`].
    pub fn ask(&self, query: &str) -> Result<EncodedQuery, Error> {
        check_query(query)?;
        let meant = self.meant(query);
        let query = meant.vector().map(Query::new);
        let is_translated = meant.language.is_none();
        Ok(EncodedQuery {
            tokens: meant.read,
            is_translated,
            query,
            lexical: None,
            dots: Vec::new(),
        })
    }

    /// The best documents for a query of this engine that was asked before, as
    /// [`search`](Self::search) orders them; the search's own text is not looked at.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn rank(&self, asked: &mut EncodedQuery, search: Search<'_>) -> Result<Vec<Scored>, Error> {
        let mut ranked = self.rank_all(std::slice::from_mut(asked), search)?;
        Ok(ranked.pop().unwrap_or_default())
    }

    /// [`rank`](Self::rank) for many queries at once: each block of documents is read once for all.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn rank_all(
        &self,
        asked: &mut [EncodedQuery],
        search: Search<'_>,
    ) -> Result<Vec<Vec<Scored>>, Error> {
        let epsilon = self.check(search)?;
        let mut best: Vec<TopK> = asked.iter().map(|_| TopK::new(search.limit)).collect();
        if search.dense != Some(1.0) {
            asked.iter_mut().for_each(|asked| self.look_up(asked));
        }
        let unknown = Query::new(vec![0.0; self.model.config.dimension]);
        let mut first_place = 0;
        for (number, index) in self.indexes.iter().enumerate() {
            let weights = self.weights(index, epsilon, search.dense);
            let mut rankings = Vec::new();
            for (EncodedQuery { query, lexical, dots, .. }, best) in asked.iter_mut().zip(&mut best)
            {
                let lexical = lexical.as_ref().and_then(|of| of.get(number)).map(Vec::as_slice);
                let query = match &*query {
                    Some(query) => query,
                    None if lexical.is_some() => &unknown,
                    None => continue,
                };
                let fusion = weights
                    .as_ref()
                    .map(|weights| index.fusion(lexical.unwrap_or_default(), weights));
                if dots.len() <= number {
                    dots.resize(number + 1, Vec::new());
                }
                rankings.push(Ranking { query, epsilon, dots: &mut dots[number], fusion, best });
            }
            index.rank(search.language, search.filters, first_place, &mut rankings);
            first_place += index.len();
        }
        Ok(best.into_iter().map(TopK::into_vec).collect())
    }

    /// What is shown of documents that were ranked for a query at an epsilon, the model's own where
    /// it is `None`.
    ///
    /// # Errors
    /// [`Error::MissingPart`] where a block of texts has not been added: see
    /// [`missing`](Self::missing). [`Error::Epsilon`].
    pub fn hits(
        &self,
        asked: &EncodedQuery,
        epsilon: Option<f32>,
        ranked: &[Scored],
    ) -> Result<Vec<Hit<'_>>, Error> {
        let epsilon = self.check_epsilon(epsilon)?;
        let norm = asked.query().map_or(0.0, Query::norm);
        let hit = |scored: &Scored| {
            let (number, position) = self.place(scored.position)?;
            let index = &self.indexes[number];
            let shown = index.shown(position)?;
            Some(Hit {
                id: shown.id,
                language: index.language(position),
                title: shown.title,
                text: shown.text,
                score: scored.score,
                similarity: from_parts(scored.dot, norm, index.norm(position), epsilon),
                lexical: self.lexical(asked, number, position),
                dot: scored.dot,
                document_norm: index.norm(position),
                fields: index.fields(position).collect(),
            })
        };
        let hits: Option<Vec<Hit<'_>>> = ranked.iter().map(hit).collect();
        hits.ok_or_else(|| {
            let first = self.missing(ranked).first().map_or(0, |(_, block)| *block);
            let part = format!("block {first} of the texts");
            Error::MissingPart { part, available: "the vectors".into() }
        })
    }

    /// The blocks of texts that ranked documents are shown by and that have not been added: the
    /// number of the index, from 0 in the order of adding, and that of the block.
    pub fn missing(&self, ranked: &[Scored]) -> Vec<(usize, usize)> {
        let mut missing = Vec::new();
        for (number, position) in ranked.iter().filter_map(|scored| self.place(scored.position)) {
            let index = &self.indexes[number];
            let block = (number, index.block_of(position));
            if index.shown(position).is_none() && !missing.contains(&block) {
                missing.push(block);
            }
        }
        missing
    }

    /// All blocks of texts that have not been added, as [`missing`](Self::missing) names them.
    pub fn missing_texts(&self) -> Vec<(usize, usize)> {
        let numbered = self.indexes.iter().enumerate();
        let of_index = |(number, index): (usize, &Index)| {
            index.missing_texts().map(|block| (number, block)).collect::<Vec<_>>()
        };
        numbered.flat_map(of_index).collect()
    }

    /// Adds a block of the texts of an index.
    ///
    /// # Errors
    /// [`Error::MissingPart`] if there is no such index; as [`Index::add_texts`].
    pub fn add_texts(&mut self, index: usize, file: BlockFile) -> Result<(), Error> {
        let available = format!("{} indexes", self.indexes.len());
        let Some(index) = self.indexes.get_mut(index) else {
            return Err(Error::MissingPart { part: format!("index {index}"), available });
        };
        #[cfg(feature = "learn")]
        let places = index.places(file.number());
        index.add_texts(file)?;
        #[cfg(feature = "learn")]
        index.catch_up(places, &self.model);
        Ok(())
    }

    /// The place among all of the first document of this id, and of this language if one is given;
    /// `None` where no text that is here has it.
    pub fn find(&self, id: &str, language: Option<&str>) -> Option<usize> {
        let mut first_place = 0;
        for index in &self.indexes {
            let is = |&place: &usize| {
                index.shown(place).is_some_and(|shown| shown.id == id)
                    && language.is_none_or(|language| index.language(place) == language)
            };
            if let Some(place) = (0..index.len()).find(is) {
                return Some(first_place + place);
            }
            first_place += index.len();
        }
        None
    }

    /// The dot products of a query with all documents, in the order of adding; zeros where it has no
    /// known word.
    pub fn dots(&self, query: &EncodedQuery) -> Vec<f32> {
        let mut dots = vec![0.0; self.indexes.iter().map(Index::len).sum()];
        let mut rest = dots.as_mut_slice();
        for index in &self.indexes {
            let (of_index, others) = rest.split_at_mut(index.len());
            if let Some(query) = query.query() {
                scan::dots(index.vectors(), query, 0, of_index);
            }
            rest = others;
        }
        dots
    }

    /// The index of a place among all documents, and the place there.
    pub(crate) fn place(&self, mut position: usize) -> Option<(usize, usize)> {
        for (number, index) in self.indexes.iter().enumerate() {
            if position < index.len() {
                return Some((number, position));
            }
            position -= index.len();
        }
        None
    }

    fn check_epsilon(&self, epsilon: Option<f32>) -> Result<f32, Error> {
        check_epsilon(epsilon.unwrap_or(self.model.config.epsilon))
    }

    /// The epsilon of a search.
    fn check(&self, search: Search<'_>) -> Result<f32, Error> {
        let epsilon = self.check_epsilon(search.epsilon)?;
        check_dense(search.dense)?;
        let mut names: Vec<&str> = Vec::new();
        for name in self.indexes.iter().flat_map(Index::field_names) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if let Some(Filter { name, .. }) =
            search.filters.iter().find(|of| !names.contains(&of.name))
        {
            let part = format!("documents with a field `{name}`");
            let available = format!("the fields {}", names.join(", "));
            return Err(Error::MissingPart { part, available });
        }
        match search.language {
            Some(language) if !self.languages().contains(&language) => Err(Error::MissingPart {
                part: format!("documents in `{language}`"),
                available: self.languages().join(", "),
            }),
            _ => Ok(epsilon),
        }
    }
}

pub(crate) fn check_query(query: &str) -> Result<(), Error> {
    match query.len() > MOST_QUERY_BYTES {
        true => Err(Error::QueryTooLong { found: query.len(), most: MOST_QUERY_BYTES }),
        false => Ok(()),
    }
}
