//! `manifest`: what the files of a folder are to be, for whoever fetches them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::cli;
use crate::error::Error;
use crate::files;

const NAME: &str = "manifest.json";
/// What stays as it is in the path of an address, as browsers have it.
const PATH: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=')
    .remove(b'@');

/// Writes the lengths and SHA-256 of all files of a folder, and of those within it, to its
/// `manifest.json`; hidden ones and other manifests are left out.
pub fn run(arguments: &cli::Manifest) -> Result<(), Error> {
    let folder = &arguments.folder;
    let mut found = BTreeMap::new();
    add(folder, "", &mut found)?;
    if found.is_empty() {
        return Err(Error::data(folder, "a folder without files"));
    }
    let count = found.len();
    let manifest = json!({ "format": "smooth-clir-manifest", "version": 1, "files": found });
    let path = folder.join(NAME);
    files::write(&path, format!("{manifest:#}\n").as_bytes())?;
    eprintln!("{}: {count} files", path.display());
    Ok(())
}

/// Adds a folder's files; `place` is where the folder lies, seen from the manifest, with a slash.
fn add(folder: &Path, place: &str, found: &mut BTreeMap<String, Value>) -> Result<(), Error> {
    let failed = |source| Error::Read { path: folder.into(), source };
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        let name = entry.file_name().into_string().map_err(|_| {
            Error::data(&path, "a name that is not UTF-8, which an address cannot have")
        })?;
        if name.starts_with('.') || name == NAME {
            continue;
        }
        let place = format!("{place}{}", utf8_percent_encode(&name, PATH));
        // A link to a folder is not followed: it may lead back here.
        if entry.file_type().map_err(failed)?.is_dir() {
            add(&path, &format!("{place}/"), found)?;
            continue;
        }
        let unreadable = |source| Error::Read { path: path.clone(), source };
        let about = fs::metadata(&path).map_err(unreadable)?;
        if about.is_file() {
            let file = json!({ "bytes": about.len(), "sha256": files::digest(&path)? });
            found.insert(place, file);
        }
    }
    Ok(())
}
