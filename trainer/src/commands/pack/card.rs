//! The provenance of a language pack, and its card.

use std::path::Path;

use serde_json::{Map, Value, json};
use smooth_clir::model::Model;

use super::found::{Form, Stem};
use super::table::Least;
use crate::terminal::values::name_of;
use crate::train::contrastive::Fitted;
use crate::train::{PROGRAM, number};

/// All that is told of a pack.
#[derive(Debug)]
pub struct Card<'a> {
    /// Its language.
    pub language: &'a str,
    /// The model that it is for.
    pub model: &'a Model,
    /// The pack.
    pub pack: &'a Model,
    /// Pairs that it was made of, and fitted by.
    pub pairs: [usize; 2],
    /// The files with their digests.
    pub inputs: Vec<(&'a Path, String)>,
    /// Whose text they are.
    pub sources: Option<Value>,
    /// What was found.
    pub stem: Stem,
    /// What each form of words found, where several were tried.
    pub found: Vec<(Form, f64)>,
    /// Which translations are kept.
    pub least: Least,
    /// What was fitted.
    pub fitted: Fitted,
}

impl Card<'_> {
    /// The provenance that the pack's file has.
    pub fn provenance(&self) -> Value {
        let file = |(path, digest): &(&Path, String)| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            json!({ "language": self.language, "file": name, "digest": digest })
        };
        json!({
            "program": PROGRAM,
            "model": self.model.space,
            "data": self.inputs.iter().map(file).collect::<Vec<_>>(),
            "options": { "stems": name_of(self.stem.end), "least-count": self.least.count, "least-share": number(self.least.share) },
            "sources": self.sources.clone().unwrap_or_else(|| json!([])),
        })
    }

    /// The card, for people.
    pub fn to_json(&self, bytes: usize) -> Value {
        let Self { language, model, pack, pairs, stem, found, fitted, .. } = self;
        let entries = pack.translations.get(*language).map_or(0, |table| table.len());
        let of_forms: Map<String, Value> = found
            .iter()
            .map(|(form, found)| (form.to_string(), json!((found * 1e4).round() / 1e4)))
            .collect();
        let shown = stem.function_words.iter().take(30).collect::<Vec<_>>();
        json!({
            "language": language,
            "model": model.space,
            "bytes": bytes,
            "pairs": { "sentences": fitted.sentences, "all": pairs[0], "kept-back": pairs[1] },
            "translations": entries,
            "stems": name_of(stem.end),
            "reciprocal-rank-by-form": of_forms,
            "written-without-spaces": stem.is_unspaced,
            "function-words": shown,
            "sources": self.sources.clone().unwrap_or_else(|| json!([])),
        })
    }
}
