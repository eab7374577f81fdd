//! Files as they are downloaded: plain, gzip or bzip2, by the ending of the name.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;

use super::bzip2_streams::Streams;
use super::progress::Progress;
use crate::error::Error;
use crate::limits::import::{EXPANDED_FREELY, EXPANSION};

/// What a file holds, decompressed.
///
/// # Errors
/// If it cannot be opened; what is broken later comes as an error of reading.
pub fn open(path: &Path, progress: &Arc<Progress>) -> Result<Box<dyn BufRead>, Error> {
    let file = File::open(path).map_err(|source| Error::Read { path: path.into(), source })?;
    let read = Arc::new(AtomicU64::new(0));
    let file = Counted { file, progress: Arc::clone(progress), read: Arc::clone(&read) };
    Ok(match path.extension().and_then(|ending| ending.to_str()) {
        Some("bz2") => Box::new(Bounded { decoded: Streams::new(file), read, taken: 0 }),
        Some("gz") => {
            let decoder = MultiGzDecoder::new(BufReader::with_capacity(1 << 16, file));
            let decoded = BufReader::with_capacity(1 << 18, decoder);
            Box::new(Bounded { decoded, read, taken: 0 })
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
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.progress.advance(count as u64);
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// What a file is decoded to, as far as it is no more than a file of its size can hold.
struct Bounded<R> {
    decoded: R,
    /// Bytes read of the file.
    read: Arc<AtomicU64>,
    /// Bytes taken of what it is decoded to.
    taken: u64,
}

impl<R: BufRead> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let read = self.read.load(Ordering::Relaxed);
        if self.taken > EXPANDED_FREELY + EXPANSION * read {
            let problem = format!("{read} bytes expand to more than {EXPANSION} times as many");
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        self.decoded.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.taken += count as u64;
        self.decoded.consume(count);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use bzip2::Compression;
    use bzip2::write::BzEncoder;
    use flate2::write::GzEncoder;

    use super::*;

    /// Reads so many bytes that are decoded from so many of a file.
    fn read_of(decoded: u64, read: u64) -> io::Result<u64> {
        let decoded = BufReader::new(io::repeat(b'a').take(decoded));
        let mut bounded = Bounded { decoded, read: Arc::new(AtomicU64::new(read)), taken: 0 };
        io::copy(&mut bounded, &mut io::sink())
    }

    #[test]
    fn a_file_expands_so_often_and_no_more() {
        for read in [0, 1, 1 << 16] {
            let most = EXPANDED_FREELY + EXPANSION * read;
            assert_eq!(read_of(most - 1, read).unwrap(), most - 1);
            assert_eq!(read_of(most, read).unwrap(), most);
            let refused = read_of(most + 1, read).unwrap_err().to_string();
            assert_eq!(refused, format!("{read} bytes expand to more than 250 times as many"));
        }
    }

    fn refusal(ending: &str, bytes: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("bomb.{ending}"));
        std::fs::write(&path, bytes).unwrap();
        let mut reader = open(&path, &Arc::new(Progress::new("bomb", 1))).unwrap();
        io::copy(&mut reader, &mut io::sink()).unwrap_err().to_string()
    }

    #[test]
    fn a_file_made_to_fill_a_disk_is_refused() {
        let megabyte = vec![0; 1 << 20];
        let mut bzip2 = BzEncoder::new(Vec::new(), Compression::best());
        bzip2.write_all(&megabyte).unwrap();
        // 2 GiB, of 90 KB.
        assert!(refusal("bz2", &bzip2.finish().unwrap().repeat(2048)).contains("250 times"));
        let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::best());
        for _ in 0..200 {
            gzip.write_all(&megabyte).unwrap();
        }
        assert!(refusal("gz", &gzip.finish().unwrap()).contains("250 times"));
    }
}
