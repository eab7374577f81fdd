//! Index files in memory: mapped, so that only what is looked at takes any, or read whole.

use std::fs::{self, File};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use memmap2::Mmap;
use smooth_clir::storage::SharedBytes;

use crate::error::Error;

static ARE_READ: AtomicBool = AtomicBool::new(false);

/// From now on files are read and not mapped. Whatever happens to one after that is no concern of ours.
pub fn read_from_now_on() {
    ARE_READ.store(true, Ordering::Relaxed);
}

/// A file's bytes, read where they lie. It must not be changed as long as they are held: files of
/// segments are written once, under names that are never used again.
pub fn map(path: &Path) -> Result<SharedBytes, Error> {
    let failed = |source| Error::Read { path: path.into(), source };
    if ARE_READ.load(Ordering::Relaxed) {
        return fs::read(path).map(SharedBytes::from).map_err(failed);
    }
    let file = File::open(path).map_err(failed)?;
    // Whoever changes the file meanwhile changes what is behind a reference, as with any mapping; we
    // do not, and what is read is checked by its digest first.
    #[allow(unsafe_code)]
    let bytes = unsafe { Mmap::map(&file) };
    bytes.map(SharedBytes::new).map_err(failed)
}
