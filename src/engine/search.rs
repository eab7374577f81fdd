//! Query -> encoded query -> ranking -> hits.

use super::encoded::LexicalScores;
use super::interpreted::InterpretedQuery;
use super::{EncodedQuery, Engine, QueryText};
use crate::Error;
use crate::encoder::Reading;
use crate::error::{check_dense, check_epsilon};
use crate::index::{Filter, Index};
use crate::math::similarity::from_parts;
use crate::model::probability::LEAST_PROBABILITY;
use crate::ranking::scan;
use crate::ranking::scan::{Query, Ranking, Scored, TopK};

/// Of so many documents the lexical scores are kept from a ranking to its hits, which look them up one by one.
pub(super) const KNOWN: usize = 256;

/// A word of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// As the text rule has it.
    pub token: String,
    /// Whether the model knows it, as a vector or by its translations.
    pub known: bool,
    /// The nearest known spelling that it is interpreted as, where it is unknown itself.
    pub interpreted: Option<String>,
    /// Its weight in the mean of the query's rows; `None` where it has no row, or all words weigh the same.
    pub weight: Option<f32>,
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
    /// The heading that its text stands under; empty where there is none.
    pub section: &'a str,
    /// Its text.
    pub text: &'a str,
    /// The score that it was ranked by.
    pub score: f32,
    /// The probability that it answers the query if it is the best of its language's documents: see
    /// [`ProbabilityCurve`](crate::model::probability::ProbabilityCurve). `None` where the model was not fitted for it,
    /// the document has no lexical score, or another share of the dense score was requested.
    pub probability: Option<f32>,
    /// Its smooth cosine similarity to the query.
    pub similarity: f32,
    /// Its lexical score; `None` where the model has no translations of its language, or where only
    /// the dense score was requested.
    pub lexical: Option<f32>,
    /// Its dot product with the query.
    pub dot: f32,
    /// The norm of its vector.
    pub document_norm: f32,
    /// The names and values of its fields, sorted.
    pub fields: Vec<(&'a str, &'a str)>,
}

impl Hit<'_> {
    /// Whether it fits the query: its probability is [`LEAST_PROBABILITY`] or more, or not known.
    pub fn fits(&self) -> bool {
        self.probability.is_none_or(|probability| probability >= LEAST_PROBABILITY)
    }
}

/// A query and the options of its search.
#[derive(Debug, Clone, Copy, Default)]
pub struct Search<'a> {
    /// The query's text.
    pub query: &'a str,
    /// The language that the query is in: the queries' own, or one of documents whose encoder is loaded. It is detected where it
    /// is `None`: see [`Engine::language_of`].
    pub query_language: Option<&'a str>,
    /// Epsilon, the model's own where it is `None`.
    pub epsilon: Option<f32>,
    /// The largest number of documents.
    pub limit: usize,
    /// One language only.
    pub language: Option<&'a str>,
    /// The share of the dense score, from 0 to 1; the model's own where it is `None`. Where the model
    /// has no translations, the dense score is the score.
    pub dense: Option<f32>,
    /// Only documents that pass all of them.
    pub filters: &'a [Filter<'a>],
}

impl<'a> Search<'a> {
    /// The query's text with its language.
    pub fn text(&self) -> QueryText<'a> {
        QueryText { text: self.query, language: self.query_language }
    }
}

