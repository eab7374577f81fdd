//! Blocks of the ids, titles, sections and texts of documents, some thousand in each.

use std::cmp::Ordering;

use serde_json::json;

use super::Document;
use crate::Error;
use crate::storage::container::{Reader, Writer, sha256_hex, wrong_config};
use crate::storage::{Buffer, SharedBytes};

const KIND: &str = "texts";
/// The tensor of sections, which only files with a section have.
const SECTIONS: &str = "sections";
/// Digits of a digest that tell a block from others.
const SPACE_LENGTH: usize = 16;

/// The ids, titles, sections and texts of documents that follow each other in an index.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Block {
    ids: Texts,
    titles: Texts,
    /// `None` where no document has one.
    sections: Option<Texts>,
    texts: Texts,
}

/// The id, title, section and text of a document.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shown<'a> {
    /// Its name, unique in its file.
    pub id: &'a str,
    /// Its title.
    pub title: &'a str,
    /// The heading that its text stands under; empty where there is none.
    pub section: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// A block in a file of its own, and where it belongs.
#[derive(Debug)]
pub struct BlockFile {
    /// The digest of its number and texts, by which its index identifies it.
    pub(super) space: String,
    /// Its number among the index's blocks.
    pub(super) number: usize,
    pub(super) block: Block,
}

impl Block {
    pub(super) fn push(&mut self, document: &Document<'_>) -> Result<(), Error> {
        let before = self.len();
        self.ids.push(document.id)?;
        self.titles.push(document.title)?;
        if self.sections.is_some() || !document.section.is_empty() {
            self.sections.get_or_insert_with(|| Texts::empty(before)).push(document.section)?;
        }
        self.texts.push(document.text)
    }

    /// The number of its documents.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The document at a place below [`len`](Self::len).
    pub fn get(&self, place: usize) -> Shown<'_> {
        Shown {
            id: self.ids.get(place),
            title: self.titles.get(place),
            section: self.sections.as_ref().map_or("", |sections| sections.get(place)),
            text: self.texts.get(place),
        }
    }

    /// Some of its documents, in a block of their own.
    pub(super) fn part(&self, places: std::ops::Range<usize>) -> Self {
        let [ids, titles, texts] =
            [&self.ids, &self.titles, &self.texts].map(|texts| texts.part(places.clone()));
        let sections = self.sections.as_ref().map(|sections| sections.part(places));
        let sections = sections.filter(|sections| !sections.joined.is_empty());
        Self { ids, titles, sections, texts }
    }

    pub(super) fn write(&self, writer: &mut Writer) {
        self.ids.write(writer, "ids");
        self.titles.write(writer, "titles");
        if let Some(sections) = &self.sections {
            sections.write(writer, SECTIONS);
        }
        self.texts.write(writer, "texts");
    }

    /// Takes the texts of `count` documents; without it, of as many as there are.
    pub(super) fn read(reader: &mut Reader<'_>, count: Option<usize>) -> Result<Self, Error> {
        let ids = Texts::read(reader, "ids", count)?;
        let count = Some(ids.len());
        let titles = Texts::read(reader, "titles", count)?;
        let has_sections = reader.has(SECTIONS);
        let sections = has_sections.then(|| Texts::read(reader, SECTIONS, count)).transpose()?;
        let texts = Texts::read(reader, "texts", count)?;
        Ok(Self { ids, titles, sections, texts })
    }
}

impl BlockFile {
    pub(super) fn new(number: usize, block: Block) -> Self {
        let unknown = Self { space: String::new(), number, block };
        let digest = sha256_hex(&[&unknown.write()]);
        Self { space: digest[..SPACE_LENGTH].to_owned(), ..unknown }
    }

