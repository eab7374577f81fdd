//! The translations of a language: of words and of stems.

use std::sync::Arc;

use crate::Error;
use crate::error::check_at_most;
use crate::lexical::senses::{Sense, Senses};
use crate::lexical::stems::Stems;
use crate::lexical::table::TranslationTable;
use crate::limits;
use crate::storage::Buffer;
use crate::storage::container::{Reader, Writer};
use crate::text::parts::{base, parts};
use crate::text::vocabulary::Vocabulary;

pub use crate::lexical::table::Entry;

/// The translations of query words into document words, and of their stems.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Translations {
    pub(super) words: TranslationTable,
    /// The translations of stems, if any.
    pub stems: Option<Stems>,
    /// How frequent each document word without a row is: see [`frequency`](Self::frequency). Empty where a document encoder
    /// tells.
    pub(super) frequencies: Buffer<u8>,
    /// The affixes of the language's words, if its unknown words are read as what they are [made of](crate::text::parts).
    pub affixes: Option<Arc<Vocabulary>>,
}

/// The number of quantisation steps of a frequency per factor of e.
const STEPS: f32 = 16.0;

/// Translations with the vocabularies that they share with the encoders.
#[derive(Debug, Clone, Copy)]
pub struct Translator<'a> {
    /// The translations.
    pub table: &'a Translations,
    /// The query encoder's vocabulary.
    pub query: &'a Vocabulary,
    /// The document encoder's vocabulary.
    pub document: &'a Vocabulary,
    /// The weight of each word of the query encoder in the mean of a text, if it has any.
    pub weights: Option<&'a [f32]>,
}

