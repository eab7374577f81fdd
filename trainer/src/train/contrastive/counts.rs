//! How often each word stands in texts, in memory that does not grow with them.

use std::collections::HashMap;

use smooth_clir::text::{self, for_each_token};

/// Counts of words; where there are more words than `most`, the rarest are forgotten, as word2vec
/// does it: all that were seen no more than once so far, then twice, until half are left.
#[derive(Debug)]
pub struct Counts {
    most: usize,
    counts: HashMap<String, u64>,
    /// Words that were seen no more often may be forgotten; 0 where none are.
    forgotten: u64,
}

/// At most so many words of a side are counted.
const MOST: usize = 1 << 20;

/// The share of the most common word in a text.
const SHARE_OF_FIRST: f64 = 0.1;

impl Default for Counts {
    fn default() -> Self {
        Self::new(MOST)
    }
}

impl Counts {
    /// Nothing counted yet.
    fn new(most: usize) -> Self {
        Self { most, counts: HashMap::new(), forgotten: 0 }
    }

    /// Counts the words of a text.
    pub fn add(&mut self, text: &str) {
        for_each_token(text, &mut text::Scratch::default(), |token| {
            match self.counts.get_mut(token) {
                Some(count) => *count += 1,
                None => {
                    self.counts.insert(token.to_owned(), 1);
                }
            }
        });
        while self.counts.len() > self.most {
            self.forget();
        }
    }

    /// Counts the words of a general text as well, as long as what was counted: the words are given, the most common first,
    /// and the share of the nth of a text is taken to be 0.1 / n (Zipf, 1949).
    pub fn add_general(&mut self, words: &[String]) {
        let total: u64 = self.counts.values().sum();
        for (rank, word) in words.iter().enumerate() {
            let count = (SHARE_OF_FIRST * total as f64 / (rank + 1) as f64).round() as u64;
            *self.counts.entry(word.clone()).or_default() += count.max(1);
        }
    }

    fn forget(&mut self) {
        while self.counts.len() > self.most / 2 {
            self.forgotten += 1;
            self.counts.retain(|_, &mut count| count > self.forgotten);
        }
    }

    /// Says if words were forgotten.
    pub fn tell(&self, name: &str) {
        if self.forgotten > 0 {
            eprintln!(
                "{name}: more than {} words; some of those seen up to {} times are left out",
                self.most, self.forgotten
            );
        }
    }

    /// The words, in any order.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.counts.keys().map(String::as_str)
    }

    /// The words that were seen most often, at most so many; of equal ones the first in order.
    pub fn most_frequent(&self, most: usize) -> Vec<&str> {
        let mut words: Vec<(&str, u64)> =
            self.counts.iter().map(|(word, &count)| (&word[..], count)).collect();
        words.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        words.into_iter().take(most).map(|(word, _)| word).collect()
    }

    /// How often a word was seen.
    pub fn of(&self, word: &str) -> u64 {
        self.counts.get(word).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_general_text_adds_words_by_their_rank() {
        let mut counts = Counts::default();
        counts.add(&"rain ".repeat(100));
        counts.add_general(&["the", "rain", "umbrella"].map(str::to_owned));
        assert_eq!(["the", "rain", "umbrella"].map(|word| counts.of(word)), [10, 105, 3]);
        let mut none = Counts::default();
        none.add_general(&["the".to_owned()]);
        assert_eq!(none.of("the"), 1);
    }

    #[test]
    fn of_too_many_words_the_rarest_are_forgotten() {
        let mut counts = Counts::new(4);
        for text in ["a b", "a b c", "a d"] {
            counts.add(text);
        }
        assert_eq!((counts.words().count(), counts.forgotten), (4, 0));
        // The fifth: c, d and e go, which were seen once; a and b are half of what there may be.
        counts.add("e");
        assert_eq!(["a", "b", "c", "d", "e"].map(|word| counts.of(word)), [3, 2, 0, 0, 0]);
        counts.add("c c b f");
        assert_eq!(["a", "b", "c", "f"].map(|word| counts.of(word)), [3, 3, 2, 1]);
        // Now c, f and g go, which were seen no more than twice.
        counts.add("g");
        assert_eq!(["a", "b", "c", "f", "g"].map(|word| counts.of(word)), [3, 3, 0, 0, 0]);
    }
}
