//! The vectors of deep documents in a file, by the texts that they are of: an interrupted run goes on from it, a later run
//! computes only what is new, and who has the file needs no teacher.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use smooth_clir::encoder::Precision;
#[cfg(feature = "teacher")]
use smooth_clir::encoder::{Quantised, Rows, Table};
use smooth_clir::index::{Builder, Document, Index};
use smooth_clir::model::Model;
#[cfg(feature = "teacher")]
use smooth_clir::storage::container::Writer;
use smooth_clir::storage::container::{Element, Reader};

use super::keyed;
#[cfg(feature = "teacher")]
use super::keyed::{SCALE, VECTORS};
use crate::error::Error;
use crate::files;

const KIND: &str = "deep vectors";
/// What a model lacks that no teacher made.
pub const PROJECTION: &str = "projection of a teacher's vectors (made by train --teacher)";

/// The vectors of some texts, in the space of a model.
#[derive(Debug)]
pub struct Vectors {
    /// Where the file is; `None` for vectors that no file keeps.
    path: Option<PathBuf>,
    space: String,
    /// The digest of the teacher that computed the vectors, once there is one; which is a folder's or a compact file's.
    teacher: Option<String>,
    /// The digest of the teacher's folder, as the model states it.
    origin: String,
    precision: Precision,
    dimension: usize,
    known: BTreeMap<String, Vec<f32>>,
}

impl Vectors {
    /// Reads the file of a model's vectors, if it is there. Vectors have the `precision` from now on.
    ///
    /// # Errors
    /// If the model has no part for deep documents, or the file is of another model or damaged.
    pub fn open(path: Option<&Path>, model: &Model, precision: Precision) -> Result<Self, Error> {
        let Some(deep) = &model.deep else {
            return Err(Error::Model { part: PROJECTION });
        };
        let mut vectors = Self {
            path: path.map(Path::to_owned),
            space: model.space.clone(),
            teacher: None,
            origin: deep.teacher.clone(),
            precision,
            dimension: model.config.dimension,
            known: BTreeMap::new(),
        };
        if let Some(path) = path.filter(|path| path.exists()) {
            let bytes = files::read(path)?;
            vectors.read(&bytes).map_err(|problem| Error::data(path, problem))?;
        }
        Ok(vectors)
    }

    /// Takes the vectors of a file, or says what is wrong with it.
    fn read(&mut self, bytes: &[u8]) -> Result<(), String> {
        let told = |error: smooth_clir::Error| error.to_string();
        let reader = Reader::open(bytes, KIND).map_err(told)?;
        let (found, expected) = (reader.space("space").map_err(told)?, &self.space);
        if found != *expected {
            return Err(format!(
                "has vectors of another model: its space is {found}, expected {expected}"
            ));
        }
        self.teacher = Some(reader.space("teacher").map_err(told)?);
        self.known = keyed::read(reader, self.dimension, &[Element::F32, Element::I8])?;
        Ok(())
    }

    /// Whether a document's text has a vector.
    pub fn has(&self, document: &Document<'_>) -> bool {
        self.known.contains_key(&key(document))
    }

    /// The vector of a document.
    #[cfg(feature = "teacher")]
    pub fn of(&self, document: &Document<'_>) -> Option<&[f32]> {
        self.known.get(&key(document)).map(Vec::as_slice)
    }

    /// An index of documents that all have vectors.
    ///
    /// # Errors
    /// If one has none.
    pub fn index(&self, model: &Model, documents: &[Document<'_>]) -> Result<Index, Error> {
        let teacher = self.teacher.as_ref().unwrap_or(&self.origin);
        let mut builder = Builder::deep(model, teacher.clone());
        for document in documents {
            let Some(vector) = self.known.get(&key(document)) else {
                return Err(self.missing(documents));
            };
            builder.push_vector(document, vector)?;
        }
        Ok(builder.finish(self.precision)?)
    }

    fn missing(&self, documents: &[Document<'_>]) -> Error {
        let missing: Vec<&str> =
            documents.iter().filter(|document| !self.has(document)).map(|d| d.id).collect();
        let problem = format!(
            "has no vector of {} of {} documents, the first of which is {}: compute them with --deep",
            missing.len(),
            documents.len(),
            missing.first().copied().unwrap_or_default()
        );
        Error::data(self.path.as_deref().unwrap_or_else(|| "".as_ref()), problem)
    }
}

#[cfg(feature = "teacher")]
impl Vectors {
    /// The precision of vectors that are added.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Notes the digest of the teacher of the vectors that are added.
    ///
    /// # Errors
    /// If there are vectors of another one.
    pub fn come_from(&mut self, teacher: &str) -> Result<(), Error> {
        match self.teacher.as_deref().filter(|found| *found != teacher && !self.known.is_empty()) {
            None => {
                self.teacher = Some(teacher.to_owned());
                Ok(())
            }
            Some(found) => {
                let problem = format!(
                    "has vectors of another teacher: its digest is {found}, expected {teacher}"
                );
                Err(Error::data(self.path.as_deref().unwrap_or_else(|| "".as_ref()), problem))
            }
        }
    }

    /// Adds a document's vector, in the precision of all.
    pub fn insert(&mut self, document: &Document<'_>, vector: Vec<f32>) {
        self.known.insert(key(document), vector);
    }

    /// Writes the file, if there is to be one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self) -> Result<(), Error> {
        let Some(path) = &self.path else { return Ok(()) };
        let mut writer = Writer::new(KIND);
        writer.metadata("space", self.space.clone());
        writer.metadata("teacher", self.teacher.as_ref().unwrap_or(&self.origin).clone());
        keyed::write_keys(&mut writer, &self.known);
        let values = self.known.values().flatten().copied().collect();
        let rows = Rows::new(Table::new(self.dimension, values), self.precision);
        let shape = [rows.len(), self.dimension];
        match rows {
            Rows::I8 { rows: Quantised { values, scales }, .. } => {
                writer.i8(VECTORS, &shape, &values);
                writer.f32(SCALE, &[scales.len()], &scales);
            }
            rows => writer.f32(VECTORS, &shape, rows.widened().values()),
        }
        files::write(path, &writer.into_bytes())
    }
}

/// What a document's vector depends on beside the model: its language and its text.
fn key(document: &Document<'_>) -> String {
    keyed::key(&[document.language.as_bytes(), b"\n", document.text.as_bytes()])
}
