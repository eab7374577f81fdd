//! What lies in a folder that was named, in sight, and what only a link in it leads to.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// A folder that was named. It may be a link itself.
pub struct Within<'a> {
    folder: &'a Path,
    /// Without links.
    root: PathBuf,
}

impl<'a> Within<'a> {
    /// Finds out where a folder really is.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn new(folder: &'a Path) -> Result<Self, Error> {
        // What has no folder before it is in the one at hand.
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let root = fs::canonicalize(folder);
        let root = root.map_err(|source| Error::Read { path: folder.into(), source })?;
        Ok(Self { folder, root })
    }

    /// Why a path in the folder is not to be read: a link in it leads out of the folder, or to what is hidden in it. What is
    /// not there leads nowhere.
    pub fn refusal(&self, path: &Path) -> Option<String> {
        let place = fs::canonicalize(path).ok()?;
        let does = match place.strip_prefix(&self.root) {
            Err(_) => "leads out of",
            Ok(place) if is_hidden(place) => "leads to what is hidden in",
            Ok(_) => return None,
        };
        Some(format!("it {does} {}", self.folder.display()))
    }
}

/// Whether a path is hidden, or in a hidden folder: a name begins with a dot.
pub fn is_hidden(path: &Path) -> bool {
    path.components().any(|name| name.as_os_str().as_encoded_bytes().starts_with(b"."))
}
