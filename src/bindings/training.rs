//! What JavaScript sees of training from scratch.

use js_sys::{Float32Array, Object, Uint8Array};
use wasm_bindgen::prelude::*;

use super::learn::{Gpu, taken};
use super::values::{object, thrown as to_js};
use crate::learning::scratch::{self, Options, Texts, Which};
use crate::math::metrics::NAMES;

/// A training that goes a step at a time.
#[wasm_bindgen]
pub struct Training {
    training: scratch::Training,
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
        let training = scratch::Training::new(texts, options).map_err(to_js)?;
        Ok(Training { training })
    }

    /// Takes the next steps on a GPU, once its gradients have been seen to be right.
    #[wasm_bindgen(js_name = moveTo)]
    pub async fn move_to(&mut self, gpu: &Gpu) -> Result<(), JsValue> {
        self.training.move_to(gpu.gpu()).await.map_err(to_js)
    }

    /// The next step: `loss`, the mean loss before it, and `failed`, why the GPU could not take it,
    /// if that was so. It was taken all the same.
    pub async fn step(&mut self) -> Object {
        taken(self.training.step_there().await)
    }

    /// Brings what is looked at up to date; says why the GPU failed, if it did.
    pub async fn settle(&mut self) -> Option<String> {
        self.training.settle().await.err().map(|error| error.to_string())
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

    /// The metrics on the validation queries, or on some that are trained on, by name, and the score
    /// and the grade of each of their documents: as of the last time that it settled.
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
