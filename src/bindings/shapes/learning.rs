//! The arguments and results of fine-tuning, training and user documents.

use std::collections::BTreeMap;

use js_sys::{Float32Array, Uint8Array};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use super::metrics::Metrics;
use crate::index::Reencoded as CoreReencoded;
use crate::learning::scratch;
use crate::math::loss::LossKind;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
export interface StepReport {
  loss: number;
  longest: number;
  median: number;
  clipped: boolean;
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
  section: string;
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
  section: string;
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
  loss?: string | undefined;
  scale?: number | undefined;
  gradesByLinks?: boolean | undefined;
  learningRate?: number | undefined;
  clip?: number | undefined;
  descent?: number | undefined;
  replaced?: number | undefined;
  standardDeviation?: number | undefined;
  batchSize?: number | undefined;
  negatives?: number | undefined;
  seed?: number | undefined;
}
export interface TrainingDistance {
  weights: number;
  loss: number;
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
    /// The length of the longest of its gradients of the score; NaN where they are not known.
    pub longest: f32,
    /// Their median length.
    pub median: f32,
    /// Whether the step's gradient was clipped.
    pub clipped: bool,
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
    pub section: String,
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
    pub section: &'a str,
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
    loss: Option<String>,
    scale: Option<f32>,
    grades_by_links: Option<bool>,
    learning_rate: Option<f32>,
    clip: Option<f32>,
    descent: Option<f32>,
    replaced: Option<usize>,
    standard_deviation: Option<f32>,
    batch_size: Option<usize>,
    negatives: Option<usize>,
    seed: Option<u32>,
}

impl TrainingSettings {
    /// The options; the name of the loss where it is none.
    pub fn options(self) -> Result<scratch::Options, String> {
        let default = scratch::Options::default();
        let loss = match self.loss {
            None => default.loss,
            Some(name) => LossKind::named(&name).ok_or(name)?,
        };
        Ok(scratch::Options {
            language: self.language.unwrap_or(default.language),
            dimension: self.dimension.unwrap_or(default.dimension),
            epsilon: self.epsilon.unwrap_or(default.epsilon),
            thresholds: self.thresholds.unwrap_or(default.thresholds),
            loss,
            scale: self.scale.unwrap_or(default.scale),
            grades_by_links: self.grades_by_links.unwrap_or(default.grades_by_links),
            learning_rate: self.learning_rate.unwrap_or(default.learning_rate),
            clip: self.clip,
            descent: self.descent,
            replaced: self.replaced,
            standard_deviation: self.standard_deviation.unwrap_or(default.standard_deviation),
            batch_size: self.batch_size.unwrap_or(default.batch_size),
            negatives: self.negatives.unwrap_or(default.negatives),
            seed: self.seed.map_or(default.seed, u64::from),
        })
    }
}

/// How far two trainings are apart: see [`scratch::Distance`].
#[derive(Serialize)]
pub(crate) struct TrainingDistance {
    weights: f64,
    loss: f64,
}

impl From<scratch::Distance> for TrainingDistance {
    fn from(scratch::Distance { weights, loss }: scratch::Distance) -> Self {
        Self { weights, loss }
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
