//! Translation tables with probabilities, for probabilistic structured queries (Darwish and Oard,
//! 2003).
//!
//! A table stores a strength for each pair of a query word and a document word: the geometric mean
//! of the translation probabilities in the two directions. Probabilities are strengths over their
//! sum, so one table serves the two directions.

use crate::Error;
use crate::storage::Buffer;
use crate::storage::container::{Reader, Writer};
use crate::storage::varint;
use crate::text::vocabulary::Vocabulary;

/// The number of quantisation steps of strength per factor of e.
const STEPS: f32 = 32.0;

/// The translations of query words into document words: the words of an encoder's vocabulary and
/// others without a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TranslationTable {
    /// Query words with translations but without a row.
    pub(super) queries: Vocabulary,
    /// Document words among the translations without a row.
    pub(super) documents: Vocabulary,
    /// For each word of `queries`, then for each word of the query encoder's vocabulary: the number
    /// of translations (a varint), then for each translation the distance of its number from the
    /// one before it (a varint) and its strength (a byte). Words of `documents` have the first
    /// numbers, those of the document encoder's vocabulary the next.
    pub(super) lists: Buffer<u8>,
    /// The start of each word's list in the bytes.
    pub(super) starts: Vec<u32>,
    /// For each list, if translations were left out of it, the sum of the strengths that it had before, else 0. Empty if
    /// no list lacks any.
    pub(super) sums: Buffer<f32>,
}

/// A pair of words that translate each other, with a strength above 0 and at most 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry<'a> {
    /// The query word.
    pub query: &'a str,
    /// The document word.
    pub document: &'a str,
    /// The geometric mean of the translation probabilities in the two directions.
    pub strength: f32,
}