impl Engine {
    /// The tokens of a query, as the model reads them.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`], [`Error::UnknownQueryLanguage`].
    pub fn tokens<'a>(&self, query: impl Into<QueryText<'a>>) -> Result<Vec<Token>, Error> {
        let InterpretedQuery { typed, read, readings, language, encoder, .. } =
            self.interpret(query.into())?;
        let words = typed.into_iter().zip(read).zip(readings);
        let token = |((token, read), reading): ((String, String), Reading)| {
            let known = reading.known() > 0 || self.is_known(&read, language);
            let weight = encoder.weight_of(&read);
            Token { known, interpreted: (read != token).then_some(read), token, weight }
        };
        Ok(words.map(token).collect())
    }

    /// The best documents, best first; of equal scores the one that was added first. None where
    /// the query has no known word and none that documents have.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`], [`Error::UnknownQueryLanguage`], [`Error::Epsilon`], [`Error::Dense`],
    /// [`Error::UnknownLanguage`], [`Error::UnknownField`], [`Error::MissingTexts`].
    pub fn search(&self, search: Search<'_>) -> Result<Vec<Hit<'_>>, Error> {
        let mut encoded = self.encode_query(search.text())?;
        let ranked = self.rank(&mut encoded, search)?;
        self.hits(&encoded, search, &ranked)
    }

    /// Encodes a query.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`], [`Error::UnknownQueryLanguage`].
    pub fn encode_query<'a>(&self, query: impl Into<QueryText<'a>>) -> Result<EncodedQuery, Error> {
        let interpreted = self.interpret(query.into())?;
        let query = interpreted.vector().map(Query::new);
        Ok(EncodedQuery {
            language: interpreted.language.map(str::to_owned),
            tokens: interpreted.read,
            relatives: interpreted
                .relatives
                .into_iter()
                .map(|word| word.map(str::to_owned))
                .collect(),
            query,
            lexical: None,
            dots: Vec::new(),
        })
    }

    /// The best documents for a query that this engine encoded, as
    /// [`search`](Self::search) orders them; the search's own text is ignored.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn rank(
        &self,
        encoded: &mut EncodedQuery,
        search: Search<'_>,
    ) -> Result<Vec<Scored>, Error> {
        let mut ranked = self.rank_all(std::slice::from_mut(encoded), search)?;
        Ok(ranked.pop().unwrap_or_default())
    }

    /// [`rank`](Self::rank) for many queries at once: each block of documents is read once for all.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn rank_all(
        &self,
        encoded: &mut [EncodedQuery],
        search: Search<'_>,
    ) -> Result<Vec<Vec<Scored>>, Error> {
        let epsilon = self.check(search)?;
        if search.dense != Some(1.0) {
            encoded.iter_mut().for_each(|encoded| self.look_up(encoded));
        }
        let unknown = Query::new(vec![0.0; self.model.config.dimension]);
        let mut top: Vec<TopK> = encoded.iter().map(|_| TopK::new(search.limit)).collect();
        let mut first_place = 0;
        for (number, index) in self.indexes.iter().enumerate() {
            let weights = [false, true]
                .map(|by_pivot| self.weights(index, (epsilon, by_pivot), search.dense));
            let (mut rankings, mut large) = (Vec::new(), Vec::new());
            for (encoded, top) in encoded.iter_mut().zip(&mut top) {
                let is_large = encoded.is_of_few(number);
                let EncodedQuery { language, query, lexical, dots, .. } = encoded;
                let weights = weights[usize::from(language.is_some())].as_deref();
                let lexical = lexical.as_ref().and_then(|scores| scores.get(number));
                let query = match &*query {
                    Some(query) => query,
                    None if lexical.is_some() => &unknown,
                    None => continue,
                };
                if dots.len() <= number {
                    dots.resize(number + 1, Vec::new());
                }
                let dots = &mut dots[number];
                if is_large {
                    large.push((query, dots));
                    continue;
                }
                let lexical = lexical.map_or(&[][..], LexicalScores::of_all);
                let fusion = weights.map(|weights| index.fusion(lexical, weights));
                rankings.push(Ranking { query, epsilon, dots, fusion, top });
            }
            index.rank(search.language, search.filters, first_place, &mut rankings);
            index.multiply(&mut large);
            first_place += index.len();
        }
        for (encoded, top) in encoded.iter_mut().zip(&mut top) {
            self.rank_large(encoded, search, epsilon, (&unknown, top));
        }
        Ok(top.into_iter().map(TopK::into_vec).collect())
    }

    /// Offers the documents of large indexes to a query's top k. Their dot products with the query are there.
    fn rank_large(
        &self,
        encoded: &mut EncodedQuery,
        search: Search<'_>,
        epsilon: f32,
        (unknown, top): (&Query, &mut TopK),
    ) {
        if !encoded.is_any_of_few() {
            return;
        }
        let mut dots = std::mem::take(&mut encoded.dots);
        let mut known = Vec::new();
        let by_pivot = encoded.language.is_some();
        self.with_lexical_queries(encoded, &mut |queries| {
            let mut first_place = 0;
            for (number, index) in self.indexes.iter().enumerate() {
                let weights = self.weights(index, (epsilon, by_pivot), search.dense);
                if let Some(weights) = weights.filter(|_| encoded.is_of_few(number)) {
                    let (query, dots) = (encoded.query().unwrap_or(unknown), &mut dots[number]);
                    let fusion = Some(index.fusion(&[], &weights));
                    let ranking = Ranking { query, epsilon, dots, fusion, top };
                    let (language, filters) = (search.language, search.filters);
                    let scored =
                        index.rank_hybrid(language, filters, first_place, ranking, queries);
                    if search.limit <= KNOWN {
                        known.push((number, scored));
                    }
                }
                first_place += index.len();
            }
        });
        encoded.dots = dots;
        for (number, scored) in known {
            if let Some(all) = &mut encoded.lexical {
                all[number] = LexicalScores::OfFew(scored);
            }
        }
    }

    /// The hits of documents that were ranked for a query by a search.
    ///
    /// # Errors
    /// [`Error::MissingTexts`] where a block of texts has not been added: see
    /// [`missing`](Self::missing). [`Error::Epsilon`].
    pub fn hits(
        &self,
        encoded: &EncodedQuery,
        search: Search<'_>,
        ranked: &[Scored],
    ) -> Result<Vec<Hit<'_>>, Error> {
        let epsilon = self.check_epsilon(search.epsilon)?;
        let documents = search.dense.is_none().then(|| self.documents_with_words());
        let norm = encoded.query().map_or(0.0, Query::norm);
        let lexical_scores = self.lexical_scores(encoded, ranked);
        let hit = |(scored, lexical): (&Scored, Option<f32>)| {
            let (number, position) = self.place(scored.position)?;
            let index = &self.indexes[number];
            let shown = index.shown(position)?;
            let language = index.language(position);
            let documents = documents.as_ref().filter(|_| lexical.is_some());
            let probability = documents.and_then(|documents| {
                let (_, documents) = documents.iter().find(|(name, _)| *name == language)?;
                Some(self.curve_of(language)?.of(scored.score, *documents))
            });
            Some(Hit {
                id: shown.id,
                language,
                title: shown.title,
                section: shown.section,
                text: shown.text,
                score: scored.score,
                probability,
                similarity: from_parts(scored.dot, norm, index.norm(position), epsilon),
                lexical,
                dot: scored.dot,
                document_norm: index.norm(position),
                fields: index.fields(position).collect(),
            })
        };
        let hits: Option<Vec<Hit<'_>>> = ranked.iter().zip(lexical_scores).map(hit).collect();
        hits.ok_or_else(|| {
            let block = self.missing(ranked).first().map_or(0, |(_, block)| *block);
            Error::MissingTexts { block }
        })
    }

    /// The blocks of texts that ranked documents are shown by and that have not been added: the
    /// number of the index, from 0 in the order of adding, and that of the block.
    pub fn missing(&self, ranked: &[Scored]) -> Vec<(usize, usize)> {
        let mut missing = Vec::new();
        let mut seen: Vec<Vec<bool>> = vec![Vec::new(); self.indexes.len()];
        for (number, block) in self.blocks(ranked) {
            let seen = &mut seen[number];
            seen.resize(seen.len().max(block + 1), false);
            if !self.indexes[number].has_texts(block) && !std::mem::replace(&mut seen[block], true)
            {
                missing.push((number, block));
            }
        }
        missing
    }

    /// The block of texts that each ranked document is shown by, as [`missing`](Self::missing) names it.
    pub fn blocks(&self, ranked: &[Scored]) -> impl Iterator<Item = (usize, usize)> {
        let places = ranked.iter().filter_map(|scored| self.place(scored.position));
        places.map(|(number, position)| (number, self.indexes[number].block_of(position)))
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

    pub(super) fn check_epsilon(&self, epsilon: Option<f32>) -> Result<f32, Error> {
        check_epsilon(epsilon.unwrap_or(self.model.config.epsilon))
    }

    /// The epsilon of a search.
    pub(super) fn check(&self, search: Search<'_>) -> Result<f32, Error> {
        let epsilon = self.check_epsilon(search.epsilon)?;
        check_dense(search.dense)?;
        let mut names: Vec<&str> = Vec::new();
        for name in self.indexes.iter().flat_map(Index::field_names) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if let Some(Filter { name, .. }) =
            search.filters.iter().find(|filter| !names.contains(&filter.name))
        {
            let (field, available) = ((*name).to_owned(), names.join(", "));
            return Err(Error::UnknownField { field, available });
        }
        match search.language {
            Some(language) if !self.languages().contains(&language) => {
                Err(Error::UnknownLanguage {
                    language: language.into(),
                    available: self.languages().join(", "),
                })
            }
            _ => Ok(epsilon),
        }
    }
}
