//! An index in segments: a folder of indexes that are never changed, mapped into memory to be
//! searched, appended to and put together while they are.

mod append;
mod compact;
mod known;
mod list;
mod segment;

use std::path::Path;

pub use append::{Appended, Making, append};
pub use compact::compact;
use list::List;
pub use list::is_in;
pub use segment::{Opened, open_texts};
use segment::{open_file, open_segment, with_texts};
use smooth_clir::index::{Index, VECTORS_FILE};

use crate::error::Error;

/// How often a list is read again whose segments were put together meanwhile.
const TRIES: usize = 5;

/// Opens what is at a path: an index in a file, in a folder, or in segments, in their order.
pub fn open(path: &Path) -> Result<Vec<Opened>, Error> {
    if !path.is_dir() {
        let index = open_file(path)?;
        // Of an index in a folder, the file of vectors.
        let is_part = index.missing_texts().next().is_some();
        let folder = is_part.then(|| path.parent().unwrap_or(Path::new("")).to_owned());
        return Ok(vec![(index, folder)]);
    }
    for last_try in (0..TRIES).rev() {
        let Some(list) = List::read(path)? else {
            return Ok(vec![(open_file(&path.join(VECTORS_FILE))?, Some(path.into()))]);
        };
        match list.segments.iter().map(|segment| open_segment(path, segment)).collect() {
            // They were put together since the list was read: there is a newer one.
            Err(error) if error.is_of_missing_file() && last_try > 0 => {}
            opened => return opened,
        }
    }
    Ok(Vec::new())
}

/// Opens what is at a path with all its texts.
pub fn open_whole(path: &Path) -> Result<Vec<Index>, Error> {
    open(path)?.into_iter().map(with_texts).collect()
}

/// Whether a folder has an index, in segments or not.
pub fn is_index(folder: &Path) -> bool {
    is_in(folder) || folder.join(VECTORS_FILE).is_file()
}

/// The list of a folder's segments as it is written, another one whenever they are others; `None` where
/// there is none.
#[cfg(feature = "serve")]
pub fn written(path: &Path) -> Option<Vec<u8>> {
    std::fs::read(path.join(list::NAME)).ok()
}