impl TranslationTable {
    /// Creates a table of these entries, each pair of words once, in any order, for encoders with
    /// these words. Strengths are rounded to steps of 3 %, from 1 down to e^-8.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn new(
        entries: &[Entry<'_>],
        query: &Vocabulary,
        document: &Vocabulary,
    ) -> Result<Self, Error> {
        let without_row = |words: &mut dyn Iterator<Item = &'_ str>, vocabulary: &Vocabulary| {
            Vocabulary::from_tokens(words.filter(|word| vocabulary.row(word).is_none()))
        };
        let queries = without_row(&mut entries.iter().map(|entry| entry.query), query)?;
        let documents = without_row(&mut entries.iter().map(|entry| entry.document), document)?;
        let mut numbers: Vec<(u32, u32, u8)> = Vec::with_capacity(entries.len());
        for entry in entries {
            let ids = number(&queries, query, entry.query).zip(number(
                &documents,
                document,
                entry.document,
            ));
            numbers.extend(ids.map(|(q, d)| (q, d, step(entry.strength))));
        }
        numbers.sort_unstable();
        let (mut lists, mut starts, mut rest) = (Vec::new(), Vec::new(), &numbers[..]);
        for word in 0..(queries.len() + query.len()) as u32 {
            starts.push(lists.len() as u32);
            let (own, others) =
                rest.split_at(rest.iter().take_while(|number| number.0 == word).count());
            varint::push(&mut lists, own.len() as u32);
            let mut before = 0;
            for &(_, number, strength) in own {
                varint::push(&mut lists, number - before);
                lists.push(strength);
                before = number;
            }
            rest = others;
        }
        Ok(Self { queries, documents, lists: lists.into(), starts, sums: Buffer::default() })
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        (0..self.starts.len()).map(|word| self.list(word as u32).count()).sum()
    }

    /// Whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The size in bytes in a model's file.
    pub fn bytes(&self) -> usize {
        let words = [&self.queries, &self.documents].map(|words| words.to_front_coded().len());
        self.lists.len() + words[0] + words[1]
    }

    /// The number of words of the query encoder's vocabulary that the table was made for.
    pub(crate) fn query_words(&self) -> usize {
        self.starts.len() - self.queries.len()
    }

    /// The number of all query words: those without a row, which come first, and those of the query encoder's vocabulary.
    pub(super) fn all_query_words(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The number of a document word, if it has one.
    pub(super) fn document_number(&self, token: &str, document: &Vocabulary) -> Option<u32> {
        number(&self.documents, document, token)
    }

    /// The query word with a number.
    pub(super) fn query_word<'a>(&'a self, number: u32, query: &'a Vocabulary) -> &'a str {
        token(&self.queries, query, number)
    }

    /// The document word with a number.
    pub(super) fn document_word<'a>(&'a self, number: u32, document: &'a Vocabulary) -> &'a str {
        token(&self.documents, document, number)
    }

    /// All entries, by query word and document word. `query` and `document` are the vocabularies
    /// that the table was made for.
    pub fn entries<'a>(
        &'a self,
        query: &'a Vocabulary,
        document: &'a Vocabulary,
    ) -> Vec<Entry<'a>> {
        let entries_of = |word: usize| {
            let query = token(&self.queries, query, word as u32);
            let entry = move |(number, strength)| Entry {
                query,
                document: token(&self.documents, document, number),
                strength,
            };
            self.list(word as u32).map(entry)
        };
        (0..self.starts.len()).flat_map(entries_of).collect()
    }

    /// The numbers and strengths of a word's translations.
    pub(super) fn list(&self, word: u32) -> impl Iterator<Item = (u32, f32)> {
        self.steps(word).map(|(number, step)| (number, strength(step)))
    }

    /// The numbers of a word's translations, and their strengths as the file has them.
    pub(super) fn steps(&self, word: u32) -> impl Iterator<Item = (u32, u8)> {
        let mut at = self.starts[word as usize] as usize;
        let mut left = varint::take(&self.lists, &mut at).unwrap_or(0);
        let mut number = 0;
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            number += varint::take(&self.lists, &mut at)?;
            let strength = *self.lists.get(at)?;
            at += 1;
            Some((number, strength))
        })
    }

    /// Writes the table of a document language to a model's file.
    pub(crate) fn write(&self, writer: &mut Writer, language: &str) {
        let [queries, documents, lists] = names(language);
        writer.bytes(&queries, &self.queries.to_front_coded());
        writer.bytes(&documents, &self.documents.to_front_coded());
        writer.bytes(&lists, &self.lists);
        if !self.sums.is_empty() {
            writer.f32(&sums_name(language), &[self.sums.len()], &self.sums);
        }
    }

    /// Whether a file has the table of a document language.
    pub(crate) fn is_in(reader: &Reader<'_>, language: &str) -> bool {
        let [_, _, lists] = names(language);
        reader.has(&lists)
    }

    /// Reads the table of a document language with vocabularies of the given sizes.
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        language: &str,
        document_words: usize,
    ) -> Result<Self, Error> {
        let [queries, documents, lists] = names(language);
        let mut words = |name: &str| Vocabulary::from_front_coded(name, &reader.bytes(name)?);
        let [queries, documents] = [words(&queries)?, words(&documents)?];
        let numbers = documents.len() + document_words;
        let name = lists;
        let lists = reader.bytes(&name)?;
        let (mut starts, mut at) = (Vec::new(), 0);
        while at < lists.len() {
            starts.push(at as u32);
            if check(&lists, &mut at, numbers).is_none() {
                let (position, found) =
                    (starts.last().map_or(0, |&at| at as usize), "what begins there");
                let expected = "a list of rising words of documents and strengths";
                return Err(Error::TensorValue { name, position, found: found.into(), expected });
            }
        }
        if starts.len() < queries.len() {
            let expected = format!("{} lists or more", queries.len());
            return Err(Error::TensorShape { name, found: vec![starts.len()], expected });
        }
        let sums = sums_name(language);
        let sums = match reader.has(&sums) {
            true => reader.magnitudes(&sums, starts.len())?,
            false => Buffer::default(),
        };
        Ok(Self { queries, documents, lists, starts, sums })
    }

    /// A word's translations with their probabilities, which add up to 1, unless translations were left out: to less
    /// then. A word that never had translations translates to itself. `query` and `document` are the vocabularies that
    /// the table was made for.
    pub fn translations<'a>(
        &'a self,
        token: &'a str,
        query: &Vocabulary,
        document: &'a Vocabulary,
    ) -> Vec<(&'a str, f32)> {
        let number = number(&self.queries, query, token);
        let list: Vec<(u32, f32)> = number.into_iter().flat_map(|word| self.list(word)).collect();
        let mut sum = number.and_then(|word| self.sums.get(word as usize).copied()).unwrap_or(0.0);
        if sum == 0.0 {
            if list.is_empty() {
                return vec![(token, 1.0)];
            }
            sum = list.iter().fold(0.0, |sum, (_, strength)| sum + strength);
        }
        let term =
            |(number, strength)| (self::token(&self.documents, document, number), strength / sum);
        list.into_iter().map(term).collect()
    }
}

