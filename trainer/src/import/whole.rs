//! Files that are there only once all of them are written.

use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::stages::Output;
use crate::error::Error;
use crate::files;

/// A file that is written row by row under a temporary name beside its place.
pub struct Whole {
    output: Output,
    temporary: TempPath,
    place: PathBuf,
}

impl Whole {
    /// Begins a file.
    ///
    /// # Errors
    /// If none can be made beside its place.
    pub fn new(place: &Path) -> Result<Self, Error> {
        files::check_writable(place)?;
        let temporary = files::partial(place)?.into_temp_path();
        Ok(Self { output: Output::new(temporary.to_path_buf())?, temporary, place: place.into() })
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
    for Whole { output, temporary, place } in files {
        output.finish()?;
        written.push((temporary, place));
    }
    for (temporary, place) in written {
        temporary
            .persist(&place)
            .map_err(|error| Error::Write { path: place, source: error.error })?;
    }
    Ok(())
}
