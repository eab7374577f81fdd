//! An index in segments: a folder of indexes that are never changed, mapped into memory to be
//! searched, appended to and put together while they are.

mod append;
mod compact;
mod known;
mod list;

use std::path::{Path, PathBuf};

pub use append::{Making, append};
pub use compact::compact;
pub use list::is_in;
use list::{List, Segment};
use smooth_clir::index::{BlockFile, Index, VECTORS_FILE, texts_file};

use crate::error::Error;
use crate::files;
use crate::mapped;

/// How often a list is read again whose segments were put together meanwhile.
const TRIES: usize = 5;

/// An index, and the folder of its texts where these have files of their own.
pub type Opened = (Index, Option<PathBuf>);

/// Opens what is at a path: an index in a file, in a folder, or in segments, in their order.
pub fn open(path: &Path) -> Result<Vec<Opened>, Error> {
    if !path.is_dir() {
        return Ok(vec![(open_file(path)?, None)]);
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

fn open_segment(folder: &Path, segment: &Segment) -> Result<Opened, Error> {
    let folder = folder.join(&segment.name);
    let path = folder.join(VECTORS_FILE);
    let index = open_file(&path)?;
    if index.len() != segment.documents {
        let expected = segment.documents;
        let problem = format!("{} documents, the list of segments says {expected}", index.len());
        return Err(Error::data(&path, problem));
    }
    Ok((index, Some(folder)))
}

fn open_file(path: &Path) -> Result<Index, Error> {
    Index::read_in_place(mapped::map(path)?)
        .map_err(|source| Error::File { path: path.into(), source })
}

/// Opens a file of texts.
pub fn open_texts(folder: &Path, block: usize) -> Result<BlockFile, Error> {
    let path = folder.join(texts_file(block));
    BlockFile::read(mapped::map(&path)?).map_err(|source| Error::File { path, source })
}

/// Adds all texts of an index.
fn with_texts((index, folder): Opened) -> Result<Index, Error> {
    if let Some(folder) = folder {
        let missing: Vec<usize> = index.missing_texts().collect();
        for block in missing {
            let refused = |source| Error::File { path: folder.join(texts_file(block)), source };
            index.add_texts(open_texts(&folder, block)?).map_err(refused)?;
        }
    }
    Ok(index)
}

/// Writes the files of a new segment. The list says that its number is taken, not yet that the segment
/// is part of the index.
fn write_segment(
    folder: &Path,
    list: &mut List,
    documents: usize,
    files: Vec<(String, Vec<u8>)>,
) -> Result<Segment, Error> {
    let name = list.new_segment(folder)?;
    let place = folder.join(&name);
    files::write_all(files.into_iter().map(|(name, bytes)| (place.join(name), bytes)))?;
    Ok(Segment { name, documents })
}
