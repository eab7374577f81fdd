//! `manifest`: what the files of a folder are to be, for whoever fetches them.

use std::collections::BTreeMap;
use std::fs;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Value, json};

use crate::error::Error;
use crate::files::{self, LeftOut};
use clap::Args;
use std::path::{Path, PathBuf};

/// `manifest`
#[derive(Debug, Args)]
pub struct Manifest {
    /// A folder of models, indexes or both
    pub folder: PathBuf,
}

const NAME: &str = "manifest.json";
const FORMAT: &str = "smooth-clir-manifest";
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
    .remove(b'@')
    .remove(b'/');

/// Refuses what is no manifest of this command: that of a web application has the same name, and a link leads elsewhere.
fn check_own(path: &Path) -> Result<(), Error> {
    let Ok(about) = fs::symlink_metadata(path) else { return Ok(()) };
    let read = || serde_json::from_slice::<Value>(&files::read(path).ok()?).ok();
    let is_own = about.is_file() && read().is_some_and(|found| found["format"] == FORMAT);
    match is_own {
        true => Ok(()),
        false => {
            Err(Error::data(path, "is there, and is no manifest of smooth-clir: move it away"))
        }
    }
}

/// Writes the lengths and SHA-256 of all files of a folder, and of those within it, to its
/// `manifest.json`; hidden ones and other manifests are left out.
pub fn run(arguments: &Manifest) -> Result<(), Error> {
    let folder = &arguments.folder;
    let mut found = BTreeMap::new();
    let places = files::places(folder, &|name| name != NAME)?;
    for LeftOut { path, reason, is_wrong } in &places.left_out {
        match is_wrong {
            true => return Err(Error::data(path, reason)),
            false => eprintln!("{}: left out, {reason}", path.display()),
        }
    }
    for place in places.files {
        let path = folder.join(&place);
        let about =
            fs::metadata(&path).map_err(|source| Error::Read { path: path.clone(), source })?;
        let file = json!({ "bytes": about.len(), "sha256": files::digest(&path)? });
        found.insert(utf8_percent_encode(&place, PATH).to_string(), file);
    }
    if found.is_empty() {
        return Err(Error::data(folder, "a folder without files"));
    }
    let path = folder.join(NAME);
    check_own(&path)?;
    let count = found.len();
    let manifest = json!({ "format": FORMAT, "version": 1, "files": found });
    files::write(&path, format!("{manifest:#}\n").as_bytes())?;
    eprintln!("{}: {count} files", path.display());
    Ok(())
}
