//! Whole files, or none: written under a temporary name beside their place, then renamed.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::partial::{self, Partial};
use crate::error::Error;

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

fn write_partial(path: &Path, bytes: &[u8]) -> Result<Partial, Error> {
    let partial = Partial::beside(path)?;
    let written = partial.file().and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|source| Error::Write { path: path.into(), source })?;
    Ok(partial)
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
