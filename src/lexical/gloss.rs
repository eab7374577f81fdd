//! Glosses: a text of a document language, word by word in English.
//!
//! A table of translations, turned round, gives each word the English words that it may stand for. Of these the Viterbi
//! algorithm chooses the sequence that is most likely as a translation of the words and as English: it maximises the sum
//! over its words of `ln share + 0.3 ln P(word | word before)`. The shares of a word's candidates are in proportion to
//! the strength of each translation times its frequency to the power of 1/4, and P is a bigram model.
//!
//! A word that the table does not know, as names and numbers are, is copied, and so is punctuation, which sentence encoders
//! read. Stems do not help: what they say of an unknown word, often a name, is wrong more often than right.

use std::collections::HashMap;

use crate::lexical::bigrams::Bigrams;
use crate::lexical::translation::Translator;
use crate::text::tokens;

/// The English words of a word that are considered, at most.
const CANDIDATES: usize = 8;
/// The exponent of an English word's frequency beside the strength of its translation.
const FREQUENCY: f32 = 0.25;
/// The exponent of the bigram model.
const LANGUAGE: f32 = 0.3;
/// Marks that are copied.
const MARKS: [char; 6] = ['.', ',', '!', '?', ';', ':'];

/// A table of translations, turned round, with a model of English.
#[derive(Debug, Clone)]
pub struct Glosser<'a> {
    /// The English words of each document word, the most likely first.
    words: HashMap<&'a str, Vec<Candidate<'a>>>,
    bigrams: &'a Bigrams,
}

/// An English word that a document word may stand for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate<'a> {
    /// The English word.
    pub word: &'a str,
    /// The logarithm of its share of the document word.
    pub share: f32,
    /// Its row in the bigram model.
    row: Option<u32>,
}

/// A word of a text with its gloss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlossedWord {
    /// The word, as the text rule gives it.
    pub word: String,
    /// Its gloss; the word itself if the table does not know it.
    pub gloss: String,
    /// Whether it was copied.
    pub is_copied: bool,
    /// The mark that follows it.
    pub mark: Option<char>,
}

/// A word of a text with its candidates.
struct Open<'a, 'b> {
    word: String,
    candidates: &'a [Candidate<'b>],
    mark: Option<char>,
}

impl<'a> Glosser<'a> {
    /// Turns the translations of a language round.
    pub fn new(translator: Translator<'a>, bigrams: &'a Bigrams) -> Self {
        let Translator { table, query: english, document } = translator;
        let mut words: HashMap<&str, Vec<Candidate<'_>>> = HashMap::new();
        for entry in table.entries(english, document) {
            let row = bigrams.row(entry.query);
            let count = (bigrams.count(row) as f32).max(1.0);
            let share = libm::logf(entry.strength) + FREQUENCY * libm::logf(count);
            let candidate = Candidate { word: entry.query, share, row };
            words.entry(entry.document).or_default().push(candidate);
        }
        words.values_mut().for_each(choose);
        Self { words, bigrams }
    }

    /// The English words that a document word may stand for, the most likely first; none if the table does not know it.
    pub fn candidates(&self, token: &str) -> &[Candidate<'a>] {
        self.words.get(token).map_or(&[], |candidates| candidates)
    }

    /// The words of a text with their glosses, in order.
    pub fn words(&self, text: &str) -> Vec<GlossedWord> {
        let words = self.open(text);
        let chosen = self.most_likely(&words);
        let close = |(open, candidate): (Open<'_, '_>, Option<&str>)| {
            let gloss = candidate.map_or_else(|| open.word.clone(), str::to_owned);
            let is_copied = candidate.is_none();
            GlossedWord { word: open.word, gloss, is_copied, mark: open.mark }
        };
        words.into_iter().zip(chosen).map(close).collect()
    }

    /// The glosses of a text's words in one line, with the marks between them.
    pub fn text(&self, text: &str) -> String {
        let mut line = String::new();
        for word in self.words(text) {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(&word.gloss);
            line.extend(word.mark);
        }
        line
    }

