//! Training from scratch as JavaScript sees it.

use js_sys::{Float32Array, Uint8Array};
use wasm_bindgen::prelude::*;

use super::crossing::{from_js, refused, thrown, to_js};
use super::learn::{Gpu, step_report};
use super::shapes::learning::{Collection, TrainingDistance, TrainingEvaluation, TrainingSettings};
use super::shapes::metrics::Metrics;
use crate::error::shown;
use crate::learning::scratch::{self, QuerySet, Texts};

/// A training that goes a step at a time.
#[wasm_bindgen]
pub struct Training {
    training: scratch::Training,
}

#[wasm_bindgen]
impl Training {
    /// From a collection.
    #[wasm_bindgen(constructor)]
    pub fn new(
        #[wasm_bindgen(unchecked_param_type = "Collection")] collection: JsValue,
        #[wasm_bindgen(unchecked_param_type = "TrainingSettings")] settings: JsValue,
    ) -> Result<Training, JsValue> {
        let Collection { queries, documents, qrels } = from_js("collection", collection)?;
        let settings: TrainingSettings = from_js("settings", settings)?;
        let texts = Texts {
            queries: queries.into_iter().map(|query| (query.id, query.text)).collect(),
            documents: documents.into_iter().map(|document| document.text).collect(),
            judged: qrels.iter().map(|qrel| (qrel.query, qrel.document, qrel.grade)).collect(),
        };
        let options = settings.options().map_err(|name| {
            refused(&format!("`loss` must be the name of a loss, got \"{}\"", shown(&name)))
        })?;
        let training = scratch::Training::new(texts, options).map_err(thrown)?;
        Ok(Training { training })
    }

    /// Takes the next steps on a GPU, once its gradients have been seen to be right.
    #[wasm_bindgen(js_name = moveTo)]
    pub async fn move_to(&mut self, gpu: &Gpu) -> Result<(), JsValue> {
        self.training.move_to(gpu.gpu()).await.map_err(thrown)
    }

    /// The next step.
    #[wasm_bindgen(unchecked_return_type = "StepReport")]
    pub async fn step(&mut self) -> Result<JsValue, JsValue> {
        let report = self.training.step_there().await;
        let on_gpu = self.training.is_on_gpu();
        let lengths = (!on_gpu).then(|| self.training.gradient_lengths(f32::INFINITY));
        step_report(report, lengths)
    }

    /// How far it is from another training of the same texts, see
    /// [`scratch::Training::distance`].
    #[wasm_bindgen(unchecked_return_type = "TrainingDistance")]
    pub fn distance(&self, other: &Training) -> Result<JsValue, JsValue> {
        to_js(&TrainingDistance::from(self.training.distance(&other.training)))
    }

    /// Brings the tables up to date; returns why the GPU failed, if it did.
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

    /// Evaluates the rankings of the validation queries, or of some training queries where `seen` is true, as
    /// of the last time that it settled.
    #[wasm_bindgen(unchecked_return_type = "TrainingEvaluation")]
    pub fn evaluate(&self, seen: bool) -> Result<JsValue, JsValue> {
        let set = if seen { QuerySet::Train } else { QuerySet::Validation };
        let evaluation = self.training.evaluate(set);
        to_js(&TrainingEvaluation {
            metrics: Metrics(evaluation.metrics),
            scores: Float32Array::from(&evaluation.scores[..]),
            grades: Uint8Array::from(&evaluation.grades[..]),
        })
    }
}
