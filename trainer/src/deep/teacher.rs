//! A teacher's folder or compact file, and its vectors of many texts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use ndarray::Array2;
use rayon::prelude::*;
use smooth_clir::text::tokens;
use smooth_clir_teacher::{Files, Teacher};

use super::kept::KeptVectors;
use crate::error::Error;
use crate::files;
use crate::files::mapped;
use crate::terminal::phase::Phase;

/// Texts that one thread encodes at a time: enough for full batches, and few enough that all threads end together.
const CHUNK: usize = 32;
/// The files of a folder that are read, of which the last three may be missing.
pub const FILES: [&str; 6] = [
    "config.json",
    "tokenizer.json",
    "model.safetensors",
    "1_Pooling/config.json",
    "modules.json",
    "sentence_bert_config.json",
];

/// The compact file of the teacher in a folder.
///
/// # Errors
/// If a file is missing, or is refused.
pub fn compact(path: &Path) -> Result<Vec<u8>, Error> {
    let folder = Folder::read(path)?;
    folder.files().compact().map_err(|error| Error::data(path, error.to_string()))
}

/// The files of a teacher's folder.
struct Folder {
    config: Vec<u8>,
    tokenizer: Vec<u8>,
    weights: Vec<u8>,
    pooling: Option<Vec<u8>>,
    modules: Option<Vec<u8>>,
    sentence: Option<Vec<u8>>,
}

impl Folder {
    fn read(path: &Path) -> Result<Self, Error> {
        if !path.is_dir() {
            let problem = "is no folder with config.json, tokenizer.json and model.safetensors of a sentence encoder, and no file of compact-teacher";
            return Err(Error::data(path, problem));
        }
        let required = |name: &str| files::read(&path.join(name));
        let optional = |name: &str| match fs::read(path.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(Error::Read { path: path.join(name), source }),
        };
        let [config, tokenizer, weights, pooling, modules, sentence] = FILES;
        Ok(Self {
            config: required(config)?,
            tokenizer: required(tokenizer)?,
            weights: required(weights)?,
            pooling: optional(pooling)?,
            modules: optional(modules)?,
            sentence: optional(sentence)?,
        })
    }

    fn files(&self) -> Files<'_> {
        Files {
            config: &self.config,
            tokenizer: &self.tokenizer,
            weights: &self.weights,
            pooling: self.pooling.as_deref(),
            modules: self.modules.as_deref(),
            sentence: self.sentence.as_deref(),
        }
    }
}

/// A sentence encoder that was read from a folder or a compact file.
pub struct OpenTeacher {
    path: PathBuf,
    teacher: Teacher,
    /// The vectors that a file keeps, if one does.
    kept: Option<Mutex<KeptVectors>>,
}

impl OpenTeacher {
    /// Reads the teacher of a folder or of a file that [`compact`] made.
    ///
    /// # Errors
    /// If a file is missing, or is refused.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let refused = |error: smooth_clir_teacher::Error| Error::data(path, error.to_string());
        let teacher = if path.is_file() {
            Teacher::read_compact(&mapped::map(path)?).map_err(refused)?
        } else {
            Teacher::read(&Folder::read(path)?.files()).map_err(refused)?
        };
        Ok(Self { path: path.into(), teacher, kept: None })
    }

    /// Keeps all vectors in a file from now on, and takes those that are in it from there.
    ///
    /// # Errors
    /// If the file is of another teacher, or damaged.
    pub fn keep_in(&mut self, path: &Path) -> Result<(), Error> {
        let kept = KeptVectors::open(path, self.digest(), self.dimension())?;
        self.kept = Some(Mutex::new(kept));
        Ok(())
    }

    /// Where it was read.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The digest of the folder or file that was read: the name under which indexes and files of vectors know it.
    pub fn digest(&self) -> &str {
        self.teacher.digest()
    }

    /// The digest of the folder that its weights come from: the name under which models know it.
    pub fn origin(&self) -> &str {
        self.teacher.origin()
    }

    /// Dimensions of its vectors.
    pub fn dimension(&self) -> usize {
        self.teacher.dimension()
    }

    /// The words that are one token each, of two letters or more: the most common first.
    pub fn common_words(&self) -> Vec<String> {
        let mut words = self.teacher.word_tokens();
        words.retain(|word| word.chars().count() > 1 && tokens(word) == [&word[..]]);
        words
    }

    /// The vectors of texts, a row for each, on all threads. `task` names the work on the progress bar.
    ///
    /// # Errors
    /// If the tokenizer refuses a text, or a file that keeps vectors cannot be written.
    pub fn encode<T: AsRef<str> + Sync>(
        &self,
        texts: &[T],
        task: &str,
    ) -> Result<Array2<f32>, Error> {
        let texts: Vec<&str> = texts.iter().map(AsRef::as_ref).collect();
        match &self.kept {
            Some(kept) => kept
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .vectors(&texts, |missing| self.compute(missing, task)),
            None => self.compute(&texts, task),
        }
    }

    fn compute(&self, texts: &[&str], task: &str) -> Result<Array2<f32>, Error> {
        let dimension = self.teacher.dimension();
        let mut order: Vec<usize> = (0..texts.len()).collect();
        // The longest first, so that no thread has a long chunk left at the end.
        order.sort_by_key(|&text| std::cmp::Reverse(texts[text].len()));
        let phase = Phase::new(task, texts.len(), "texts");
        if phase.has_lines() {
            eprintln!("{task}: {} texts", texts.len());
        }
        let encode = |chunk: &[usize]| {
            let texts: Vec<&str> = chunk.iter().map(|&text| texts[text]).collect();
            let vectors = self.teacher.encode(&texts);
            phase.step(chunk.len());
            vectors.map_err(|error| Error::data(&self.path, error.to_string()))
        };
        let chunks = order.par_chunks(CHUNK).map(encode).collect::<Result<Vec<_>, _>>()?;
        drop(phase);
        let mut vectors = Array2::zeros((texts.len(), dimension));
        let rows = chunks.iter().flat_map(|chunk| chunk.chunks_exact(dimension));
        for (&text, row) in order.iter().zip(rows) {
            vectors.row_mut(text).iter_mut().zip(row).for_each(|(value, found)| *value = *found);
        }
        Ok(vectors)
    }
}
