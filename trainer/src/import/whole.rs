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
        let failed = |source| Error::Write { path: place.into(), source };
        let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = tempfile::Builder::new()
            .prefix(".smooth-clir-")
            .suffix(".partial")
            .tempfile_in(folder.unwrap_or(Path::new(".")))
            .map_err(failed)?;
        // A temporary file is its owner's alone; this is for whoever may read its folder.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let everyone = std::fs::Permissions::from_mode(0o644);
            file.as_file().set_permissions(everyone).map_err(failed)?;
        }
        let temporary = file.into_temp_path();
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
