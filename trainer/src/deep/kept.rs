//! A file of a teacher's own vectors, by the texts that they are of: training resumes from it after an interruption, and a
//! later training computes only those of new texts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ndarray::Array2;
use smooth_clir::storage::container::{Element, Reader, Writer};

use super::keyed::{self, VECTORS};
use crate::error::Error;
use crate::files;

const KIND: &str = "teacher vectors";
/// Texts that are encoded between two writes of the file, at least.
const SAVED_TOGETHER: usize = 16_384;

/// The vectors of a teacher that a file keeps.
#[derive(Debug)]
pub struct KeptVectors {
    path: PathBuf,
    /// The teacher's digest.
    teacher: String,
    dimension: usize,
    known: BTreeMap<String, Vec<f32>>,
}

impl KeptVectors {
    /// Reads the file of a teacher's vectors, if it is there.
    ///
    /// # Errors
    /// If it is of another teacher, or damaged.
    pub fn open(path: &Path, teacher: &str, dimension: usize) -> Result<Self, Error> {
        let known = BTreeMap::new();
        let mut kept = Self { path: path.into(), teacher: teacher.into(), dimension, known };
        if path.exists() {
            let bytes = files::read(path)?;
            kept.read(&bytes).map_err(|problem| Error::data(path, problem))?;
        }
        Ok(kept)
    }

    /// Takes the vectors of a file, or says what is wrong with it.
    fn read(&mut self, bytes: &[u8]) -> Result<(), String> {
        let told = |error: smooth_clir::Error| error.to_string();
        let reader = Reader::open(bytes, KIND).map_err(told)?;
        let found = reader.space("teacher").map_err(told)?;
        if found != self.teacher {
            let expected = &self.teacher;
            return Err(format!(
                "has vectors of another teacher: its digest is {found}, expected {expected}"
            ));
        }
        self.known = keyed::read(reader, self.dimension, &[Element::F32])?;
        Ok(())
    }

    /// The vectors of texts, a row for each. `encode` computes those of texts that the file lacks, which are then written to
    /// it.
    ///
    /// # Errors
    /// Those of `encode`, or if the file cannot be written.
    pub fn vectors(
        &mut self,
        texts: &[&str],
        encode: impl Fn(&[&str]) -> Result<Array2<f32>, Error>,
    ) -> Result<Array2<f32>, Error> {
        let keys: Vec<String> = texts.iter().map(|text| keyed::key(&[text.as_bytes()])).collect();
        let missing: BTreeMap<&str, &str> = keys
            .iter()
            .zip(texts)
            .filter(|(key, _)| !self.known.contains_key(*key))
            .map(|(key, &text)| (&key[..], text))
            .collect();
        let missing: Vec<(&str, &str)> = missing.into_iter().collect();
        let mut rest = &missing[..];
        while !rest.is_empty() {
            // The file is written whole: the larger it is, the more is added to it at a time.
            let more = SAVED_TOGETHER.max(self.known.len() / 2).min(rest.len());
            let (some, others) = rest.split_at(more);
            rest = others;
            let vectors = encode(&some.iter().map(|&(_, text)| text).collect::<Vec<_>>())?;
            for ((key, _), vector) in some.iter().zip(vectors.rows()) {
                self.known.insert((*key).to_owned(), vector.to_vec());
            }
            self.save()?;
        }
        let values = keys.iter().flat_map(|key| &self.known[key]).copied().collect();
        let shape = (texts.len(), self.dimension);
        Array2::from_shape_vec(shape, values)
            .map_err(|error| Error::data(&self.path, error.to_string()))
    }

    fn save(&self) -> Result<(), Error> {
        let mut writer = Writer::new(KIND);
        writer.metadata("teacher", self.teacher.clone());
        keyed::write_keys(&mut writer, &self.known);
        let values: Vec<f32> = self.known.values().flatten().copied().collect();
        writer.f32(VECTORS, &[self.known.len(), self.dimension], &values);
        files::write(&self.path, &writer.into_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    const TEACHER: &str = "0123456789abcdef";

    /// Two numbers for a text, and a note of what was asked for.
    fn encode(asked: &RefCell<Vec<String>>, texts: &[&str]) -> Array2<f32> {
        asked.borrow_mut().extend(texts.iter().map(|&text| text.to_owned()));
        Array2::from_shape_fn((texts.len(), 2), |(row, column)| {
            texts[row].len() as f32 + 0.5 * column as f32
        })
    }

    #[test]
    fn only_new_texts_are_encoded_and_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors.safetensors");
        let asked = RefCell::new(Vec::new());
        let vectors = |texts: &[&str]| {
            let mut kept = KeptVectors::open(&path, TEACHER, 2).unwrap();
            kept.vectors(texts, |texts| Ok(encode(&asked, texts))).unwrap()
        };
        assert_eq!(vectors(&["rain", "sea", "rain"]).row(2).to_vec(), [4.0, 4.5]);
        assert_eq!(asked.borrow().len(), 2);
        assert_eq!(vectors(&["sea", "mountain"]).row(0).to_vec(), [3.0, 3.5]);
        assert_eq!(asked.borrow()[2..], ["mountain"]);
        assert_eq!(vectors(&[]).nrows(), 0);
    }

    #[test]
    fn a_file_of_another_teacher_and_a_damaged_one_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors.safetensors");
        let mut kept = KeptVectors::open(&path, TEACHER, 2).unwrap();
        kept.vectors(&["rain"], |texts| Ok(encode(&RefCell::default(), texts))).unwrap();
        let refused = |teacher, dimension| {
            KeptVectors::open(&path, teacher, dimension).unwrap_err().to_string()
        };
        let other = refused("fedcba9876543210", 2);
        assert!(other.contains("of another teacher: its digest is 0123456789abcdef"), "{other}");
        refused(TEACHER, 3);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        refused(TEACHER, 2);
    }
}
