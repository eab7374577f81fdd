//! What a request asks for: the parameters of its address, or the fields of its JSON.

use std::fmt::Display;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use serde::Deserialize;

use super::limits::Limits;
use super::refusal::Refusal;
use crate::search::{self, Question};

/// Documents in an answer where nothing is said of it.
const DEFAULT_K: usize = 10;
const NAMES: &str = "q, queryLanguage, k, language, epsilon, dense, filter, document";

/// As they came.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fields {
    q: Option<String>,
    #[serde(rename = "queryLanguage")]
    query_language: Option<String>,
    k: Option<usize>,
    language: Option<String>,
    epsilon: Option<f32>,
    dense: Option<f32>,
    #[serde(default)]
    filter: Vec<String>,
    document: Option<String>,
}

impl Fields {
    /// Of the part of an address after its question mark.
    pub fn of_address(query: &str) -> Result<Self, Refusal> {
        if percent_decode_str(query).decode_utf8().is_err() {
            return Err(Refusal::parameter("the URL is not UTF-8"));
        }
        let mut fields = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let (name, value) = (&*name, &*value);
            match name {
                "q" => set(&mut fields.q, name, value)?,
                "queryLanguage" => set(&mut fields.query_language, name, value)?,
                "k" => set(&mut fields.k, name, value)?,
                "language" => set(&mut fields.language, name, value)?,
                "epsilon" => set(&mut fields.epsilon, name, value)?,
                "dense" => set(&mut fields.dense, name, value)?,
                "filter" => fields.filter.push(value.to_owned()),
                "document" => set(&mut fields.document, name, value)?,
                other => {
                    let problem = format!("unknown parameter `{other}`, expected {NAMES}");
                    return Err(Refusal::parameter(problem));
                }
            }
        }
        Ok(fields)
    }

    /// Of a body.
    pub fn of_json(body: &[u8]) -> Result<Self, Refusal> {
        serde_json::from_slice(body).map_err(|error| Refusal::parameter(format!("JSON: {error}")))
    }

    /// What is asked, and the id of the document that it is about, if it is about one.
    pub fn question(self, limits: Limits) -> Result<(Question, Option<String>), Refusal> {
        let Self { q, query_language, k, language, epsilon, dense, filter, document } = self;
        let query = q.ok_or_else(|| Refusal::parameter("missing parameter `q`: the query"))?;
        if query.len() > limits.query {
            let source =
                smooth_clir::Error::QueryTooLong { found: query.len(), most: limits.query };
            return Err(crate::error::Error::from(source).into());
        }
        let limit = k.unwrap_or(DEFAULT_K.min(limits.documents));
        if !(1..=limits.documents).contains(&limit) {
            let most = limits.documents;
            return Err(Refusal::parameter(format!("k is {limit}, expected 1 to {most}")));
        }
        let filters = filter.iter().map(|text| search::filter(text)).collect::<Result<_, _>>();
        let filters =
            filters.map_err(|problem| Refusal::parameter(format!("filter: {problem}")))?;
        let question = Question { query, query_language, epsilon, dense, limit, language, filters };
        Ok((question, document))
    }
}

fn set<T: FromStr<Err: Display>>(
    field: &mut Option<T>,
    name: &str,
    value: &str,
) -> Result<(), Refusal> {
    let refused = |problem: String| Refusal::parameter(format!("{name}: {problem}"));
    if field.is_some() {
        return Err(refused("given twice".into()));
    }
    *field = Some(value.parse().map_err(|error: T::Err| refused(error.to_string()))?);
    Ok(())
}
