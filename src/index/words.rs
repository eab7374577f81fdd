//! The words of an index's documents, for the lexical score.

use std::collections::BTreeMap;

use crate::Error;
use crate::lexical::postings::{Counting, Postings};
use crate::lexical::score::Part;
use crate::storage::Buffer;
use crate::storage::container::{Reader, Writer};
use crate::text::Scratch;

const LENGTHS: &str = "lengths";

/// The lengths of documents, and the postings of each language.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Words {
    lengths: Buffer<u32>,
    /// Sorted by language.
    postings: Vec<(String, Postings)>,
}

/// Words that are being counted, in some languages.
#[derive(Debug)]
pub(super) struct Counter {
    lengths: Vec<u32>,
    languages: BTreeMap<String, Counting>,
    scratch: Scratch,
}

impl Counter {
    pub fn new(languages: BTreeMap<String, Counting>) -> Self {
        Self { lengths: Vec::new(), languages, scratch: Scratch::default() }
    }

    /// Adds the next documents as they were counted.
    pub fn append(&mut self, words: &Words) {
        let start = self.lengths.len();
        self.lengths.extend_from_slice(&words.lengths);
        for (language, postings) in &words.postings {
            if let Some(counting) = self.languages.get_mut(language) {
                counting.append(postings, start);
            }
        }
    }

    /// Counts the words of the next document.
    pub fn push(&mut self, language: &str, text: &str) {
        let (place, scratch) = (self.lengths.len(), &mut self.scratch);
        let counting = self.languages.get_mut(language);
        self.lengths.push(counting.map_or(0, |counting| counting.push(place, text, scratch)));
    }

    /// The counts in these languages; `None` if none is counted.
    pub fn finish(mut self, languages: &[String]) -> Result<Option<Words>, Error> {
        if self.languages.is_empty() {
            return Ok(None);
        }
        self.languages.retain(|language, _| languages.contains(language));
        let finish = |(language, counting): (String, Counting)| Ok((language, counting.finish()?));
        let postings = self.languages.into_iter().map(finish).collect::<Result<_, Error>>()?;
        Ok(Some(Words { lengths: self.lengths.into(), postings }))
    }
}

impl Words {
    /// The documents of a language; `None` where its words were not counted.
    pub fn part(&self, language: &str) -> Option<Part<'_>> {
        let (_, postings) = self.postings.iter().find(|(name, _)| name == language)?;
        Some(Part { postings, lengths: &self.lengths })
    }

    /// The languages whose words were counted.
    pub fn languages(&self) -> impl Iterator<Item = &String> {
        self.postings.iter().map(|(language, _)| language)
    }

    pub fn has(&self, token: &str) -> bool {
        self.postings.iter().any(|(_, postings)| postings.of(token).documents() > 0)
    }

    pub fn write(&self, writer: &mut Writer) {
        writer.u32(LENGTHS, &self.lengths);
        for (language, postings) in &self.postings {
            postings.write(writer, language);
        }
    }

    /// Takes what a file has for its documents; `None` if it has none. `language` has the number
    /// of each document's among `languages`.
    pub fn read(
        reader: &mut Reader<'_>,
        languages: &[String],
        language: &[u8],
    ) -> Result<Option<Self>, Error> {
        if !reader.has(LENGTHS) {
            return Ok(None);
        }
        let lengths = reader.u32(LENGTHS)?;
        if lengths.len() != language.len() {
            return Err(Error::TensorShape {
                name: LENGTHS.into(),
                found: vec![lengths.len()],
                expected: format!("[{}]", language.len()),
            });
        }
        let mut postings: Vec<(String, Postings)> = Vec::new();
        for (number, name) in languages.iter().enumerate() {
            let is = |place: usize| usize::from(language[place]) == number;
            if let Some(found) = Postings::read(reader, name, &lengths, is)? {
                let at = postings.partition_point(|(before, _)| before < name);
                postings.insert(at, (name.clone(), found));
            }
        }
        Ok(Some(Self { lengths, postings }))
    }
}
