//! What fixes the outcome of a training or an experiment, by which a saved one is recognised.

use std::path::Path;

use serde_json::{Value, json};

use crate::error::Error;
use crate::files;

/// The program and its version: another version may train otherwise.
pub const PROGRAM: &str = concat!("smooth-clir ", env!("CARGO_PKG_VERSION"));

/// What fixes the outcome of a training, or of an experiment.
pub fn identity(options: &Value, data: &[String]) -> Value {
    json!({ "data": data.concat(), "options": options, "program": PROGRAM })
}

/// The first thing in which two identities differ: how the one found was begun.
pub fn difference(found: &Value, expected: &Value) -> Option<String> {
    if found["program"] != expected["program"] {
        return Some(format!("by {}, not {PROGRAM}", found["program"]));
    }
    if found["data"] != expected["data"] {
        return Some("on other data".into());
    }
    let (found, expected) = (&found["options"], &expected["options"]);
    let names =
        expected.as_object().into_iter().chain(found.as_object()).flat_map(|map| map.keys());
    let mut differ = names.filter(|&name| found[name] != expected[name]);
    differ.next().map(|name| format!("with {name} {}, not {}", found[name], expected[name]))
}

/// Reads what an earlier run wrote as JSON. `at` is the JSON pointer of what it says of itself, and
/// `remedy` what to do where that is not `identity`.
///
/// # Errors
/// If the file cannot be read, is no JSON or is of something else.
pub fn read_of(path: &Path, at: &str, identity: &Value, remedy: &str) -> Result<Value, Error> {
    let wrong = |problem: String| Error::data(path, problem);
    let found: Value = serde_json::from_slice(&files::read(path)?)
        .map_err(|error| wrong(format!("not JSON: {error}")))?;
    match difference(found.pointer(at).unwrap_or_default(), identity) {
        Some(difference) => Err(wrong(format!("it was started {difference}; {remedy}"))),
        None => Ok(found),
    }
}
