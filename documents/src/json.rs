//! What objects of JSON are read for.

use serde_json::Value;

/// A string, or a number's digits; `None` for null and for what is not there.
pub fn string_or_number(name: &str, value: Option<&Value>) -> Result<Option<String>, String> {
    match value {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(Value::Number(number)) => Ok(Some(number.to_string())),
        Some(_) => Err(format!("`{name}` is neither a string nor a number")),
    }
}
