//! Ranking on a GPU as JavaScript sees it: the GPU proposes documents, and the core scores these again.

use wasm_bindgen::prelude::*;

use super::crossing::thrown;
use super::engine::{EncodedQuery, Engine};
use super::learn::Gpu;
use crate::engine::Search;
use crate::gpu::Ranking;

/// An engine's documents on a GPU, as they were then.
#[wasm_bindgen]
pub struct Ranker {
    ranking: Ranking,
}

#[wasm_bindgen]
impl Ranker {
    /// The places among which the best `limit` documents are.
    pub async fn propose(
        &self,
        query: &EncodedQuery,
        epsilon: f32,
        limit: usize,
    ) -> Result<Vec<u32>, JsValue> {
        let places = self.ranking.propose(&query.encoded, epsilon, limit).await.map_err(thrown)?;
        Ok(places.into_iter().map(|place| place as u32).collect())
    }
}

#[wasm_bindgen]
impl Engine {
    /// A query of three words that the model knows; each number has another.
    pub fn sample(&self, number: usize) -> String {
        let words: Vec<&str> = self.engine.query().vocabulary.as_joined().split('\n').collect();
        let word = |at: usize| words[(3 * number + at) * 7919 % words.len()];
        [word(0), word(1), word(2)].join(" ")
    }

    /// Puts the documents on a GPU.
    pub fn ranker(&self, gpu: &Gpu) -> Result<Ranker, JsValue> {
        Ok(Ranker { ranking: Ranking::new(gpu.gpu(), &self.engine).map_err(thrown)? })
    }

    /// Ranks the documents at these places, in rising order, for a query: none where the engine has changed since it
    /// was encoded, as the places are those of before. Returns the same as [`rank`](Self::rank).
    #[wasm_bindgen(js_name = rankAmong, unchecked_return_type = "TextBlock[]")]
    pub fn rank_among(
        &self,
        query: &mut EncodedQuery,
        epsilon: f32,
        limit: usize,
        places: &[u32],
    ) -> Result<JsValue, JsValue> {
        (query.ranked, query.epsilon) = (Vec::new(), Some(epsilon));
        if query.revision == self.revision {
            let places: Vec<usize> = places.iter().map(|&place| place as usize).collect();
            let search = Search { epsilon: query.epsilon, limit, ..Search::default() };
            query.ranked =
                self.engine.rank_among(&query.encoded, search, &places).map_err(thrown)?;
        }
        self.missing(query)
    }
}
