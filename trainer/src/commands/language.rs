//! The language of documents that a command is about.

use smooth_clir::model::Model;

use crate::error::Error;

/// The language asked for, or the model's only one.
pub fn language_of(model: &Model, requested: Option<&str>) -> Result<String, Error> {
    let known: Vec<&str> = model.documents.keys().map(String::as_str).collect();
    match (requested, &known[..]) {
        (Some(language), known) if known.contains(&language) => Ok(language.into()),
        (Some(language), known) => Err(Error::Usage(format!(
            "--language {language}: the model has documents in {}; a language pack, document.{language}.safetensors, in its \
             folder adds others",
            known.join(", ")
        ))),
        (None, [only]) => Ok((*only).into()),
        (None, []) => Err(Error::Model { part: "document encoder" }),
        (None, known) => Err(Error::Usage(format!(
            "the model has documents in {}: choose one with --language",
            known.join(", ")
        ))),
    }
}
