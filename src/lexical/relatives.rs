//! The known words that an unknown word is probably a form of: those that share most of its letters, from the end of words
//! where a language's forms agree.
//!
//! "alitembea", he walked, is not known, but "walitembea", they walked, is; and "grues" is not, but "grue" is.

use crate::text::stem::End;

/// A relative has so many letters in a row in common with the word, counted from the end.
const LEAST_COMMON: usize = 5;
/// The word has at most so many other letters.
const MOST_OTHER: usize = 4;
/// At most so many relatives are looked at.
const MOST: usize = 100;

/// Known words, in an order in which relatives are neighbours.
#[derive(Debug, Clone)]
pub struct Relatives {
    end: End,
    /// The letters of each word from that end on, rising, with its number.
    words: Vec<(Vec<char>, u32)>,
}

impl Relatives {
    /// Of words with their numbers.
    pub fn new<'a>(end: End, words: impl IntoIterator<Item = (&'a str, u32)>) -> Self {
        let words = words.into_iter().map(|(word, number)| (letters(end, word), number));
        let mut words: Vec<(Vec<char>, u32)> = words.collect();
        words.sort_unstable();
        Self { end, words }
    }

    /// The numbers of the words that share most letters with a word, which is not one of them; none if they share too few,
    /// or if it has a digit.
    pub fn of(&self, word: &str) -> impl Iterator<Item = u32> {
        let letters = letters(self.end, word);
        let place = self.words.partition_point(|(other, _)| *other < letters);
        let before = place.checked_sub(1);
        let common = |place: usize| {
            let other = self.words.get(place).map_or(&[][..], |(other, _)| other);
            letters.iter().zip(other).take_while(|(letter, other)| letter == other).count()
        };
        let most = common(place).max(before.map_or(0, common));
        let is_related = most >= LEAST_COMMON
            && letters.len() - most <= MOST_OTHER
            && !letters.iter().any(|letter| letter.is_numeric());
        // All that begin with the common letters stand side by side.
        let first = self.words.partition_point(|(other, _)| other[..] < letters[..most]);
        let related = self.words[first..].iter().take(if is_related { MOST } else { 0 });
        let common = letters[..most].to_vec();
        related.take_while(move |(other, _)| other.starts_with(&common)).map(|(_, number)| *number)
    }
}

/// The letters that two words have in common, counted from an end; 0 unless they are forms of one word by as many, and have few
/// others.
pub fn related(end: End, one: &str, other: &str) -> usize {
    fn same(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> usize {
        one.zip(other).take_while(|(a, b)| a == b).count()
    }
    let common = match end {
        End::Head => same(one.chars(), other.chars()),
        End::Tail => same(one.chars().rev(), other.chars().rev()),
    };
    let is_form = |word: &str| {
        word.chars().count() - common <= MOST_OTHER && !word.chars().any(char::is_numeric)
    };
    if common >= LEAST_COMMON && is_form(one) && is_form(other) { common } else { 0 }
}

fn letters(end: End, word: &str) -> Vec<char> {
    match end {
        End::Head => word.chars().collect(),
        End::Tail => word.chars().rev().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relatives(end: End, words: &[&str], word: &str) -> Vec<u32> {
        Relatives::new(end, words.iter().copied().zip(0..)).of(word).collect()
    }

    #[test]
    fn relatives_share_most_letters_at_the_end_where_forms_agree() {
        let swahili = ["walitembea", "ninatembea", "kutembelea", "anapenda"];
        let sorted = |mut found: Vec<u32>| {
            found.sort_unstable();
            found
        };
        assert_eq!(sorted(relatives(End::Tail, &swahili, "mlitembea")), [0]);
        assert_eq!(sorted(relatives(End::Tail, &swahili, "hutembea")), [0, 1]);
        let french = ["grue", "gruyère", "éléphant", "éléphante", "désinstaller"];
        assert_eq!(sorted(relatives(End::Head, &french, "éléphants")), [2, 3]);
        assert_eq!(relatives(End::Head, &french, "désinstallez"), [4]);
    }

    #[test]
    fn words_with_too_few_letters_in_common_or_with_digits_have_none() {
        let words = ["grue", "maison", "1789a"];
        // Four letters in common, five others, a digit.
        for word in ["grues", "maisonnettes", "1789ab", "", "a"] {
            assert!(relatives(End::Head, &words, word).is_empty(), "{word}");
        }
        assert!(relatives(End::Head, &[], "maisons").is_empty());
    }

    #[test]
    fn of_very_many_relatives_only_some_are_looked_at() {
        let words: Vec<String> = (0..5000).map(|number| format!("relat{number}")).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(relatives(End::Head, &words, "relatx").len(), MOST);
    }
}
