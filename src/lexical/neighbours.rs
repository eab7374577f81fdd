//! A query's words -> words of nearly the same meaning, by the rows of the query encoder.
//!
//! A word also stands for its neighbours in the lexical score, each by its cosine times the model's share: documents that have
//! "queen" count a little for "king". Only rows that know what words mean have such neighbours; those of a teacher do.

use std::collections::BTreeMap;

use crate::encoder::{Encoder, Nearest};

/// So many words of a query have neighbours, the first ones: a longer text has words enough, and each costs a look at every
/// row.
const MOST_WORDS: usize = 64;
/// A word has so many neighbours, at most.
const MOST: usize = 8;
/// The least cosine of a neighbour.
const LEAST: f32 = 0.4;
/// Words of a lower weight in the mean of a text, the most frequent, have none: nothing is near to "the".
const LEAST_WEIGHT: f32 = 0.8;

/// The neighbours of some words, each with its cosine, the nearest first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Neighbours<'a>(BTreeMap<&'a str, Vec<(&'a str, f32)>>);

impl<'a> Neighbours<'a> {
    /// The rows nearest to each of an encoder's words, by which neighbours are found.
    pub fn rows(encoder: &Encoder) -> Nearest {
        Nearest::new(encoder.network.words(), (MOST, LEAST))
    }

    /// A word of an encoder with its neighbours by these [rows](Self::rows); `None` if it has none.
    pub fn find(
        encoder: &'a Encoder,
        rows: &Nearest,
        token: &str,
    ) -> Option<(&'a str, Vec<(&'a str, f32)>)> {
        let row = encoder.vocabulary.row(token)?;
        let weight = encoder.weights.as_ref().map_or(1.0, |weights| weights[row as usize]);
        if weight < LEAST_WEIGHT {
            return None;
        }
        let word = |row: u32| encoder.vocabulary.token(row as usize);
        let nearest = rows.of(encoder.network.words(), row);
        Some((word(row), nearest.iter().map(|&(row, cosine)| (word(row), cosine)).collect()))
    }

    /// The neighbours of a word.
    pub fn of(&self, token: &str) -> &[(&'a str, f32)] {
        self.0.get(token).map_or(&[], Vec::as_slice)
    }

    /// The words of a query that have neighbours, each once.
    pub fn words(tokens: &[String]) -> Vec<&str> {
        let mut words: Vec<&str> = Vec::new();
        for token in tokens {
            if words.len() == MOST_WORDS {
                break;
            }
            if !words.contains(&&token[..]) {
                words.push(token);
            }
        }
        words
    }
}

impl<'a> FromIterator<(&'a str, Vec<(&'a str, f32)>)> for Neighbours<'a> {
    fn from_iter<I: IntoIterator<Item = (&'a str, Vec<(&'a str, f32)>)>>(words: I) -> Self {
        Self(words.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoder::{Network, Precision, Rows, Table};
    use crate::text::vocabulary::Vocabulary;

    #[test]
    fn words_in_nearly_one_direction_are_neighbours_but_not_of_frequent_words() {
        let rows = [[1.0, 0.0], [4.0, 3.0], [0.0, 1.0], [1.0, 0.1]].concat();
        let encoder = Encoder {
            vocabulary: Vocabulary::from_tokens(["king", "queen", "rain", "the"]).unwrap(),
            network: Network::Average(Rows::new(Table::new(2, rows), Precision::F32)),
            weights: Some([1.0, 1.0, 1.0, 0.5].into()),
            subwords: None,
        };
        let rows = Neighbours::rows(&encoder);
        let find = |token| Neighbours::find(&encoder, &rows, token);
        let (word, near) = find("king").unwrap();
        assert_eq!((word, near.len()), ("king", 2));
        // "the" is nearer than "queen", at 0.8; "rain" is not near.
        assert_eq!((near[0].0, near[1].0), ("the", "queen"));
        assert!((near[1].1 - 0.8).abs() < 1e-6);
        assert_eq!(find("the"), None);
        assert_eq!(find("unknown"), None);
        let neighbours: Neighbours<'_> = ["king", "the"].into_iter().filter_map(find).collect();
        assert_eq!((neighbours.of("king").len(), neighbours.of("the").len()), (2, 0));
    }

    #[test]
    fn the_first_words_of_a_long_query_have_neighbours_each_once() {
        let tokens: Vec<String> = (0..1000).map(|number| format!("word{}", number / 2)).collect();
        let words = Neighbours::words(&tokens);
        assert_eq!((words.len(), words[0], words[63]), (64, "word0", "word63"));
    }
}
