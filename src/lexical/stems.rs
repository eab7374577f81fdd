//! Translations of stems, for words without translations of their own.

use crate::Error;
use crate::lexical::senses::{Sense, Senses};
use crate::lexical::table::{Entry, TranslationTable};
use crate::storage::container::{Reader, Writer};
use crate::text::stem::End;
use crate::text::vocabulary::Vocabulary;

/// The ends of a word, in the order of their numbers in files.
const ENDS: [End; 2] = [End::Head, End::Tail];

/// The translations between stems of query words and stems of document words.
#[derive(Debug, Clone, PartialEq)]
pub struct Stems {
    /// The end of query words, then of document words, that the stems are.
    pub ends: [End; 2],
    pub(super) table: TranslationTable,
    /// Empty: no encoder has rows for stems.
    pub(super) none: Vocabulary,
}

impl Stems {
    /// Creates a table of these entries, like [`TranslationTable::new`].
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn new(entries: &[Entry<'_>], ends: [End; 2]) -> Result<Self, Error> {
        let none = Vocabulary::default();
        let table = TranslationTable::new(entries, &none, &none)?;
        Ok(Self { ends, table, none })
    }

    /// All entries.
    pub fn entries(&self) -> Vec<Entry<'_>> {
        self.table.entries(&self.none, &self.none)
    }

    /// The translations of a word's stem among stems of documents, as
    /// [`TranslationTable::translations`].
    pub fn translations<'a>(&'a self, word: &'a str) -> Vec<(&'a str, f32)> {
        let Self { table, none, ends } = self;
        let stem = ends[0].of(word);
        match table.queries.row(stem) {
            Some(_) => table.translations(stem, none, none),
            None => vec![(ends[1].of(word), 1.0)],
        }
    }

    /// The stems of query words that the stem of a document word may stand for, with their probabilities; none where the table
    /// does not know it.
    pub(super) fn turned(&self, word: &str) -> Vec<(&str, f32)> {
        let Self { table, none, ends } = self;
        let number = table.document_number(ends[1].of(word), none);
        let senses = Senses::of_words(table, |_| 1.0, &Vec::from_iter(number));
        let stem = |sense: Sense| (table.query_word(sense.word, none), sense.share);
        senses.into_iter().flatten().map(stem).collect()
    }

    /// Writes the table of a document language to a model's file.
    pub(crate) fn write(&self, writer: &mut Writer, language: &str) {
        let number = |end| u8::from(end == End::Tail);
        writer.bytes(&format!("translation.{language}.ends"), &self.ends.map(number));
        self.table.write(writer, &table_name(language));
    }

    /// Reads the table of a document language; `None` if the file has none.
    pub(crate) fn read(reader: &mut Reader<'_>, language: &str) -> Result<Option<Self>, Error> {
        let name = format!("translation.{language}.ends");
        if !reader.has(&name) {
            return Ok(None);
        }
        let ends = reader.bytes(&name)?;
        let &[query, document] = &ends[..] else {
            let (found, expected) = (vec![ends.len()], "[2]".into());
            return Err(Error::TensorShape { name, found, expected });
        };
        let end = |position: usize, number: u8| {
            ENDS.get(usize::from(number)).copied().ok_or_else(|| Error::TensorValue {
                name: name.clone(),
                position,
                found: number.to_string(),
                expected: "0 for the first letters or 1 for the last",
            })
        };
        let ends = [end(0, query)?, end(1, document)?];
        let table = TranslationTable::read(reader, &table_name(language), 0)?;
        Ok(Some(Self { ends, table, none: Vocabulary::default() }))
    }
}

fn table_name(language: &str) -> String {
    format!("{language}.stem")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_stem_stands_for_what_documents_have_of_the_same_word() {
        let entry = |query, document, strength| Entry { query, document, strength };
        let entries = [entry("rain", "nyes", 0.5), entry("rain", "mvua", 0.5)];
        let stems = Stems::new(&entries, [End::Head, End::Tail]).unwrap();
        let found = stems.translations("raining");
        assert_eq!(found, [("mvua", 0.5), ("nyes", 0.5)]);
        assert_eq!(stems.translations("nairobi"), [("robi", 1.0)]);
    }
}
