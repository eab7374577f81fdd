//! Glosses: a text of a document language, word by word in English.
//!
//! A table of translations, turned round, gives each word the English words that it may stand for. Of these the Viterbi
//! algorithm chooses the sequence that is most likely as a translation of the words and as English: it maximises the sum
//! over its words of `ln share + 0.3 ln P(word | word before)`, where P is a bigram model.
//!
//! A word that the table does not know is glossed as the words that it is [made of](crate::text::parts). One that is not made of
//! known words is glossed as its [relatives](Relatives) are, if the table has stems, whose end says
//! where forms of a word agree; else it is copied, as names and numbers are, and so is punctuation, which sentence encoders
//! read. Stems of four letters do not help: what they say of an unknown word, often a name, is wrong more often than right.

use std::collections::BTreeMap;

use crate::lexical::bigrams::Bigrams;
use crate::lexical::relatives::Relatives;
use crate::lexical::senses::{self, Sense, Senses};
use crate::lexical::translation::Translator;
use crate::text::tokens;

/// The exponent of the bigram model.
const LANGUAGE: f32 = 0.3;
/// Marks that are copied.
const MARKS: [char; 6] = ['.', ',', '!', '?', ';', ':'];

/// A table of translations, turned round, with a model of English.
#[derive(Debug, Clone)]
pub struct Glosser<'a> {
    translator: Translator<'a>,
    senses: Senses,
    bigrams: &'a Bigrams,
    /// The row in the bigram model of each English word of the table.
    rows: Vec<Option<u32>>,
    /// Those of unknown document words.
    relatives: Option<Relatives>,
}

/// An English word that a document word may stand for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate<'a> {
    /// The English word.
    pub word: &'a str,
    /// The logarithm of its share of the document word.
    pub log_share: f32,
    /// Its row in the bigram model.
    row: Option<u32>,
}

/// A word of a text with its gloss.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GlossedWord {
    /// The word, as the text rule gives it, or a part of one that the table does not know.
    pub word: String,
    /// Its gloss; the word itself if the table does not know it.
    pub gloss: String,
    /// Whether it was copied.
    pub is_copied: bool,
    /// The mark that follows it.
    pub mark: Option<char>,
}

/// A word of a text with its candidates.
struct Open<'a> {
    word: String,
    candidates: Vec<Candidate<'a>>,
    mark: Option<char>,
}

impl<'a> Glosser<'a> {
    /// Of the words of a language's translations, without rows, and their senses.
    pub fn new(translator: Translator<'a>, senses: Senses, bigrams: &'a Bigrams) -> Self {
        let words = 0..translator.query_words();
        let rows = words.map(|word| bigrams.row(translator.query_word(word))).collect();
        let with_senses = (0..senses.len() as u32).filter(|&number| !senses.of(number).is_empty());
        let relatives = translator.table.stems.as_ref().map(|stems| {
            let words = with_senses.map(|number| (translator.document_word(number), number));
            Relatives::new(stems.ends[1], words)
        });
        Self { translator, senses, bigrams, rows, relatives }
    }

