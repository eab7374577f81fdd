//! Text -> reading -> vector.

use super::average::{Spelled, divide, mean};
use super::memo::Unknown;
use super::{Encoder, Network, Reading, Rows, Scratch, Words, projection};
use crate::math::kernels;
use crate::text::parts::{base, parts};
use crate::text::subwords::for_each_bucket;
use crate::text::vocabulary::Vocabulary;
use crate::text::{self, for_each_token};

impl Encoder {
    /// Words of a vocabulary, all of one weight, and what turns their rows into a vector.
    pub fn new(vocabulary: Vocabulary, network: Network) -> Self {
        Self { vocabulary, network, weights: None, subwords: None, affixes: None }
    }

    /// The vector of a text. A word that is not known is left out, unless it can be made of its
    /// n-grams; a text of which nothing is left has the zero vector. Components are finite,
    /// and lie in [-1, 1] where the last step is tanh: see [`Network::is_bounded`].
    pub fn encode(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0.0; self.network.dimension()];
        self.encode_reading(&self.read(text), &mut vector);
        vector
    }

    /// Writes what [`encode`](Self::encode) gives to `vector`, as long as the network's dimension;
    /// gives back how many words it was made of.
    pub fn encode_into(&self, text: &str, scratch: &mut Scratch, vector: &mut [f32]) -> Words {
        let Scratch { text: buffers, reading, rows, unknown } = scratch;
        reading.clear();
        unknown.keep_for(&self.vocabulary, &self.affixes, &self.subwords);
        for_each_token(text, buffers, |token| match self.vocabulary.row(token) {
            Some(row) => reading.add_row(row),
            None => unknown.read(token, reading, || self.unknown(token)),
        });
        match (&self.network, self.weights.as_deref()) {
            (Network::Average(Rows::Mixed(words)), Some(weights)) => {
                rows.weighted_sum(words, &reading.rows, weights, vector);
                divide(&reading.rows, Some(weights), reading.spelled(), vector);
                kernels::tanh(vector);
            }
            _ => self.encode_reading(reading, vector),
        }
        Words { known: reading.known(), all: reading.all }
    }

    /// Reads a text.
    pub fn read(&self, text: &str) -> Reading {
        let mut reading = Reading::default();
        self.read_into(text, &mut text::Scratch::default(), &mut reading);
        reading
    }

    /// Reads a text in place of the one that was read before.
    pub fn read_into(&self, text: &str, scratch: &mut text::Scratch, reading: &mut Reading) {
        reading.clear();
        for_each_token(text, scratch, |token| self.read_token(token, reading));
    }

    /// Reads one word.
    pub fn read_word(&self, token: &str) -> Reading {
        let mut reading = Reading::default();
        self.read_token(token, &mut reading);
        reading
    }

    /// Whether a text's vector depends on a word.
    pub fn knows(&self, token: &str) -> bool {
        let spells = self.subwords.as_ref().is_some_and(|rows| !rows.is_empty());
        spells || self.vocabulary.row(token).is_some()
    }

    /// A word's weight in the mean of a text, by its row or its base's; `None` where it has none, or all words weigh the same.
    pub fn weight_of(&self, token: &str) -> Option<f32> {
        let row = self.row_of_form(token)?;
        self.weights.as_ref()?.get(row as usize).copied()
    }

    fn read_token(&self, token: &str, reading: &mut Reading) {
        match self.vocabulary.row(token) {
            Some(row) => reading.add_row(row),
            None => self.unknown(token).add_to(reading),
        }
    }

    /// Reads a word without a row.
    pub(super) fn unknown(&self, token: &str) -> Unknown {
        let parts = self.parts_of(token);
        if !parts.is_empty() {
            let rows = parts.iter().filter_map(|part| self.vocabulary.row(part));
            return Unknown::Parts(rows.collect());
        }
        self.spell(token).map_or(Unknown::Nothing, |vector| Unknown::Spelled(vector.into()))
    }

    /// The row of a word, or of its [base].
    pub(crate) fn row_of_form(&self, token: &str) -> Option<u32> {
        let of_base = || {
            let affixes = self.affixes.as_ref()?;
            self.vocabulary.row(base(token, &self.vocabulary, affixes)?)
        };
        self.vocabulary.row(token).or_else(of_base)
    }

    /// The words with rows that a word without one is made of.
    fn parts_of<'a>(&self, token: &'a str) -> Vec<&'a str> {
        self.affixes
            .as_ref()
            .map_or_else(Vec::new, |affixes| parts(token, &self.vocabulary, affixes))
    }

    /// The mean of the rows of a word's n-grams; `None` where there is no table of them.
    pub fn spell(&self, token: &str) -> Option<Vec<f32>> {
        let subwords = self.subwords.as_ref().filter(|rows| !rows.is_empty())?;
        let mut buckets = Vec::new();
        for_each_bucket(token, subwords.len(), |bucket| buckets.push(bucket));
        let mut word = vec![0.0; subwords.dimension()];
        subwords.sum(&buckets, &mut word);
        let count = buckets.len().max(1) as f32;
        word.iter_mut().for_each(|x| *x /= count);
        Some(word)
    }

    /// Writes the vector of a reading, as long as the network's dimension; zeros where nothing was
    /// known.
    pub fn encode_reading(&self, reading: &Reading, vector: &mut [f32]) {
        let weights = self.weights.as_deref();
        self.network.encode_weighted(&reading.rows, weights, reading.spelled(), vector);
    }
}