impl Translations {
    /// Creates translations of words, without stems: see [`TranslationTable::new`].
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn new(
        entries: &[Entry<'_>],
        query: &Vocabulary,
        document: &Vocabulary,
    ) -> Result<Self, Error> {
        let words = TranslationTable::new(entries, query, document)?;
        Ok(Self { words, ..Self::default() })
    }

    /// Notes how frequent each [document word without a row](Self::document_words_without_row) is: its share of all words.
    pub fn set_frequencies(&mut self, share: impl Fn(&str) -> f32) {
        let words = self.document_words_without_row();
        let step = |row| {
            let steps = 255.0 + libm::logf(share(words.token(row))) * STEPS;
            steps.round().clamp(0.0, 255.0) as u8
        };
        let frequencies: Vec<u8> = (0..words.len()).map(step).collect();
        self.frequencies = frequencies.into();
    }

    /// The share of all words that a document word without a row has, in steps of 6 % down to e^-16; the least of these
    /// where nothing is known.
    pub fn frequency(&self, number: u32) -> f32 {
        let steps = self.frequencies.get(number as usize).map_or(0.0, |&steps| f32::from(steps));
        libm::expf((steps - 255.0) / STEPS)
    }

    /// The number of entries of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is no entry of words.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The size in bytes of the words' table in a model's file.
    pub fn bytes(&self) -> usize {
        self.words.bytes()
    }

    /// The number of words of the query encoder's vocabulary that the table was made for.
    pub(crate) fn query_words(&self) -> usize {
        self.words.query_words()
    }

    /// Query words with translations but without a row.
    pub fn query_words_without_row(&self) -> &Vocabulary {
        &self.words.queries
    }

    /// Document words among the translations without a row.
    pub fn document_words_without_row(&self) -> &Vocabulary {
        &self.words.documents
    }

    /// All entries of words: see [`TranslationTable::entries`].
    pub fn entries<'a>(
        &'a self,
        query: &'a Vocabulary,
        document: &'a Vocabulary,
    ) -> Vec<Entry<'a>> {
        self.words.entries(query, document)
    }

    /// The query words that each document word may stand for: see [`Senses::new`]. `frequency` is that of a row of the query
    /// encoder.
    pub fn senses(&self, frequency: impl Fn(u32) -> f32) -> Senses {
        Senses::new(&self.words, self.by_word(frequency))
    }

    /// The query words that some document words may stand for, by their numbers: see [`Senses::of_words`].
    pub(crate) fn senses_of(
        &self,
        frequency: impl Fn(u32) -> f32,
        numbers: &[u32],
    ) -> Vec<Vec<Sense>> {
        Senses::of_words(&self.words, self.by_word(frequency), numbers)
    }

    /// The query word that each document word most likely stands for: see [`Senses::likeliest`].
    pub(crate) fn likeliest(&self, frequency: impl Fn(u32) -> f32) -> Vec<Option<u32>> {
        Senses::likeliest(&self.words, self.by_word(frequency))
    }

    /// The frequency of a query word, by its number, from that of a row.
    fn by_word(&self, frequency: impl Fn(u32) -> f32) -> impl Fn(u32) -> f32 {
        let without_row = self.words.queries.len() as u32;
        move |word| word.checked_sub(without_row).map_or(0.0, &frequency)
    }

    /// Writes the translations of a document language to a model's file.
    pub(crate) fn write(&self, writer: &mut Writer, language: &str) {
        self.words.write(writer, language);
        if !self.frequencies.is_empty() {
            writer.bytes(&frequencies_name(language), &self.frequencies);
        }
        if let Some(stems) = &self.stems {
            stems.write(writer, language);
        }
        if let Some(affixes) = &self.affixes {
            writer.text(&affixes_name(language), affixes.as_joined());
        }
    }

    /// Whether a file has the translations of a document language.
    pub(crate) fn are_in(reader: &Reader<'_>, language: &str) -> bool {
        TranslationTable::is_in(reader, language)
    }

    /// Reads the translations of a document language with vocabularies of the given sizes.
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        language: &str,
        document_words: usize,
    ) -> Result<Self, Error> {
        let words = TranslationTable::read(reader, language, document_words)?;
        let stems = Stems::read(reader, language)?;
        let name = frequencies_name(language);
        let frequencies = match reader.has(&name) {
            true => reader.bytes(&name)?,
            false => Buffer::default(),
        };
        let expected = words.documents.len();
        if !frequencies.is_empty() && frequencies.len() != expected {
            let (found, expected) = (vec![frequencies.len()], format!("[{expected}]"));
            return Err(Error::TensorShape { name, found, expected });
        }
        let name = affixes_name(language);
        let affixes = if reader.has(&name) {
            let affixes = Vocabulary::from_joined(&name, reader.text(&name)?)?;
            check_at_most("affixes", affixes.len(), limits::AFFIXES)?;
            Some(Arc::new(affixes))
        } else {
            None
        };
        Ok(Self { words, stems, frequencies, affixes })
    }

    /// The document words without a row that an unknown word is [made of](crate::text::parts).
    pub fn parts<'a>(&self, token: &'a str) -> Vec<&'a str> {
        let words = self.document_words_without_row();
        self.affixes.as_ref().map_or_else(Vec::new, |affixes| parts(token, words, affixes))
    }

    /// The document word without a row that is the [base] of an unknown word.
    pub fn base<'a>(&self, token: &'a str) -> Option<&'a str> {
        base(token, self.document_words_without_row(), self.affixes.as_ref()?)
    }
}

fn affixes_name(language: &str) -> String {
    format!("translation.{language}.affixes")
}

fn frequencies_name(language: &str) -> String {
    format!("translation.{language}.frequencies")
}

impl<'a> Translator<'a> {
    /// How many query words the table has, of which some may have no translation.
    pub fn query_words(&self) -> u32 {
        self.table.words.all_query_words()
    }

    /// The query word with a number.
    pub fn query_word(&self, number: u32) -> &'a str {
        self.table.words.query_word(number, self.query)
    }

    /// The weight of a query word in the mean of a text: 1 where none is known.
    pub fn weight(&self, token: &str) -> f32 {
        let row = self.query.row(token);
        row.zip(self.weights).map_or(1.0, |(row, weights)| weights[row as usize])
    }

    /// The number of a document word, if it has one.
    pub fn document_number(&self, token: &str) -> Option<u32> {
        self.table.words.document_number(token, self.document)
    }

    /// The document word with a number.
    pub fn document_word(&self, number: u32) -> &'a str {
        self.table.words.document_word(number, self.document)
    }

    /// A word's translations with their probabilities: see [`TranslationTable::translations`].
    pub fn translations<'b>(&self, token: &'b str) -> Vec<(&'b str, f32)>
    where
        'a: 'b,
    {
        self.table.words.translations(token, self.query, self.document)
    }
}
