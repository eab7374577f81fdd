//! What JavaScript sees of ranking on a GPU: it proposes, and the core scores again.

use js_sys::Array;
use wasm_bindgen::prelude::*;

use super::engine::{Engine, shown};
use super::learn::Gpu;
use super::values::thrown as to_js;
use crate::engine::{EncodedQuery, Search};
use crate::gpu::Ranking;
use crate::ranking::scan::Scored;

/// A query on its way: encoded, and later ranked.
#[wasm_bindgen]
pub struct Question {
    asked: EncodedQuery,
    epsilon: Option<f32>,
    ranked: Vec<Scored>,
}

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
        question: &Question,
        epsilon: f32,
        limit: usize,
    ) -> Result<Vec<u32>, JsValue> {
        let places = self.ranking.propose(&question.asked, epsilon, limit).await.map_err(to_js)?;
        Ok(places.into_iter().map(|place| place as u32).collect())
    }
}

#[wasm_bindgen]
impl Question {
    /// The places of the documents that were ranked, best first.
    pub fn places(&self) -> Vec<u32> {
        self.ranked.iter().map(|scored| scored.position as u32).collect()
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

    /// The places of the best documents for a query, by the core alone.
    #[wasm_bindgen(js_name = bestPlaces)]
    pub fn best_places(
        &self,
        query: &str,
        epsilon: f32,
        limit: usize,
    ) -> Result<Vec<u32>, JsValue> {
        let search =
            Search { query, epsilon: Some(epsilon), limit, dense: Some(1.0), ..Search::default() };
        let mut asked = self.engine.ask(query).map_err(to_js)?;
        let ranked = self.engine.rank(&mut asked, search).map_err(to_js)?;
        Ok(ranked.iter().map(|scored| scored.position as u32).collect())
    }

    /// Puts the documents on a GPU.
    pub fn ranker(&self, gpu: &Gpu) -> Result<Ranker, JsValue> {
        Ok(Ranker { ranking: Ranking::new(gpu.gpu(), &self.engine).map_err(to_js)? })
    }

    /// Encodes a query.
    pub fn ask(&self, query: &str) -> Result<Question, JsValue> {
        let asked = self.engine.ask(query).map_err(to_js)?;
        Ok(Question { asked, epsilon: None, ranked: Vec::new() })
    }

    /// Ranks the documents at these places, in rising order. Gives back what `missing` does.
    #[wasm_bindgen(js_name = rankAmong)]
    pub fn rank_among(
        &self,
        question: &mut Question,
        epsilon: f32,
        limit: usize,
        places: &[u32],
    ) -> Result<Vec<u32>, JsValue> {
        let places: Vec<usize> = places.iter().map(|&place| place as usize).collect();
        let search = Search { epsilon: Some(epsilon), limit, ..Search::default() };
        let ranked = self.engine.rank_among(&question.asked, search, &places).map_err(to_js)?;
        let missing = self.engine.missing(&ranked).into_iter();
        (question.ranked, question.epsilon) = (ranked, Some(epsilon));
        Ok(missing.flat_map(|(index, block)| [index as u32, block as u32]).collect())
    }

    /// The documents of a query that was ranked, as plain objects.
    pub fn hits(&self, question: &Question) -> Result<Array, JsValue> {
        let Question { asked, epsilon, ranked } = question;
        Ok(shown(&self.engine.hits(asked, *epsilon, ranked).map_err(to_js)?))
    }
}
