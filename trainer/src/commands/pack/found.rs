//! What the data tell of a language: whether its script has spaces, which stems find most, which words are function words.

use std::fmt;

use smooth_clir::encoder::Encoder;
use smooth_clir::lexical::translation::Translations;
use smooth_clir::model::Model;
use smooth_clir::text;
use smooth_clir::text::stem::End;

use crate::error::Error;
use crate::terminal::values::name_of;
use crate::train::contrastive::{Language, StemName};

/// Stems that find more by less than this are no better.
const BETTER: f64 = 0.002;
/// A word is frequent from this share of all words on.
const FREQUENT: f32 = 1e-3;
/// A function word may stand for English words as different as so many equally likely ones.
const SENSES: f32 = 5.0;
/// Letters of a word of a script without spaces, which the text rule reads by pairs of characters.
const PAIR: usize = 2;
/// The share of such words from which on a language is one without spaces.
const PAIRS: f64 = 0.8;

/// The form in which words have translations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// Whether a word counts as its base.
    pub has_bases: bool,
    /// Which stems have translations too.
    pub stems: StemName,
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = if self.has_bases { "bases" } else { "words" };
        write!(f, "{words} with stems {}", name_of(self.stems))
    }
}

/// What was found of a language's words.
#[derive(Debug)]
pub struct Stem {
    /// The end of words that stems are.
    pub end: StemName,
    /// Whether its script has no spaces between words.
    pub is_unspaced: bool,
    /// The function words, the most frequent first.
    pub function_words: Vec<String>,
}

impl Stem {
    /// Of a pack with its translations.
    ///
    /// # Errors
    /// If there is no query encoder.
    pub fn of(pack: &Model, language: &Language) -> Result<Self, Error> {
        let table = pack.translations.get(&language.name);
        let end = match table.and_then(|table| table.stems.as_ref()).map(|stems| stems.ends[1]) {
            Some(End::Head) => StemName::Head,
            Some(End::Tail) => StemName::Tail,
            None => StemName::None,
        };
        let query = pack.query_encoder()?;
        let function_words = table.map_or_else(Vec::new, |table| function_words(table, query));
        Ok(Self { end, is_unspaced: is_unspaced(language), function_words })
    }
}

/// Whether the text rule reads most of a language's texts by pairs of characters.
pub fn is_unspaced(language: &Language) -> bool {
    let (mut all, mut pairs) = (0_u64, 0_u64);
    for kept in language.validation.iter() {
        text::for_each_token(&kept.texts[1], &mut text::Scratch::default(), |word| {
            all += 1;
            let is_ascii = word.is_ascii();
            pairs += u64::from(!is_ascii && word.chars().count() <= PAIR);
        });
    }
    pairs as f64 > PAIRS * all as f64
}

/// Of forms and how much they find, the best; of nearly equal ones the first.
pub fn best(found: &[(Form, f64)]) -> Option<Form> {
    let most = found.iter().map(|(_, found)| *found).fold(f64::NEG_INFINITY, f64::max);
    found.iter().find(|(_, found)| *found >= most - BETTER).map(|(form, _)| *form)
}

/// The function words of a language, the most frequent first: frequent words that stand for many English words.
fn function_words(table: &Translations, query: &Encoder) -> Vec<String> {
    let senses = query.senses(table);
    let words = table.document_words_without_row();
    let mut found: Vec<(f32, &str)> = Vec::new();
    for number in 0..words.len() as u32 {
        let frequency = table.frequency(number);
        if frequency < FREQUENT {
            continue;
        }
        let shares = senses.of(number).iter().map(|sense| sense.share);
        let entropy: f32 = shares.map(|share| -share * libm::logf(share)).sum();
        if libm::expf(entropy) >= SENSES {
            found.push((frequency, words.token(number as usize)));
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    found.into_iter().map(|(_, word)| word.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_nearly_equal_stems_the_first_are_taken() {
        let form = |has_bases, stems| Form { has_bases, stems };
        let [head, tail] = [StemName::Head, StemName::Tail].map(|stems| form(false, stems));
        let none = form(false, StemName::None);
        let found =
            |of_none, of_head, of_tail| best(&[(head, of_head), (tail, of_tail), (none, of_none)]);
        assert_eq!(found(0.5, 0.6, 0.55), Some(head));
        assert_eq!(found(0.5, 0.55, 0.6), Some(tail));
        assert_eq!(found(0.5, 0.6, 0.601), Some(head));
        assert_eq!(found(0.7, 0.6, 0.601), Some(none));
        let bases = form(true, StemName::Head);
        assert_eq!(best(&[(bases, 0.6), (head, 0.601)]), Some(bases));
        assert_eq!(best(&[(bases, 0.6), (head, 0.603)]), Some(head));
        assert_eq!(best(&[]), None);
    }
}
