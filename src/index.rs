//! Index files: documents encoded by one model, with what is shown of them; exact top-k.

use serde_json::json;

use crate::container::{Element, Reader, Writer};
use crate::encoder::{Precision, Scratch, Table};
use crate::model::{Model, check_text_rule, wrong_config};
use crate::similarity::from_parts;
use crate::tensors::write_table;
use crate::{Error, kernels, text};

const KIND: &str = "index";

/// Many short texts in one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Texts {
    joined: String,
    /// Where each ends.
    ends: Vec<u32>,
}

impl Texts {
    fn push(&mut self, text: &str) -> Result<(), Error> {
        let found = self.joined.len() + text.len();
        let Ok(end) = u32::try_from(found) else {
            return Err(Error::TooLarge { what: "texts", found, most: u32::MAX as usize });
        };
        self.joined.push_str(text);
        self.ends.push(end);
        Ok(())
    }

    /// The text at a position below the index's length.
    pub fn get(&self, position: usize) -> &str {
        let start = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.joined[start as usize..self.ends[position] as usize]
    }

    fn write(&self, writer: &mut Writer, name: &str) {
        writer.text(name, &self.joined);
        let offsets: Vec<u32> = std::iter::once(0).chain(self.ends.iter().copied()).collect();
        writer.u32(&format!("{name}.offsets"), &offsets);
    }

    fn read(reader: &mut Reader<'_>, name: &str, count: usize) -> Result<Self, Error> {
        let joined = reader.text(name)?;
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
            if at < before || last || first || !joined.is_char_boundary(at) {
                return Err(Error::TensorValue {
                    name,
                    position,
                    found: at.to_string(),
                    expected: "a rising offset at the border of a character",
                });
            }
            before = at;
        }
        Ok(Self { joined, ends: offsets[1..].to_vec() })
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
    language: Vec<u8>,
    vectors: Table,
    norms: Vec<f32>,
    /// The documents' ids.
    pub ids: Texts,
    /// The documents' titles.
    pub titles: Texts,
    /// The documents' texts.
    pub texts: Texts,
}

/// A document's place, and what its score is made of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// Its place in the index, or among the documents of all indexes.
    pub position: usize,
    /// Its smooth cosine similarity to the query.
    pub score: f32,
    /// Its dot product with the query.
    pub dot: f32,
}

/// The best documents of those offered, best first; of equal scores the one offered first.
#[derive(Debug, Clone)]
pub struct Best {
    limit: usize,
    best: Vec<Scored>,
}

impl Best {
    /// At most `limit` documents.
    pub fn new(limit: usize) -> Self {
        Self { limit, best: Vec::new() }
    }

    /// Takes a document in if it is among the best so far.
    pub fn offer(&mut self, offered: Scored) {
        if self.best.len() == self.limit {
            match self.best.last() {
                Some(last) if offered.score > last.score => self.best.pop(),
                _ => return,
            };
        }
        let place = self.best.partition_point(|kept| kept.score >= offered.score);
        self.best.insert(place, offered);
    }

    /// The best, best first.
    pub fn into_vec(self) -> Vec<Scored> {
        self.best
    }
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
        let mut scratch = Scratch::default();
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
            let start = values.len();
            values.resize(start + encoder.network.dimension(), 0.0);
            encoder.encode_into(document.text, &mut scratch, &mut values[start..]);
            ids.push(document.id)?;
            titles.push(document.title)?;
            texts.push(document.text)?;
        }
        let mut vectors = Table::new(model.config.dimension, values);
        if precision == Precision::I8 {
            let quantised = vectors.quantise();
            vectors =
                Table::from_quantised(model.config.dimension, &quantised.values, &quantised.scales);
        }
        let norms = (0..vectors.len()).map(|i| kernels::norm(vectors.row(i))).collect();
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
    pub fn vector(&self, position: usize) -> &[f32] {
        self.vectors.row(position)
    }

    /// The score of the document at a position below [`len`](Self::len).
    pub fn score(&self, position: usize, query: &[f32], query_norm: f32, epsilon: f32) -> Scored {
        let dot = kernels::dot(query, self.vectors.row(position));
        let score = from_parts(dot, query_norm, self.norms[position], epsilon);
        Scored { position, score, dot }
    }

    /// Offers the documents of one language, or all, to `best`. Exact: every one is scored.
    /// `first_place` is the place of the index's first document among all.
    pub fn rank(
        &self,
        query: &[f32],
        epsilon: f32,
        language: Option<&str>,
        first_place: usize,
        best: &mut Best,
    ) {
        let query_norm = kernels::norm(query);
        let wanted: Vec<bool> =
            self.languages.iter().map(|l| language.is_none_or(|wanted| wanted == l)).collect();
        for position in 0..self.len() {
            if wanted[usize::from(self.language[position])] {
                let Scored { score, dot, .. } = self.score(position, query, query_norm, epsilon);
                best.offer(Scored { position: first_place + position, score, dot });
            }
        }
    }

    /// The file's bytes. `precision` must be the one it was built with; F16 is written as F32.
    pub fn write(&self, precision: Precision) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        let config = json!({
            "dimension": self.vectors.dimension(),
            "languages": self.languages,
            "text": { "rule": text::RULE, "version": text::VERSION },
        });
        writer.metadata("config", config.to_string());
        writer.metadata("model", self.model.clone());
        let precision = if precision == Precision::F16 { Precision::F32 } else { precision };
        write_table(&mut writer, "vectors", "scale", &self.vectors, precision);
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
        let mut reader = Reader::open(bytes, KIND)?;
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
        let vectors = reader.table("vectors", "scale", None, dimension as usize, &allowed)?;
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
