//! The translations of a language: of words and of stems.

use crate::Error;
use crate::lexical::stems::Stems;
use crate::lexical::table::TranslationTable;
use crate::storage::container::{Reader, Writer};
use crate::text::vocabulary::Vocabulary;

pub use crate::lexical::table::Entry;

/// The translations of query words into document words, and of their stems.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Translations {
    words: TranslationTable,
    /// The translations of stems, if any.
    pub stems: Option<Stems>,
}

/// Translations with the vocabularies that they share with the encoders.
#[derive(Debug, Clone, Copy)]
pub struct Translator<'a> {
    /// The translations.
    pub table: &'a Translations,
    /// The query encoder's vocabulary.
    pub query: &'a Vocabulary,
    /// The document encoder's vocabulary.
    pub document: &'a Vocabulary,
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
        Ok(Self { words: TranslationTable::new(entries, query, document)?, stems: None })
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

    /// Writes the translations of a document language to a model's file.
    pub(crate) fn write(&self, writer: &mut Writer, language: &str) {
        self.words.write(writer, language);
        if let Some(stems) = &self.stems {
            stems.write(writer, language);
        }
    }

    /// Reads the translations of a document language with vocabularies of the given sizes.
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        language: &str,
        document_words: usize,
    ) -> Result<Self, Error> {
        let words = TranslationTable::read(reader, language, document_words)?;
        Ok(Self { words, stems: Stems::read(reader, language)? })
    }
}

impl<'a> Translator<'a> {
    /// A word's translations with their probabilities: see [`TranslationTable::translations`].
    pub fn translations<'b>(&self, token: &'b str) -> Vec<(&'b str, f32)>
    where
        'a: 'b,
    {
        self.table.words.translations(token, self.query, self.document)
    }
}
