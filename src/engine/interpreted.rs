//! What a query's words are meant for: whose language they are in, and how they are spelled right.

use super::Engine;
use crate::encoder::{Encoder, Reading};
use crate::text;
use crate::text::spelling::nearest;
use crate::text::vocabulary::Vocabulary;

/// Words without a row are about so common, in units of the weights' a (see
/// [`Encoder::weights`]): of words with a row it is 1 / weight - 1.
const RARE: f32 = 1e-3;
/// Words that a side does not know.
const UNKNOWN: f32 = 1e-5;
/// How many times as likely as in the queries' language a query must be in another.
const MARGIN: f32 = 30.0;
/// Spelling is looked after in queries of so many words at most: a whole text is no typing.
const MOST_WORDS: usize = 64;

/// A query's words, and how they are read.
#[derive(Debug)]
pub(super) struct InterpretedQuery<'a> {
    /// As they were typed.
    pub typed: Vec<String>,
    /// As they are read, one for each.
    pub read: Vec<String>,
    /// What each is to the side that reads it.
    pub readings: Vec<Reading>,
    /// The language of documents that they are in; `None` for the queries' own.
    pub language: Option<&'a str>,
    /// The side that reads most of them.
    pub side: &'a Encoder,
}

impl InterpretedQuery<'_> {
    /// All its words.
    pub fn reading(&self) -> Reading {
        let mut reading = Reading::default();
        self.readings.iter().for_each(|word| reading.append(word));
        reading
    }

    /// Its vector; `None` where no side knows any of its words.
    pub fn vector(&self) -> Option<Vec<f32>> {
        let reading = self.reading();
        let mut vector = vec![0.0; self.side.network.dimension()];
        self.side.encode_reading(&reading, &mut vector);
        (reading.known() > 0).then_some(vector)
    }
}

impl Engine {
    /// What the queries' side makes of a query, as far as a lesson can change it. A query in a
    /// language of documents is read by that side here all the same.
    #[cfg(feature = "learn")]
    pub(crate) fn query_reading(&self, query: &str) -> Reading {
        let meant = self.meant(query);
        match meant.language {
            None => meant.reading(),
            Some(_) => self.query.read(query),
        }
    }

    /// Reads a query. Where the model has translations it may be in a documents' language whose side
    /// is here, or mix languages: words that its own language does not know are read by a side that
    /// does. Those that are known nowhere, not even in a document, are taken for the nearest known.
    pub(super) fn meant(&self, query: &str) -> InterpretedQuery<'_> {
        let typed = text::tokens(query);
        let language = self.language_of(&typed);
        let side = self.side(language);
        let is_typing = typed.len() <= MOST_WORDS;
        let (mut read, mut readings) = (Vec::new(), Vec::new());
        for token in &typed {
            let (word, reading) = if !self.is_strange(token, language) {
                (&token[..], side.read_word(token))
            } else if let Some(reading) = self.read_elsewhere(token) {
                (&token[..], reading)
            } else {
                let word = if is_typing { self.spelled_right(token, language) } else { token };
                (word, side.read_word(word))
            };
            readings.push(reading);
            read.push(word.to_owned());
        }
        InterpretedQuery { typed, read, readings, language, side }
    }

    /// What a word is to the first other side that has a row for it.
    fn read_elsewhere(&self, token: &str) -> Option<Reading> {
        let mut sides = std::iter::once(&self.query).chain(self.model.documents.values());
        let with_row = |side: &Encoder| {
            let row = side.vocabulary.row(token)?;
            Some(Reading::of_vector(side.network.words().row(row as usize)))
        };
        sides.find_map(with_row)
    }

    /// The language of documents that a query is in, told by how common its words are in each;
    /// `None` where that is not far more likely than that it is in the queries'.
    fn language_of(&self, tokens: &[String]) -> Option<&str> {
        if self.model.translations.is_empty() {
            return None;
        }
        let likely = |language| {
            tokens.iter().fold(0.0, |sum, token| sum + libm::logf(self.share(token, language)))
        };
        let mut best = (None, likely(None) + libm::logf(MARGIN));
        for language in self.model.translations.keys() {
            if self.model.documents.contains_key(language) {
                let likely = likely(Some(language));
                if likely > best.1 {
                    best = (Some(&language[..]), likely);
                }
            }
        }
        best.0
    }

    /// How common a word is on a side.
    fn share(&self, token: &str, language: Option<&str>) -> f32 {
        let side = self.side(language);
        match (side.vocabulary.row(token), &side.weights) {
            (Some(row), Some(weights)) => (1.0 / weights[row as usize] - 1.0).max(RARE),
            (Some(_), None) => RARE,
            (None, _) if self.is_in_tables(token, language) => RARE,
            (None, _) => UNKNOWN,
        }
    }

    fn is_in_tables(&self, token: &str, language: Option<&str>) -> bool {
        self.further(language).any(|words| words.row(token).is_some())
    }

    /// The side of a language of documents that is here, or else the queries'.
    fn side(&self, language: Option<&str>) -> &Encoder {
        language.and_then(|of| self.model.documents.get(of)).unwrap_or(&self.query)
    }

    /// The words of a side that have no row, but translations.
    fn further(&self, language: Option<&str>) -> impl Iterator<Item = &Vocabulary> {
        let tables = self.model.translations.iter();
        tables.filter_map(move |(of, table)| match language {
            None => Some(table.query_words_without_row()),
            Some(language) => (of == language).then(|| table.document_words_without_row()),
        })
    }

    pub(super) fn is_known(&self, token: &str, language: Option<&str>) -> bool {
        self.side(language).vocabulary.row(token).is_some() || self.is_in_tables(token, language)
    }

    /// Whether a model with translations does not know a word of a language.
    fn is_strange(&self, token: &str, language: Option<&str>) -> bool {
        !self.model.translations.is_empty() && !self.is_known(token, language)
    }

    /// A strange word as it is known; itself where a document has it, or nothing is near.
    fn spelled_right<'a>(&'a self, token: &'a str, language: Option<&str>) -> &'a str {
        if self.indexes.iter().any(|index| index.has_word(token)) {
            return token;
        }
        let side = self.side(language);
        let mut known = vec![(&side.vocabulary, side.weights.as_deref())];
        known.extend(self.further(language).map(|words| (words, None)));
        nearest(token, &known).unwrap_or(token)
    }
}
