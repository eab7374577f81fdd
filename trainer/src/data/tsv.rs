//! Files of lines, and of tab-separated ones, checked as they are read.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use smooth_clir_documents::lines;
pub use smooth_clir_documents::shown;

use crate::error::Error;

/// Calls `take` with the number and the columns of each line that is not empty; otherwise as
/// [`read_lines`].
pub fn read<const COLUMNS: usize>(
    path: &Path,
    names: [&str; COLUMNS],
    mut take: impl FnMut(u64, [&str; COLUMNS]) -> Result<(), String>,
) -> Result<(), Error> {
    read_lines(path, |line, text| take(line, lines::columns(text, names)?))
}

/// Calls `take` with the number and the text of each line that is not empty. A carriage return at
/// a line's end and a byte order mark at the file's start are dropped.
///
/// `take` says what is wrong with a line; the error names file and line.
pub fn read_lines(
    path: &Path,
    take: impl FnMut(u64, &str) -> Result<(), String>,
) -> Result<(), Error> {
    read_lines_of(path, open(path)?, take)
}

/// A file to be read line by line.
pub fn open(path: &Path) -> Result<BufReader<File>, Error> {
    let file = File::open(path).map_err(|source| Error::Read { path: path.into(), source })?;
    Ok(BufReader::with_capacity(1 << 16, file))
}

/// Does as [`read_lines`] with a file that is open.
pub fn read_lines_of(
    path: &Path,
    reader: impl BufRead,
    take: impl FnMut(u64, &str) -> Result<(), String>,
) -> Result<(), Error> {
    lines::read(reader, take).map_err(|error| Error::documents(path, error))
}

/// Reads the line of this number into `bytes` and gives its text, as [`read_lines`] does; `None` at the end.
pub fn read_line<'a>(
    reader: &mut impl BufRead,
    path: &Path,
    line: u64,
    bytes: &'a mut Vec<u8>,
) -> Result<Option<&'a str>, Error> {
    lines::read_line(reader, line, bytes).map_err(|error| Error::documents(path, error))
}
