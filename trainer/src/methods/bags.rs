//! Texts -> TF-IDF: sparse vectors over the words of their language.

use smooth_clir::text::vocabulary::Vocabulary;

use crate::error::Error;
use crate::train::contrastive::Counts;

/// Sparse vectors of one language, a row for each text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bags {
    /// How many words there are.
    pub words: usize,
    /// Where each row ends in `entries`.
    ends: Vec<usize>,
    /// Words, in ascending order in each row, and what each weighs.
    entries: Vec<(u32, f64)>,
}

/// The words of a language and what each weighs.
#[derive(Debug, Clone, Default)]
pub struct Weighted {
    /// The words.
    pub vocabulary: Vocabulary,
    /// ln(1 + texts / texts with the word), of each word.
    pub weights: Vec<f32>,
}

impl Bags {
    /// Without rows.
    pub fn new(words: usize) -> Self {
        Self { words, ..Self::default() }
    }

    /// Adds a row; its words ascend.
    pub fn push(&mut self, row: impl IntoIterator<Item = (u32, f64)>) {
        self.entries.extend(row);
        self.ends.push(self.entries.len());
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The words of a row and what each weighs.
    pub fn row(&self, row: usize) -> &[(u32, f64)] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.entries[start..self.ends[row]]
    }

    /// Without the rows that have no words.
    pub fn filled(&self) -> Self {
        let mut filled = Self::new(self.words);
        let rows = self.rows().filter(|row| !row.is_empty());
        rows.for_each(|row| filled.push(row.iter().copied()));
        filled
    }

    /// All rows.
    pub fn rows(&self) -> impl Iterator<Item = &[(u32, f64)]> {
        (0..self.len()).map(|row| self.row(row))
    }
}

impl Weighted {
    /// The words of some texts, at most the `most` most frequent.
    ///
    /// # Errors
    /// If there are too many words for a vocabulary.
    pub fn new<'a>(
        texts: impl Iterator<Item = &'a str> + Clone,
        most: usize,
    ) -> Result<Self, Error> {
        let mut counts = Counts::default();
        texts.clone().for_each(|text| counts.add(text));
        let vocabulary = Vocabulary::from_tokens(counts.most_frequent(most))?;
        let mut with_word = vec![0_u32; vocabulary.len()];
        let mut all = 0_u32;
        for text in texts {
            all += 1;
            for (word, _) in counted(&vocabulary, text) {
                with_word[word as usize] += 1;
            }
        }
        let weight = |&with: &u32| libm::log(1.0 + f64::from(all) / f64::from(with)) as f32;
        Ok(Self { weights: with_word.iter().map(weight).collect(), vocabulary })
    }

    /// TF-IDF of texts, each of unit length; an empty row for one without a known word.
    pub fn bags<'a>(&self, texts: impl Iterator<Item = &'a str>) -> Bags {
        let mut bags = Bags::new(self.vocabulary.len());
        for text in texts {
            let counts = counted(&self.vocabulary, text);
            let weigh =
                |(word, count)| (word, f64::from(count) * f64::from(self.weights[word as usize]));
            let row: Vec<(u32, f64)> = counts.into_iter().map(weigh).collect();
            let norm = row.iter().fold(0.0, |sum, (_, x)| sum + x * x).sqrt();
            bags.push(row.into_iter().map(|(word, x)| (word, x / norm)));
        }
        bags
    }

    /// How often each known word is in each text.
    pub fn counts<'a>(&self, texts: impl Iterator<Item = &'a str>) -> Bags {
        let mut bags = Bags::new(self.vocabulary.len());
        for text in texts {
            let counts = counted(&self.vocabulary, text);
            bags.push(counts.into_iter().map(|(word, count)| (word, f64::from(count))));
        }
        bags
    }
}

/// The known words of a text, ascending, and how often each is there.
fn counted(vocabulary: &Vocabulary, text: &str) -> Vec<(u32, u32)> {
    let mut rows = vocabulary.rows(text);
    rows.sort_unstable();
    rows.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_its_words_by_count_and_rarity_at_unit_length() {
        let texts = ["Rain, rain and sun", "sun", "", "snow"];
        let weighted = Weighted::new(texts.into_iter(), 3).unwrap();
        // Of equally frequent words the first in order: "and" before "snow".
        let words: Vec<&str> = (0..3).map(|row| weighted.vocabulary.token(row)).collect();
        assert_eq!(words, ["and", "rain", "sun"]);
        // Four texts: ln 5 = 1.6094 and ln 3 = 1.0986.
        for (found, expected) in weighted.weights.iter().zip([1.609_438, 1.609_438, 1.098_612]) {
            assert!((found - expected).abs() < 1e-6);
        }
        let bags = weighted.bags(texts.into_iter());
        // (1.6094, 3.2189, 1.0986) / 3.7626.
        for (found, expected) in bags.row(0).iter().zip([0.427_75, 0.855_50, 0.291_99]) {
            assert!((found.1 - expected).abs() < 1e-4, "{found:?}");
        }
        assert_eq!(bags.row(1), [(2, 1.0)]);
        assert!(bags.row(2).is_empty() && bags.row(3).is_empty());
        assert_eq!((bags.len(), bags.words), (4, 3));
        let filled = bags.filled();
        assert_eq!((filled.len(), filled.words), (2, 3));
        assert_eq!([filled.row(0), filled.row(1)], [bags.row(0), bags.row(1)]);
        let counts = weighted.counts(texts.into_iter());
        assert_eq!(counts.row(0), [(0, 1.0), (1, 2.0), (2, 1.0)]);
        assert_eq!((counts.row(1), counts.len(), counts.words), (&[(2, 1.0)][..], 4, 3));
        assert!(counts.row(2).is_empty() && counts.row(3).is_empty());
    }
}