    /// Calls `each` with every English word that a word of a text may stand for, and its share of that word.
    pub fn for_each_candidate(&self, text: &str, mut each: impl FnMut(&str, f32)) {
        for Open { word, candidates, .. } in self.open(text) {
            if candidates.is_empty() {
                each(&word, 1.0);
            }
            for candidate in candidates {
                each(candidate.word, libm::expf(candidate.share));
            }
        }
    }

    /// The words of a text with their candidates. A chunk between spaces may hold several words; a mark at its end
    /// belongs to its last word.
    fn open(&self, text: &str) -> Vec<Open<'_, 'a>> {
        let mut words: Vec<Open<'_, '_>> = Vec::new();
        for chunk in text.split_whitespace() {
            let end = chunk.trim_end_matches(['"', '\'', ')', '”', '’', '»']).chars().next_back();
            let first = words.len();
            words.extend(tokens(chunk).into_iter().map(|word| {
                let candidates = self.candidates(&word);
                Open { word, candidates, mark: None }
            }));
            if let Some(last) = words[first..].last_mut() {
                last.mark = end.filter(|end| MARKS.contains(end));
            }
        }
        words
    }

    /// The English word of each word in the most likely sequence; `None` where the word is copied. Of equally likely
    /// sequences, the one whose words come first among the candidates.
    fn most_likely(&self, words: &[Open<'_, 'a>]) -> Vec<Option<&'a str>> {
        // For each candidate of the word before: its row, and the score of the best sequence that ends with it.
        let mut ends: Vec<(Option<Option<u32>>, f32)> = vec![(None, 0.0)];
        // For each candidate of each word: the candidate before it in the best sequence that ends with it.
        let mut paths: Vec<Vec<usize>> = Vec::with_capacity(words.len());
        for Open { word, candidates, .. } in words {
            let copied = [Candidate { word: "", share: 0.0, row: self.bigrams.row(word) }];
            let candidates = if candidates.is_empty() { &copied[..] } else { candidates };
            let best = |candidate: &Candidate<'_>| {
                let score = |(before, score): &(Option<Option<u32>>, f32)| {
                    score + LANGUAGE * self.bigrams.log_probability(*before, candidate.row)
                };
                let (place, score) = highest(ends.iter().map(score));
                (place, (Some(candidate.row), score + candidate.share))
            };
            let (path, next) = candidates.iter().map(best).unzip();
            paths.push(path);
            ends = next;
        }
        let (mut place, _) = highest(ends.iter().map(|end| end.1));
        let mut chosen = Vec::with_capacity(words.len());
        for (Open { candidates, .. }, path) in words.iter().zip(paths).rev() {
            chosen.push(candidates.get(place).map(|candidate| candidate.word));
            place = path[place];
        }
        chosen.reverse();
        chosen
    }
}

/// The highest score and its place; of equal ones the first.
fn highest(scores: impl Iterator<Item = f32>) -> (usize, f32) {
    let lowest = (0, f32::NEG_INFINITY);
    scores.enumerate().fold(lowest, |best, next| if next.1 > best.1 { next } else { best })
}

