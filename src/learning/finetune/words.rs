//! The words of one encoder's judged texts, as a small table.

use crate::encoder::{Encoder, Reading, Rows, Table};
use crate::training::step::Weighting;

/// The rows of an encoder that some texts contain, followed, for each text with words composed of
/// n-grams, by the fixed sum of those words' embeddings.
pub(super) struct Words {
    /// The encoder's row numbers, in rising order.
    pub rows: Vec<u32>,
    /// The current values.
    pub now: Table,
    /// The values in the model's files.
    pub home: Table,
    pub weighting: Weighting,
}

impl Words {
    /// Collects the rows of the texts and renumbers the texts' rows to the small table.
    pub fn new(encoder: &Encoder, texts: &mut [&mut Reading]) -> Self {
        let rows = compact(texts);
        let words = encoder.network.words();
        let values = |all: &Rows| -> Vec<f32> {
            rows.iter().flat_map(|&row| all.row(row as usize)).collect()
        };
        let (mut now, mut home) = (values(words), values(words.unchanged()));
        let weight = |&row: &u32| encoder.weights.as_ref().map_or(1.0, |all| all[row as usize]);
        let weights = rows.iter().map(weight).collect();
        let mut counts = Vec::new();
        for text in texts.iter_mut().filter(|text| text.spelled > 0) {
            text.rows.push((rows.len() + counts.len()) as u32);
            counts.push(text.spelled as u32);
            now.extend(&text.spelled_sum);
            home.extend(&text.spelled_sum);
        }
        let [now, home] = [now, home].map(|values| Table::new(words.dimension(), values));
        let weighting = Weighting { weights, counts };
        Self { rows, now, home, weighting }
    }
}

/// Renumbers the rows of some texts from 0 in rising order; returns the original row numbers.
fn compact(texts: &mut [&mut Reading]) -> Vec<u32> {
    let mut rows: Vec<u32> = texts.iter().flat_map(|text| text.rows.iter().copied()).collect();
    rows.sort_unstable();
    rows.dedup();
    for row in texts.iter_mut().flat_map(|text| text.rows.iter_mut()) {
        *row = rows.partition_point(|known| known < row) as u32;
    }
    rows
}
