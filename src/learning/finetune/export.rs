//! A model that learned -> a file.

use serde_json::{Value, json};

use crate::encoder::Rows;
use crate::engine::Engine;
use crate::storage::container::sha256_hex;

/// A model that learned, as a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    /// The file.
    pub bytes: Vec<u8>,
    /// The largest difference between a number that was learned and what the file has for it: 0
    /// but for 16 and 8 bits.
    pub largest_error: f32,
    /// The root of the mean square of these differences.
    pub mean_error: f32,
}

impl Engine {
    /// The model with what it learned, as one file in the precision of the files that it came from.
    /// It is a model of its own, with a space of its own: its documents are to be indexed again.
    pub fn export(&self) -> Exported {
        let learned = self.learned();
        let (mut most, mut squares, mut count) = (0.0f32, 0.0f64, 0u32);
        for (name, rows) in learned.iter() {
            let Ok(encoder) = self.encoder(name) else { continue };
            let Rows::Changed(changed) = encoder.network.words() else { continue };
            let rounded = changed.rounded();
            for (number, row) in rows {
                let exact = row.iter().flatten();
                for (exact, rounded) in exact.zip(rounded.row(*number as usize)) {
                    let error = (exact - rounded).abs();
                    most = most.max(error);
                    squares += f64::from(error) * f64::from(error);
                    count += 1;
                }
            }
        }
        let mut model = self.model().clone();
        model.query = Some(self.query().clone());
        let precision = self.query().network.words().precision();
        if !learned.is_empty() {
            let mut provenance: Value =
                serde_json::from_str(&model.provenance).unwrap_or_else(|_| json!({}));
            provenance["learned"] = json!({ "from": model.space, "rows": learned.len() });
            model.provenance = provenance.to_string();
            model.space = sha256_hex(&[model.space.as_bytes(), &learned.write(&model.space)]);
        }
        Exported {
            bytes: model.write(precision),
            largest_error: most,
            mean_error: libm::sqrt(squares / f64::from(count.max(1))) as f32,
        }
    }
}