impl Network {
    /// Writes the vector of a text, given as rows of [`words`](Self::words) in text order, to
    /// `vector`; zeros where there are none.
    pub fn encode(&self, rows: &[u32], vector: &mut [f32]) {
        self.encode_weighted(rows, None, (&[], 0), vector);
    }

    /// Writes the vector of a text whose rows have these weights, and of words without a row, to
    /// `vector`; zeros where there are none. Networks with layers take no weights, and they and a
    /// sparse code no words without a row.
    pub fn encode_weighted(
        &self,
        rows: &[u32],
        weights: Option<&[f32]>,
        spelled: Spelled<'_>,
        vector: &mut [f32],
    ) {
        match self {
            Self::Average(words) => {
                mean(words, rows, weights, spelled, vector);
                kernels::tanh(vector);
            }
            Self::Linear(words) => projection::encode(words, rows, weights, spelled, vector),
            Self::SparseCode(network) => network.encode(rows, weights, vector),
            _ if rows.is_empty() => vector.fill(0.0),
            Self::Convolution(network) => network.encode(rows, vector),
            Self::Recurrent(network) => network.encode(rows, vector),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Precision, Rows, Table};
    use super::*;
    use crate::text::vocabulary::Vocabulary;

    fn encoder(precision: Precision) -> Encoder {
        let vocabulary = Vocabulary::from_tokens(["rain", "sun"]).unwrap();
        let rows = |values: &[f32]| Rows::new(Table::new(2, values.to_vec()), precision);
        Encoder {
            weights: Some([0.25, 1.0].into()),
            // One bucket: every n-gram's row is the same, and so is their mean.
            subwords: Some(Arc::new(rows(&[0.5, -1.0]))),
            ..Encoder::new(vocabulary, Network::Average(rows(&[1.0, -2.0, 0.0, 4.0])))
        }
    }

    fn close(found: &[f32], expected: &[f64]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((f64::from(*found) - expected).abs() < 1e-2, "{found} {expected}");
        }
    }

    #[test]
    fn a_text_is_tanh_of_the_weighted_mean_and_a_word_without_a_row_is_the_mean_of_its_n_grams() {
        for precision in [Precision::F32, Precision::F16, Precision::I8] {
            let encoder = encoder(precision);
            // (0.25 (1, -2) + (0, 4)) / 1.25 = (0.2, 2.8); tanh from a table.
            close(&encoder.encode("Rain, sun!"), &[0.197_375, 0.992_632]);
            // "snow" is (0.5, -1) with weight 1: (0.25 (1, -2) + (0.5, -1)) / 1.25 = (0.6, -1.2).
            close(&encoder.encode("rain snow"), &[0.537_050, -0.833_655]);
            close(&encoder.encode("snow"), &[0.462_117, -0.761_594]);
            assert_eq!(encoder.encode("…"), [0.0, 0.0]);
            assert_eq!(
                ["rain", "sun", "snow"].map(|word| encoder.weight_of(word)),
                [Some(0.25), Some(1.0), None]
            );
            let reading = encoder.read("rain snow sun");
            assert_eq!((reading.rows, reading.spelled, reading.all), (vec![0, 1], 1, 3));
        }
    }

    #[test]
    fn without_weights_all_words_weigh_the_same() {
        let plain = Encoder { weights: None, ..encoder(Precision::F32) };
        assert_eq!(plain.weight_of("rain"), None);
        // ((1, -2) + (0.5, -1)) / 2 = (0.75, -1.5).
        close(&plain.encode("rain snow"), &[0.635_149, -0.905_148]);
        let none = Encoder { subwords: None, ..plain };
        assert_eq!(none.encode("rain snow"), none.encode("rain"));
        assert!(!none.knows("snow") && encoder(Precision::I8).knows("snow"));
    }

    #[test]
    fn what_is_appended_is_read_as_if_it_followed() {
        let encoder = Encoder { subwords: None, ..encoder(Precision::F32) };
        let mut reading = encoder.read("rain snow");
        reading.append(&encoder.read("sun rain fog"));
        assert_eq!(reading, encoder.read("rain snow sun rain fog"));
        assert_eq!((reading.known(), reading.all), (3, 5));
    }
}
