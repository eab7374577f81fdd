//! What was computed for words before: the rows of [`Mixed`], and the readings of words without a row.
//!
//! Both have limits of size, and belong to one encoder at a time, whose parts they share: as long as they do, nobody changes
//! these in place. What they hold has the bits of what is computed anew.

use std::sync::Arc;

use super::reading::Reading;
use super::rows::{Mixed, Rows};
use crate::math::kernels;
use crate::text::interner::Interner;
use crate::text::vocabulary::Vocabulary;

/// Bytes of the rows that are kept, at most, and of the words.
const MOST_BYTES: usize = 8 << 20;

/// Rows of [`Mixed`] that were used lately.
#[derive(Debug, Clone, Default)]
pub(super) struct MixedRows {
    /// The rows that they are of.
    words: Option<Mixed>,
    /// For each row its slot plus 1; or 0.
    slots: Vec<u32>,
    /// The row in each slot, and whether it was used since the hand passed.
    owners: Vec<(u32, bool)>,
    /// The values of the rows, slot after slot.
    values: Vec<f32>,
    /// Where the search for a slot to give away begins.
    hand: usize,
}

impl MixedRows {
    /// As [`Rows::weighted_sum`].
    pub fn weighted_sum(&mut self, words: &Mixed, rows: &[u32], weights: &[f32], sum: &mut [f32]) {
        if !self.words.as_ref().is_some_and(|own| own.is_clone_of(words)) {
            *self =
                Self { words: Some(words.clone()), slots: vec![0; words.len()], ..Self::default() };
        }
        let dimension = words.base.dimension();
        sum.fill(0.0);
        for &row in rows {
            let slot = self.slot(words, row, dimension);
            let values = &self.values[slot * dimension..][..dimension];
            kernels::add_scaled(values, weights[row as usize], sum);
        }
    }

    /// The slot of a row, which is computed if it has none.
    fn slot(&mut self, words: &Mixed, row: u32, dimension: usize) -> usize {
        if let Some(slot) = (self.slots[row as usize] as usize).checked_sub(1) {
            self.owners[slot].1 = true;
            return slot;
        }
        let more = (self.values.len() + dimension) * size_of::<f32>();
        let slot = if more <= MOST_BYTES || self.owners.is_empty() {
            self.owners.push((row, false));
            self.values.resize(self.values.len() + dimension, 0.0);
            self.owners.len() - 1
        } else {
            self.free_slot(row)
        };
        words.sum(&[row], &mut self.values[slot * dimension..][..dimension]);
        self.slots[row as usize] = slot as u32 + 1;
        slot
    }

    /// Gives a row the slot of one that was not used for long (the clock algorithm, Corbató, 1968).
    fn free_slot(&mut self, row: u32) -> usize {
        loop {
            let slot = self.hand;
            self.hand = (slot + 1) % self.owners.len();
            let (owner, is_used) = self.owners[slot];
            if !is_used {
                self.owners[slot] = (row, false);
                self.slots[owner as usize] = 0;
                return slot;
            }
            self.owners[slot].1 = false;
        }
    }
}

/// A word without a row, as an encoder reads it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Unknown {
    /// The rows of the known words that it is made of.
    Parts(Box<[u32]>),
    /// The mean of the rows of its n-grams.
    Spelled(Box<[f32]>),
    /// As if it were not there.
    Nothing,
}

impl Unknown {
    pub fn add_to(&self, reading: &mut Reading) {
        match self {
            Self::Parts(rows) => rows.iter().for_each(|&row| reading.add_row(row)),
            Self::Spelled(vector) => {
                reading.add_spelled(vector, 1);
                reading.all += 1;
            }
            Self::Nothing => reading.all += 1,
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + match self {
                Self::Parts(rows) => size_of_val(&**rows),
                Self::Spelled(vector) => size_of_val(&**vector),
                Self::Nothing => 0,
            }
    }
}

/// Words without a row that were met.
#[derive(Debug, Clone, Default)]
pub(super) struct UnknownWords {
    /// What their readings depend on.
    sources: Sources,
    words: Interner,
    /// As each word is read, by its number.
    readings: Vec<Unknown>,
    /// Bytes of the words and their readings.
    bytes: usize,
}

/// What the reading of a word without a row depends on.
#[derive(Debug, Clone, Default)]
struct Sources {
    /// The tokens of the vocabulary.
    tokens: Option<Arc<str>>,
    affixes: Option<Arc<Vocabulary>>,
    subwords: Option<Arc<Rows>>,
}

impl UnknownWords {
    /// Forgets all words if they were read by an encoder with other parts.
    pub fn keep_for(
        &mut self,
        vocabulary: &Vocabulary,
        affixes: &Option<Arc<Vocabulary>>,
        subwords: &Option<Arc<Rows>>,
    ) {
        let own = &self.sources;
        if !own.tokens.as_ref().is_some_and(|own| Arc::ptr_eq(own, vocabulary.shared_text()))
            || !is_same(&own.affixes, affixes)
            || !is_same(&own.subwords, subwords)
        {
            let tokens = Some(vocabulary.shared_text().clone());
            let sources = Sources { tokens, affixes: affixes.clone(), subwords: subwords.clone() };
            *self = Self { sources, ..Self::default() };
        }
    }

