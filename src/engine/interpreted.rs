//! Interprets a query: tells its language, and corrects the spelling of unknown words.

use super::encoded::check_query;
use super::{Engine, QueryText};
use crate::Error;
use crate::encoder::{Encoder, Reading};
use crate::lexical::relatives::related;
use crate::limits;
use crate::model::QUERY_LANGUAGE;
use crate::text;
use crate::text::spelling::nearest;
use crate::text::vocabulary::Vocabulary;

/// How common a word without a row is taken to be. A word with a row is as common as `1 / weight - 1`: its relative
/// frequency over the smoothing constant of the weights.
const RARE: f32 = 1e-3;
/// How common a word that the encoder does not know at all is taken to be, in the same unit.
const UNKNOWN: f32 = 1e-5;
/// A query is in another language than the queries' if that is this many times as likely.
const MARGIN: f32 = 30.0;

/// A query's words as typed, and as the model reads them.
#[derive(Debug)]
pub(super) struct InterpretedQuery<'a> {
    /// As they were typed.
    pub typed: Vec<String>,
    /// As they are read, one for each.
    pub read: Vec<String>,
    /// The known word that each is probably a form of, if it is unknown: see [`Engine::relative`].
    pub relatives: Vec<Option<&'a str>>,
    /// The reading of each.
    pub readings: Vec<Reading>,
    /// The language of documents that they are in; `None` for the queries' own.
    pub language: Option<&'a str>,
    /// The encoder that reads most of them.
    pub encoder: &'a Encoder,
}

impl InterpretedQuery<'_> {
    /// All its words.
    pub fn reading(&self) -> Reading {
        let mut reading = Reading::default();
        self.readings.iter().for_each(|word| reading.append(word));
        reading
    }

    /// Its vector; `None` where no encoder knows any of its words.
    pub fn vector(&self) -> Option<Vec<f32>> {
        let reading = self.reading();
        let mut vector = vec![0.0; self.encoder.network.dimension()];
        self.encoder.encode_reading(&reading, &mut vector);
        (reading.known() > 0).then_some(vector)
    }
}

impl Engine {
    /// A query as the query encoder reads it, whose rows fine-tuning can change. A query in a language of
    /// documents is read by the query encoder here all the same.
    #[cfg(feature = "learn")]
    pub(crate) fn query_reading(&self, query: &str) -> Reading {
        match self.interpret(query.into()) {
            Ok(interpreted) if interpreted.language.is_none() => interpreted.reading(),
            _ => self.query.read(query),
        }
    }

