//! Queries as people type them, made of sentences: a few of a sentence's words, some of them said in other words.

use rayon::prelude::*;
use smooth_clir::encoder::{Encoder, Table};
use smooth_clir::math::kernels;
use smooth_clir::math::random::Random;
use smooth_clir::text::tokens;

use super::distil::draw;

/// One word in so many is said in other words. Of 2 and 4, 4 gives weights nearer to those that are best for the typed
/// queries of a tuning set.
const REPLACED: usize = 4;
/// Words that begin with the same letters, so many, are forms of one word.
const STEM: usize = 4;

/// A query for each sentence, the same for the same sentence; an empty one for a sentence of which no word is known.
pub fn queries(encoder: &Encoder, sentences: &[&str], seed: u64) -> Vec<String> {
    let rows = encoder.network.words().widened();
    let norms: Vec<f32> = (0..rows.len()).map(|row| kernels::norm(rows.row(row))).collect();
    let equal = vec![1.0; encoder.vocabulary.len()];
    let weights = encoder.weights.as_deref().unwrap_or(&equal);
    let query = |sentence: &&str| {
        let mut random = Random::new(seed, &format!("replaced {sentence}"));
        let known: Vec<u32> =
            tokens(sentence).iter().filter_map(|token| encoder.vocabulary.row(token)).collect();
        if known.is_empty() {
            return String::new();
        }
        let word = |row: u32| match random.below(REPLACED) {
            0 => nearest(encoder, (&rows, &norms), row),
            _ => encoder.vocabulary.token(row as usize),
        };
        let mut drawing = Random::new(seed, &format!("drawn {sentence}"));
        draw(&known, weights, &mut drawing).into_iter().map(word).collect::<Vec<_>>().join(" ")
    };
    sentences.par_iter().map(query).collect()
}

/// The word whose row has the direction most like that of a row, and that is no form of its word; the word itself if
/// there is none. `norms` are those of the rows.
fn nearest<'a>(encoder: &'a Encoder, (rows, norms): (&Table, &[f32]), row: u32) -> &'a str {
    let stem = |word: &'a str| word.char_indices().nth(STEM).map_or(word, |(end, _)| &word[..end]);
    let own = encoder.vocabulary.token(row as usize);
    let vector = rows.row(row as usize);
    let mut best = (0.0, own);
    for (other, &norm) in norms.iter().enumerate() {
        let cosine = kernels::dot(vector, rows.row(other)) / norm;
        let word = encoder.vocabulary.token(other);
        if norm > 0.0 && cosine > best.0 && stem(word) != stem(own) {
            best = (cosine, word);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use smooth_clir::encoder::Network;
    use smooth_clir::text::vocabulary::Vocabulary;

    use super::*;

    fn encoder() -> Encoder {
        let vocabulary = Vocabulary::from_tokens(["automobile", "car", "cars", "tree"]).unwrap();
        let rows = vec![1.0, 0.1, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0];
        Encoder::new(vocabulary, Network::Average(Table::new(2, rows).into()))
    }

    #[test]
    fn a_word_in_other_words_is_the_nearest_that_is_no_form_of_it() {
        let encoder = encoder();
        let rows = encoder.network.words().widened();
        let norms = [0, 1, 2, 3].map(|row| kernels::norm(rows.row(row)));
        let nearest = |row| nearest(&encoder, (&rows, &norms), row);
        // "car" and "cars" differ in their fourth letter: they are two words by this rule.
        assert_eq!(nearest(0), "car");
        assert_eq!(nearest(1), "cars");
        assert_eq!(nearest(3), "automobile");
    }

    #[test]
    fn queries_are_of_words_of_the_sentence_or_near_them() {
        let sentences = ["A tree, unknown", "", "Car car car"];
        let found = queries(&encoder(), &sentences, 1);
        assert_eq!(found[1], "");
        assert!(["tree", "automobile"].contains(&&found[0][..]), "{found:?}");
        assert!(["car", "cars"].contains(&&found[2][..]), "{found:?}");
        assert_eq!(queries(&encoder(), &sentences, 1), found);
    }
}
