//! Temporary files beside the places of what is written: renamed once all is on the disk, removed where
//! the program fails or is interrupted.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tempfile::NamedTempFile;

use super::{own, paths};
use crate::error::Error;

/// How the names of temporary files begin and end, and how many letters and digits lie between.
const PREFIX: &str = ".smooth-clir-";
const SUFFIX: &str = ".partial";
const RANDOM: usize = 6;
/// A temporary file that was changed less long ago may be one that is not locked yet.
const YOUNG: Duration = Duration::from_secs(60);

/// The temporary files there are. Whoever holds the lock keeps others from being made.
static ALIVE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn alive() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    ALIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A temporary file beside a place. It is removed when it is dropped.
pub struct Partial {
    /// None once it is in its place.
    file: Option<NamedTempFile>,
    path: PathBuf,
}

impl Partial {
    /// An empty file beside a place, for what is to lie there. It is locked as long as it is open, by
    /// which other programs know that it is in use.
    ///
    /// # Errors
    /// If none can be made there.
    pub fn beside(place: &Path) -> Result<Self, Error> {
        let failed = |source| Error::Write { path: place.into(), source };
        // Until it is known: an interruption between would leave it.
        let mut alive = alive();
        let file = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(SUFFIX)
            .rand_bytes(RANDOM)
            .tempfile_in(paths::folder_of(place))
            .map_err(failed)?;
        let path = file.path().to_path_buf();
        alive.insert(path.clone());
        drop(alive);
        let partial = Self { file: Some(file), path };
        // Where the file system has no locks, no file can be seen to be left over.
        let _without_lock = partial.file().map(File::try_lock);
        // A temporary file is its owner's alone; a model is for whoever may read its folder.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let everyone = fs::Permissions::from_mode(0o644);
            let file = partial.file().map_err(failed)?;
            file.set_permissions(everyone).map_err(failed)?;
        }
        Ok(partial)
    }

    /// Where it is.
    #[cfg(feature = "import")]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The open file.
    ///
    /// # Errors
    /// If it is in its place already.
    pub fn file(&self) -> std::io::Result<&File> {
        let file = self.file.as_ref().map(NamedTempFile::as_file);
        file.ok_or_else(|| std::io::Error::other("it was renamed"))
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            let mut alive = alive();
            drop(file);
            alive.remove(&self.path);
        }
    }
}

/// Renames files that belong together to their places. An interruption waits until all are there.
///
/// # Errors
/// If one cannot be renamed; those after it are removed.
pub fn put_in_place(mut files: Vec<(Partial, PathBuf)>) -> Result<(), Error> {
    // Given back before `files` are dropped, which takes it too.
    let mut alive = alive();
    for (partial, place) in &mut files {
        if let Some(file) = partial.file.take() {
            let renamed = file.persist(&*place);
            alive.remove(&partial.path);
            renamed.map_err(|error| Error::Write { path: place.clone(), source: error.error })?;
        }
    }
    Ok(())
}

/// Removes all temporary files, of a program that ends. As long as what it gives back is held no others
/// are made, and none gets into its place.
#[cfg(unix)]
pub fn remove_all() -> impl Sized {
    let alive = alive();
    for path in &*alive {
        let _nothing_else_to_do = fs::remove_file(path);
    }
    alive
}

/// Removes the temporary files in a folder that a program left which was killed: those of which no
/// program holds the lock. Whatever cannot be told apart from a file in use is left.
pub fn remove_stale(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && is_name(&entry.file_name().to_string_lossy()) {
            let path = entry.path();
            if is_stale(&path) && fs::remove_file(&path).is_ok() {
                eprintln!("{}: removed, left by an interrupted program", path.display());
            }
        }
    }
}

fn is_stale(path: &Path) -> bool {
    let Ok(file) = own::open_there(path) else { return false };
    let age = file.metadata().and_then(|about| about.modified()).map(|changed| changed.elapsed());
    age.is_ok_and(|age| age.is_ok_and(|age| age > YOUNG)) && file.try_lock().is_ok()
}

/// Whether a file is named as [`Partial::beside`] names one.
pub fn is_name(name: &str) -> bool {
    let middle = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX));
    middle.is_some_and(|middle| {
        middle.len() == RANDOM && middle.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}
