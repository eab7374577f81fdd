//! What stands before a page of Markdown: YAML between lines of `---`, TOML between lines of `+++`.

use pulldown_cmark::MetadataBlockKind;
use serde_json::{Map, Value};

use super::fields::{Fields, Wanted};

/// Adds the fields that are asked for; where none is, it is not looked at.
pub fn read(
    (kind, text): (MetadataBlockKind, &str),
    wanted: &mut Wanted<'_>,
    fields: &mut Fields,
) -> Result<(), String> {
    if wanted.is_empty() {
        return Ok(());
    }
    let read: Result<Map<String, Value>, String> = match kind {
        MetadataBlockKind::YamlStyle if text.trim().is_empty() => Ok(Map::new()),
        MetadataBlockKind::YamlStyle => {
            serde_saphyr::from_str(text).map_err(|error| error.to_string())
        }
        MetadataBlockKind::PlusesStyle => text
            .parse::<toml::Table>()
            .map(|table| table.into_iter().map(|(name, value)| (name, plain(value))).collect())
            .map_err(|error| error.to_string()),
    };
    let entries = read.map_err(|problem| {
        // What follows shows the place.
        let first = problem.lines().next().unwrap_or_default();
        format!("the front matter: {}", first.trim_start_matches("error: "))
    })?;
    let add = |(name, value): (&String, &Value)| wanted.add_json(fields, name, value);
    entries.iter().try_for_each(add)
}

/// Dates as their text.
fn plain(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => text.into(),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => number.into(),
        toml::Value::Boolean(is) => is.into(),
        toml::Value::Datetime(date) => date.to_string().into(),
        toml::Value::Array(values) => values.into_iter().map(plain).collect(),
        toml::Value::Table(_) => Value::Object(Map::new()),
    }
}
