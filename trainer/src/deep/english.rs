//! The English side of training text: a sample of its sentences, and a bigram model.

use std::collections::{BTreeMap, HashMap, HashSet};

use smooth_clir::lexical::bigrams::Bigrams;
use smooth_clir::text::vocabulary::Vocabulary;
use smooth_clir::text::{Scratch, for_each_token};

use crate::error::Error;

/// Sentences of the sample.
const SAMPLE: usize = 60_000;
/// Pairs of words that are counted at the same time; beyond, those seen once are forgotten.
const PAIRS: usize = 4_000_000;
/// Words and pairs seen fewer times are left out of the bigram model.
const LEAST: u32 = 2;

/// English sentences, as they are read.
#[derive(Debug, Default)]
pub struct English {
    /// The hashes of the sentences seen.
    seen: HashSet<u64>,
    /// The sentences with the lowest hashes: a sample that no order of files changes.
    sample: BTreeMap<u64, String>,
    numbers: HashMap<String, u32>,
    counts: Vec<u32>,
    pairs: HashMap<(Option<u32>, u32), u32>,
    scratch: Scratch,
}

impl English {
    /// Adds a sentence; one that was added before does not count again.
    pub fn add(&mut self, sentence: &str) {
        let hash = hash(sentence);
        if !self.seen.insert(hash) {
            return;
        }
        self.sample.insert(hash, sentence.to_owned());
        if self.sample.len() > SAMPLE {
            self.sample.pop_last();
        }
        let Self { numbers, counts, pairs, scratch, .. } = self;
        let mut before = None;
        for_each_token(sentence, scratch, |token| {
            let next = counts.len() as u32;
            let number = match numbers.get(token) {
                Some(&number) => number,
                None => {
                    numbers.insert(token.to_owned(), next);
                    counts.push(0);
                    next
                }
            };
            counts[number as usize] += 1;
            *pairs.entry((before, number)).or_default() += 1;
            before = Some(number);
        });
        if pairs.len() > PAIRS {
            pairs.retain(|_, &mut count| count >= LEAST);
        }
    }

    /// The sample of sentences.
    pub fn sample(&self) -> Vec<&str> {
        self.sample.values().map(String::as_str).collect()
    }

    /// The bigram model of all sentences.
    ///
    /// # Errors
    /// If there are too many words.
    pub fn bigrams(&self) -> Result<Bigrams, Error> {
        let frequent = |number: u32| self.counts[number as usize] >= LEAST;
        let words = self.numbers.iter().filter(|(_, number)| frequent(**number));
        let words = Vocabulary::from_tokens(words.map(|(word, _)| &word[..]))?;
        let mut rows = vec![None; self.counts.len()];
        let mut counts = vec![0; words.len()];
        for (word, &number) in &self.numbers {
            if let Some(row) = words.row(word) {
                rows[number as usize] = Some(row);
                counts[row as usize] = self.counts[number as usize];
            }
        }
        let pairs = self.pairs.iter().filter_map(|(&(before, word), &count)| {
            let before = match before {
                None => None,
                Some(before) => Some(rows[before as usize]?),
            };
            (count >= LEAST).then_some((before, rows[word as usize]?, count))
        });
        Ok(Bigrams::new(words, counts, pairs))
    }
}

/// FNV-1a, mixed, so that short sentences are spread over all values.
fn hash(text: &str) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_counts_once_and_rare_words_and_pairs_are_left_out() {
        let mut english = English::default();
        for sentence in ["Red wine", "red wine", "red wine", "Red wine, blue"] {
            english.add(sentence);
        }
        let bigrams = english.bigrams().unwrap();
        assert_eq!(bigrams.row("blue"), None);
        let [red, wine] = ["red", "wine"].map(|word| bigrams.row(word));
        assert_eq!((bigrams.count(red), bigrams.count(wine)), (3, 3));
        // From the beginning to red, and from red to wine.
        assert_eq!(bigrams.len(), 2);
    }

    #[test]
    fn the_sample_depends_on_no_order() {
        let sentences: Vec<String> =
            (0..75_000).map(|number| format!("sentence {number}")).collect();
        let sample = |sentences: &mut dyn Iterator<Item = &String>| {
            let mut english = English::default();
            sentences.for_each(|sentence| english.add(sentence));
            english.sample().into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let forwards = sample(&mut sentences.iter());
        assert_eq!(forwards.len(), SAMPLE);
        assert_eq!(sample(&mut sentences.iter().rev()), forwards);
        // Of all parts alike: one in five is missing, whichever thousand one looks at.
        let kept: HashSet<&String> = forwards.iter().collect();
        for thousand in sentences.chunks(1000) {
            let kept = thousand.iter().filter(|sentence| kept.contains(sentence)).count();
            assert!((700..900).contains(&kept), "{kept} of 1000");
        }
    }
}
