//! `segments.json`: which segments an index has, in the order of their documents.
//!
//! The list also says which numbers of segments have been given out. A number is written down as
//! given out before its folder is made, and only where nothing of that name is there: the folder of a
//! number that was given out is the index's own, whenever the program ended.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use smooth_clir::index::{VECTORS_FILE, texts_file};
use smooth_clir::storage::container::FORMAT;

use crate::error::Error;
use crate::files::{self, own, partial};

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
            let problem =
                format!("invalid segment name `{}`, expected one such as {PREFIX}1", other.name);
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

    /// Gives out the name of a new segment: writes down that it is taken, and makes its folder.
    ///
    /// # Errors
    /// If something of that name is in the folder, which then is not this index's.
    pub fn new_segment(&mut self, folder: &Path) -> Result<String, Error> {
        let name = format!("{PREFIX}{}", self.next);
        let place = folder.join(&name);
        match place.symlink_metadata() {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(source) => return Err(Error::Read { path: place, source }),
            Ok(_) => {
                let problem = format!(
                    "{name} exists already and does not belong to this index: move it away, or choose another folder"
                );
                return Err(Error::data(folder, problem));
            }
        }
        self.next += 1;
        self.write(folder)?;
        std::fs::create_dir(&place).map_err(|source| Error::Write { path: place, source })?;
        Ok(name)
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
    let number = name.strip_prefix(PREFIX)?.parse().ok()?;
    (format!("{PREFIX}{number}") == name).then_some(number)
}

/// Removes the segments whose numbers a list gave out and that it does not have: of older lists, or
/// never finished. Of a folder only the files of an index are removed, and the folder itself once it is
/// empty; a link is left alone. What cannot be removed now is left for the next time.
pub fn sweep(folder: &Path, list: &List) -> Result<(), Error> {
    let entries =
        std::fs::read_dir(folder).map_err(|source| Error::Read { path: folder.into(), source })?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_listed = list.segments.iter().any(|segment| segment.name == name);
        let was_given_out = number(&name).is_some_and(|number| number < list.next);
        // Not what a link leads to.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if was_given_out && !is_listed && is_folder {
            remove_segment(&entry.path());
        }
    }
    Ok(())
}

/// Removes what a segment's folder has of an index, and the folder if nothing else is in it.
fn remove_segment(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_of_index(&entry.file_name().to_string_lossy()) {
            let _left_for_next_time = std::fs::remove_file(entry.path());
        }
    }
    let _left_for_next_time = std::fs::remove_dir(folder);
}

/// Whether a file in a segment's folder is named as one of an index, finished or not.
fn is_of_index(name: &str) -> bool {
    let texts = name.strip_prefix("texts.").and_then(|rest| rest.strip_suffix(".safetensors"));
    let block = texts.and_then(|number| number.parse().ok());
    name == VECTORS_FILE
        || block.is_some_and(|number| texts_file(number) == name)
        || partial::is_name(name)
}

/// Keeps other programs from writing to the index in a folder, as long as the file is held. The file
/// stays as it is, whatever is in it.
pub fn lock(folder: &Path) -> Result<File, Error> {
    let path: PathBuf = folder.join(LOCK);
    let failed = |source| Error::Write { path: path.clone(), source };
    let file = own::open(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            Err(Error::data(folder, "another program is writing to this index"))
        }
        Err(TryLockError::Error(source)) => Err(failed(source)),
    }
}
