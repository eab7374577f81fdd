//! Numbers of options as JSON.

use serde_json::{Value, json};

/// As JSON: displayed, an f32 has the fewest digits that stand for it.
pub fn number(x: f32) -> Value {
    json!(x.to_string().parse::<f64>().unwrap_or(f64::from(x)))
}
