//! The words of an encoder's judged texts, as a small table.

use crate::encoder::{Encoder, Reading, Rows, Table};
use crate::training::step::Weighting;

/// Rows of an encoder that some texts have, then for each text that has words without a row the sum
/// of these, which stays as it is.
pub(super) struct Words {
    /// The numbers of these rows in the encoder, rising.
    pub rows: Vec<u32>,
    /// As they are now.
    pub now: Table,
    /// As they are in the model's files.
    pub home: Table,
    pub weighting: Weighting,
}

impl Words {
    /// Numbers the rows of the texts anew, as they are in these tables.
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

/// Numbers the rows of some texts anew, from 0 by rising row; gives the rows back.
fn compact(texts: &mut [&mut Reading]) -> Vec<u32> {
    let mut rows: Vec<u32> = texts.iter().flat_map(|text| text.rows.iter().copied()).collect();
    rows.sort_unstable();
    rows.dedup();
    for row in texts.iter_mut().flat_map(|text| text.rows.iter_mut()) {
        *row = rows.partition_point(|known| known < row) as u32;
    }
    rows
}
