//! What lies in a folder that was named, and what only a link in it leads to.

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

    /// Whether a path in the folder leads out of it. What is not there leads nowhere.
    pub fn leads_out(&self, path: &Path) -> bool {
        fs::canonicalize(path).is_ok_and(|place| !place.starts_with(&self.root))
    }

    /// What a path that leads out does.
    pub fn told(&self) -> String {
        format!("it leads out of {}", self.folder.display())
    }
}