    /// Reads a query. Where the model has translations it may be in a documents' language whose
    /// encoder is here, or mix languages: words that its own language does not know are read by one that
    /// does. A word that is known nowhere, not even in a document, is read as the nearest known spelling.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`]; [`Error::UnknownQueryLanguage`] where the language that was chosen is not here.
    pub(super) fn interpret(&self, query: QueryText<'_>) -> Result<InterpretedQuery<'_>, Error> {
        check_query(query.text)?;
        let typed = text::tokens(query.text);
        let language = match query.language {
            Some(chosen) => self.chosen(chosen)?,
            None => self.detected(&typed),
        };
        let encoder = self.encoder_of(language);
        let is_typing = typed.len() <= limits::CORRECTED_WORDS;
        let (mut read, mut relatives, mut readings) = (Vec::new(), Vec::new(), Vec::new());
        for token in &typed {
            let is_strange = self.is_strange(token, language);
            let relative =
                if is_strange && is_typing { self.relative(token, language) } else { None };
            let (word, reading) = if !is_strange {
                (&token[..], encoder.read_word(token))
            } else if let Some(reading) = self.read_elsewhere(token) {
                (&token[..], reading)
            } else if !is_typing {
                (&token[..], encoder.read_word(token))
            } else if let Some(relative) = relative {
                (&token[..], encoder.read_word(relative))
            } else {
                let word = self.spelled_right(token, language);
                (word, encoder.read_word(word))
            };
            readings.push(reading);
            read.push(word.to_owned());
            relatives.push(relative);
        }
        Ok(InterpretedQuery { typed, read, relatives, readings, language, encoder })
    }

    /// The language that a query is in: [`QUERY_LANGUAGE`], unless it is far more likely in one of documents whose encoder and
    /// translations are loaded.
    ///
    /// # Errors
    /// [`Error::QueryTooLong`].
    pub fn language_of(&self, query: &str) -> Result<&str, Error> {
        check_query(query)?;
        Ok(self.detected(&text::tokens(query)).unwrap_or(QUERY_LANGUAGE))
    }

    /// The language of documents of this name; `None` for the queries' own.
    fn chosen(&self, language: &str) -> Result<Option<&str>, Error> {
        let documents = &self.model.documents;
        match documents.get_key_value(language) {
            Some((name, _)) => Ok(Some(name)),
            None if language == QUERY_LANGUAGE => Ok(None),
            None => {
                let mut available = QUERY_LANGUAGE.to_owned();
                documents.keys().for_each(|name| available += &[", ", name].concat());
                Err(Error::UnknownQueryLanguage { language: language.into(), available })
            }
        }
    }

    /// Reads a word by the first other encoder that has a row for it.
    fn read_elsewhere(&self, token: &str) -> Option<Reading> {
        let mut encoders = std::iter::once(&self.query).chain(self.model.documents.values());
        let with_row = |encoder: &Encoder| {
            let row = encoder.vocabulary.row(token)?;
            Some(Reading::of_vector(encoder.network.words().row(row as usize)))
        };
        encoders.find_map(with_row)
    }

    /// The language of documents that a query is in, told by how common its words are in each;
    /// `None` where that is not far more likely than that it is in the queries'.
    fn detected(&self, tokens: &[String]) -> Option<&str> {
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

    /// How common a word is in a language, in the unit of [`RARE`].
    fn share(&self, token: &str, language: Option<&str>) -> f32 {
        let encoder = self.encoder_of(language);
        match (encoder.row_of_form(token), &encoder.weights) {
            (Some(row), Some(weights)) => (1.0 / weights[row as usize] - 1.0).max(RARE),
            (Some(_), None) => RARE,
            (None, _) if self.is_in_tables(token, language) => RARE,
            (None, _) => UNKNOWN,
        }
    }

    fn is_in_tables(&self, token: &str, language: Option<&str>) -> bool {
        self.further(language).any(|words| words.row(token).is_some())
    }

    /// The document encoder of a language where it is loaded, else the query encoder.
    pub(super) fn encoder_of(&self, language: Option<&str>) -> &Encoder {
        language.and_then(|name| self.model.documents.get(name)).unwrap_or(&self.query)
    }

    /// The words of an encoder that have no row, but translations.
    fn further(&self, language: Option<&str>) -> impl Iterator<Item = &Vocabulary> {
        let tables = self.model.translations.iter();
        tables.filter_map(move |(name, table)| match language {
            None => Some(table.query_words_without_row()),
            Some(language) => (name == language).then(|| table.document_words_without_row()),
        })
    }

    pub(super) fn is_known(&self, token: &str, language: Option<&str>) -> bool {
        self.encoder_of(language).row_of_form(token).is_some() || self.is_in_tables(token, language)
    }

    /// Whether a model with translations does not know a word of a language.
    fn is_strange(&self, token: &str, language: Option<&str>) -> bool {
        !self.model.translations.is_empty() && !self.is_known(token, language)
    }

    /// The known word of a document language that an unknown one is most probably another form of, if the language has stems, whose
    /// end says where forms agree: the one with most letters in common, of these the most common one.
    fn relative(&self, token: &str, language: Option<&str>) -> Option<&str> {
        let end = self.model.translations.get(language?)?.stems.as_ref()?.ends[1];
        let encoder = self.encoder_of(language);
        let (mut best, mut least) = (None, (0, 0.0));
        for row in 0..encoder.vocabulary.len() {
            let word = encoder.vocabulary.token(row);
            let common = related(end, token, word);
            if common > 0 {
                let weight = encoder.weights.as_ref().map_or(1.0, |weights| weights[row]);
                if best.is_none() || (common, -weight) > least {
                    (best, least) = (Some(word), (common, -weight));
                }
            }
        }
        best
    }

    /// The nearest known spelling of a word; the word itself where a document has it, or nothing is near.
    fn spelled_right<'a>(&'a self, token: &'a str, language: Option<&str>) -> &'a str {
        if self.indexes.iter().any(|index| index.has_word(token)) {
            return token;
        }
        let encoder = self.encoder_of(language);
        let mut known = vec![(&encoder.vocabulary, encoder.weights.as_deref())];
        known.extend(self.further(language).map(|words| (words, None)));
        nearest(token, &known).unwrap_or(token)
    }
}
