//! Where outputs go: folders, places that can be written to, places that differ.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.into(),
        _ => PathBuf::from("."),
    }
}

/// Whether a path given for output means a folder: it ends with a slash.
pub fn names_folder(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}

/// Makes a folder, and those above it, where they are not there.
pub fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|source| Error::Write { path: path.into(), source })
}

/// Refuses a place where nothing can be written, before the work whose result goes there.
pub fn check_writable(path: &Path) -> Result<(), Error> {
    if !names_folder(path) && path.is_dir() {
        let problem = "is a folder; end it with a slash to write several files into it";
        return Err(Error::data(path, problem));
    }
    let failed = |source| Error::Write { path: path.into(), source };
    if path.exists() && !path.is_file() && !path.is_dir() {
        return fs::OpenOptions::new().write(true).open(path).map(drop).map_err(failed);
    }
    scratch(path).map(drop)
}

/// Refuses an output that is an input, or another output, by another name or the same.
pub fn check_distinct<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Error> {
    let same = |path: &Path| {
        // What is not there yet has no path of its own, but its folder has.
        let folder = fs::canonicalize(folder_of(path)).unwrap_or_else(|_| folder_of(path));
        let new = folder.join(path.file_name().unwrap_or_default());
        fs::canonicalize(path).unwrap_or(new)
    };
    let is_file = |path: &&Path| !path.exists() || path.is_file();
    let mut taken: Vec<PathBuf> =
        inputs.into_iter().filter(|path| path.is_file()).map(same).collect();
    for path in outputs.into_iter().filter(is_file) {
        let place = same(path);
        if taken.contains(&place) {
            let problem = "is also an input or another output: choose another name";
            return Err(Error::Usage(format!("{}: {problem}", path.display())));
        }
        taken.push(place);
    }
    Ok(())
}

/// A file without a name beside an output: gone when it is closed, however the program ends.
pub fn scratch(beside: &Path) -> Result<fs::File, Error> {
    let folder = match names_folder(beside) {
        // It need not be there: whoever writes to it makes it.
        true => nearest(beside),
        false => folder_of(beside),
    };
    tempfile::tempfile_in(&folder).map_err(|source| Error::Write { path: beside.into(), source })
}

/// The path, or the nearest folder above it, that is there.
fn nearest(path: &Path) -> PathBuf {
    let there = path.components().as_path().ancestors().find(|above| above.exists());
    there.map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}
