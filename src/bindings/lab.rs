//! The lab as JavaScript sees it.

use js_sys::{Float32Array, Uint8ClampedArray};
use ndarray::Array2;
use wasm_bindgen::prelude::*;
use web_sys::ImageData;

use super::crossing::{coded, from_js, refused, thrown, to_js};
use super::shapes::lab::{
    Certified, ColourScale, Descent, GradientBounds, Lifetime, LossCurve, PaintedMap, PlaneMap,
    Reading, Step, SwapPoint, Theory,
};
use super::shapes::metrics::Metrics;
use crate::Error;
use crate::error::check_epsilon;
use crate::lab::colours::{self, Pixel, Scale};
use crate::lab::descent::descend;
use crate::lab::theory::{Constants, bound};
use crate::lab::{certified, lifetimes, losses, order, plane};
use crate::limits;
use crate::math::arrays::into_values;
use crate::math::loss::Thresholds;
use crate::math::metrics;
use crate::ranking::judged;

fn at_most(what: &'static str, found: usize, most: usize) -> Result<(), JsValue> {
    if found > most { Err(thrown(Error::TooLarge { what, found, most })) } else { Ok(()) }
}

/// A quantity over a plane, see [`plane::map`].
#[wasm_bindgen(js_name = planeMap)]
pub fn plane_map(
    #[wasm_bindgen(unchecked_param_type = "PlaneMap")] map: JsValue,
) -> Result<Vec<f32>, JsValue> {
    Ok(into_values(checked(map)?.values()))
}

/// A quantity over a plane in colours, see [`Scale::paint`]: computed and painted in one call.
///
/// Pages and workers of a browser have `ImageData`, Node has not. The page loads the lab on its own
/// thread: a map takes milliseconds there, and its pixels need not move to where the canvas is.
#[wasm_bindgen(js_name = paintMap, unchecked_return_type = "PaintedMap")]
pub fn paint_map(
    #[wasm_bindgen(unchecked_param_type = "PlaneMap")] map: JsValue,
    #[wasm_bindgen(unchecked_param_type = "ColourScale")] scale: JsValue,
) -> Result<JsValue, JsValue> {
    let map = checked(map)?;
    if map.size == 0 {
        return Err(refused("`map.size` must be a positive integer, got 0"));
    }
    let scale = colour_scale(scale)?;
    let values = map.values();
    let extremes = plane::extremes(values.view(), map.extent);
    let image = image(scale.paint(values.view()))?;
    let PlaneMap { quantity, document, epsilon, .. } = map;
    to_js(&PaintedMap {
        image,
        values: Float32Array::from(&into_values(values)[..]),
        origin: plane::Quantity::from(quantity).at([0.0; 2], document, epsilon),
        smallest: extremes.map(|found| found.smallest.into()),
        largest: extremes.map(|found| found.largest.into()),
    })
}

/// The shades of a colour scale, a pixel each, from left to right.
#[wasm_bindgen(js_name = paintScale)]
pub fn paint_scale(
    #[wasm_bindgen(unchecked_param_type = "ColourScale")] scale: JsValue,
) -> Result<ImageData, JsValue> {
    let shades = colour_scale(scale)?.shades().to_vec();
    image(Array2::from_shape_fn((1, shades.len()), |(_, column)| shades[column]))
}

/// See [`colours::place`].
#[wasm_bindgen(js_name = placeOnScale)]
pub fn place_on_scale(value: f64, limit: f64) -> f64 {
    colours::place(value, limit)
}

fn checked(map: JsValue) -> Result<PlaneMap, JsValue> {
    let map: PlaneMap = from_js("map", map)?;
    at_most("heat map", map.size, limits::MAP_POINTS)?;
    check_epsilon(map.epsilon).map_err(thrown)?;
    Ok(map)
}

