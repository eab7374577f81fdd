//! Files as they are downloaded: plain, gzip or bzip2, by the ending of the name.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use flate2::read::MultiGzDecoder;

use super::bzip2_streams::Streams;
use super::progress::Progress;
use crate::error::Error;

/// What a file holds, decompressed.
///
/// # Errors
/// If it cannot be opened; what is broken later comes as an error of reading.
pub fn open(path: &Path, progress: &Arc<Progress>) -> Result<Box<dyn BufRead>, Error> {
    let file = File::open(path).map_err(|source| Error::Read { path: path.into(), source })?;
    let file = Counted { file, progress: Arc::clone(progress) };
    Ok(match path.extension().and_then(|ending| ending.to_str()) {
        Some("bz2") => Box::new(Streams::new(file)),
        Some("gz") => {
            let decoder = MultiGzDecoder::new(BufReader::with_capacity(1 << 16, file));
            Box::new(BufReader::with_capacity(1 << 18, decoder))
        }
        _ => Box::new(BufReader::with_capacity(1 << 18, file)),
    })
}

/// The length of a file.
pub fn length(path: &Path) -> Result<u64, Error> {
    let there = std::fs::metadata(path);
    there.map(|there| there.len()).map_err(|source| Error::Read { path: path.into(), source })
}

/// A file that tells how far it is read.
struct Counted {
    file: File,
    progress: Arc<Progress>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.progress.advance(count as u64);
        Ok(count)
    }
}