/// Sorts the candidates of a word, keeps the most likely, and makes their shares add up to 1.
fn choose(candidates: &mut Vec<Candidate<'_>>) {
    candidates.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.word.cmp(b.word)));
    let total = candidates.iter().fold(0.0, |sum, candidate| sum + libm::expf(candidate.share));
    candidates.truncate(CANDIDATES);
    for candidate in candidates {
        candidate.share -= libm::logf(total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::translation::{Entry, Translations};
    use crate::text::vocabulary::Vocabulary;

    fn entry<'a>(query: &'a str, document: &'a str, strength: f32) -> Entry<'a> {
        Entry { query, document, strength }
    }

    /// "lit" may be "bed" or "read", of which the first is stronger; in English "read" follows "he".
    fn with_glosser<T>(take: impl FnOnce(&Glosser<'_>) -> T) -> T {
        let query = Vocabulary::from_tokens(["rain", "rainy", "bed", "read", "his", "he"]).unwrap();
        let document = Vocabulary::from_tokens(["il", "lit", "son", "pluie"]).unwrap();
        let entries = [
            entry("bed", "lit", 0.6),
            entry("read", "lit", 0.3),
            entry("rain", "pluie", 0.9),
            entry("his", "son", 0.5),
            entry("he", "il", 0.5),
        ];
        let table = Translations::new(&entries, &query, &document).unwrap();
        let translator = Translator { table: &table, query: &query, document: &document };
        let rows = |word: &str| query.row(word).unwrap();
        let pairs = [(Some(rows("he")), rows("read"), 30), (Some(rows("his")), rows("bed"), 3)];
        let bigrams = Bigrams::new(query.clone(), vec![40; query.len()], pairs);
        take(&Glosser::new(translator, &bigrams))
    }

    #[test]
    fn a_word_is_glossed_by_its_strongest_translation_unless_another_fits_its_neighbours() {
        let text = |text| with_glosser(|glosser| glosser.text(text));
        assert_eq!(text("lit"), "bed");
        assert_eq!(text("son lit"), "his bed");
        assert_eq!(text("il lit"), "he read");
        // The word before decides, not the one at the beginning.
        assert_eq!(text("il son lit"), "he his bed");
        assert_eq!(text(""), "");
    }

    #[test]
    fn marks_are_copied_and_other_punctuation_is_left_out() {
        let text = |text| with_glosser(|glosser| glosser.text(text));
        assert_eq!(text("Son lit, il lit: «pluie!»  - 3"), "his bed, he read: rain! 3");
    }

    #[test]
    fn a_long_text_takes_time_in_proportion_to_its_length() {
        let long = "il lit son lit ".repeat(50_000);
        let words = with_glosser(|glosser| glosser.words(&long));
        assert_eq!(words.len(), 200_000);
        assert_eq!(words[199_999].gloss, "bed");
    }

    #[test]
    fn names_and_numbers_and_unknown_words_are_copied() {
        let words = with_glosser(|glosser| glosser.words("son Pluvius 1789"));
        let glosses: Vec<_> = words.iter().map(|word| (&word.gloss[..], word.is_copied)).collect();
        assert_eq!(glosses, [("his", false), ("pluvius", true), ("1789", true)]);
    }

    #[test]
    fn every_word_that_a_word_may_stand_for_is_given_by_its_share() {
        let mut found = Vec::new();
        with_glosser(|glosser| {
            glosser
                .for_each_candidate("lit 1789", |word, share| found.push((word.to_owned(), share)));
        });
        let words: Vec<&str> = found.iter().map(|(word, _)| &word[..]).collect();
        assert_eq!(words, ["bed", "read", "1789"]);
        // 0.6 and 0.3; strengths are stored in steps of 3 %.
        for ((_, share), expected) in found.iter().zip([2.0 / 3.0, 1.0 / 3.0, 1.0]) {
            assert!((share - expected).abs() < 0.02, "{found:?}");
        }
    }

    #[test]
    fn shares_are_of_strength_and_frequency_and_add_up_to_one() {
        let query = Vocabulary::from_tokens(["bed", "read"]).unwrap();
        let document = Vocabulary::default();
        let entries = [entry("bed", "lit", 0.6), entry("read", "lit", 0.2)];
        let table = Translations::new(&entries, &query, &document).unwrap();
        let translator = Translator { table: &table, query: &query, document: &document };
        // 16 times as frequent is twice as likely, by an exponent of 1/4.
        let bigrams = Bigrams::new(query.clone(), vec![1, 16], []);
        let glosser = Glosser::new(translator, &bigrams);
        let [first, second] = glosser.candidates("lit") else { panic!() };
        assert_eq!((first.word, second.word), ("bed", "read"));
        // 0.6 and 2 times 0.2; strengths are stored in steps of 3 %.
        assert!((libm::expf(first.share) - 0.6).abs() < 0.02, "{}", libm::expf(first.share));
        assert!((libm::expf(first.share) + libm::expf(second.share) - 1.0).abs() < 1e-6);
        assert_eq!(glosser.candidates("pluie"), []);
    }
}