fn colour_scale(scale: JsValue) -> Result<Scale, JsValue> {
    let scale: ColourScale = from_js("scale", scale)?;
    let ColourScale { limit, steps, .. } = scale;
    if !(limit > 0.0 && limit.is_finite()) {
        return Err(refused(&format!(
            "`scale.limit` must be a finite number above 0, got {limit}"
        )));
    }
    if !(1..=limits::COLOUR_STEPS).contains(&steps) {
        let expected = format!("an integer from 1 to {}", limits::COLOUR_STEPS);
        return Err(refused(&format!("`scale.steps` must be {expected}, got {steps}")));
    }
    Ok(Scale::new(scale.palette(), limit, steps))
}

/// An image of these pixels.
fn image(pixels: Array2<Pixel>) -> Result<ImageData, JsValue> {
    let (height, width) = pixels.dim();
    // Bytes of JavaScript's own: an image keeps the array that it is given, and one of the module's
    // memory would change with it.
    let bytes = Uint8ClampedArray::from(into_values(pixels).as_flattened());
    ImageData::new_with_js_u8_clamped_array_and_sh(&bytes, width as u32, height as u32).map_err(
        |_| {
            coded(
                "no-image-data",
                "maps are painted where there is `ImageData`: in a page or a worker of a browser",
            )
        },
    )
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

/// See [`lifetimes::lifetimes`].
#[wasm_bindgen(unchecked_return_type = "Lifetime[]")]
pub fn lifetimes(dots: &[f32], norms: &[f32], count: usize, most: f64) -> Result<JsValue, JsValue> {
    let found = lifetimes::lifetimes(dots, norms, count, most);
    to_js(&found.into_iter().map(Lifetime::from).collect::<Vec<_>>())
}

/// See [`certified::certified`].
#[wasm_bindgen(unchecked_return_type = "Certified[]")]
pub fn certified(
    dots: &[f32],
    norms: &[f32],
    query_norm: f32,
    epsilon: f32,
    count: usize,
) -> Result<JsValue, JsValue> {
    let epsilon = check_epsilon(epsilon).map_err(thrown)?;
    let found = certified::certified(dots, norms, query_norm, epsilon, count);
    to_js(&found.into_iter().map(Certified::from).collect::<Vec<_>>())
}

/// The constants of a loss and the bounds of plain SGD, see [`theory`](crate::lab::theory).
#[wasm_bindgen(js_name = theoryBound, unchecked_return_type = "TheoryBound")]
pub fn theory_bound(
    #[wasm_bindgen(unchecked_param_type = "Theory")] theory: JsValue,
) -> Result<JsValue, JsValue> {
    let (theory, constants) = checked_theory(theory)?;
    to_js(&theory.bound(constants))
}

/// See [`bound::growth`].
#[wasm_bindgen(js_name = weightGrowth)]
pub fn weight_growth(
    #[wasm_bindgen(unchecked_param_type = "Theory")] theory: JsValue,
    replaced: u32,
    at: &[u32],
) -> Result<Vec<f64>, JsValue> {
    let (theory, constants) = checked_theory(theory)?;
    at_most("descent", at.last().map_or(0, |&last| last as usize), limits::GROWTH_STEPS)?;
    let at: Vec<u64> = at.iter().map(|&at| u64::from(at)).collect();
    Ok(bound::growth(constants.weights, theory.step_constant, u64::from(replaced), &at))
}

fn checked_theory(theory: JsValue) -> Result<(Theory, Constants), JsValue> {
    let theory: Theory = from_js("theory", theory)?;
    check_epsilon(theory.epsilon).map_err(thrown)?;
    let constants = theory.constants().map_err(thrown)?;
    let constants = constants.ok_or_else(|| refused("`theory.loss` must be the name of a loss"))?;
    Ok((theory, constants))
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
    at_most("descent", steps, limits::DESCENT_STEPS)?;
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
    let all: Vec<metrics::Metrics> = all.into_iter().map(|Metrics(metrics)| metrics).collect();
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
