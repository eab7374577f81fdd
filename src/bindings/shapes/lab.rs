//! What the lab takes and gives.

use js_sys::Float32Array;
use ndarray::Array2;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;
use web_sys::ImageData;

use crate::Error;
use crate::lab::colours::{Colour, Palette};
use crate::lab::descent::{self, Way};
use crate::lab::order;
use crate::lab::plane::{self, Quantity};
use crate::lab::theory::{Constants, bound};
use crate::lab::{certified, lifetimes, losses};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
export type Point = readonly [number, number];
export type QuantityName = "score" | "x1" | "x2" | "length" | "radial" | "curvature";
export interface PlaneMap {
  quantity: QuantityName;
  document: Point;
  size: number;
  extent: number;
  epsilon: number;
}
export type Colour = readonly [number, number, number];
export interface ColourScale {
  low: Colour;
  middle: Colour;
  high: Colour;
  limit: number;
  steps: number;
}
export interface Extreme {
  value: number;
  at: [number, number];
}
export interface PaintedMap {
  image: ImageData;
  values: Float32Array;
  origin: number;
  smallest: Extreme | undefined;
  largest: Extreme | undefined;
}
export interface Reading {
  score: number;
  gradient: [number, number];
  length: number;
  radial: number;
  curvature: number;
}
export interface GradientBounds {
  printed: number;
  tight: number;
  exact: number;
}
export interface SwapPoint {
  epsilon: number;
  first: number;
  second: number;
}
export interface Lifetime {
  document: number;
  from: number;
  to: number;
}
export interface Certified {
  document: number;
  radius: number;
  lipschitz: number;
  rival: number | undefined;
}
export interface Theory {
  loss: string;
  thresholds: readonly number[];
  scale: number;
  epsilon: number;
  stepConstant: number;
  pairs: number;
  steps: number;
  delta: number;
}
export interface TheoryBound {
  largest: number;
  lipschitz: number;
  smoothness: number;
  stability: number;
  gap: number;
  leastPairs: number | undefined;
}
export interface Descent {
  way: "plain" | "clipped" | "adam";
  clip?: number;
  start: Point;
  document: Point;
  epsilon: number;
  rate: number;
  steps: number;
}
export interface Step {
  point: [number, number];
  length: number;
  gradient: number;
  score: number;
}
export interface LossCurve {
  values: Float32Array;
  slopes: Float32Array;
}
export type Metrics = Record<string, number>;
"#;

/// Which quantity is mapped over which part of the plane.
#[derive(Deserialize)]
pub(crate) struct PlaneMap {
    pub quantity: QuantityName,
    pub document: [f32; 2],
    pub size: usize,
    pub extent: f32,
    pub epsilon: f32,
}

impl PlaneMap {
    pub fn values(&self) -> Array2<f32> {
        plane::map(self.quantity.into(), self.document, self.size, self.extent, self.epsilon)
    }
}

/// A [`Quantity`] as JavaScript names it.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum QuantityName {
    Score,
    X1,
    X2,
    Length,
    Radial,
    Curvature,
}

impl From<QuantityName> for Quantity {
    fn from(name: QuantityName) -> Self {
        match name {
            QuantityName::Score => Self::Score,
            QuantityName::X1 => Self::AlongX1,
            QuantityName::X2 => Self::AlongX2,
            QuantityName::Length => Self::Length,
            QuantityName::Radial => Self::Radial,
            QuantityName::Curvature => Self::Curvature,
        }
    }
}

/// The colours of a map: see [`Scale`](crate::lab::colours::Scale).
#[derive(Deserialize)]
pub(crate) struct ColourScale {
    low: Colour,
    middle: Colour,
    high: Colour,
    pub limit: f64,
    pub steps: usize,
}

impl ColourScale {
    pub fn palette(&self) -> Palette {
        Palette { low: self.low, middle: self.middle, high: self.high }
    }
}

/// A map with its colours, and what stands out in it.
#[derive(Serialize)]
pub(crate) struct PaintedMap {
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub image: ImageData,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub values: Float32Array,
    /// The value at the zero vector, which the map itself may leave out.
    pub origin: f32,
    pub smallest: Option<Extreme>,
    pub largest: Option<Extreme>,
}

/// A finite value of a map, and where it stands.
#[derive(Serialize)]
pub(crate) struct Extreme {
    value: f32,
    at: [f32; 2],
}

impl From<plane::Extreme> for Extreme {
    fn from(extreme: plane::Extreme) -> Self {
        Self { value: extreme.value, at: extreme.at }
    }
}

