//! The arguments and results of searches and their explanations.

use std::collections::BTreeMap;

use js_sys::{Array, Float32Array, Object};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::bindings::crossing::Properties;
use crate::engine;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
export interface EngineState {
  epsilon: number;
  dimension: number;
  documentCount: number;
  languages: string[];
  description: { config?: Record<string, unknown>; provenance?: Record<string, unknown>; space?: string };
}
export interface EngineFile {
  kind: "model" | "index" | "texts";
  index: number | undefined;
  start: number;
  length: number;
}
export interface TextBlock {
  index: number;
  block: number;
}
export interface RankOptions {
  epsilon?: number | undefined;
  limit: number;
  language?: string | undefined;
  dense?: number | undefined;
  filters?: Readonly<Record<string, readonly string[]>> | undefined;
}
export interface Hit {
  id: string;
  language: string;
  title: string;
  section: string;
  text: string;
  score: number;
  probability: number | undefined;
  fits: boolean;
  similarity: number;
  lexical: number | undefined;
  dot: number;
  documentNorm: number;
  fields: Record<string, string[]>;
}
export interface Token {
  token: string;
  known: boolean;
  interpreted?: string;
  weight?: number;
}
export interface ExplainOptions {
  document: string;
  language?: string | undefined;
  queryLanguage?: string | undefined;
  epsilon?: number | undefined;
  dense?: number | undefined;
}
export interface WordContribution {
  token: string;
  interpreted: string | undefined;
  contribution: number | undefined;
}
export interface LexicalMatch {
  token: string;
  terms: { token: string; probability: number; count: number }[];
  contribution: number;
}
export interface Explanation {
  query: WordContribution[];
  document: WordContribution[];
  queryNorm: number;
  documentNorm: number;
  dot: number;
  similarity: number;
  lexical: number | undefined;
  weights: [dense: number, lexical: number];
  score: number;
  matches: LexicalMatch[];
  queryLanguage: string | undefined;
}
export interface QueryDots {
  queryNorm: number;
  dots: Float32Array;
}
export interface Documents {
  ids: string[];
  languages: string[];
  norms: Float32Array;
}
"#;

/// The properties of an engine.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EngineState<'a> {
    pub epsilon: f32,
    pub dimension: usize,
    pub document_count: usize,
    pub languages: Vec<&'a str>,
    /// The model's config, provenance and space.
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub description: JsValue,
}

/// A file that an engine holds, and where in the module's memory its bytes are.
#[derive(Serialize)]
pub(crate) struct EngineFile {
    pub kind: FileKind,
    /// Of texts, the number of their index in the order of adding.
    pub index: Option<usize>,
    pub start: usize,
    pub length: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum FileKind {
    Model,
    Index,
    Texts,
}

/// A block of the texts of an index: both are numbers, the index's in the order of adding.
#[derive(Serialize)]
pub(crate) struct TextBlock {
    pub index: usize,
    pub block: usize,
}

impl From<(usize, usize)> for TextBlock {
    fn from((index, block): (usize, usize)) -> Self {
        Self { index, block }
    }
}

/// The options of a ranking.
pub(crate) struct RankOptions {
    pub epsilon: Option<f32>,
    pub limit: usize,
    pub language: Option<String>,
    pub dense: Option<f32>,
    pub filters: Vec<(String, Vec<String>)>,
}

impl RankOptions {
    pub(crate) fn read(options: JsValue) -> Result<Self, JsValue> {
        let options = Properties { what: "options", object: options };
        Ok(Self {
            epsilon: options.number("epsilon")?,
            limit: options.count("limit")?,
            language: options.text("language")?,
            dense: options.number("dense")?,
            filters: options.lists("filters")?,
        })
    }
}

/// The values of each field of a document, as an object whose own properties they are. A field may be named `__proto__`, to
/// which assigning would give the object another prototype.
pub(crate) fn fields_of<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> JsValue {
    let mut fields = BTreeMap::<&str, Vec<&str>>::new();
    for (name, value) in pairs {
        fields.entry(name).or_default().push(value);
    }
    let strings = |values: Vec<&str>| values.into_iter().map(JsValue::from).collect::<Array>();
    let entry = |(name, values)| Array::of2(&JsValue::from(name), &strings(values));
    let entries: Array = fields.into_iter().map(entry).collect();
    // Pairs are entries, so that there is an object.
    Object::from_entries(&entries).map_or(JsValue::UNDEFINED, JsValue::from)
}

/// A document that was found.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Hit<'a> {
    id: &'a str,
    language: &'a str,
    title: &'a str,
    section: &'a str,
    text: &'a str,
    score: f32,
    probability: Option<f32>,
    fits: bool,
    similarity: f32,
    lexical: Option<f32>,
    dot: f32,
    document_norm: f32,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    fields: JsValue,
}

