//! Index files: documents encoded by one model, with what is shown of them; exact top-k.

#[cfg(feature = "learn")]
mod again;
mod block;
mod blocks;
mod builder;
mod document;
mod fields;
mod joined;
mod parts;
mod slim;
mod words;

#[cfg(feature = "learn")]
pub use again::Reencoded;
pub use block::{Block, BlockFile, Shown};
pub use builder::Builder;
pub use document::Document;
pub use slim::Slimming;

use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::Error;
use crate::encoder::Rows;
use crate::lexical::score::{LexicalQuery, Part};
use crate::limits;
use crate::model::tensors::write_rows;
use crate::model::{check_text_rule, dimension_in};
use crate::ranking::pruned::{self, InLanguage};
use crate::ranking::scan::{self, Query, Ranking};
use crate::storage::container::{Element, Reader, Writer, is_space, names_in, wrong_config};
use crate::storage::{Buffer, SharedBytes};
use crate::text;
use blocks::Blocks;
use fields::Fields;
use words::Words;

const KIND: &str = "index";
/// The metadata with the digest of the teacher that encoded the documents.
const TEACHER: &str = "teacher";
/// The name of the file of an index's vectors, where its texts have files of their own.
pub const VECTORS_FILE: &str = "index.safetensors";

/// The name of the file of a block of texts, beside [`VECTORS_FILE`].
pub fn texts_file(block: usize) -> String {
    format!("texts.{block}.safetensors")
}

/// Documents that have one of some values in a field.
#[derive(Debug, Clone, Copy)]
pub struct Filter<'a> {
    /// The field's name.
    pub name: &'a str,
    /// The allowed values.
    pub values: &'a [&'a str],
}

/// Documents encoded by one model.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// The space of the model that made it.
    pub model: String,
    /// The languages there are.
    pub languages: Vec<String>,
    language: Buffer<u8>,
    vectors: Rows,
    norms: Buffer<f32>,
    /// Where the model has translations.
    words: Option<Words>,
    fields: Fields,
    texts: Blocks,
    /// The digest of the teacher that encoded the documents; `None` if the model's document encoders did.
    pub teacher: Option<String>,
}

impl Index {
    /// The number of documents.
    pub fn len(&self) -> usize {
        self.norms.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.norms.is_empty()
    }

    /// The length p of the vectors.
    pub fn dimension(&self) -> usize {
        self.vectors.dimension()
    }

    /// The language of the document at a position below [`len`](Self::len).
    pub fn language(&self, position: usize) -> &str {
        &self.languages[usize::from(self.language[position])]
    }

    /// The norm of the document at a position below [`len`](Self::len).
    pub fn norm(&self, position: usize) -> f32 {
        self.norms[position]
    }

    /// The vector of the document at a position below [`len`](Self::len).
    pub fn vector(&self, position: usize) -> Vec<f32> {
        self.vectors.row(position)
    }