    /// Reads a file of texts, whose bytes they share.
    ///
    /// # Errors
    /// Whatever is wrong with the file; see [`Error`].
    pub fn read(bytes: impl Into<SharedBytes>) -> Result<Self, Error> {
        let bytes = bytes.into();
        let mut reader = Reader::open_in_place(&bytes, KIND)?;
        let config = reader.json("config")?;
        let number = config["block"].as_u64().and_then(|number| usize::try_from(number).ok());
        let number = number.ok_or_else(|| wrong_config(&config, "block", "a number"))?;
        let space = reader.space("space")?;
        let block = Block::read(&mut reader, None)?;
        reader.finish()?;
        Ok(Self { space, number, block })
    }

    /// The file's bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        writer.metadata("config", json!({ "block": self.number }).to_string());
        writer.metadata("space", self.space.clone());
        self.block.write(&mut writer);
        writer.into_bytes()
    }

    /// The number of its block, from 0.
    pub fn number(&self) -> usize {
        self.number
    }

    /// The ids of its documents, in their order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|place| self.block.get(place).id)
    }

    /// The number of its documents.
    pub fn len(&self) -> usize {
        self.block.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.block.is_empty()
    }
}

/// Many short texts in one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Texts {
    /// UTF-8.
    joined: Buffer<u8>,
    /// Where each begins, and where the last ends.
    offsets: Buffer<u32>,
}

impl Default for Texts {
    fn default() -> Self {
        Self { joined: Buffer::default(), offsets: vec![0].into() }
    }
}

impl Texts {
    /// So many empty texts.
    fn empty(count: usize) -> Self {
        Self { joined: Buffer::default(), offsets: vec![0; count + 1].into() }
    }

    pub fn push(&mut self, text: &str) -> Result<(), Error> {
        let found = self.joined.len() + text.len();
        let Ok(end) = u32::try_from(found) else {
            return Err(Error::TooLarge { what: "texts", found, most: u32::MAX as usize });
        };
        self.joined.to_mut().extend_from_slice(text.as_bytes());
        self.offsets.to_mut().push(end);
        Ok(())
    }

    pub fn get(&self, position: usize) -> &str {
        let [start, end] = [self.offsets[position], self.offsets[position + 1]];
        // Borders of characters: it was built of texts, or checked when it was read.
        std::str::from_utf8(&self.joined[start as usize..end as usize]).unwrap_or_default()
    }

    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The place of a text among sorted ones.
    pub fn find(&self, text: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.get(middle).cmp(text) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return u32::try_from(middle).ok(),
                Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn part(&self, places: std::ops::Range<usize>) -> Self {
        let offsets = &self.offsets[places.start..=places.end];
        let first = offsets[0];
        let last = offsets[places.len()];
        Self {
            joined: self.joined[first as usize..last as usize].to_vec().into(),
            offsets: offsets.iter().map(|at| at - first).collect::<Vec<_>>().into(),
        }
    }

    pub fn write(&self, writer: &mut Writer, name: &str) {
        writer.bytes(name, &self.joined);
        writer.u32(&format!("{name}.offsets"), &self.offsets);
    }

    pub fn read(reader: &mut Reader<'_>, name: &str, count: Option<usize>) -> Result<Self, Error> {
        let joined = reader.text_bytes(name)?;
        let name = format!("{name}.offsets");
        let offsets = reader.u32(&name)?;
        let ends = count.unwrap_or(offsets.len().saturating_sub(1));
        if offsets.len() != ends + 1 {
            let expected = format!("[{}]", ends + 1);
            return Err(Error::TensorShape { name, found: vec![offsets.len()], expected });
        }
        let mut before = 0;
        for (position, &offset) in offsets.iter().enumerate() {
            let at = offset as usize;
            let last = position == ends && at != joined.len();
            let first = position == 0 && at != 0;
            // A byte that goes on with a character has 10 in front.
            let inside = joined.get(at).is_some_and(|byte| byte >> 6 == 0b10);
            if at < before || at > joined.len() || last || first || inside {
                return Err(Error::TensorValue {
                    name,
                    position,
                    found: at.to_string(),
                    expected: "a rising offset at the border of a character",
                });
            }
            before = at;
        }
        Ok(Self { joined, offsets })
    }
}
