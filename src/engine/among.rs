//! Ranking a few documents that something else proposed.

use super::{EncodedQuery, Engine, Search};
use crate::Error;
use crate::index::Index;
use crate::ranking::scan::{Scored, TopK};

impl Engine {
    /// The best of the documents at these places, which rise, by the dense score: with the scores and
    /// the order that [`rank`](Self::rank) gives them where `dense` is 1. The search's own text and its
    /// filters are ignored.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn rank_among(
        &self,
        encoded: &EncodedQuery,
        search: Search<'_>,
        places: &[usize],
    ) -> Result<Vec<Scored>, Error> {
        let epsilon = self.check(search)?;
        let mut top = TopK::new(search.limit);
        if let Some(query) = encoded.query() {
            let weights = |index| self.weights(index, (epsilon, false), Some(1.0));
            let weights: Vec<_> = self.indexes.iter().map(weights).collect();
            for &place in places {
                let Some((number, position)) = self.place(place) else { continue };
                let index = &self.indexes[number];
                let of_language = |language| index.language(position) == language;
                if search.language.is_none_or(of_language) {
                    let (dot, scs) = index.score(position, query, epsilon);
                    let weights = weights[number].as_deref();
                    let score = index.weighted(position, scs, weights);
                    top.offer(Scored { position: place, score, dot });
                }
            }
        }
        Ok(top.into_vec())
    }

    /// Whether documents of any language have lexical scores.
    pub fn has_lexical_scores(&self) -> bool {
        let has =
            |index: &Index| index.languages.iter().any(|language| self.is_hybrid(index, language));
        self.indexes.iter().any(has)
    }
}
