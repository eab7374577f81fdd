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

    /// Of each of some document words, the stems of query words that its own stem may stand for, with their probabilities; none
    /// where the table does not know it. It reads the table once.
    pub(super) fn turned(&self, words: &[&str]) -> Vec<Vec<(&str, f32)>> {
        let Self { table, none, ends } = self;
        let number = |word: &&str| table.document_number(ends[1].of(word), none);
        let numbers: Vec<Option<u32>> = words.iter().map(number).collect();
        let known: Vec<u32> = numbers.iter().filter_map(|&number| number).collect();
        let mut senses = Senses::of_words(table, |_| 1.0, &known).into_iter();
        let stem = |sense: &Sense| (table.query_word(sense.word, none), sense.share);
        let stems = |number: &Option<u32>| {
            let own = number.and_then(|_| senses.next()).unwrap_or_default();
            own.iter().map(stem).collect()
        };
        numbers.iter().map(stems).collect()
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

    #[test]
    fn stems_of_documents_stand_for_those_of_the_query_each_as_if_it_were_alone() {
        let entry = |query, document, strength| Entry { query, document, strength };
        let entries =
            [entry("rain", "nyes", 0.5), entry("snow", "nyes", 0.5), entry("rain", "mvua", 0.5)];
        let stems = Stems::new(&entries, [End::Head, End::Tail]).unwrap();
        let of_rain = [("rain", 1.0)];
        let of_both = [("rain", 0.5), ("snow", 0.5)];
        let expected: [&[(&str, f32)]; 4] = [&of_rain, &[], &of_both, &of_rain];
        assert_eq!(stems.turned(&["mvua", "nairobi", "anyes", "mvua"]), expected);
        assert!(stems.turned(&[]).is_empty());
    }
}
