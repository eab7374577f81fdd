//! Documents that are encoded again, by rows that have changed.

use std::ops::Range;

use super::Index;
use crate::encoder::{Encoder, Reading, Rows};
use crate::math::kernels;
use crate::model::Model;
use crate::text;

/// The effect of a change of rows on the documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Reencoded {
    /// Documents that were encoded again: those with words whose rows changed.
    pub documents: usize,
    /// Documents whose texts are not loaded: they keep their vectors until these are.
    pub pending: usize,
}

impl std::ops::AddAssign for Reencoded {
    fn add_assign(&mut self, more: Self) {
        self.documents += more.documents;
        self.pending += more.pending;
    }
}

impl Index {
    /// Encodes again those documents of a language, among the `places`, that have a word whose row
    /// has `changed`. They are as if the index had been built with this encoder. Deep documents keep their vectors,
    /// which are not the encoder's.
    pub fn encode_again(
        &mut self,
        places: Range<usize>,
        language: &str,
        encoder: &Encoder,
        changed: impl Fn(&u32) -> bool,
    ) -> Reencoded {
        let mut again = Reencoded::default();
        if self.teacher.is_some() {
            return again;
        }
        let mut vector = vec![0.0; encoder.network.dimension()];
        let (mut scratch, mut reading) = (text::Scratch::default(), Reading::default());
        for place in places.start..places.end.min(self.len()) {
            if self.language(place) != language {
                continue;
            }
            let Some(shown) = self.shown(place) else {
                again.pending += 1;
                continue;
            };
            encoder.read_into(shown.text, &mut scratch, &mut reading);
            if reading.rows.iter().any(&changed) {
                encoder.encode_reading(&reading, &mut vector);
                self.set_vector(place, &vector);
                again.documents += 1;
            }
        }
        again
    }

    fn set_vector(&mut self, place: usize, vector: &[f32]) {
        match &mut self.vectors {
            Rows::I8 { rows, .. } => rows.set(place, vector),
            rows => {
                let start = place * vector.len();
                rows.to_mut()[start..start + vector.len()].copy_from_slice(vector);
            }
        }
        self.norms.to_mut()[place] = kernels::norm(&self.vectors.row(place));
    }

    /// The places of the documents that a block of texts shows.
    pub fn places(&self, block: usize) -> Range<usize> {
        let size = self.texts.size.max(1);
        block * size..self.len().min((block + 1) * size)
    }

    /// Encodes documents that came late, or whose texts did, by what was learned before.
    pub fn catch_up(&mut self, places: Range<usize>, model: &Model) {
        for (language, encoder) in &model.documents {
            if let Rows::Changed(rows) = encoder.network.words() {
                let changed = |row: &u32| rows.changes().contains_key(row);
                self.encode_again(places.clone(), language, encoder, changed);
            }
        }
    }
}
