//! Files that are mapped into memory: only what is looked at takes any.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;
use smooth_clir::storage::SharedBytes;

use crate::error::Error;

/// A file's bytes, read where they lie. It must not be changed as long as they are held: files of
/// segments are written once, under names that are never used again.
pub fn map(path: &Path) -> Result<SharedBytes, Error> {
    let failed = |source| Error::Read { path: path.into(), source };
    let file = File::open(path).map_err(failed)?;
    // Whoever changes the file meanwhile changes what is behind a reference, as with any mapping; we
    // do not, and what is read is checked by its digest first.
    #[allow(unsafe_code)]
    let bytes = unsafe { Mmap::map(&file) };
    bytes.map(SharedBytes::new).map_err(failed)
}