impl<'a> From<engine::Hit<'a>> for Hit<'a> {
    fn from(hit: engine::Hit<'a>) -> Self {
        Self {
            id: hit.id,
            language: hit.language,
            title: hit.title,
            section: hit.section,
            text: hit.text,
            score: hit.score,
            probability: hit.probability,
            fits: hit.fits(),
            similarity: hit.similarity,
            lexical: hit.lexical,
            dot: hit.dot,
            document_norm: hit.document_norm,
            fields: fields_of(hit.fields.into_iter()),
        }
    }
}

/// A word of a query, as the model reads it.
#[derive(Serialize)]
pub(crate) struct Token {
    token: String,
    known: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    interpreted: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    weight: Option<f32>,
}

impl From<engine::Token> for Token {
    fn from(engine::Token { token, known, interpreted, weight }: engine::Token) -> Self {
        Self { token, known, interpreted, weight }
    }
}

/// Which document's score is explained, and how it is scored.
pub(crate) struct ExplainOptions {
    pub document: String,
    pub language: Option<String>,
    pub query_language: Option<String>,
    pub epsilon: Option<f32>,
    pub dense: Option<f32>,
}

impl ExplainOptions {
    /// `what` names the argument.
    pub(crate) fn read(what: &str, options: JsValue) -> Result<Self, JsValue> {
        let options = Properties { what, object: options };
        Ok(Self {
            document: options.text("document")?.ok_or_else(|| options.missing("document"))?,
            language: options.text("language")?,
            query_language: options.text("queryLanguage")?,
            epsilon: options.number("epsilon")?,
            dense: options.number("dense")?,
        })
    }
}

/// The parts of a score.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Explanation {
    query: Vec<WordContribution>,
    document: Vec<WordContribution>,
    query_norm: f32,
    document_norm: f32,
    dot: f32,
    similarity: f32,
    lexical: Option<f32>,
    weights: [f32; 2],
    score: f32,
    matches: Vec<LexicalMatch>,
    query_language: Option<String>,
}

impl From<engine::Explanation> for Explanation {
    fn from(explanation: engine::Explanation) -> Self {
        Self {
            query: explanation.query.into_iter().map(WordContribution::from).collect(),
            document: explanation.document.into_iter().map(WordContribution::from).collect(),
            query_norm: explanation.query_norm,
            document_norm: explanation.document_norm,
            dot: explanation.dot,
            similarity: explanation.similarity,
            lexical: explanation.lexical,
            weights: explanation.weights,
            score: explanation.score,
            matches: explanation.matches.into_iter().map(LexicalMatch::from).collect(),
            query_language: explanation.query_language,
        }
    }
}

/// A word, and its contribution to a similarity.
#[derive(Serialize)]
struct WordContribution {
    token: String,
    interpreted: Option<String>,
    contribution: Option<f32>,
}

impl From<engine::WordContribution> for WordContribution {
    fn from(word: engine::WordContribution) -> Self {
        let engine::WordContribution { token, interpreted, contribution } = word;
        Self { token, interpreted, contribution }
    }
}

/// A word of the query whose translations the document contains.
#[derive(Serialize)]
pub(crate) struct LexicalMatch {
    token: String,
    terms: Vec<Term>,
    contribution: f32,
}

/// A translation in a document.
#[derive(Serialize)]
struct Term {
    token: String,
    probability: f32,
    count: u32,
}

impl From<engine::LexicalMatch> for LexicalMatch {
    fn from(found: engine::LexicalMatch) -> Self {
        let engine::LexicalMatch { token, terms, contribution } = found;
        Self { token, terms: terms.into_iter().map(Term::from).collect(), contribution }
    }
}

impl From<engine::Term> for Term {
    fn from(engine::Term { token, probability, count }: engine::Term) -> Self {
        Self { token, probability, count }
    }
}

/// A query's norm and its dot products with all documents.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QueryDots {
    pub query_norm: f32,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub dots: Float32Array,
}

/// All documents, in the order of adding.
#[derive(Serialize)]
pub(crate) struct Documents<'a> {
    /// Empty where a text has not been added.
    pub ids: Vec<&'a str>,
    pub languages: Vec<&'a str>,
    #[serde(with = "serde_wasm_bindgen::preserve")]
    pub norms: Float32Array,
}
