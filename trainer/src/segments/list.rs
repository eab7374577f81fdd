//! `segments.json`: which segments an index has, in the order of their documents.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use smooth_clir::storage::container::FORMAT;

use crate::error::Error;
use crate::files;

/// What the file is called.
pub const NAME: &str = "segments.json";
/// Whoever holds this file's lock may write.
const LOCK: &str = ".lock";
const KIND: &str = "segments";
const VERSION: u32 = 1;
const PREFIX: &str = "segment.";

/// The segments of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct List {
    format: String,
    kind: String,
    version: u32,
    /// The number of the next segment: none is used twice.
    next: u64,
    /// Their documents follow each other.
    pub segments: Vec<Segment>,
}

/// A folder with an index in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Segment {
    /// The folder's name.
    pub name: String,
    /// How many documents it has.
    pub documents: usize,
}

impl List {
    /// No segments.
    pub fn new() -> Self {
        let (format, kind) = (FORMAT.to_owned(), KIND.to_owned());
        Self { format, kind, version: VERSION, next: 1, segments: Vec::new() }
    }

    /// Reads the list of a folder; `None` where there is none.
    pub fn read(folder: &Path) -> Result<Option<Self>, Error> {
        let path = folder.join(NAME);
        if !path.exists() {
            return Ok(None);
        }
        let refused = |problem: String| Error::data(&path, problem);
        let list: Self = serde_json::from_slice(&files::read(&path)?)
            .map_err(|error| refused(format!("not a list of segments: {error}")))?;
        if (&*list.format, &*list.kind) != (FORMAT, KIND) {
            let found = format!("format `{}` and kind `{}`", list.format, list.kind);
            return Err(refused(format!("{found}, expected `{FORMAT}` and `{KIND}`")));
        }
        if list.version != VERSION {
            let problem = format!("version {}, this program reads version {VERSION}", list.version);
            return Err(refused(problem));
        }
        if let Some(other) = list.segments.iter().find(|segment| number(&segment.name).is_none()) {
            let problem = format!("`{}` is no name of a segment, such as {PREFIX}1", other.name);
            return Err(refused(problem));
        }
        Ok(Some(list))
    }

    /// Replaces the list of a folder, at once.
    pub fn write(&self, folder: &Path) -> Result<(), Error> {
        let mut text = serde_json::to_string_pretty(self)
            .map_err(|error| Error::data(folder, error.to_string()))?;
        text.push('\n');
        files::write(&folder.join(NAME), text.as_bytes())
    }

    /// A name that no segment has had.
    pub fn next_name(&mut self) -> String {
        self.next += 1;
        format!("{PREFIX}{}", self.next - 1)
    }

    /// How many documents all segments have.
    pub fn documents(&self) -> usize {
        self.segments.iter().map(|segment| segment.documents).sum()
    }
}

/// Whether a folder has a list of segments.
pub fn is_in(folder: &Path) -> bool {
    folder.join(NAME).is_file()
}

fn number(name: &str) -> Option<u64> {
    name.strip_prefix(PREFIX)?.parse().ok()
}

/// Removes the folders of segments that a list does not have: of older lists, or never finished.
/// One that cannot be removed now is the next one's to remove.
pub fn sweep(folder: &Path, list: &List) -> Result<(), Error> {
    let entries =
        std::fs::read_dir(folder).map_err(|source| Error::Read { path: folder.into(), source })?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_listed = list.segments.iter().any(|segment| segment.name == name);
        if number(&name).is_some() && !is_listed {
            let _left_for_next_time = std::fs::remove_dir_all(entry.path());
        }
    }
    Ok(())
}

/// Keeps other programs from writing to the index in a folder, as long as the file is held.
pub fn lock(folder: &Path) -> Result<File, Error> {
    let path: PathBuf = folder.join(LOCK);
    let failed = |source| Error::Write { path: path.clone(), source };
    let file = File::create(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(Error::data(folder, "another program is writing to this index"))
        }
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}