    /// The words of the documents of a language; `None` where they were not counted.
    pub fn words(&self, language: &str) -> Option<Part<'_>> {
        self.words.as_ref()?.part(language)
    }

    /// Whether a document has a word, as far as they were counted.
    pub(crate) fn has_word(&self, token: &str) -> bool {
        self.words.as_ref().is_some_and(|words| words.has(token))
    }

    /// The id, title, section and text of the document at a position below [`len`](Self::len); `None` where its
    /// block has not been added.
    pub fn shown(&self, position: usize) -> Option<Shown<'_>> {
        let block = self.texts.blocks.get(self.block_of(position))?.get()?;
        Some(block.get(position % self.texts.size.max(1)))
    }

    /// Whether a block of texts is here.
    pub fn has_texts(&self, block: usize) -> bool {
        self.texts.blocks.get(block).is_some_and(|block| block.get().is_some())
    }

    /// The number of the block of texts that shows the document at a position.
    pub fn block_of(&self, position: usize) -> usize {
        position / self.texts.size.max(1)
    }

    /// Calls `take` with the document at a position below [`len`](Self::len), as it was given to be
    /// indexed; `None` where its block has not been added.
    pub fn with_document<T>(
        &self,
        position: usize,
        take: impl FnOnce(&Document<'_>) -> T,
    ) -> Option<T> {
        let Shown { id, title, section, text } = self.shown(position)?;
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let fields: Vec<_> = self.fields(position).map(owned).collect();
        let language = self.language(position);
        Some(take(&Document { id, language, title, section, text, fields: &fields }))
    }

    /// The numbers of the blocks of texts that have not been added.
    pub fn missing_texts(&self) -> impl Iterator<Item = usize> + '_ {
        let numbered = self.texts.blocks.iter().enumerate();
        numbered.filter_map(|(number, block)| block.get().is_none().then_some(number))
    }

    /// Adds a block of texts, of an index that may be searched meanwhile. One that is there already
    /// stays: another of its name has the same texts.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if it is of another index, [`Error::WrongBlock`] if there is no block
    /// of its number or length.
    pub fn add_texts(&self, file: BlockFile) -> Result<(), Error> {
        let BlockFile { space, number, block } = file;
        let Blocks { size, spaces, blocks } = &self.texts;
        let count = self.norms.len().saturating_sub(number.saturating_mul(*size)).min(*size);
        match (spaces.get(number), blocks.get(number)) {
            (Some(expected), _) if *expected != space => {
                let (what, expected) = ("the block of texts".into(), expected.clone());
                Err(Error::Mismatch { what, found: space, expected })
            }
            (Some(_), Some(place)) if block.len() == count => {
                let _there_already = place.set(block);
                Ok(())
            }
            _ => Err(Error::WrongBlock {
                number,
                documents: block.len(),
                blocks: spaces.len(),
                size: *size,
            }),
        }
    }

    /// Forgets a block of texts that was added from a file of its own: it can be added again.
    pub fn forget_texts(&mut self, block: usize) {
        if let (Some(_), Some(place)) =
            (self.texts.spaces.get(block), self.texts.blocks.get_mut(block))
        {
            place.take();
        }
    }

    /// The names of the documents' fields, sorted.
    pub fn field_names(&self) -> impl Iterator<Item = &str> {
        self.fields.names()
    }

    /// The names and values of the fields of the document at a position below [`len`](Self::len).
    pub fn fields(&self, position: usize) -> impl Iterator<Item = (&str, &str)> {
        self.fields.get(position)
    }

    /// Tells of each value of each field how many documents have it: name, value, count.
    pub fn each_value<'a>(&'a self, tell: impl FnMut(&'a str, &'a str, usize)) {
        self.fields.each_value(tell);
    }

    /// Offers the documents of one language, or all, that pass all filters to each query's top k.
    /// Exact: every one is scored. `first_place` is the place of the index's first document among all.
    pub fn rank(
        &self,
        language: Option<&str>,
        filters: &[Filter<'_>],
        first_place: usize,
        queries: &mut [Ranking<'_>],
    ) {
        if let Some(wanted) = self.wanted(language, filters) {
            scan::rank(&self.vectors, &self.norms, wanted, first_place, queries);
        }
    }

    /// Offers its documents to a query's top k as [`rank`](Self::rank) does, though not every one has its words looked up: see
    /// [`pruned`]. The ranking has the dot products of all of them; `queries` are its words in some languages. Returns the position
    /// and the lexical score of each document that was offered.
    pub(crate) fn rank_hybrid(
        &self,
        language: Option<&str>,
        filters: &[Filter<'_>],
        first_place: usize,
        ranking: Ranking<'_>,
        queries: &[(&str, LexicalQuery<'_>)],
    ) -> Vec<(usize, f32)> {
        let Some(wanted) = self.wanted(language, filters) else { return Vec::new() };
        let in_language = |(name, query)| {
            let language = self.languages.iter().position(|language| language == name)? as u8;
            Some(InLanguage { language, query, part: self.words(name)? })
        };
        let queries = queries.iter().map(|(name, query)| (*name, query));
        let words: Vec<InLanguage<'_>> = queries.filter_map(in_language).collect();
        pruned::rank(&self.norms, wanted, first_place, ranking, &words)
    }

    /// Computes the dot products of queries with all documents, as far as they are not there.
    pub(crate) fn multiply(&self, queries: &mut [(&Query, &mut Vec<f32>)]) {
        scan::multiply(&self.vectors, queries);
    }

    /// Whether the document at a position is of a language and passes all filters; `None` if there is none of the language.
    fn wanted(
        &self,
        language: Option<&str>,
        filters: &[Filter<'_>],
    ) -> Option<impl Fn(usize) -> bool> {
        let of_language: Vec<bool> =
            self.languages.iter().map(|l| language.is_none_or(|wanted| wanted == l)).collect();
        if !of_language.contains(&true) {
            return None;
        }
        // No place for each document where all are chosen.
        let mut chosen = vec![true; if filters.is_empty() { 0 } else { self.len() }];
        for Filter { name, values } in filters {
            self.fields.choose(name, values, &mut chosen);
        }
        Some(move |position: usize| {
            of_language[usize::from(self.language[position])]
                && chosen.get(position).is_none_or(|&chosen| chosen)
        })
    }

    /// The bytes of one file, with the texts that are here.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = self.writer(None);
        if let Some(block) = self.texts.only() {
            block.write(&mut writer);
        }
        writer.into_bytes()
    }

    /// An index in several files, by name: its vectors, and blocks of the texts of so many
    /// documents (or of more, so that there are no more than [`limits::BLOCKS`]), which are needed only where
    /// they are shown. The file of a block is the same as long as its documents are. An index that was read in
    /// several files has no texts to write.
    pub fn write_parts(&self, size: usize) -> Vec<(String, Vec<u8>)> {
        let size = size.max(self.len().div_ceil(limits::BLOCKS)).max(1);
        let files: Vec<BlockFile> = match self.texts.only() {
            Some(block) if self.texts.spaces.is_empty() => {
                let starts = (0..self.len()).step_by(size).enumerate();
                let part = |start: usize| block.part(start..self.len().min(start + size));
                starts.map(|(number, start)| BlockFile::new(number, part(start))).collect()
            }
            _ => Vec::new(),
        };
        let spaces: Vec<&str> = files.iter().map(|file| &*file.space).collect();
        let index = self.writer(Some((size, &spaces))).into_bytes();
        let texts = files.iter().map(|file| (texts_file(file.number), file.write()));
        std::iter::once((VECTORS_FILE.to_owned(), index)).chain(texts).collect()
    }

    /// `texts` are how many documents the blocks of texts have, and what these are known by.
    fn writer(&self, texts: Option<(usize, &[&str])>) -> Writer {
        let mut writer = Writer::new(KIND);
        let mut config = json!({
            "dimension": self.vectors.dimension(),
            "languages": self.languages,
            "text": { "rule": text::RULE, "version": text::VERSION },
        });
        let fields: Vec<&str> = self.fields.names().collect();
        if !fields.is_empty() {
            config["fields"] = json!(fields);
        }
        if let Some((size, spaces)) = texts {
            config["block"] = json!(size);
            config["texts"] = json!(spaces);
        }
        writer.metadata("config", config.to_string());
        writer.metadata("model", self.model.clone());
        if let Some(teacher) = &self.teacher {
            writer.metadata(TEACHER, teacher.clone());
        }
        write_rows(&mut writer, "vectors", "scale", &self.vectors);
        writer.f32("norms", &[self.norms.len()], &self.norms);
        writer.bytes("language", &self.language);
        if let Some(words) = &self.words {
            words.write(&mut writer);
        }
        self.fields.write(&mut writer);
        writer
    }

    /// Reads an index file.
    ///
    /// # Errors
    /// Whatever is wrong with the file; see [`Error`].
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        Self::read_from(Reader::open(bytes, KIND)?)
    }

    /// Reads an index file whose bytes the index shares: nothing large is copied.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_in_place(bytes: impl Into<SharedBytes>) -> Result<Self, Error> {
        Self::read_from(Reader::open_in_place(&bytes.into(), KIND)?)
    }

    fn read_from(mut reader: Reader<'_>) -> Result<Self, Error> {
        let config = reader.json("config")?;
        check_text_rule(&config)?;
        let wrong = |key, expected| wrong_config(&config, key, expected);
        let dimension = dimension_in(&config)?;
        let languages = names_in(&config, "languages", limits::LANGUAGES)?;
        let model = reader.space("model")?;
        let teacher = reader.space_if_there(TEACHER)?;
        let allowed = [Element::F32, Element::I8];
        let vectors = reader.rows("vectors", "scale", None, dimension, &allowed)?;
        let count = vectors.len();
        let norms = reader.magnitudes("norms", count)?;
        let language = reader.bytes("language")?;
        if language.len() != count {
            return Err(Error::TensorShape {
                name: "language".into(),
                found: vec![language.len()],
                expected: format!("[{count}]"),
            });
        }
        if let Some(position) = language.iter().position(|&l| usize::from(l) >= languages.len()) {
            return Err(Error::TensorValue {
                name: "language".into(),
                position,
                found: language[position].to_string(),
                expected: "the number of one of the languages in config",
            });
        }
        let words = Words::read(&mut reader, &languages, &language)?;
        let fields = match &config["fields"] {
            Value::Null => Vec::new(),
            _ => {
                let names = names_in(&config, "fields", limits::FIELDS)?;
                if !names.is_sorted_by(|a, b| a < b) {
                    return Err(wrong("fields", "a sorted list of names"));
                }
                names
            }
        };
        let fields = Fields::read(&mut reader, fields, count)?;
        let texts = match &config["block"] {
            Value::Null => Blocks::whole(Block::read(&mut reader, Some(count))?),
            size => {
                let size = size.as_u64().and_then(|size| usize::try_from(size).ok());
                let size = size.filter(|size| *size > 0);
                let size = size.ok_or_else(|| wrong("block", "a number from 1"))?;
                let spaces = names_in(&config, "texts", limits::BLOCKS)?;
                let are_all = spaces.len() == count.div_ceil(size);
                if !are_all || !spaces.iter().all(|space| is_space(space)) {
                    return Err(wrong("texts", "a name for each block"));
                }
                let blocks = vec![OnceLock::new(); spaces.len()];
                Blocks { size, spaces, blocks }
            }
        };
        reader.finish()?;
        Ok(Self { model, languages, language, vectors, norms, words, fields, texts, teacher })
    }
}
