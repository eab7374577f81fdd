//! Hybrid search where other machines hold the documents: they propose some, which are scored here.

use super::encoded::LexicalScores;
use super::search::KNOWN;
use super::weights::DENSE_ONLY;
use super::{EncodedQuery, Engine, Search};
use crate::Error;
use crate::index::Index;
use crate::ranking::scan::{Query, Scored, TopK};

impl Engine {
    /// The weights of SCS and of the lexical score in the scores of a query's documents, for each of the
    /// [`languages`](Index::languages) of an index.
    ///
    /// # Errors
    /// [`Error::Epsilon`].
    pub fn hybrid_weights(
        &self,
        index: &Index,
        encoded: &EncodedQuery,
        search: Search<'_>,
    ) -> Result<Vec<[f32; 2]>, Error> {
        let by_pivot = encoded.language.is_some();
        let weights =
            self.weights(index, (self.check_epsilon(search.epsilon)?, by_pivot), search.dense);
        Ok(weights.unwrap_or_else(|| vec![DENSE_ONLY; index.languages.len()]))
    }

    /// Whether any document has a word that a query's words stand for.
    pub fn is_any_word_of(&self, encoded: &EncodedQuery) -> bool {
        let mut is_any = false;
        self.with_lexical_queries(encoded, &mut |queries| {
            is_any = queries.iter().any(|(language, query)| {
                let mut parts = self.indexes.iter().filter_map(|index| index.words(language));
                parts.any(|part| query.is_in(part))
            });
        });
        is_any
    }

    /// The best of the documents at these places, which rise, with the scores and the order that
    /// [`rank`](Self::rank) gives them where `dense` is not 1, and their lexical scores for [`hits`](Self::hits). The search's own
    /// text and its filters are ignored.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn rank_hybrid_among(
        &self,
        encoded: &mut EncodedQuery,
        search: Search<'_>,
        places: &[usize],
    ) -> Result<Vec<Scored>, Error> {
        let epsilon = self.check(search)?;
        let mut top = TopK::new(search.limit);
        encoded.lexical = Some(Vec::new());
        let is_any = self.is_any_word_of(encoded);
        let unknown = Query::new(vec![0.0; self.model.config.dimension]);
        let query = encoded.query.as_ref().or(is_any.then_some(&unknown));
        let Some(query) = query else { return Ok(Vec::new()) };
        let lexical = self.lexical_scores_among(encoded, places);
        let mut first_place = 0;
        for (index, scores) in self.indexes.iter().zip(&lexical) {
            let by_pivot = encoded.language.is_some();
            let weights = self.weights(index, (epsilon, by_pivot), search.dense);
            for &(position, lexical) in scores {
                let of_language = |language| index.language(position) == language;
                if search.language.is_none_or(of_language) {
                    let (dot, scs) = index.score(position, query, epsilon);
                    let parts = (scs, is_any.then_some(lexical));
                    let score = index.hybrid(position, parts, weights.as_deref());
                    top.offer(Scored { position: first_place + position, score, dot });
                }
            }
            first_place += index.len();
        }
        if is_any {
            // Of many documents, hits look the scores up again.
            let known = |scores| if places.len() <= KNOWN { scores } else { Vec::new() };
            let known = lexical.into_iter().map(|scores| LexicalScores::OfFew(known(scores)));
            encoded.lexical = Some(known.collect());
        }
        Ok(top.into_vec())
    }

    /// The positions of the documents at these places, which rise, and their lexical scores, for each index.
    fn lexical_scores_among(
        &self,
        encoded: &EncodedQuery,
        places: &[usize],
    ) -> Vec<Vec<(usize, f32)>> {
        let mut found = Vec::new();
        self.with_lexical_queries(encoded, &mut |queries| {
            let mut first_place = 0;
            for index in &self.indexes {
                let from = places.partition_point(|&place| place < first_place);
                let to = places.partition_point(|&place| place < first_place + index.len());
                let position = |place: &usize| (place - first_place, 0.0);
                let mut scores: Vec<(usize, f32)> = places[from..to].iter().map(position).collect();
                for (language, query) in queries {
                    let Some(part) = index.words(language) else { continue };
                    let is_its = |at: usize| index.language(at) == *language;
                    let positions: Vec<usize> =
                        scores.iter().map(|own| own.0).filter(|&at| is_its(at)).collect();
                    let of_language = query.scores_of(part, &positions);
                    let its = scores.iter_mut().filter(|own| is_its(own.0));
                    its.zip(of_language).for_each(|(own, score)| own.1 = score);
                }
                found.push(scores);
                first_place += index.len();
            }
        });
        found
    }
}
