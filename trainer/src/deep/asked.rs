//! Queries as people type them, made of sentences: a few of a sentence's words.

use smooth_clir::encoder::Encoder;
use smooth_clir::math::random::Random;

use super::distil::{draw, weights_of};

/// Words of a query, at most.
const MOST_WORDS: usize = 8;

/// A query for each sentence, the same for the same sentence; an empty one for a sentence of which no word is known.
pub fn queries(encoder: &Encoder, sentences: &[&str], seed: u64) -> Vec<String> {
    let weights = weights_of(encoder);
    let query = |sentence: &&str| {
        let known = encoder.vocabulary.rows(sentence);
        if known.is_empty() {
            return String::new();
        }
        let mut random = Random::new(seed, &format!("drawn {sentence}"));
        let word = |row: u32| encoder.vocabulary.token(row as usize);
        draw(&known, &weights, MOST_WORDS, &mut random)
            .into_iter()
            .map(word)
            .collect::<Vec<_>>()
            .join(" ")
    };
    sentences.iter().map(query).collect()
}

#[cfg(test)]
mod tests {
    use smooth_clir::encoder::{Network, Table};
    use smooth_clir::text::vocabulary::Vocabulary;

    use super::*;

    #[test]
    fn queries_are_of_known_words_of_the_sentence() {
        let vocabulary = Vocabulary::from_tokens(["car", "rain", "tree"]).unwrap();
        let network = Network::Average(Table::new(1, vec![1.0; 3]).into());
        let encoder = Encoder::new(vocabulary, network);
        let sentences = ["A tree, unknown", "", "Car rain car"];
        let found = queries(&encoder, &sentences, 1);
        assert_eq!(found[..2], ["tree", ""]);
        assert!(["car", "rain", "car rain", "rain car"].contains(&&found[2][..]), "{found:?}");
        assert_eq!(queries(&encoder, &sentences, 1), found);
    }
}
