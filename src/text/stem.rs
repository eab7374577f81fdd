//! A word -> its stem: the first letters, or the last.
//!
//! Words of one root share an end of them in most languages: the first letters where these inflect
//! at the end, the last where at the beginning. Cut there they find each other (McNamee and
//! Mayfield, 2004), without a rule of any language.

use crate::text::vocabulary::{Vocabulary, hash};

/// Letters of a stem.
const LETTERS: usize = 4;

/// Which letters of a word are its stem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The first four: "rain" of "raining".
    Head,
    /// The last four: "enda" of "walipokwenda".
    Tail,
}

impl End {
    /// The stem of a word; of a short one all of it.
    pub fn of(self, word: &str) -> &str {
        match self {
            Self::Head => word.char_indices().nth(LETTERS).map_or(word, |(at, _)| &word[..at]),
            Self::Tail => {
                word.char_indices().nth_back(LETTERS - 1).map_or(word, |(at, _)| &word[at..])
            }
        }
    }

    /// "head" or "tail".
    pub fn name(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Tail => "tail",
        }
    }

    /// A stem as people write it, with a hyphen where letters may follow or precede: a shorter one is
    /// the whole word.
    pub fn shown(self, stem: &str) -> String {
        match self {
            _ if stem.chars().count() < LETTERS => stem.into(),
            Self::Head => format!("{stem}-"),
            Self::Tail => format!("-{stem}"),
        }
    }
}

/// Which words of a vocabulary have a stem: chains of rows whose stems hash alike.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Families {
    /// For each value of the hash the first row, plus 1; or 0.
    first: Vec<u32>,
    /// For each row the next one of its chain, plus 1; or 0.
    next: Vec<u32>,
}

impl Families {
    pub fn new(words: &Vocabulary, end: End) -> Self {
        let none = Self { first: vec![0; words.len().max(1)], next: vec![0; words.len()] };
        (0..words.len()).rev().fold(none, |mut all, row| {
            let slot = all.slot(end.of(words.token(row)));
            all.next[row] = all.first[slot];
            all.first[slot] = row as u32 + 1;
            all
        })
    }

    /// The rows of words that may have a stem, rising: those that have it, and few others.
    pub fn of(&self, stem: &str) -> impl Iterator<Item = usize> {
        let row = |entry: u32| (entry as usize).checked_sub(1);
        std::iter::successors(row(self.first[self.slot(stem)]), move |&at| row(self.next[at]))
    }

    fn slot(&self, stem: &str) -> usize {
        ((hash(stem.as_bytes()) >> 32) as usize) % self.first.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_is_the_first_four_letters_or_the_last() {
        for (word, head, tail) in [
            ("raining", "rain", "ning"),
            ("walipokwenda", "wali", "enda"),
            ("été", "été", "été"),
            ("élève", "élèv", "lève"),
            ("rain", "rain", "rain"),
            ("", "", ""),
        ] {
            assert_eq!((End::Head.of(word), End::Tail.of(word)), (head, tail));
        }
        assert_eq!(
            (End::Head.shown("rain"), End::Tail.shown("enda")),
            ("rain-".into(), "-enda".into())
        );
    }

    #[test]
    fn a_hyphen_says_that_letters_may_follow_or_precede_and_a_short_word_is_whole() {
        let shown = |stem| (End::Head.shown(stem), End::Tail.shown(stem));
        assert_eq!(shown("élèv"), ("élèv-".into(), "-élèv".into()));
        assert_eq!(shown("été"), ("été".into(), "été".into()));
    }
}
