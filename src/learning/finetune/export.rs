//! A fine-tuned model -> a file.

use serde_json::{Value, json};

use crate::encoder::Rows;
use crate::engine::Engine;
use crate::storage::container::sha256_hex;

/// A fine-tuned model as a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Exported {
    /// The bytes of the safetensors file.
    pub bytes: Vec<u8>,
    /// The largest absolute difference between a fine-tuned weight and its value in the file; 0 at
    /// 32 bits.
    pub largest_error: f32,
    /// The root mean square of these differences.
    pub mean_error: f32,
}

impl Engine {
    /// Exports the fine-tuned model as one file, in the precision of its rows in memory: 8 bits for a model of 8, 4 or 2 bits. The
    /// exported model has a space of its own, so its documents must be indexed again.
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
