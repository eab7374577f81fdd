//! SCS and lexical score -> one score.
//!
//! `score = a SCS + b lexical`, with a and b for each document language, fitted where the model was
//! made so that scores of all languages mean the same; deep documents have shares of their own. Both scores and their sum lie in -1..1, and
//! no document's score depends on which others are found.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::Error;
use crate::decimal::decimal;
use crate::storage::container::wrong_config;

/// The names of the numbers in a model's `config`.
const NUMBERS: [&str; 4] = ["dense", "lexical", "query-norm", "document-norm"];
/// That of the share of SCS for deep documents.
const DEEP: &str = "deep";

/// The weights of the dense and the lexical score of a language, with the norms they were fitted for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Calibration {
    /// The weight of SCS.
    pub dense: f32,
    /// The weight of the lexical score; the two are at most 1 together.
    pub lexical: f32,
    /// The median norms of queries and of documents.
    pub norms: [f32; 2],
    /// The share of SCS in the score of deep documents, in 0..=1, where it was fitted too: a teacher's vectors say more than
    /// averages.
    pub deep: Option<f32>,
}

impl Calibration {
    /// The weights of SCS at `epsilon` and of the lexical score, for a model whose own epsilon is
    /// `own_epsilon`. `share`, in 0..=1, is the share of SCS; the model's own for light documents where it is `None`.
    ///
    /// Another epsilon makes all SCS smaller or larger. So that it reorders and does not reweight,
    /// that is made up for by what it does to a query and a document of median norms.
    pub fn weights(&self, epsilon: f32, own_epsilon: f32, share: Option<f32>) -> [f32; 2] {
        let both = self.dense + self.lexical;
        let [dense, lexical] = match share {
            Some(share) => [both * share, both * (1.0 - share)],
            None => [self.dense, self.lexical],
        };
        let size = |epsilon: f32| (self.norms[0] + epsilon) * (self.norms[1] + epsilon);
        [dense * (size(epsilon) / size(own_epsilon)), lexical]
    }

    fn numbers(&self) -> [f32; 4] {
        [self.dense, self.lexical, self.norms[0], self.norms[1]]
    }

    fn from_json(value: &Value) -> Option<Self> {
        let numbers = NUMBERS.map(|name| {
            let number = value[name].as_f64().map(|x| x as f32);
            number.filter(|x| x.is_finite() && *x >= 0.0)
        });
        let [dense, lexical, query, document] = numbers;
        let deep = match &value[DEEP] {
            Value::Null => None,
            share => Some(share.as_f64().filter(|share| (0.0..=1.0).contains(share))? as f32),
        };
        let found = Self { dense: dense?, lexical: lexical?, norms: [query?, document?], deep };
        let both = found.dense + found.lexical;
        (both > 0.0 && both <= 1.0 + f32::EPSILON && query? > 0.0 && document? > 0.0)
            .then_some(found)
    }
}

/// A model's calibrations as JSON.
pub(crate) fn to_json(calibrations: &BTreeMap<String, Calibration>) -> String {
    let language = |(language, calibration): (&String, &Calibration)| {
        let numbers = NUMBERS.iter().zip(calibration.numbers());
        let numbers =
            numbers.map(|(&name, x)| (name, x)).chain(calibration.deep.map(|x| (DEEP, x)));
        let numbers: Vec<String> =
            numbers.map(|(name, x)| format!(r#""{name}":{}"#, decimal(x))).collect();
        format!(r#"{}:{{{}}}"#, Value::from(language.as_str()), numbers.join(","))
    };
    format!("{{{}}}", calibrations.iter().map(language).collect::<Vec<_>>().join(","))
}

/// Those of a `config`.
pub(crate) fn from_json(config: &Value) -> Result<BTreeMap<String, Calibration>, Error> {
    let expected = "an object: for each language dense, lexical, query-norm and document-norm";
    let wrong = || wrong_config(config, "calibration", expected);
    let mut found = BTreeMap::new();
    match &config["calibration"] {
        Value::Null => {}
        Value::Object(languages) => {
            for (language, value) in languages {
                let calibration = Calibration::from_json(value).ok_or_else(wrong)?;
                found.insert(language.clone(), calibration);
            }
        }
        _ => return Err(wrong()),
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALIBRATION: Calibration =
        Calibration { dense: 0.2, lexical: 0.6, norms: [3.0, 4.0], deep: None };

    #[test]
    fn at_its_own_epsilon_a_model_weighs_as_it_was_fitted() {
        assert_eq!(CALIBRATION.weights(0.1, 0.1, None), [0.2, 0.6]);
        let [dense, lexical] = CALIBRATION.weights(0.1, 0.1, Some(0.75));
        assert!((dense - 0.6).abs() < 1e-6 && (lexical - 0.2).abs() < 1e-6);
        assert_eq!(CALIBRATION.weights(0.1, 0.1, Some(1.0))[1], 0.0);
    }

    #[test]
    fn a_pair_of_median_norms_scores_the_same_at_any_epsilon() {
        use crate::math::similarity::from_parts;
        let score = |epsilon| {
            CALIBRATION.weights(epsilon, 0.5, None)[0] * from_parts(6.0, 3.0, 4.0, epsilon)
        };
        for epsilon in [0.0, 0.1, 2.0] {
            assert!((score(epsilon) - score(0.5)).abs() < 1e-6);
        }
    }

    #[test]
    fn calibrations_come_back_from_json_and_others_are_refused() {
        let expected =
            BTreeMap::from([("fr".to_owned(), CALIBRATION), ("sw".to_owned(), CALIBRATION)]);
        let deep = Calibration { deep: Some(0.7), ..CALIBRATION };
        let with_deep = BTreeMap::from([("fr".to_owned(), deep)]);
        let config =
            |json: &str| serde_json::from_str(&format!(r#"{{"calibration":{json}}}"#)).unwrap();
        for expected in [expected, with_deep] {
            assert_eq!(from_json(&config(&to_json(&expected))).unwrap(), expected);
        }
        let wrong = to_json(&BTreeMap::from([("fr".to_owned(), deep)])).replace("0.7", "1.7");
        assert!(from_json(&config(&wrong)).is_err());
        let numbers = |weights: [f32; 2], norms: [u8; 2]| {
            let ([dense, lexical], [query, document]) = (weights, norms);
            format!(
                r#"{{"fr":{{"dense":{dense},"lexical":{lexical},"query-norm":{query},"document-norm":{document}}}}}"#
            )
        };
        assert!(from_json(&config(&numbers([0.5, 0.5], [1, 1]))).is_ok());
        for (weights, norms) in [
            ([0.0, 0.0], [1, 1]),
            ([0.6, 0.5], [1, 1]),
            ([-0.1, 0.5], [1, 1]),
            ([0.5, 0.5], [0, 1]),
            ([0.5, 0.5], [1, 0]),
        ] {
            assert!(from_json(&config(&numbers(weights, norms))).is_err());
        }
        assert!(from_json(&config(r#"{"fr":{"dense":1}}"#)).is_err());
        assert!(from_json(&config("[1]")).is_err());
    }
}