    /// Reads a word without a row; `read_anew` is how the encoder reads it that they are [kept for](Self::keep_for).
    pub fn read(
        &mut self,
        token: &str,
        reading: &mut Reading,
        read_anew: impl FnOnce() -> Unknown,
    ) {
        if self.sources.affixes.is_none() && self.sources.subwords.is_none() {
            return Unknown::Nothing.add_to(reading);
        }
        let number = self.words.number(token);
        if let Some(known) = self.readings.get(number) {
            return known.add_to(reading);
        }
        let unknown = read_anew();
        unknown.add_to(reading);
        self.bytes += token.len() + unknown.bytes() + Interner::BYTES;
        self.readings.push(unknown);
        if self.bytes > MOST_BYTES {
            self.words.clear();
            self.readings.clear();
            self.bytes = 0;
        }
    }
}

fn is_same<T>(a: &Option<Arc<T>>, b: &Option<Arc<T>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Encoder, Network, Parts, Precision, Scratch, Table};
    use super::*;

    /// An encoder whose rows are sums of others, in which so many rows and readings are kept that not all words have one.
    fn encoder(precision: Precision, seed: usize) -> Encoder {
        const DIMENSION: usize = MOST_BYTES / size_of::<f32>() / 6;
        let value = |at: usize| ((at * 7 + seed) % 13) as f32 / 8.0 - 0.75;
        let table = |rows: usize| Table::new(DIMENSION, (0..rows * DIMENSION).map(value).collect());
        let rows = Mixed::new(Arc::new(Rows::new(table(2), precision)), WORDS.len(), || {
            let mut parts = Parts::default();
            (0..WORDS.len() as u8).for_each(|n| parts.push([(0, 0.5 + f32::from(n)), (1, -0.25)]));
            parts
        });
        Encoder {
            weights: Some((1..=WORDS.len() as u8).map(|n| 1.0 / f32::from(n)).collect()),
            subwords: Some(Arc::new(Rows::new(table(3), precision))),
            affixes: Some(Arc::new(Vocabulary::from_tokens(["--"]).unwrap())),
            ..Encoder::new(
                Vocabulary::from_tokens(WORDS).unwrap(),
                Network::Average(Rows::Mixed(rows)),
            )
        }
    }

    const WORDS: [&str; 9] =
        ["cloud", "hail", "ice", "rain", "sleet", "snow", "storm", "thunder", "wind"];

    /// Known words, words made of known ones, and others.
    fn texts() -> impl Strategy<Value = Vec<String>> {
        let part = |words: &[&'static str]| prop::sample::select(words.to_vec());
        let known = part(&WORDS).prop_map(str::to_owned);
        let made = (part(&WORDS), part(&WORDS)).prop_map(|(a, b)| format!("{a}{b}"));
        let other = part(&["fog", "mist", "dew", "haze", "smog", "sun", "calm", "x"]);
        let word = prop_oneof![4 => known, 1 => made, 1 => other.prop_map(str::to_owned)];
        let text = prop::collection::vec(word, 0..8).prop_map(|words| words.join(" "));
        prop::collection::vec(text, 1..8)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(8))]
        #[test]
        fn whatever_was_encoded_before_a_vector_has_the_bits_of_one_that_is_computed_anew(
            texts in texts(), seed in 0..13usize
        ) {
            let encoders = [encoder(Precision::I8, seed), encoder(Precision::F32, seed + 1)];
            let mut scratch = Scratch::default();
            let mut vector = vec![0.0; encoders[0].network.dimension()];
            // Another encoder now and then.
            for which in [0, 0, 1, 0] {
                let encoder = &encoders[which];
                for text in &texts {
                    let words = encoder.encode_into(text, &mut scratch, &mut vector);
                    let expected = encoder.encode(text);
                    prop_assert!(vector.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits()));
                    let reading = encoder.read(text);
                    prop_assert_eq!((words.known, words.all), (reading.known(), reading.all));
                    prop_assert!(size_of_val(&scratch.rows.values[..]) <= MOST_BYTES);
                    prop_assert!(scratch.unknown.bytes <= MOST_BYTES);
                }
            }
        }
    }

    #[test]
    fn rows_that_are_used_again_and_again_are_kept() {
        let encoder = encoder(Precision::I8, 0);
        let Network::Average(Rows::Mixed(words)) = &encoder.network else { panic!("other rows") };
        let mut rows = MixedRows::default();
        let mut sum = vec![0.0; words.base.dimension()];
        let weights = [1.0; WORDS.len()];
        // Six have room.
        for row in [0, 1, 2, 3, 4, 5, 0, 6, 0, 7, 0, 8, 0] {
            rows.weighted_sum(words, &[row], &weights, &mut sum);
        }
        assert!(rows.slots[0] > 0 && rows.slots[8] > 0);
        assert_eq!(rows.slots.iter().filter(|&&slot| slot > 0).count(), 6);
        assert_eq!(rows.owners.len(), 6);
    }
}