/// The number of a word: words without a row come first, then those with one.
pub(super) fn number(first: &Vocabulary, then: &Vocabulary, token: &str) -> Option<u32> {
    let row = || Some(then.row(token)? + first.len() as u32);
    first.row(token).or_else(row)
}

/// The word with a number.
fn token<'a>(first: &'a Vocabulary, then: &'a Vocabulary, number: u32) -> &'a str {
    match (number as usize).checked_sub(first.len()) {
        Some(row) => then.token(row),
        None => first.token(number as usize),
    }
}

/// The strength that a step of a file stands for.
pub(super) fn strength(step: u8) -> f32 {
    libm::expf((f32::from(step) - 255.0) / STEPS)
}

fn step(strength: f32) -> u8 {
    (255.0 + libm::logf(strength) * STEPS).round().clamp(0.0, 255.0) as u8
}

/// Whether a list is complete, with rising numbers and the stated length.
fn check(lists: &[u8], at: &mut usize, numbers: usize) -> Option<()> {
    let length = varint::take(lists, at)?;
    let mut number = 0usize;
    for place in 0..length {
        let step = varint::take(lists, at).filter(|&step| step > 0 || place == 0)?;
        number = number.checked_add(step as usize).filter(|&number| number < numbers)?;
        lists.get(*at)?;
        *at += 1;
    }
    Some(())
}

fn names(language: &str) -> [String; 3] {
    ["query.vocabulary", "document.vocabulary", "lists"]
        .map(|part| format!("translation.{language}.{part}"))
}

fn sums_name(language: &str) -> String {
    format!("translation.{language}.sums")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTRIES: [Entry<'static>; 4] = [
        Entry { query: "storm", document: "orage", strength: 0.6 },
        Entry { query: "storm", document: "tempête", strength: 0.2 },
        Entry { query: "rain", document: "pluie", strength: 0.9 },
        Entry { query: "thunder", document: "orage", strength: 0.3 },
    ];

    fn words(tokens: &[&str]) -> Vocabulary {
        Vocabulary::from_tokens(tokens.iter().copied()).unwrap()
    }

    #[test]
    fn shares_are_strengths_over_their_sum_whether_words_have_rows_or_not() {
        for [query, document] in [
            [&["rain", "snow", "storm"][..], &["pluie", "tempête"]],
            [&[], &[]],
            [&["thunder"], &["orage"]],
        ] {
            let (query, document) = (words(query), words(document));
            let table = TranslationTable::new(&ENTRIES, &query, &document).unwrap();
            assert_eq!(table.query_words(), query.len());
            let translations = |word| table.translations(word, &query, &document);
            let mut found = translations("storm");
            found.sort_by(|a, b| a.0.cmp(b.0));
            // .6 and .2, each within half a step: e^(1/64) is 1.6 %.
            for ((term, share), (word, expected)) in
                found.iter().zip([("orage", 0.75), ("tempête", 0.25)])
            {
                assert_eq!(*term, word);
                assert!((share - expected).abs() < 0.01, "{share}");
            }
            assert_eq!(translations("rain"), [("pluie", 1.0)]);
            assert_eq!(translations("snow"), [("snow", 1.0)]);
        }
    }

    #[test]
    fn a_table_gives_its_entries_back_for_the_other_direction() {
        let (query, document) = (words(&["storm"]), words(&["orage"]));
        let table = TranslationTable::new(&ENTRIES, &query, &document).unwrap();
        let entries = table.entries(&query, &document);
        let turned: Vec<Entry<'_>> = entries
            .iter()
            .map(|entry| Entry { query: entry.document, document: entry.query, ..*entry })
            .collect();
        let back = TranslationTable::new(&turned, &document, &query).unwrap();
        let found = back.translations("orage", &document, &query);
        let share = |word| found.iter().find(|(term, _)| *term == word).unwrap().1;
        assert!((share("storm") - 2.0 / 3.0).abs() < 0.01);
        assert!((share("thunder") - 1.0 / 3.0).abs() < 0.01);
        // What was rounded once is not rounded again.
        let strengths = |entries: &[Entry<'_>]| {
            let mut all: Vec<u32> = entries.iter().map(|entry| entry.strength.to_bits()).collect();
            all.sort_unstable();
            all
        };
        assert_eq!(strengths(&back.entries(&document, &query)), strengths(&entries));
    }
}
