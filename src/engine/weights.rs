//! The lexical scores of documents, and the weights of the dense and the lexical score.

use super::encoded::LexicalScores;
use super::{EncodedQuery, Engine};
use crate::index::Index;
use crate::lexical::pivot::Pivot;
use crate::lexical::score::{LexicalQuery, Matching, Part};
use crate::lexical::senses::Sense;
use crate::model::QUERY_LANGUAGE;
use crate::model::calibration::Calibration;
use crate::model::probability::ProbabilityCurve;
use crate::ranking::scan::Scored;
use crate::text::stem::End;

/// The weights of the dense and the lexical score where there is no lexical score.
pub(super) const DENSE_ONLY: [f32; 2] = [1.0, 0.0];
/// The number of documents of which an index is large: of one query not all lexical scores are computed.
const LARGE: usize = 1 << 14;
/// The share of the dense score for a query in a document language, in units of that for one in the queries' language. Its
/// words go through a table more, so the lexical score says less of it. Fitted on 400 typed queries in four languages.
const DENSE_BY_PIVOT: f32 = 1.25;

/// A query for the documents of each language that can be looked up, with its name.
pub type LexicalQueries<'a> = [(&'a str, LexicalQuery<'a>)];

/// The words of a query as they are looked up.
pub(super) struct LexicalWords<'a> {
    tokens: &'a [String],
    /// They by way of the queries' language, if they are in another that has translations.
    pivot: Option<Pivot<'a>>,
}

impl Engine {
    /// The lexical scores of all documents of small indexes, once: none where no word of the query is in any.
    pub(super) fn look_up(&self, encoded: &mut EncodedQuery) {
        if encoded.lexical.is_some() || !self.has_lexical_scores() {
            return;
        }
        // Without a calibration the dense score is the score.
        let is_hybrid = !self.model.config.calibration.is_empty();
        let scores = |index: &Index| match index.len() {
            LARGE.. if is_hybrid => LexicalScores::OfFew(Vec::new()),
            documents => LexicalScores::OfAll(vec![0.0; documents]),
        };
        let mut all: Vec<LexicalScores> = self.indexes.iter().map(scores).collect();
        let mut is_any = false;
        self.with_lexical_queries(encoded, &mut |queries| {
            for (language, query) in queries {
                for (index, scores) in self.indexes.iter().zip(&mut all) {
                    match (index.words(language), scores) {
                        (Some(part), LexicalScores::OfAll(scores)) => query.score(part, scores),
                        (Some(part), LexicalScores::OfFew(_)) => is_any |= query.is_in(part),
                        (None, _) => {}
                    }
                }
            }
        });
        is_any |= all.iter().any(|scores| scores.of_all().iter().any(|&score| score != 0.0));
        if !is_any {
            all.clear();
        }
        encoded.lexical = Some(all);
    }

