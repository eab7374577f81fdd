//! The arguments and results of fine-tuning, training and user documents.

use std::collections::BTreeMap;

use js_sys::{Float32Array, Uint8Array};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use super::metrics::Metrics;
use crate::index::Reencoded as CoreReencoded;
use crate::learning::scratch;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
export interface StepReport {
  loss: number;
  failed: string | undefined;
}
export interface PlacedJudgement {
  query: string;
  document: number;
  grade: number;
}
export interface FineTuningOptions {
  learningRate?: number | undefined;
  clip?: number | undefined;
  pull?: number | undefined;
}
export interface Reencoded {
  documents: number;
  pending: number;
}
export interface Exported {
  bytes: Uint8Array;
  largestError: number;
  meanError: number;
}
export interface UserDocument {
  id: string;
  title: string;
  text: string;
  fields: Readonly<Record<string, readonly string[]>>;
}
export interface WordCounts {
  known: number;
  all: number;
}
export interface IndexedDocument {
  id: string;
  title: string;
  text: string;
  language: string;
  fields: Record<string, string[]>;
}
export interface Collection {
  queries: readonly { id: string; text: string }[];
  documents: readonly { id: string; text: string }[];
  qrels: readonly { query: number; document: number; grade: number }[];
}
export interface TrainingSettings {
  language?: string | undefined;
  dimension?: number | undefined;
  epsilon?: number | undefined;
  thresholds?: readonly number[] | undefined;
  learningRate?: number | undefined;
  negatives?: number | undefined;
  seed?: number | undefined;
}
export interface TrainingEvaluation {
  metrics: Record<string, number>;
  scores: Float32Array;
  grades: Uint8Array;
}
"#;

/// A step that was taken.
#[derive(Serialize)]
pub(crate) struct StepReport {
    /// The mean loss before it.
    pub loss: f64,
    /// Why the GPU could not take it, if that was so: the core took it then.
    pub failed: Option<String>,
}

/// A relevance judgement; the document by its place among all.
#[derive(Deserialize)]
pub(crate) struct PlacedJudgement {
    pub query: String,
    pub document: usize,
    pub grade: u8,
}

/// The options of fine-tuning.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FineTuningOptions {
    pub learning_rate: Option<f32>,
    pub clip: Option<f32>,
    pub pull: Option<f32>,
}

/// The effect of a change of the model on the documents.
#[derive(Serialize)]
pub(crate) struct Reencoded {
    documents: usize,
    pending: usize,
}

impl From<CoreReencoded> for Reencoded {
    fn from(CoreReencoded { documents, pending }: CoreReencoded) -> Self {
        Self { documents, pending }
    }
}

/// A fine-tuned model as a file, and what rounding cost it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Exported {
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub bytes: Uint8Array,
    pub largest_error: f32,
    pub mean_error: f32,
}

/// A user document.
#[derive(Deserialize)]
pub(crate) struct UserDocument {
    pub id: String,
    pub title: String,
    pub text: String,
    pub fields: BTreeMap<String, Vec<String>>,
}

/// The words of a document.
#[derive(Serialize)]
pub(crate) struct WordCounts {
    pub known: usize,
    pub all: usize,
}

/// A document of an index.
#[derive(Serialize)]
pub(crate) struct IndexedDocument<'a> {
    pub id: &'a str,
    pub title: &'a str,
    pub text: &'a str,
    pub language: &'a str,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub fields: JsValue,
}

/// A collection to train on.
#[derive(Deserialize)]
pub(crate) struct Collection {
    pub queries: Vec<NamedText>,
    pub documents: Vec<NamedText>,
    pub qrels: Vec<Qrel>,
}

#[derive(Deserialize)]
pub(crate) struct NamedText {
    pub id: String,
    pub text: String,
}

/// A relevance judgement, by the places of its query and its document in the collection.
#[derive(Deserialize)]
pub(crate) struct Qrel {
    pub query: u32,
    pub document: u32,
    pub grade: u8,
}

/// The settings of a training: the options that are given.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TrainingSettings {
    language: Option<String>,
    dimension: Option<usize>,
    epsilon: Option<f32>,
    thresholds: Option<Vec<f32>>,
    learning_rate: Option<f32>,
    negatives: Option<usize>,
    seed: Option<u32>,
}

impl From<TrainingSettings> for scratch::Options {
    fn from(given: TrainingSettings) -> Self {
        let default = Self::default();
        Self {
            language: given.language.unwrap_or(default.language),
            dimension: given.dimension.unwrap_or(default.dimension),
            epsilon: given.epsilon.unwrap_or(default.epsilon),
            thresholds: given.thresholds.unwrap_or(default.thresholds),
            learning_rate: given.learning_rate.unwrap_or(default.learning_rate),
            negatives: given.negatives.unwrap_or(default.negatives),
            seed: given.seed.map_or(default.seed, u64::from),
            ..default
        }
    }
}

/// The rankings of some queries, evaluated.
#[derive(Serialize)]
pub(crate) struct TrainingEvaluation {
    pub metrics: Metrics,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub scores: Float32Array,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub grades: Uint8Array,
}
