//! Index files: documents encoded by one model, with what is shown of them; exact top-k.

use std::sync::Arc;

use serde_json::json;

use crate::container::{Element, Numbers, Reader, Writer};
use crate::encoder::{Precision, Rows, Table};
use crate::model::{Model, check_text_rule, wrong_config};
use crate::scan::{self, Ranking};
use crate::tensors::write_rows;
use crate::{Error, kernels, text};

const KIND: &str = "index";

/// Many short texts in one.
#[derive(Debug, Clone, PartialEq)]
pub struct Texts {
    /// UTF-8.
    joined: Numbers<u8>,
    /// Where each begins, and where the last ends.
    offsets: Numbers<u32>,
}

impl Default for Texts {
    fn default() -> Self {
        Self { joined: Numbers::default(), offsets: vec![0].into() }
    }
}

impl Texts {
    fn push(&mut self, text: &str) -> Result<(), Error> {
        let found = self.joined.len() + text.len();
        let Ok(end) = u32::try_from(found) else {
            return Err(Error::TooLarge { what: "texts", found, most: u32::MAX as usize });
        };
        self.joined.to_mut().extend_from_slice(text.as_bytes());
        self.offsets.to_mut().push(end);
        Ok(())
    }

    /// The text at a position below the index's length.
    pub fn get(&self, position: usize) -> &str {
        let [start, end] = [self.offsets[position], self.offsets[position + 1]];
        // Borders of characters: it was built of texts, or checked when it was read.
        std::str::from_utf8(&self.joined[start as usize..end as usize]).unwrap_or_default()
    }

    fn write(&self, writer: &mut Writer, name: &str) {
        writer.bytes(name, &self.joined);
        writer.u32(&format!("{name}.offsets"), &self.offsets);
    }

    fn read(reader: &mut Reader<'_>, name: &str, count: usize) -> Result<Self, Error> {
        let joined = reader.text_bytes(name)?;
        let name = format!("{name}.offsets");
        let offsets = reader.u32(&name)?;
        if offsets.len() != count + 1 {
            let expected = format!("[{}]", count + 1);
            return Err(Error::TensorShape { name, found: vec![offsets.len()], expected });
        }
        let mut before = 0;
        for (position, &offset) in offsets.iter().enumerate() {
            let at = offset as usize;
            let last = position == count && at != joined.len();
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

/// A document to be indexed.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    /// Its name, unique in its file.
    pub id: &'a str,
    /// Its language, one of the model's.
    pub language: &'a str,
    /// Its title: shown, not encoded.
    pub title: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// Documents encoded by one model.
#[derive(Debug, Clone, PartialEq)]
pub struct Index {
    /// The space of the model that made it.
    pub model: String,
    /// The languages there are.
    pub languages: Vec<String>,
    language: Numbers<u8>,
    vectors: Rows,
    norms: Numbers<f32>,
    /// The documents' ids.
    pub ids: Texts,
    /// The documents' titles.
    pub titles: Texts,
    /// The documents' texts.
    pub texts: Texts,
}

impl Index {
    /// Encodes documents. Vectors are rounded to `precision` before their norms are taken, so
    /// that an index scores alike before it is written and after it is read.
    ///
    /// # Errors
    /// [`Error::MissingPart`] for a language that the model does not have, [`Error::TooLarge`].
    pub fn build<'a>(
        model: &Model,
        documents: impl IntoIterator<Item = Document<'a>>,
        precision: Precision,
    ) -> Result<Self, Error> {
        let (mut language, mut values) = (Vec::new(), Vec::new());
        let mut languages: Vec<String> = Vec::new();
        let [mut ids, mut titles, mut texts] = [(); 3].map(|()| Texts::default());
        for document in documents {
            let encoder = model.document_encoder(document.language)?;
            let known = languages.iter().position(|l| l == document.language);
            let which = known.unwrap_or_else(|| {
                languages.push(document.language.into());
                languages.len() - 1
            });
            let Ok(which) = u8::try_from(which) else {
                return Err(Error::TooLarge { what: "languages", found: which + 1, most: 256 });
            };
            language.push(which);
            values.extend(encoder.encode(document.text));
            ids.push(document.id)?;
            titles.push(document.title)?;
            texts.push(document.text)?;
        }
        // Of 16 bits nothing is made: they stay as they are.
        let precision = if precision == Precision::F16 { Precision::F32 } else { precision };
        let vectors = Rows::new(Table::new(model.config.dimension, values), precision);
        let norms = (0..vectors.len()).map(|i| kernels::norm(&vectors.row(i)));
        let (norms, language) = (norms.collect::<Vec<_>>().into(), language.into());
        let model = model.space.clone();
        Ok(Self { model, languages, language, vectors, norms, ids, titles, texts })
    }

    /// How many documents there are.
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

    /// Offers the documents of one language, or all, to each query's best. Exact: every one is
    /// scored. `first_place` is the place of the index's first document among all.
    pub fn rank(&self, language: Option<&str>, first_place: usize, queries: &mut [Ranking<'_>]) {
        let wanted: Vec<bool> =
            self.languages.iter().map(|l| language.is_none_or(|wanted| wanted == l)).collect();
        if !wanted.contains(&true) {
            return;
        }
        let wanted = |position: usize| wanted[usize::from(self.language[position])];
        scan::rank(&self.vectors, &self.norms, wanted, first_place, queries);
    }

    /// The file's bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        let config = json!({
            "dimension": self.vectors.dimension(),
            "languages": self.languages,
            "text": { "rule": text::RULE, "version": text::VERSION },
        });
        writer.metadata("config", config.to_string());
        writer.metadata("model", self.model.clone());
        write_rows(&mut writer, "vectors", "scale", &self.vectors);
        writer.f32("norms", &[self.norms.len()], &self.norms);
        writer.bytes("language", &self.language);
        self.ids.write(&mut writer, "ids");
        self.titles.write(&mut writer, "titles");
        self.texts.write(&mut writer, "texts");
        writer.into_bytes()
    }

    /// Reads an index file.
    ///
    /// # Errors
    /// Whatever is wrong with the file; see [`Error`].
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        Self::read_from(Reader::open(bytes, KIND)?)
    }

    /// Reads an index file that is held as long as the index is: nothing large is copied.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_in_place(bytes: Vec<u8>) -> Result<Self, Error> {
        Self::read_from(Reader::open_in_place(&Arc::new(bytes), KIND)?)
    }

    fn read_from(mut reader: Reader<'_>) -> Result<Self, Error> {
        let config = reader.json("config")?;
        check_text_rule(&config)?;
        let wrong = |key, expected| wrong_config(&config, key, expected);
        let dimension = config["dimension"].as_u64().filter(|p| (1..=4096).contains(p));
        let dimension = dimension.ok_or_else(|| wrong("dimension", "a number from 1 to 4096"))?;
        let languages: Option<Vec<String>> = config["languages"]
            .as_array()
            .and_then(|list| list.iter().map(|x| x.as_str().map(str::to_owned)).collect());
        let languages = languages.ok_or_else(|| wrong("languages", "a list of names"))?;
        let model = reader.required("model")?;
        let allowed = [Element::F32, Element::I8];
        let vectors = reader.rows("vectors", "scale", None, dimension as usize, &allowed)?;
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
        let ids = Texts::read(&mut reader, "ids", count)?;
        let titles = Texts::read(&mut reader, "titles", count)?;
        let texts = Texts::read(&mut reader, "texts", count)?;
        reader.finish()?;
        Ok(Self { model, languages, language, vectors, norms, ids, titles, texts })
    }
}
