//! Score -> the probability that the best document of a search answers its query.
//!
//! `P = 1 / (1 + exp(-(slope score + offset - size ln n)))`, a logistic curve that rises with the score. n is the number
//! of documents in the document's language: the more there are, the higher the best score of a query that none of them
//! answers. The curve is fitted on queries of which one in two has an answer among the documents: in all languages of a training
//! at once, and in that of a language pack.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::Error;
use crate::decimal::decimal;
use crate::storage::container::wrong_config;

/// Where the best document of a search has a lower probability, no document fits the query well. A lower value would say so of
/// fewer queries without an answer, a higher one of more queries with one.
pub const LEAST_PROBABILITY: f32 = 0.12;

/// Curves are fitted on so many documents and more; fewer count as so many.
pub const LEAST_DOCUMENTS: usize = 30;

/// The names of the numbers in a model's `config`.
const NUMBERS: [&str; 3] = ["slope", "offset", "size"];

/// The logistic curve of a model's scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProbabilityCurve {
    /// How fast the log odds rise with the score; above 0.
    pub slope: f32,
    /// The log odds of a score of 0 in a collection of one document.
    pub offset: f32,
    /// How fast the log odds fall with the logarithm of the number of documents; 0 or more.
    pub size: f32,
}

impl ProbabilityCurve {
    /// The probability that the best of `documents` documents, with this score, answers the query.
    pub fn of(&self, score: f32, documents: usize) -> f32 {
        let size = libm::logf(documents.max(LEAST_DOCUMENTS) as f32);
        1.0 / (1.0 + libm::expf(-(self.slope * score + self.offset - self.size * size)))
    }

    pub(crate) fn to_json(self) -> String {
        let numbers = NUMBERS.iter().zip([self.slope, self.offset, self.size]);
        let numbers: Vec<String> =
            numbers.map(|(name, x)| format!(r#""{name}":{}"#, decimal(x))).collect();
        format!("{{{}}}", numbers.join(","))
    }

    fn from_json(value: &Value) -> Option<Self> {
        let number = |name: &str| value[name].as_f64().map(|x| x as f32).filter(|x| x.is_finite());
        let [slope, offset, size] = NUMBERS.map(number);
        let curve = Self { slope: slope?, offset: offset?, size: size? };
        (curve.slope > 0.0 && curve.size >= 0.0).then_some(curve)
    }
}

/// The curves of a model of so many languages: one, if all have the same.
pub(crate) fn to_json(curves: &BTreeMap<String, ProbabilityCurve>, languages: usize) -> String {
    let mut all = curves.values();
    match all.next() {
        Some(curve) if curves.len() == languages && all.all(|other| other == curve) => {
            curve.to_json()
        }
        _ => {
            let of_language = |(language, curve): (&String, &ProbabilityCurve)| {
                format!("{}:{}", Value::from(&language[..]), curve.to_json())
            };
            format!("{{{}}}", curves.iter().map(of_language).collect::<Vec<_>>().join(","))
        }
    }
}

/// Those of a `config`: one for all of its languages, or one for each of some of them.
pub(crate) fn from_json(
    config: &Value,
    languages: &[String],
) -> Result<BTreeMap<String, ProbabilityCurve>, Error> {
    let mut curves = BTreeMap::new();
    let value = &config["probability"];
    if value.is_null() {
        return Ok(curves);
    }
    let is_one = value["slope"].is_number() || !value.is_object();
    for language in languages {
        let own = if is_one { value } else { &value[&language[..]] };
        if !own.is_null() {
            let expected = "an object: slope, above 0, offset, and size, 0 or more";
            let curve = ProbabilityCurve::from_json(own)
                .ok_or_else(|| wrong_config(config, "probability", expected))?;
            curves.insert(language.clone(), curve);
        }
    }
    Ok(curves)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CURVE: ProbabilityCurve = ProbabilityCurve { slope: 12.0, offset: -1.0, size: 0.5 };

    #[test]
    fn probabilities_are_those_of_the_formula_by_hand() {
        let close = |found: f32, expected: f32| assert!((found - expected).abs() < 1e-6, "{found}");
        // Log odds 12 / 4 - 1 - ln 100 / 2 = -0.302585, and 12 / 2 - 1 - ln 30 / 2 = 3.299401.
        close(CURVE.of(0.25, 100), 0.424_926);
        close(CURVE.of(0.5, 30), 0.964_408);
        // Of so few documents nothing was fitted.
        assert_eq!(CURVE.of(0.5, 0), CURVE.of(0.5, 30));
    }

    #[test]
    fn curves_come_back_from_json_and_others_are_refused() {
        let config = |json: &str| serde_json::from_str(&format!(r#"{{"probability":{json}}}"#));
        let languages = ["fr", "sw"].map(str::to_owned);
        let read = |json: &str| from_json(&config(json).unwrap(), &languages);
        let other = ProbabilityCurve { slope: 3.0, ..CURVE };
        let curves = |own: &[ProbabilityCurve]| -> BTreeMap<String, ProbabilityCurve> {
            languages.iter().cloned().zip(own.iter().copied()).collect()
        };
        for (own, json) in [
            (&[CURVE, CURVE][..], r#"{"slope":12,"offset":-1,"size":0.5}"#),
            (
                &[CURVE, other],
                r#"{"fr":{"slope":12,"offset":-1,"size":0.5},"sw":{"slope":3,"offset":-1,"size":0.5}}"#,
            ),
            // A language of which nothing is known.
            (&[CURVE], r#"{"fr":{"slope":12,"offset":-1,"size":0.5}}"#),
        ] {
            assert_eq!(to_json(&curves(own), 2), json);
            assert_eq!(read(json).unwrap(), curves(own), "{json}");
        }
        assert!(read("null").unwrap().is_empty());
        for wrong in [
            r#"{"slope":1,"offset":0}"#,
            r#"{"slope":0,"offset":0,"size":0}"#,
            r#"{"slope":1,"offset":0,"size":-1}"#,
            r#"{"slope":1,"offset":"0","size":0}"#,
            r#"{"sw":{"slope":0,"offset":0,"size":0}}"#,
            "[1,0,0]",
        ] {
            let refused = read(wrong).unwrap_err().to_string();
            assert!(refused.contains("slope, above 0"), "{refused}");
        }
    }
}
