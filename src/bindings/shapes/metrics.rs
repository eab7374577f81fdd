//! The metrics of a ranking, by name.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::math::metrics::{self, NAMES};

/// Metrics as an object: from each name, in the order of [`NAMES`], to its value.
pub(crate) struct Metrics(pub metrics::Metrics);

impl Serialize for Metrics {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(NAMES.into_iter().zip(self.0.values()))
    }
}

impl<'de> Deserialize<'de> for Metrics {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let by_name = BTreeMap::<String, f64>::deserialize(deserializer)?;
        let value = |name| by_name.get(name).copied().unwrap_or(f64::NAN);
        Ok(Self(metrics::Metrics::from(NAMES.map(value))))
    }
}
