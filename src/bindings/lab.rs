//! The lab as JavaScript sees it.

use js_sys::Float32Array;
use wasm_bindgen::prelude::*;

use super::crossing::{from_js, thrown, to_js};
use super::shapes::lab::{Descent, GradientBounds, LossCurve, PlaneMap, Reading, Step, SwapPoint};
use super::shapes::metrics::Metrics;
use crate::Error;
use crate::error::check_epsilon;
use crate::lab::descent::descend;
use crate::lab::{losses, order, plane};
use crate::math::arrays::into_values;
use crate::math::loss::Thresholds;
use crate::math::metrics;
use crate::ranking::judged;

/// Points along a side of a map.
const MOST_POINTS: usize = 2048;
/// Steps of a descent.
const MOST_STEPS: usize = 100_000;

fn at_most(what: &'static str, found: usize, most: usize) -> Result<(), JsValue> {
    if found > most { Err(thrown(Error::TooLarge { what, found, most })) } else { Ok(()) }
}

/// A quantity over a plane, see [`plane::map`].
#[wasm_bindgen(js_name = planeMap)]
pub fn plane_map(
    #[wasm_bindgen(unchecked_param_type = "PlaneMap")] map: JsValue,
) -> Result<Vec<f32>, JsValue> {
    let PlaneMap { quantity, document, size, extent, epsilon } = from_js("map", map)?;
    at_most("heat map", size, MOST_POINTS)?;
    let epsilon = check_epsilon(epsilon).map_err(thrown)?;
    Ok(into_values(plane::map(quantity.into(), document, size, extent, epsilon)))
}

/// What there is to know at a query.
#[wasm_bindgen(js_name = planeReading, unchecked_return_type = "Reading")]
pub fn plane_reading(q1: f32, q2: f32, d1: f32, d2: f32, epsilon: f32) -> Result<JsValue, JsValue> {
    to_js(&Reading::from(plane::read([q1, q2], [d1, d2], epsilon)))
}

/// See [`plane::bounds`].
#[wasm_bindgen(js_name = planeBounds, unchecked_return_type = "GradientBounds")]
pub fn plane_bounds(d1: f32, d2: f32, epsilon: f32) -> Result<JsValue, JsValue> {
    to_js(&GradientBounds::from(plane::bounds([d1, d2], epsilon)))
}

/// See [`order::swaps`].
#[wasm_bindgen(unchecked_return_type = "SwapPoint[]")]
pub fn swaps(dots: &[f32], norms: &[f32]) -> Result<JsValue, JsValue> {
    to_js(&order::swaps(dots, norms).into_iter().map(SwapPoint::from).collect::<Vec<_>>())
}

/// See [`order::curve`].
#[wasm_bindgen(js_name = scoreCurve)]
pub fn score_curve(dot: f32, query_norm: f32, document_norm: f32, epsilons: &[f32]) -> Vec<f32> {
    order::curve(dot, query_norm, document_norm, epsilons)
}

/// See [`descend`].
#[wasm_bindgen(js_name = descend, unchecked_return_type = "Step[]")]
pub fn descend_from(
    #[wasm_bindgen(unchecked_param_type = "Descent")] descent: JsValue,
) -> Result<JsValue, JsValue> {
    let descent: Descent = from_js("descent", descent)?;
    let Descent { start, document, epsilon, rate, steps, .. } = descent;
    at_most("descent", steps, MOST_STEPS)?;
    let epsilon = check_epsilon(epsilon).map_err(thrown)?;
    let steps = descend(descent.way(), start, document, epsilon, rate, steps);
    to_js(&steps.into_iter().map(Step::from).collect::<Vec<_>>())
}

/// See [`losses::curve`]; empty for a name that is no loss's.
#[wasm_bindgen(js_name = lossCurve, unchecked_return_type = "LossCurve")]
pub fn loss_curve(
    name: &str,
    thresholds: &[f32],
    scale: f32,
    grade: u8,
    scores: &[f32],
) -> Result<JsValue, JsValue> {
    let loss = losses::named(name, thresholds, scale).map_err(thrown)?;
    let both = loss.map_or(Vec::new(), |loss| losses::curve(&loss, grade, scores));
    let (values, slopes) = both.split_at(both.len() / 2);
    to_js(&LossCurve { values: Float32Array::from(values), slopes: Float32Array::from(slopes) })
}

/// See [`losses::density`].
#[wasm_bindgen]
pub fn density(scores: &[f32], bandwidth: f32, at: &[f32]) -> Vec<f32> {
    losses::density(scores, bandwidth, at)
}

/// The metrics of one ranking, see [`metrics::Metrics::of_ranking`]; undefined without an MR document.
#[wasm_bindgen(js_name = metricsOf, unchecked_return_type = "Metrics | undefined")]
pub fn metrics_of(ranked: &[u8], judged: &[u8]) -> Result<JsValue, JsValue> {
    to_js(&metrics::Metrics::of_ranking(ranked, judged).map(Metrics))
}

/// The means of metrics, see [`metrics::Metrics::mean`].
#[wasm_bindgen(js_name = meanOfMetrics, unchecked_return_type = "Metrics")]
pub fn mean_of_metrics(
    #[wasm_bindgen(unchecked_param_type = "readonly Metrics[]")] all: JsValue,
) -> Result<JsValue, JsValue> {
    let all: Vec<Metrics> = from_js("metrics", all)?;
    let all: Vec<metrics::Metrics> = all.into_iter().map(|Metrics(of)| of).collect();
    to_js(&Metrics(metrics::Metrics::mean(&all)))
}

/// See [`judged::Judged`].
#[wasm_bindgen]
#[derive(Debug, Default)]
pub struct Judged {
    judged: judged::Judged,
}

#[wasm_bindgen]
impl Judged {
    /// Without queries.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Judged {
        Judged { judged: judged::Judged::new() }
    }

    /// Adds a query and its documents.
    pub fn add(&mut self, query_norm: f32, dots: &[f32], norms: &[f32], grades: &[u8]) {
        self.judged.add(query_norm, dots, norms, grades);
    }

    /// The scores of all documents, query by query.
    pub fn scores(&self, epsilon: f32) -> Vec<f32> {
        self.judged.scores(epsilon)
    }

    /// The grades of all documents, query by query.
    pub fn grades(&self) -> Vec<u8> {
        self.judged.grades().to_vec()
    }

    /// The metrics' means.
    #[wasm_bindgen(unchecked_return_type = "Metrics")]
    pub fn mean(&self, epsilon: f32) -> Result<JsValue, JsValue> {
        to_js(&Metrics(self.judged.mean(epsilon)))
    }

    /// Each query's metrics; undefined for one without a relevant document.
    #[wasm_bindgen(unchecked_return_type = "(Metrics | undefined)[]")]
    pub fn each(&self, epsilon: f32) -> Result<JsValue, JsValue> {
        let each = self.judged.metrics(epsilon).into_iter();
        to_js(&each.map(|metrics| metrics.map(Metrics)).collect::<Vec<_>>())
    }

    /// See [`judged::Judged::confusion`]: a row for each grade.
    #[wasm_bindgen(unchecked_return_type = "number[][]")]
    pub fn confusion(&self, epsilon: f32, thresholds: &[f32]) -> Result<JsValue, JsValue> {
        let grades = thresholds.len() + 1;
        let thresholds = Thresholds::new(thresholds).map_err(thrown)?;
        let counts = self.judged.confusion(epsilon, &thresholds);
        to_js(&counts.chunks(grades).collect::<Vec<_>>())
    }
}
