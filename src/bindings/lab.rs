//! What JavaScript sees of it.

use wasm_bindgen::prelude::*;

use crate::Error;
use crate::bindings::values::thrown;
use crate::error::check_epsilon;
use crate::lab::descent::{Way, descend};
use crate::lab::plane::{self, Quantity};
use crate::lab::{losses, order};
use crate::math::arrays::into_values;
use crate::math::loss::Thresholds;
use crate::math::metrics::{Metrics, NAMES};
use crate::ranking::judged;

/// Points along a side of a map.
const MOST_POINTS: usize = 2048;
/// Steps of a descent.
const MOST_STEPS: usize = 100_000;

fn at_most(what: &'static str, found: usize, most: usize) -> Result<(), JsValue> {
    match found > most {
        true => Err(thrown(Error::TooLarge { what, found, most })),
        false => Ok(()),
    }
}

/// A quantity over a plane, see [`plane::map`]. It is 0 for the score, 1 and 2 for the derivatives
/// in x1 and x2, 3 for the gradient's length, 4 for its radial part, 5 for the curvature.
#[wasm_bindgen(js_name = planeMap)]
pub fn plane_map(
    quantity: usize,
    x1: f32,
    x2: f32,
    size: usize,
    extent: f32,
    epsilon: f32,
) -> Result<Vec<f32>, JsValue> {
    at_most("heat map", size, MOST_POINTS)?;
    let epsilon = check_epsilon(epsilon).map_err(thrown)?;
    let quantity = Quantity::ALL.get(quantity).copied().unwrap_or(Quantity::AlongX1);
    Ok(into_values(plane::map(quantity, [x1, x2], size, extent, epsilon)))
}

/// At a query: the score, the derivatives in x1 and x2, the gradient's length, its radial part and
/// the curvature.
#[wasm_bindgen(js_name = planeReading)]
pub fn plane_reading(q1: f32, q2: f32, d1: f32, d2: f32, epsilon: f32) -> Vec<f32> {
    let reading = plane::read([q1, q2], [d1, d2], epsilon);
    let [along_x1, along_x2] = reading.gradient;
    vec![reading.score, along_x1, along_x2, reading.length, reading.radial, reading.curvature]
}

/// See [`plane::bounds`].
#[wasm_bindgen(js_name = planeBounds)]
pub fn plane_bounds(d1: f32, d2: f32, epsilon: f32) -> Vec<f32> {
    plane::bounds([d1, d2], epsilon).to_vec()
}

/// See [`order::swaps`]: epsilon and two places each.
#[wasm_bindgen]
pub fn swaps(dots: &[f32], norms: &[f32]) -> Vec<f64> {
    let swaps = order::swaps(dots, norms).into_iter();
    swaps.flat_map(|swap| [swap.epsilon, swap.first as f64, swap.second as f64]).collect()
}

/// See [`order::curve`].
#[wasm_bindgen(js_name = scoreCurve)]
pub fn score_curve(dot: f32, query_norm: f32, document_norm: f32, epsilons: &[f32]) -> Vec<f32> {
    order::curve(dot, query_norm, document_norm, epsilons)
}

/// See [`descend`]. `way` is "plain", "clipped" (at `clip`) or "adam"; of each step the point, its
/// length, the gradient's length and the score.
#[wasm_bindgen(js_name = descend)]
#[allow(clippy::too_many_arguments)]
pub fn descend_from(
    way: &str,
    clip: f32,
    q1: f32,
    q2: f32,
    d1: f32,
    d2: f32,
    epsilon: f32,
    rate: f32,
    steps: usize,
) -> Result<Vec<f32>, JsValue> {
    at_most("descent", steps, MOST_STEPS)?;
    let epsilon = check_epsilon(epsilon).map_err(thrown)?;
    let way = match way {
        "clipped" => Way::Clipped(clip),
        "adam" => Way::Adam,
        _ => Way::Plain,
    };
    let steps = descend(way, [q1, q2], [d1, d2], epsilon, rate, steps).into_iter();
    Ok(steps
        .flat_map(|step| [step.point[0], step.point[1], step.length, step.gradient, step.score])
        .collect())
}

/// See [`losses::curve`]; empty for a name that is no loss's.
#[wasm_bindgen(js_name = lossCurve)]
pub fn loss_curve(
    name: &str,
    thresholds: &[f32],
    scale: f32,
    grade: u8,
    scores: &[f32],
) -> Result<Vec<f32>, JsValue> {
    let loss = losses::named(name, thresholds, scale).map_err(thrown)?;
    Ok(loss.map_or(Vec::new(), |loss| losses::curve(&loss, grade, scores)))
}

/// See [`losses::density`].
#[wasm_bindgen]
pub fn density(scores: &[f32], bandwidth: f32, at: &[f32]) -> Vec<f32> {
    losses::density(scores, bandwidth, at)
}

/// The metrics' names.
#[wasm_bindgen(js_name = metricNames)]
pub fn metric_names() -> Vec<String> {
    NAMES.map(str::to_owned).to_vec()
}

/// The metrics of one ranking, see [`Metrics::of_ranking`]; undefined without an MR document.
#[wasm_bindgen(js_name = metricsOf)]
pub fn metrics_of(ranked: &[u8], judged: &[u8]) -> Option<Vec<f64>> {
    Metrics::of_ranking(ranked, judged).map(|metrics| metrics.values().to_vec())
}

/// The means of metrics, see [`Metrics::mean`]; of each its values, in the order of the names.
#[wasm_bindgen(js_name = meanOfMetrics)]
pub fn mean_of_metrics(values: &[f64]) -> Vec<f64> {
    let (each, _) = values.as_chunks();
    let each: Vec<Metrics> = each.iter().map(|&values| Metrics::from(values)).collect();
    Metrics::mean(&each).values().to_vec()
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

    /// The metrics' means, in the order of their names.
    pub fn mean(&self, epsilon: f32) -> Vec<f64> {
        self.judged.mean(epsilon).values().to_vec()
    }

    /// Each query's metrics, one query after the other; not-a-number where it has none.
    pub fn each(&self, epsilon: f32) -> Vec<f64> {
        let values = |metrics: Option<Metrics>| metrics.map_or([f64::NAN; 7], |m| m.values());
        self.judged.metrics(epsilon).into_iter().flat_map(values).collect()
    }

    /// See [`judged::Judged::confusion`].
    pub fn confusion(&self, epsilon: f32, thresholds: &[f32]) -> Result<Vec<u32>, JsValue> {
        let thresholds = Thresholds::new(thresholds).map_err(thrown)?;
        Ok(self.judged.confusion(epsilon, &thresholds))
    }
}
