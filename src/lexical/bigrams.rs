//! A bigram model of English: how likely a word is after another.
//!
//! `P(b | a) = w count(a, b) / count(a) + (1 - w) (count(b) + 1/2) / total`, with w = 0.7 (Jelinek and Mercer, 1980):
//! what was seen after `a`, and a share for every other word in proportion to its frequency.

use crate::Error;
use crate::storage::container::{Reader, Writer};
use crate::storage::varint;
use crate::text::vocabulary::Vocabulary;

/// The weight of the pairs that were seen.
const SEEN: f32 = 0.7;
/// The tensors' names.
const NAMES: [&str; 3] = ["bigram.vocabulary", "bigram.counts", "bigram.pairs"];

/// Counts of words and of pairs of words that follow each other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Bigrams {
    words: Vocabulary,
    /// The count of each word.
    counts: Vec<u32>,
    total: f32,
    /// The number of texts, each of which begins with a word.
    texts: f32,
    /// For each word the words seen after it, in rising order, with the count of each; the last list is of the words
    /// that texts begin with.
    after: Vec<Vec<(u32, u32)>>,
}

impl Bigrams {
    /// A model with these words and counts, and the number of times that a word (a row of `words`, or `None` for the
    /// beginning of a text) stands before another. A pair is given once, in any order.
    ///
    /// # Panics
    /// If there is a count too few, or a row that does not exist.
    pub fn new(
        words: Vocabulary,
        counts: Vec<u32>,
        pairs: impl IntoIterator<Item = (Option<u32>, u32, u32)>,
    ) -> Self {
        assert_eq!(words.len(), counts.len(), "a count for each word");
        let mut after = vec![Vec::new(); words.len() + 1];
        for (before, word, count) in pairs {
            after[before.map_or(words.len(), |row| row as usize)].push((word, count));
        }
        after.iter_mut().for_each(|list| list.sort_unstable());
        Self::of_lists(words, counts, after)
    }

    fn of_lists(words: Vocabulary, counts: Vec<u32>, after: Vec<Vec<(u32, u32)>>) -> Self {
        let total = counts.iter().fold(0.0, |sum, &count| sum + count as f32);
        let texts = after.last().map_or(0, |list| list.iter().map(|pair| u64::from(pair.1)).sum());
        Self { words, counts, total, texts: texts as f32, after }
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.after.iter().map(Vec::len).sum()
    }

    /// Whether no pair was seen.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of a word.
    pub fn row(&self, word: &str) -> Option<u32> {
        self.words.row(word)
    }

    /// How often a word was seen.
    pub fn count(&self, row: Option<u32>) -> u32 {
        row.map_or(0, |row| self.counts[row as usize])
    }

    /// The natural logarithm of the probability of a word after another; `None` stands for a word that is not known,
    /// and before the first word for the beginning.
    pub fn log_probability(&self, before: Option<Option<u32>>, word: Option<u32>) -> f32 {
        let list = match before {
            None => self.after.last(),
            Some(before) => before.map(|row| &self.after[row as usize]),
        };
        let seen = list.zip(word).map_or(0, |(list, word)| {
            let place = list.binary_search_by_key(&word, |pair| pair.0);
            place.map_or(0, |place| list[place].1)
        });
        let times = match before {
            None => self.texts,
            Some(before) => self.count(before) as f32,
        };
        let after = seen as f32 / times.max(1.0);
        let alone = (self.count(word) as f32 + 0.5) / self.total.max(1.0);
        libm::logf(SEEN * after + (1.0 - SEEN) * alone)
    }

    /// Writes the model to a file.
    pub(crate) fn write(&self, writer: &mut Writer) {
        let (mut counts, mut pairs) = (Vec::new(), Vec::new());
        self.counts.iter().for_each(|&count| varint::push(&mut counts, count));
        for list in &self.after {
            varint::push(&mut pairs, list.len() as u32);
            let mut before = 0;
            for &(word, count) in list {
                varint::push(&mut pairs, word - before);
                varint::push(&mut pairs, count);
                before = word;
            }
        }
        let [words, count_name, pair_name] = NAMES;
        writer.bytes(words, &self.words.to_front_coded());
        writer.bytes(count_name, &counts);
        writer.bytes(pair_name, &pairs);
    }

