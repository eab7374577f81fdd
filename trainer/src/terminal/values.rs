//! Values of options that several commands have: each parser refuses what is out of range.

#[cfg(feature = "serve")]
use std::time::Duration;

use clap::ValueEnum;
use smooth_clir::error::check_epsilon;
use smooth_clir::ranking::metrics::Metric;

pub fn number(text: &str) -> Result<f32, String> {
    text.trim().parse().map_err(|_| format!("`{text}` is not a number"))
}

pub fn epsilon(text: &str) -> Result<f32, String> {
    check_epsilon(number(text)?).map_err(|error| error.to_string())
}

pub fn positive(text: &str) -> Result<f32, String> {
    let value = number(text)?;
    match value.is_finite() && value > 0.0 {
        true => Ok(value),
        false => Err(format!("{value} is not a finite number above 0")),
    }
}

#[cfg(feature = "serve")]
pub fn seconds(text: &str) -> Result<Duration, String> {
    match positive(text)? {
        value if (0.001..=3600.0).contains(&value) => Ok(Duration::from_secs_f32(value)),
        value => Err(format!("{value} is not a number of seconds from 0.001 to 3600")),
    }
}

pub fn dense(text: &str) -> Result<f32, String> {
    match number(text)? {
        value if (0.0..=1.0).contains(&value) => Ok(value),
        value => Err(format!("{value} is not a number from 0 to 1")),
    }
}

pub fn share(text: &str) -> Result<f32, String> {
    match number(text)? {
        value if (0.0..1.0).contains(&value) => Ok(value),
        value => Err(format!("{value} is not a number from 0 up to but not 1")),
    }
}

pub fn metric(text: &str) -> Result<Metric, String> {
    text.parse().map_err(|error| format!("{error}"))
}

/// A language's name becomes part of tensor and file names.
pub fn language(text: &str) -> Result<String, String> {
    let good = |c: char| c.is_ascii_alphanumeric() || c == '-';
    match (1..=35).contains(&text.len()) && text.chars().all(good) {
        true => Ok(text.into()),
        false => Err("expected a language code: letters, digits and hyphens".into()),
    }
}

/// What a value is called on the command line.
pub fn name_of(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}