    /// Calls `take` with the lexical query of each language that has one, and the language's name.
    pub fn with_lexical_queries(
        &self,
        encoded: &EncodedQuery,
        take: &mut dyn FnMut(&LexicalQueries<'_>),
    ) {
        let relatives: Vec<Option<&str>> = encoded.relatives.iter().map(Option::as_deref).collect();
        let words = self.lexical_words(&encoded.tokens, &relatives, encoded.language.as_deref());
        let of_language = |language| Some((language, self.lexical_query(&words, language)?));
        let queries: Vec<_> = self.languages().into_iter().filter_map(of_language).collect();
        take(&queries);
    }

    /// A query's words to be looked up, which are in a document language if one is given: each is glossed once for documents
    /// in all other languages, an unknown one as its relative is.
    pub(super) fn lexical_words<'a>(
        &'a self,
        tokens: &'a [String],
        relatives: &[Option<&str>],
        language: Option<&'a str>,
    ) -> LexicalWords<'a> {
        let pivot = language.and_then(|language| {
            let translator = self.model.translator(language, &self.query)?;
            let with_number = |(token, relative): (&'a String, &Option<&str>)| {
                let of_base = || translator.document_number(translator.table.base(token)?);
                let of_relative = || translator.document_number((*relative)?);
                let number = translator.document_number(token);
                Some((&token[..], number.or_else(of_base).or_else(of_relative)?))
            };
            let words = tokens.iter().zip(relatives);
            let (known, numbers): (Vec<_>, Vec<_>) = words.filter_map(with_number).unzip();
            let mut pivot = Pivot::new(translator.table);
            let encoder = self.encoder_of(Some(language));
            let weight = |token| encoder.weight_of(token).unwrap_or(1.0);
            let senses = self.query.senses_of(translator.table, &numbers);
            for (token, senses) in known.into_iter().zip(senses) {
                let word = |sense: &Sense| (translator.query_word(sense.word), sense.share);
                pivot.push(token, weight(token), senses.iter().map(word).collect());
            }
            pivot.push_unknown(tokens.iter().map(|token| (&token[..], weight(token))).collect());
            Some(pivot)
        });
        LexicalWords { tokens, pivot }
    }

    /// A query for the documents of a language. English documents are matched with the words of an English query themselves, all
    /// others with translations, by way of the queries' language if need be. `None` where there are no translations.
    pub(super) fn lexical_query<'a>(
        &'a self,
        words: &'a LexicalWords<'a>,
        language: &str,
    ) -> Option<LexicalQuery<'a>> {
        let translator = self.model.translator(language, &self.query);
        if translator.is_none() && !self.is_of_queries(language) {
            return None;
        }
        let matching = match (&words.pivot, translator) {
            (Some(pivot), to) => Matching::ByWayOf(pivot, to),
            (None, Some(translator)) => Matching::Translated(translator),
            (None, None) => Matching::Untranslated(self.stems_of_queries()),
        };
        let parts: Vec<Part<'_>> =
            self.indexes.iter().filter_map(|index| index.words(language)).collect();
        Some(LexicalQuery::new(words.tokens, &matching, &parts))
    }

    /// Whether documents of this language are encoded as queries are.
    pub(crate) fn is_of_queries(&self, language: &str) -> bool {
        language == QUERY_LANGUAGE && !self.model.documents.contains_key(language)
    }

    /// The end of query words that stems are, in any table that has stems.
    fn stems_of_queries(&self) -> Option<End> {
        let mut tables = self.model.translations.values();
        tables.find_map(|table| Some(table.stems.as_ref()?.ends[0]))
    }

    /// Whether documents of a language in an index have both a dense and a lexical score.
    pub(super) fn is_hybrid(&self, index: &Index, language: &str) -> bool {
        let is_matched =
            self.model.translations.contains_key(language) || self.is_of_queries(language);
        is_matched && index.words(language).is_some()
    }

    /// The lexical scores of ranked documents; `None` where one has none or none was looked up.
    pub(super) fn lexical_scores(
        &self,
        encoded: &EncodedQuery,
        ranked: &[Scored],
    ) -> Vec<Option<f32>> {
        let looked_up = |queries: &LexicalQueries<'_>, scored: &Scored| {
            let (number, position) = self.place(scored.position)?;
            let (index, all) = (&self.indexes[number], encoded.lexical.as_ref()?);
            let language = index.language(position);
            let part = index.words(language).filter(|_| self.is_hybrid(index, language))?;
            Some(match all.get(number) {
                Some(LexicalScores::OfAll(scores)) => scores[position],
                Some(LexicalScores::OfFew(known)) => {
                    match known.iter().find(|own| own.0 == position) {
                        Some((_, score)) => *score,
                        None => {
                            let query = queries.iter().find(|(name, _)| *name == language);
                            query.map_or(0.0, |(_, query)| query.scores_of(part, &[position])[0])
                        }
                    }
                }
                None => 0.0,
            })
        };
        let mut found = Vec::new();
        let mut look_up = |queries: &LexicalQueries<'_>| {
            found = ranked.iter().map(|scored| looked_up(queries, scored)).collect();
        };
        let is_known = |scored: &Scored| {
            let (number, position) = self.place(scored.position)?;
            match encoded.lexical.as_ref()?.get(number)? {
                LexicalScores::OfFew(known) => Some(known.iter().any(|own| own.0 == position)),
                LexicalScores::OfAll(_) => None,
            }
        };
        match ranked.iter().any(|scored| is_known(scored) == Some(false)) {
            true => self.with_lexical_queries(encoded, &mut look_up),
            false => look_up(&[]),
        }
        found
    }

    /// The number of documents of each language that have lexical scores.
    pub(super) fn documents_with_words(&self) -> Vec<(&str, usize)> {
        let of_language = |language| {
            let parts = self.indexes.iter().filter_map(|index| index.words(language));
            (language, parts.map(|part| part.postings.documents).sum())
        };
        self.languages().into_iter().map(of_language).collect()
    }

    /// The weights of the dense and the lexical score in each language of an index; `None` where the model
    /// has no calibration, so that the dense score is the score. `by_pivot` if the query is in a document language.
    pub(super) fn weights(
        &self,
        index: &Index,
        (epsilon, by_pivot): (f32, bool),
        dense: Option<f32>,
    ) -> Option<Vec<[f32; 2]>> {
        let weights = |language: &String| {
            let deep = |its: &Calibration| its.deep.filter(|_| index.teacher.is_some());
            let own = match self.calibration_of(language).filter(|_| by_pivot) {
                Some(its) => {
                    let share = deep(its).unwrap_or(its.dense / (its.dense + its.lexical));
                    Some((share * DENSE_BY_PIVOT).min(1.0))
                }
                None => self.model.config.calibration.get(language).and_then(deep),
            };
            let dense = if self.is_hybrid(index, language) { dense.or(own) } else { Some(1.0) };
            self.weights_of(language, epsilon, dense)
        };
        let is_calibrated = !self.model.config.calibration.is_empty();
        is_calibrated.then(|| index.languages.iter().map(weights).collect())
    }

    /// The weights of the dense and the lexical score in the hybrid score of a language's documents.
    pub(super) fn weights_of(&self, language: &str, epsilon: f32, dense: Option<f32>) -> [f32; 2] {
        let own_epsilon = self.model.config.epsilon;
        let calibration = self.calibration_of(language);
        calibration.map_or(DENSE_ONLY, |its| its.weights(epsilon, own_epsilon, dense))
    }

    fn calibration_of(&self, language: &str) -> Option<&Calibration> {
        self.model.config.calibration.get(self.fitted(language))
    }

    /// What scores of a language's documents mean.
    pub(super) fn curve_of(&self, language: &str) -> Option<&ProbabilityCurve> {
        self.model.config.probability.get(self.fitted(language))
    }

    /// The language whose weights and curve hold for documents in a language: itself. Those in the queries' language, for which
    /// nothing was fitted, have those of another one, the first that is of the training: they are nearly the same in all.
    fn fitted<'a>(&'a self, language: &'a str) -> &'a str {
        let config = &self.model.config;
        if !self.is_of_queries(language) || config.calibration.contains_key(language) {
            return language;
        }
        let mut languages = config.calibration.keys();
        let of_training = languages.find(|name| !config.packs.contains(name));
        of_training.or(config.calibration.keys().next()).map_or(language, |name| name)
    }
}