/// What there is to know at a query vector.
#[derive(Serialize)]
pub(crate) struct Reading {
    score: f32,
    gradient: [f32; 2],
    length: f32,
    radial: f32,
    curvature: f32,
}

impl From<plane::Reading> for Reading {
    fn from(reading: plane::Reading) -> Self {
        Self {
            score: reading.score,
            gradient: reading.gradient,
            length: reading.length,
            radial: reading.radial,
            curvature: reading.curvature,
        }
    }
}

/// What the gradient's length cannot exceed: see [`plane::bounds`].
#[derive(Serialize)]
pub(crate) struct GradientBounds {
    printed: f32,
    tight: f32,
    exact: f32,
}

impl From<[f32; 3]> for GradientBounds {
    fn from([printed, tight, exact]: [f32; 3]) -> Self {
        Self { printed, tight, exact }
    }
}

/// Where two documents of a list swap: below `epsilon` the first is ahead.
#[derive(Serialize)]
pub(crate) struct SwapPoint {
    epsilon: f64,
    first: usize,
    second: usize,
}

impl From<order::Swap> for SwapPoint {
    fn from(swap: order::Swap) -> Self {
        Self { epsilon: swap.epsilon, first: swap.first, second: swap.second }
    }
}

/// A gradient descent of one query vector towards a document.
#[derive(Deserialize)]
pub(crate) struct Descent {
    way: WayName,
    /// The longest gradient that is taken as it is, where `way` is clipped.
    clip: Option<f32>,
    pub start: [f32; 2],
    pub document: [f32; 2],
    pub epsilon: f32,
    pub rate: f32,
    pub steps: usize,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum WayName {
    Plain,
    Clipped,
    Adam,
}

impl Descent {
    pub fn way(&self) -> Way {
        match self.way {
            WayName::Plain => Way::Plain,
            WayName::Clipped => Way::Clipped(self.clip.unwrap_or(1.0)),
            WayName::Adam => Way::Adam,
        }
    }
}

/// A step of a descent.
#[derive(Serialize)]
pub(crate) struct Step {
    point: [f32; 2],
    length: f32,
    gradient: f32,
    score: f32,
}

impl From<descent::Step> for Step {
    fn from(step: descent::Step) -> Self {
        Self { point: step.point, length: step.length, gradient: step.gradient, score: step.score }
    }
}

/// A loss at some scores, and its slope.
#[derive(Serialize)]
pub(crate) struct LossCurve {
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub values: Float32Array,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub slopes: Float32Array,
}

/// See [`Lifetime`](lifetimes::Lifetime).
#[derive(Serialize)]
pub(crate) struct Lifetime {
    document: usize,
    from: f64,
    to: f64,
}

impl From<lifetimes::Lifetime> for Lifetime {
    fn from(life: lifetimes::Lifetime) -> Self {
        Self { document: life.document, from: life.from, to: life.to }
    }
}

/// See [`Certified`](certified::Certified).
#[derive(Serialize)]
pub(crate) struct Certified {
    document: usize,
    radius: f64,
    lipschitz: f64,
    rival: Option<usize>,
}

impl From<certified::Certified> for Certified {
    fn from(found: certified::Certified) -> Self {
        let certified::Certified { document, radius, lipschitz, rival } = found;
        Self { document, radius, lipschitz, rival }
    }
}

/// A loss at an epsilon, and plain SGD on pairs.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Theory {
    pub loss: String,
    pub thresholds: Vec<f32>,
    pub scale: f32,
    pub epsilon: f32,
    pub step_constant: f64,
    pub pairs: f64,
    pub steps: f64,
    pub delta: f64,
}

/// The constants of a loss, and the bounds of plain SGD that follow.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TheoryBound {
    largest: f64,
    lipschitz: f64,
    smoothness: f64,
    stability: f64,
    gap: f64,
    least_pairs: Option<f64>,
}

impl Theory {
    /// The constants in the weights.
    pub fn constants(&self) -> Result<Option<Constants>, Error> {
        let loss = losses::named(&self.loss, &self.thresholds, self.scale)?;
        Ok(loss.map(|loss| Constants::of(&loss, self.epsilon)))
    }

    /// The bounds by these constants.
    pub fn bound(&self, Constants { largest, weights, .. }: Constants) -> TheoryBound {
        let &Self { step_constant: c, pairs, steps, delta, .. } = self;
        let stability = bound::stability(weights, largest, c, pairs, steps);
        TheoryBound {
            largest,
            lipschitz: weights.lipschitz,
            smoothness: weights.smoothness,
            stability,
            gap: bound::gap(stability, largest, pairs, delta),
            least_pairs: bound::least_pairs(weights, largest, c, steps, delta),
        }
    }
}