    /// The English words that a document word may stand for, the most likely first; none if the table knows neither it nor a
    /// relative.
    pub fn candidates(&self, token: &str) -> Vec<Candidate<'a>> {
        let number = self.translator.document_number(token);
        let mut senses = number.map_or(&[][..], |number| self.senses.of(number));
        let of_relatives;
        if senses.is_empty() {
            of_relatives = self.senses_of_relatives(token);
            senses = &of_relatives;
        }
        let candidate = |sense: &Sense| Candidate {
            word: self.translator.query_word(sense.word),
            log_share: libm::logf(sense.share),
            row: self.rows[sense.word as usize],
        };
        senses.iter().map(candidate).collect()
    }

    /// The senses that the relatives of an unknown word have, on average.
    fn senses_of_relatives(&self, token: &str) -> Vec<Sense> {
        let numbers: Vec<u32> =
            self.relatives.iter().flat_map(|relatives| relatives.of(token)).collect();
        let mut shares: BTreeMap<u32, f32> = BTreeMap::new();
        for sense in numbers.iter().flat_map(|&number| self.senses.of(number)) {
            *shares.entry(sense.word).or_default() += sense.share / numbers.len() as f32;
        }
        let mut senses: Vec<Sense> =
            shares.into_iter().map(|(word, share)| Sense { word, share }).collect();
        // Of equal ones the first, as in a table.
        senses.sort_by(|one, other| other.share.total_cmp(&one.share));
        senses.truncate(senses::MOST);
        senses
    }

    /// The words of a text with their glosses, in order.
    pub fn words(&self, text: &str) -> Vec<GlossedWord> {
        let words = self.open(text);
        let chosen = self.most_likely(&words);
        let close = |(open, candidate): (Open<'_>, Option<&str>)| {
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

    /// The words of a text with their candidates. A chunk between spaces may hold several words; a mark at its end
    /// belongs to its last word.
    fn open(&self, text: &str) -> Vec<Open<'a>> {
        let mut words: Vec<Open<'_>> = Vec::new();
        for chunk in text.split_whitespace() {
            let end = chunk.trim_end_matches(['"', '\'', ')', '”', '’', '»']).chars().next_back();
            let first = words.len();
            for token in tokens(chunk) {
                let parts = self.translator.table.parts(&token);
                let of_parts = parts.iter().map(|part| (*part).to_owned());
                let whole = parts.is_empty().then(|| token.clone());
                words.extend(of_parts.chain(whole).map(|word| {
                    let candidates = self.candidates(&word);
                    Open { word, candidates, mark: None }
                }));
            }
            if let Some(last) = words[first..].last_mut() {
                last.mark = end.filter(|end| MARKS.contains(end));
            }
        }
        words
    }

    /// The English word of each word in the most likely sequence; `None` where the word is copied. Of equally likely
    /// sequences, the one whose words come first among the candidates.
    fn most_likely(&self, words: &[Open<'a>]) -> Vec<Option<&'a str>> {
        // For each candidate of the word before: its row, and the score of the best sequence that ends with it.
        let mut ends: Vec<(Option<Option<u32>>, f32)> = vec![(None, 0.0)];
        // For each candidate of each word: the candidate before it in the best sequence that ends with it.
        let mut paths: Vec<Vec<usize>> = Vec::with_capacity(words.len());
        for Open { word, candidates, .. } in words {
            let copied = [Candidate { word: "", log_share: 0.0, row: self.bigrams.row(word) }];
            let candidates = if candidates.is_empty() { &copied } else { &candidates[..] };
            let best = |candidate: &Candidate<'_>| {
                let score = |(before, score): &(Option<Option<u32>>, f32)| {
                    score + LANGUAGE * self.bigrams.log_probability(*before, candidate.row)
                };
                let (place, score) = highest(ends.iter().map(score));
                (place, (Some(candidate.row), score + candidate.log_share))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::stems::Stems;
    use crate::lexical::translation::{Entry, Translations};
    use crate::text::stem::End;
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
        let translator =
            Translator { table: &table, query: &query, document: &document, weights: None };
        let rows = |word: &str| query.row(word).unwrap();
        let pairs = [(Some(rows("he")), rows("read"), 30), (Some(rows("his")), rows("bed"), 3)];
        let bigrams = Bigrams::new(query.clone(), vec![40; query.len()], pairs);
        take(&Glosser::new(translator, table.senses(|_| 1.0), &bigrams))
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
    fn an_unknown_form_of_a_known_word_is_glossed_as_its_relatives_are() {
        let entry_of = |document| entry("walk", document, 0.9);
        let entries = ["walitembea", "ninatembea"]
            .map(entry_of)
            .into_iter()
            .chain([entry("he", "yeye", 0.9)]);
        let query = Vocabulary::from_tokens(["he", "walk"]).unwrap();
        let none = Vocabulary::default();
        let entries: Vec<Entry<'_>> = entries.collect();
        let gloss = |stems: Option<Stems>, text: &str| {
            let mut table = Translations::new(&entries, &query, &none).unwrap();
            table.stems = stems;
            let translator =
                Translator { table: &table, query: &query, document: &none, weights: None };
            let bigrams = Bigrams::new(query.clone(), vec![1; query.len()], []);
            Glosser::new(translator, table.senses(|_| 1.0), &bigrams).text(text)
        };
        let stems = Stems::new(&[], [End::Head, End::Tail]).unwrap();
        assert_eq!(gloss(Some(stems), "yeye mlitembea Pemba"), "he walk pemba");
        // Without stems nothing says where forms agree.
        assert_eq!(gloss(None, "yeye mlitembea"), "he mlitembea");
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
}
