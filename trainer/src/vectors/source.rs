//! A file read from its beginning to its end, which knows where it is.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::limits::LINE_BYTES;

const BUFFER_BYTES: usize = 1 << 16;

/// A file being read: buffered, its digest taken on the way.
pub struct Source {
    path: PathBuf,
    reader: BufReader<Digesting>,
    position: u64,
    /// What errors name beside the byte.
    entry: Option<(&'static str, u64)>,
}

/// Takes the digest of what passes through.
struct Digesting {
    file: File,
    hash: Sha256,
}

impl Read for Digesting {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let count = self.file.read(bytes)?;
        self.hash.update(&bytes[..count]);
        Ok(count)
    }
}

impl Source {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(|source| Error::Read { path: path.into(), source })?;
        let reader =
            BufReader::with_capacity(BUFFER_BYTES, Digesting { file, hash: Sha256::new() });
        Ok(Self { path: path.into(), reader, position: 0, entry: None })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The next bytes, not yet taken: at the start, the file's first 64 KiB.
    pub fn head(&mut self) -> Result<&[u8], Error> {
        self.reader.fill_buf().map_err(|source| Error::Read { path: self.path.clone(), source })
    }

    /// How many bytes were taken.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Whether all bytes were taken.
    pub fn at_end(&mut self) -> Result<bool, Error> {
        Ok(self.head()?.is_empty())
    }

    /// Names what is read from now on in errors: `entry 17`.
    pub fn reading(&mut self, what: &'static str, number: u64) {
        self.entry = Some((what, number));
    }

    /// Refuses what is there.
    pub fn refuse(&self, problem: impl std::fmt::Display) -> Error {
        let entry = self.entry.map(|(what, number)| format!("{what} {number}, "));
        let place = format!("{}byte {}", entry.unwrap_or_default(), self.position);
        Error::data(&self.path, format!("{place}: {problem}"))
    }

    /// Takes bytes up to `end` and `end` itself, which `bytes` does not get; false where the file
    /// ends before it.
    pub fn until(&mut self, end: u8, bytes: &mut Vec<u8>) -> Result<bool, Error> {
        bytes.clear();
        let mut limited = self.reader.by_ref().take(LINE_BYTES as u64 + 1);
        let count = limited
            .read_until(end, bytes)
            .map_err(|source| Error::Read { path: self.path.clone(), source })?;
        if bytes.last() == Some(&end) {
            bytes.pop();
            self.position += count as u64;
            return Ok(true);
        }
        if count > LINE_BYTES {
            return Err(self.refuse(format!(
                "no {:?} within {LINE_BYTES} bytes, the limit of a line or word",
                char::from(end)
            )));
        }
        self.position += count as u64;
        Ok(false)
    }

    /// Fills `bytes`.
    pub fn exact(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        match self.reader.read_exact(bytes) {
            Ok(()) => {
                self.position += bytes.len() as u64;
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => Err(self
                .refuse(format!("the file ends within the {} bytes expected here", bytes.len()))),
            Err(source) => Err(Error::Read { path: self.path.clone(), source }),
        }
    }

    /// A number of bytes known at compile time.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let mut bytes = [0; N];
        self.exact(&mut bytes)?;
        Ok(bytes)
    }

    /// Passes over bytes.
    pub fn skip(&mut self, count: u64) -> Result<(), Error> {
        let mut left = count;
        while left > 0 {
            let there = self.head()?.len() as u64;
            if there == 0 {
                return Err(self.refuse(format!("the file ends {left} bytes too soon")));
            }
            self.take(there.min(left) as usize);
            left -= there.min(left);
        }
        Ok(())
    }

    /// Takes bytes that [`head`](Self::head) showed.
    pub fn take(&mut self, count: usize) {
        self.reader.consume(count);
        self.position += count as u64;
    }

    /// A row of finite little-endian numbers; `bytes` is room for them, 4 for each.
    pub fn row(&mut self, bytes: &mut [u8], row: &mut [f32]) -> Result<(), Error> {
        self.exact(bytes)?;
        for (number, four) in row.iter_mut().zip(bytes.as_chunks::<4>().0) {
            *number = f32::from_le_bytes(*four);
        }
        match row.iter().position(|number| !number.is_finite()) {
            Some(at) => Err(self.refuse(format!("number {} is {}, not finite", at + 1, row[at]))),
            None => Ok(()),
        }
    }

    /// The digest of the file, which must be at its end.
    pub fn finish(mut self) -> Result<String, Error> {
        if !self.at_end()? {
            return Err(self.refuse("unexpected bytes after the end"));
        }
        let digest = self.reader.into_inner().hash.finalize();
        Ok(digest.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}
