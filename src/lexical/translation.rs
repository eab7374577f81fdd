//! The translations of a language: of words, and of stems where words have none.

use crate::Error;
use crate::lexical::stems::Stems;
use crate::lexical::table::TranslationTable;
use crate::storage::container::{Reader, Writer};
use crate::text::vocabulary::Vocabulary;

pub use crate::lexical::table::Entry;

/// The translations of query words among document words, which are those of an encoder's
/// vocabulary and some that have no row there.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Translations {
    words: TranslationTable,
    /// Translations of stems, where there are any.
    pub stems: Option<Stems>,
}

/// Translations with the words of the encoders that they share.
#[derive(Debug, Clone, Copy)]
pub struct Translator<'a> {
    /// The translations.
    pub table: &'a Translations,
    /// The words of the query encoder.
    pub query: &'a Vocabulary,
    /// The words of the document encoder.
    pub document: &'a Vocabulary,
}

impl Translations {
    /// Translations of words, without stems: see [`TranslationTable::new`].
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

    /// The number of the words' entries.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether the words have no entry.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The bytes that the words take in a model's file.
    pub fn bytes(&self) -> usize {
        self.words.bytes()
    }

    /// The number of words of the query encoder's vocabulary that they were made for.
    pub(crate) fn query_words(&self) -> usize {
        self.words.query_words()
    }

    /// Words of queries that have translations, but no row.
    pub fn query_words_without_row(&self) -> &Vocabulary {
        &self.words.queries
    }

    /// Words of documents that are translations, but have no row.
    pub fn document_words_without_row(&self) -> &Vocabulary {
        &self.words.documents
    }

    /// Every entry of words: see [`TranslationTable::entries`].
    pub fn entries<'a>(
        &'a self,
        query: &'a Vocabulary,
        document: &'a Vocabulary,
    ) -> Vec<Entry<'a>> {
        self.words.entries(query, document)
    }

    /// Adds them to a model's file, for a document language.
    pub(crate) fn write(&self, writer: &mut Writer, language: &str) {
        self.words.write(writer, language);
        if let Some(stems) = &self.stems {
            stems.write(writer, language);
        }
    }

    /// Reads the translations of a document language with this many words.
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
    /// A word's translations, each with its share: see [`TranslationTable::translations`].
    pub fn translations<'b>(&self, token: &'b str) -> Vec<(&'b str, f32)>
    where
        'a: 'b,
    {
        self.table.words.translations(token, self.query, self.document)
    }
}
