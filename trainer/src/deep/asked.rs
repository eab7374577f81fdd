//! Queries as people type them, made of sentences: a few of a sentence's words.

use std::borrow::Cow;

use smooth_clir::encoder::Encoder;
use smooth_clir::math::random::Random;

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

/// What each word of an encoder weighs in a query.
pub fn weights_of(encoder: &Encoder) -> Cow<'_, [f32]> {
    match &encoder.weights {
        Some(weights) => Cow::Borrowed(weights),
        None => vec![1.0; encoder.vocabulary.len()].into(),
    }
}

/// Some words of a sentence, at most so many, each once.
pub fn draw(words: &[u32], weights: &[f32], most: usize, random: &mut Random) -> Vec<u32> {
    let all: f32 = words.iter().map(|&word| weights[word as usize]).sum();
    let count = 1 + random.below(most.min(words.len()));
    let mut drawn = Vec::with_capacity(count);
    for _ in 0..count {
        let mut left = random.unit() * all;
        let found = words.iter().find(|&&word| {
            left -= weights[word as usize];
            left < 0.0
        });
        let word = found.or(words.last());
        drawn.extend(word.filter(|word| !drawn.contains(*word)).copied());
    }
    drawn
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
