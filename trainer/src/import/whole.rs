//! Files that are there only once all of them are written.

use std::path::{Path, PathBuf};

use super::stages::Output;
use crate::error::Error;
use crate::files;
use crate::files::partial::{self, Partial};

/// A file that is written row by row under a temporary name beside its place.
pub struct Whole {
    output: Output,
    partial: Partial,
    place: PathBuf,
}

impl Whole {
    /// Begins a file.
    ///
    /// # Errors
    /// If none can be made beside its place.
    pub fn new(place: &Path) -> Result<Self, Error> {
        files::check_writable(place)?;
        let partial = Partial::beside(place)?;
        let file = partial.file().and_then(|file| file.try_clone());
        let file = file.map_err(|source| Error::Write { path: place.into(), source })?;
        let output = Output::of(partial.path().to_path_buf(), file);
        Ok(Self { output, partial, place: place.into() })
    }

    /// Appends a line of columns, in which tabs and ends of lines become spaces.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn row(&mut self, columns: &[&str]) -> Result<(), Error> {
        self.output.row(columns)
    }
}

/// Puts files that belong together in their places once all of them are on the disk.
///
/// # Errors
/// If one cannot be written.
pub fn finish(files: impl IntoIterator<Item = Whole>) -> Result<(), Error> {
    let mut written = Vec::new();
    for Whole { output, partial, place } in files {
        output.finish()?;
        written.push((partial, place));
    }
    partial::put_in_place(written)
}
