//! Ranking a few documents that something else proposed.

use super::{Asked, Engine, Search};
use crate::Error;
use crate::scan::{Best, Scored};

impl Engine {
    /// The best of the documents at these places, in rising order, by SCS alone: with the scores and
    /// the order that [`rank`](Self::rank) gives them where all is dense. Neither the
    /// search's own text nor its filters are looked at.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    pub fn rank_among(
        &self,
        asked: &Asked,
        search: Search<'_>,
        places: &[usize],
    ) -> Result<Vec<Scored>, Error> {
        let epsilon = self.check(search)?;
        let mut best = Best::new(search.limit);
        if let Some(query) = asked.query() {
            for &place in places {
                let Some((number, position)) = self.place(place) else { continue };
                let index = &self.indexes[number];
                let of_language = |language| index.language(position) == language;
                if search.language.is_none_or(of_language) {
                    let (dot, score) = index.score(position, query, epsilon);
                    best.offer(Scored { position: place, score, dot });
                }
            }
        }
        Ok(best.into_vec())
    }
}
