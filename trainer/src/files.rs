//! Whole files, or none: written under a temporary name beside their place, then renamed.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use smooth_clir::encoder::Precision;
use smooth_clir::model::Model;

use crate::error::Error;
use crate::partial::{self, Partial};
use crate::within::Within;

/// The places of the files of a folder and of those within it, seen from the folder, sorted: those whose
/// names are wanted. Hidden ones are left out, and what is no file. A link is followed to a file within
/// the folder; one that leads out of it, and one to a folder, are left out and told.
///
/// # Errors
/// If a folder cannot be read, or a name is not UTF-8.
pub fn places(folder: &Path, is_wanted: &dyn Fn(&str) -> bool) -> Result<Vec<String>, Error> {
    let mut places = Vec::new();
    add_places(&Within::new(folder)?, folder, "", is_wanted, &mut places)?;
    places.sort_unstable();
    Ok(places)
}

/// `place` is the folder's own, with a slash.
fn add_places(
    within: &Within<'_>,
    folder: &Path,
    place: &str,
    is_wanted: &dyn Fn(&str) -> bool,
    places: &mut Vec<String>,
) -> Result<(), Error> {
    let failed = |source| Error::Read { path: folder.into(), source };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (path, name) = (entry.path(), entry.file_name());
        let is_folder = entry.file_type().map_err(failed)?.is_dir();
        let seen = name.to_string_lossy();
        // A link to a folder is looked at too, to be told.
        if seen.starts_with('.') || !path.is_dir() && !is_wanted(&seen) {
            continue;
        }
        if within.leads_out(&path) {
            eprintln!("{}: left out, {}", path.display(), within.told());
            continue;
        }
        let name = name.to_str().ok_or_else(|| {
            Error::data(&path, "a name that is not UTF-8, which an address cannot have")
        })?;
        let place = format!("{place}{name}");
        if is_folder {
            add_places(within, &path, &format!("{place}/"), is_wanted, places)?;
        } else if fs::metadata(&path).is_ok_and(|about| about.is_file()) {
            places.push(place);
        } else {
            // A link to a folder is not followed: it may lead back here.
            eprintln!("{}: left out, it is no file", path.display());
        }
    }
    Ok(())
}

/// Reads a file.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|source| Error::Read { path: path.into(), source })
}

/// The SHA-256 of a file of any size, in hexadecimal.
pub fn digest(path: &Path) -> Result<String, Error> {
    digest_by::<Sha256>(path)
}

/// Another digest of a file of any size, in hexadecimal.
pub fn digest_by<D: Digest>(path: &Path) -> Result<String, Error> {
    let failed = |source| Error::Read { path: path.into(), source };
    let mut file = fs::File::open(path).map_err(failed)?;
    let mut hash = D::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer).map_err(failed)? {
            0 => return Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()),
            count => hash.update(&buffer[..count]),
        }
    }
}

/// Writes a file, replacing one of that name only once all of it is on the disk.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_all([(path.to_path_buf(), bytes.to_vec())])
}

/// Writes files that belong together: none is replaced before all of them are on the disk, and one that
/// is already as it should be is left alone. A link is followed, and what is no file (a pipe, a device)
/// is written to as it is.
pub fn write_all(files: impl IntoIterator<Item = (PathBuf, Vec<u8>)>) -> Result<(), Error> {
    let mut written = Vec::new();
    for (path, bytes) in files {
        let place = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        match fs::metadata(&place) {
            Ok(there) if !there.is_file() && !there.is_dir() => write_in_place(&path, &bytes)?,
            Ok(there) if there.len() == bytes.len() as u64 && is(&place, &bytes) => {}
            _ => written.push((write_partial(&place, &bytes)?, place)),
        }
    }
    partial::put_in_place(written)
}

/// Whether a file has these bytes.
fn is(path: &Path, bytes: &[u8]) -> bool {
    fs::read(path).is_ok_and(|there| there == bytes)
}

fn write_in_place(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut open = fs::OpenOptions::new();
    let written = open.write(true).open(path).and_then(|mut file| file.write_all(bytes));
    written.map_err(|source| Error::Write { path: path.into(), source })
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
            let problem = "is an input, or another output, too: choose another name";
            return Err(Error::Usage(format!("{}: {problem}", path.display())));
        }
        taken.push(place);
    }
    Ok(())
}

fn write_partial(path: &Path, bytes: &[u8]) -> Result<Partial, Error> {
    let partial = Partial::beside(path)?;
    let written = partial.file().and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|source| Error::Write { path: path.into(), source })?;
    Ok(partial)
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.into(),
        _ => PathBuf::from("."),
    }
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

/// Makes a folder, and those above it, where they are not there.
pub fn make_folder(path: &Path) -> Result<(), Error> {
    fs::create_dir_all(path).map_err(|source| Error::Write { path: path.into(), source })
}

/// Whether a path given for output means a folder: it ends with a slash.
pub fn names_folder(path: &Path) -> bool {
    path.as_os_str().to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR])
}

/// The files of a model: one, or where `out` names a folder, which is made, one for each side.
pub fn of_model(
    out: &Path,
    model: &Model,
    precision: Precision,
) -> Result<Vec<(PathBuf, Vec<u8>)>, Error> {
    if !names_folder(out) {
        return Ok(vec![(out.into(), model.write(precision))]);
    }
    make_folder(out)?;
    let parts = model.write_parts(precision).into_iter();
    Ok(parts.map(|(name, bytes)| (out.join(name), bytes)).collect())
}

/// [`write_all`], and says what was written.
pub fn write_and_tell(files: Vec<(PathBuf, Vec<u8>)>) -> Result<(), Error> {
    let told =
        files.iter().map(|(path, bytes)| format!("{}: {} bytes", path.display(), bytes.len()));
    let told: Vec<String> = told.collect();
    write_all(files)?;
    eprintln!("{}", told.join("\n"));
    Ok(())
}

/// Reads a model: a file, or a folder of the files of one.
pub fn read_model(path: &Path) -> Result<Model, Error> {
    if !path.is_dir() {
        let bytes = read(path)?;
        return Model::read(&bytes).map_err(|source| Error::File { path: path.into(), source });
    }
    let mut model: Option<Model> = None;
    for part in model_files(path)? {
        let bytes = read(&part)?;
        let refused = |source| Error::File { path: part.clone(), source };
        let side = Model::read(&bytes).map_err(refused)?;
        match &mut model {
            None => model = Some(side),
            Some(model) => model.join(side).map_err(refused)?,
        }
    }
    model.ok_or_else(|| {
        Error::data(path, "no query.safetensors or document.*.safetensors in this folder")
    })
}

/// Whether a folder has files of a model.
pub fn has_model(folder: &Path) -> bool {
    model_files(folder).is_ok_and(|files| !files.is_empty())
}

fn model_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |source| Error::Read { path: folder.into(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let side = name == "query.safetensors" || name.starts_with("document.");
        if side && name.ends_with(".safetensors") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