    /// Reads the model of a file.
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let [words, counts, pairs] = NAMES;
        let words = Vocabulary::from_front_coded(words, &reader.bytes(words)?)?;
        let mut numbers = Numbers { name: counts, bytes: &reader.bytes(counts)?, place: 0 };
        let counts = (0..words.len()).map(|_| numbers.next()).collect::<Result<Vec<_>, _>>()?;
        numbers.finish()?;
        let mut numbers = Numbers { name: pairs, bytes: &reader.bytes(pairs)?, place: 0 };
        let mut after = Vec::with_capacity(words.len() + 1);
        for _ in 0..=words.len() {
            let length = numbers.next()? as usize;
            let mut list: Vec<(u32, u32)> = Vec::new();
            for _ in 0..length {
                let last = list.last().map(|pair| pair.0);
                let step = numbers.next()?;
                let word = last.unwrap_or(0).checked_add(step);
                let rises = last.is_none() || step > 0;
                let word = word.filter(|&word| rises && (word as usize) < words.len());
                list.push((word.ok_or_else(|| numbers.wrong())?, numbers.next()?));
            }
            after.push(list);
        }
        numbers.finish()?;
        Ok(Self::of_lists(words, counts, after))
    }
}

/// The numbers of a tensor.
struct Numbers<'a> {
    name: &'static str,
    bytes: &'a [u8],
    place: usize,
}

impl Numbers<'_> {
    fn next(&mut self) -> Result<u32, Error> {
        varint::take(self.bytes, &mut self.place).ok_or_else(|| self.wrong())
    }

    fn finish(&self) -> Result<(), Error> {
        if self.place == self.bytes.len() { Ok(()) } else { Err(self.wrong()) }
    }

    fn wrong(&self) -> Error {
        let (name, position) = (self.name.into(), self.place);
        let found =
            self.bytes.get(position).map_or("the end".into(), |byte| format!("byte {byte}"));
        Error::TensorValue { name, position, found, expected: "a list of rising words with counts" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the two texts "red wine" and "red red".
    fn bigrams() -> Bigrams {
        let words = Vocabulary::from_tokens(["red", "wine"]).unwrap();
        let [red, wine] = ["red", "wine"].map(|word| words.row(word).unwrap());
        let pairs = [(None, red, 2), (Some(red), wine, 1), (Some(red), red, 1)];
        Bigrams::new(words, vec![3, 1], pairs)
    }

    #[test]
    fn probabilities_are_of_the_pairs_seen_and_a_share_by_frequency() {
        let bigrams = bigrams();
        let [red, wine] = ["red", "wine"].map(|word| bigrams.row(word));
        for (before, word, expected) in [
            (Some(red), wine, 0.7 / 3.0 + 0.3 * 1.5 / 4.0),
            (Some(wine), red, 0.3 * 3.5 / 4.0),
            (None, red, 0.7 + 0.3 * 3.5 / 4.0),
            (Some(None), wine, 0.3 * 1.5 / 4.0),
            (Some(red), None, 0.3 * 0.5 / 4.0),
        ] {
            let found = bigrams.log_probability(before, word);
            assert!((found - libm::logf(expected)).abs() < 1e-6, "{found} and {expected}");
        }
    }

    #[test]
    fn a_file_gives_the_model_back_and_damage_is_found() {
        let mut writer = Writer::new("model");
        bigrams().write(&mut writer);
        let bytes = writer.into_bytes();
        let mut reader = Reader::open(&bytes, "model").unwrap();
        assert_eq!(Bigrams::read(&mut reader).unwrap(), bigrams());
        for (tensor, wrong) in [("bigram.pairs", &[0, 0, 1, 5, 1][..]), ("bigram.counts", &[3])] {
            let mut writer = Writer::new("model");
            let all = Reader::open(&bytes, "model").unwrap();
            let mut all = all;
            for name in NAMES {
                let own = all.bytes(name).unwrap();
                writer.bytes(name, if name == tensor { wrong } else { &own });
            }
            let bytes = writer.into_bytes();
            let mut reader = Reader::open(&bytes, "model").unwrap();
            assert_eq!(Bigrams::read(&mut reader).unwrap_err().code(), "tensor-value");
        }
    }
}
