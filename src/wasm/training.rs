//! What JavaScript sees of training from scratch.

use js_sys::{Float32Array, Object, Uint8Array};
use wasm_bindgen::prelude::*;

use super::{object, to_js};
use crate::metrics::NAMES;
use crate::training::{self, Options, Texts, Which};

/// A training that goes a step at a time.
#[wasm_bindgen]
pub struct Training {
    training: training::Training,
}

#[wasm_bindgen]
impl Training {
    /// From ids and texts of queries, texts of documents, and judgements: of each the places of a
    /// query and a document, and a grade.
    #[wasm_bindgen(constructor)]
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        ids: Vec<String>,
        queries: Vec<String>,
        documents: Vec<String>,
        judged: &[u32],
        language: String,
        dimension: usize,
        epsilon: f32,
        thresholds: Vec<f32>,
        learning_rate: f32,
        negatives: usize,
        seed: u32,
    ) -> Result<Training, JsValue> {
        let (judged, _) = judged.as_chunks();
        let judged = judged.iter().map(|&[query, document, grade]| {
            (query, document, u8::try_from(grade).unwrap_or(u8::MAX))
        });
        let judged = judged.collect();
        let texts = Texts { queries: ids.into_iter().zip(queries).collect(), documents, judged };
        let options = Options {
            language,
            dimension,
            epsilon,
            thresholds,
            learning_rate,
            negatives,
            seed: u64::from(seed),
            ..Options::default()
        };
        let training = training::Training::new(texts, options).map_err(to_js)?;
        Ok(Training { training })
    }

    /// Takes so many steps; the mean loss before each.
    pub fn step(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.training.step().loss).collect()
    }

    /// The epoch of the last step, from 1; 0 before the first.
    #[wasm_bindgen(getter)]
    pub fn epoch(&self) -> u32 {
        self.training.epoch() as u32
    }

    /// Steps in an epoch.
    #[wasm_bindgen(getter, js_name = stepsInEpoch)]
    pub fn steps_in_epoch(&self) -> usize {
        self.training.steps_in_epoch()
    }

    /// The metrics on the validation queries, or on some that are trained on, by name, and the score and the grade of each of their documents.
    pub fn look(&self, seen: bool) -> Object {
        let which = if seen { Which::Seen } else { Which::Unseen };
        let look = self.training.look(which);
        let metrics = NAMES.into_iter().zip(look.metrics.values().map(JsValue::from));
        let metrics: Vec<_> = metrics.collect();
        object(&[
            ("metrics", object(&metrics).into()),
            ("scores", Float32Array::from(&look.scores[..]).into()),
            ("grades", Uint8Array::from(&look.grades[..]).into()),
        ])
    }
}
