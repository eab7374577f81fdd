//! One segment: an index and the files of its texts, opened and written.

use std::path::{Path, PathBuf};

use smooth_clir::index::{BlockFile, Index, VECTORS_FILE, texts_file};

use super::list::{List, Segment};
use crate::error::Error;
use crate::files;
use crate::files::mapped;

/// An index, and the folder of its texts where these have files of their own.
pub type Opened = (Index, Option<PathBuf>);

/// Opens a segment of the list of a folder.
pub fn open_segment(folder: &Path, segment: &Segment) -> Result<Opened, Error> {
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

/// Maps an index.
///
/// # Errors
/// If it cannot be read, or is another file; a part of an index is told as such.
pub fn open_file(path: &Path) -> Result<Index, Error> {
    let file = mapped::map(path)?;
    Index::read_in_place(file.clone()).map_err(|source| match BlockFile::read(file) {
        Ok(texts) => {
            let problem = format!(
                "texts {} of an index, not an index: name its folder, or its {VECTORS_FILE}",
                texts.number()
            );
            Error::data(path, problem)
        }
        Err(_) => Error::File { path: path.into(), source },
    })
}

/// Opens a file of texts.
pub fn open_texts(folder: &Path, block: usize) -> Result<BlockFile, Error> {
    let path = folder.join(texts_file(block));
    BlockFile::read(mapped::map(&path)?).map_err(|source| Error::File { path, source })
}

/// Adds all texts of an index.
pub fn with_texts((index, folder): Opened) -> Result<Index, Error> {
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
pub fn write_segment(
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
