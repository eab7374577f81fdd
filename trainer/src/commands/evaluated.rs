//! What a model is evaluated on: its collections, split and drawn as when it was trained.

use std::path::Path;

use serde_json::Value;
use smooth_clir::model::Model;

use super::language::language_of;
use crate::corpus::Drawing;
use crate::data::{Collection, SplitBy, builtin};
use crate::error::Error;
use crate::train::contrastive::DEFAULT_THRESHOLDS;

/// The folder asked for, or the built-in corpus: in the language asked for, or all of the model's.
pub fn collections(
    model: &Model,
    (folder, language): (Option<&Path>, Option<&str>),
) -> Result<Vec<Collection>, Error> {
    if let Some(folder) = folder {
        let language = language_of(model, language)?;
        let grades = model.config.thresholds.len() + 1;
        return Ok(vec![Collection::read(folder, &language, grades)?]);
    }
    let languages = match language {
        Some(_) => vec![language_of(model, language)?],
        None => model.documents.keys().cloned().collect(),
    };
    builtin::collections(&languages, model.config.thresholds.len() + 1)
}

/// Whether a model was trained on graded documents, whose queries have splits.
pub fn is_trained_on_folders(model: &Model) -> bool {
    options(model)["loss"] != "contrastive"
}

/// Whether a model's thresholds between grades were trained with, or fitted after training. A model of parallel sentences
/// alone has the default ones until it is fitted.
pub fn grades_are_fitted(model: &Model) -> bool {
    let options = options(model);
    let is_trained_with =
        options["loss"] != "contrastive" || options["objective"].to_string().contains(r#""sosl""#);
    is_trained_with || model.config.thresholds != DEFAULT_THRESHOLDS
}

fn options(model: &Model) -> Value {
    let provenance: Value = serde_json::from_str(&model.provenance).unwrap_or(Value::Null);
    provenance["options"].clone()
}

/// How the queries were split and the candidates drawn when the model was trained.
pub fn drawing(model: &Model, path: &Path) -> Result<Drawing, Error> {
    let options = &options(model);
    let missing = |option: &str| {
        Error::data(
            path,
            format!("its provenance lacks the option {option}, which determines the split"),
        )
    };
    if options["loss"] == "contrastive" {
        // It was trained on no folder: the defaults of train.
        return Ok(Drawing::of_all(1, SplitBy::Query, 40));
    }
    let number = |option| options[option].as_u64().ok_or_else(|| missing(option));
    let by = match options["split-by"].as_str() {
        Some("query") => SplitBy::Query,
        Some("group") => SplitBy::Group,
        _ => return Err(missing("split-by")),
    };
    let (seed, negatives) = (number("split-seed")?, number("negatives")? as usize);
    if options["refit"] == true {
        eprintln!(
            "note: this model was trained again on all queries (--refit), including these; its provenance has the metrics on unseen queries"
        );
    }
    Ok(Drawing::of_all(seed, by, negatives))
}
