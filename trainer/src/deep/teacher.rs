//! A teacher's folder, and its vectors of many texts.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use ndarray::Array2;
use rayon::prelude::*;
use smooth_clir::storage::container::sha256_hex;
use smooth_clir::text::tokens;
use smooth_clir_teacher::{Files, Teacher};

use super::kept::KeptVectors;
use crate::error::Error;
use crate::files;
use crate::terminal::progress_bar::progress_bar;

/// Texts that one thread encodes at a time.
const CHUNK: usize = 256;
/// A log has a line of progress this often.
const TOLD_EVERY: Duration = Duration::from_secs(30);

/// A sentence encoder that was read from a folder.
pub struct OpenTeacher {
    folder: PathBuf,
    teacher: Teacher,
    /// The SHA-256 of its files: the name under which models and indexes know it.
    pub digest: String,
    /// The vectors that a file keeps, if one does.
    kept: Option<Mutex<KeptVectors>>,
}

impl OpenTeacher {
    /// Reads the teacher of a folder.
    ///
    /// # Errors
    /// If a file is missing, or is refused.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        if !folder.is_dir() {
            let problem = "is no folder: expected config.json, tokenizer.json and model.safetensors of a sentence encoder";
            return Err(Error::data(folder, problem));
        }
        let required = |name: &str| files::read(&folder.join(name));
        let optional = |name: &str| match fs::read(folder.join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(Error::Read { path: folder.join(name), source }),
        };
        let config = required("config.json")?;
        let tokenizer = required("tokenizer.json")?;
        let weights = required("model.safetensors")?;
        let pooling = optional("1_Pooling/config.json")?;
        let modules = optional("modules.json")?;
        let sentence = optional("sentence_bert_config.json")?;
        let teacher = Teacher::read(&Files {
            config: &config,
            tokenizer: &tokenizer,
            weights: &weights,
            pooling: pooling.as_deref(),
            modules: modules.as_deref(),
            sentence: sentence.as_deref(),
        });
        let teacher = teacher.map_err(|error| Error::data(folder, error.to_string()))?;
        let mut digests =
            vec![sha256_hex(&[&config]), sha256_hex(&[&tokenizer]), sha256_hex(&[&weights])];
        digests.extend(
            [pooling, modules, sentence]
                .iter()
                .map(|file| file.as_ref().map_or_else(String::new, |bytes| sha256_hex(&[bytes]))),
        );
        let digest = sha256_hex(&[digests.join("\n").as_bytes()]);
        Ok(Self { folder: folder.into(), teacher, digest, kept: None })
    }

    /// Keeps all vectors in a file from now on, and takes those that are in it from there.
    ///
    /// # Errors
    /// If the file is of another teacher, or damaged.
    pub fn keep_in(&mut self, path: &Path) -> Result<(), Error> {
        let kept = KeptVectors::open(path, &self.digest, self.dimension())?;
        self.kept = Some(Mutex::new(kept));
        Ok(())
    }

    /// Where it was read.
    pub fn folder(&self) -> &Path {
        &self.folder
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
        let template = format!("{task} {{wide_bar}} {{percent}} %, {{eta}} left");
        let bar = progress_bar(Some(texts.len() as u64), &template);
        if bar.is_hidden() {
            eprintln!("{task}: {} texts", texts.len());
        }
        let told = Mutex::new(Instant::now());
        let encode = |chunk: &[usize]| {
            let texts: Vec<&str> = chunk.iter().map(|&text| texts[text]).collect();
            let vectors = self.teacher.encode(&texts);
            bar.inc(chunk.len() as u64);
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            if bar.is_hidden() && told.elapsed() >= TOLD_EVERY {
                eprintln!("{task}: {} of {} texts", bar.position(), order.len());
                *told = Instant::now();
            }
            drop(told);
            vectors.map_err(|error| Error::data(&self.folder, error.to_string()))
        };
        let chunks = order.par_chunks(CHUNK).map(encode).collect::<Result<Vec<_>, _>>()?;
        bar.finish_and_clear();
        let mut vectors = Array2::zeros((texts.len(), dimension));
        let rows = chunks.iter().flat_map(|chunk| chunk.chunks_exact(dimension));
        for (&text, row) in order.iter().zip(rows) {
            vectors.row_mut(text).iter_mut().zip(row).for_each(|(value, found)| *value = *found);
        }
        Ok(vectors)
    }
}
