//! Tab-separated lines, checked as they are read.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::error::Error;

/// A line, a record or a page has so many at most.
pub const MOST_LINE_BYTES: u64 = 16 << 20;

/// Calls `take` with the number and the columns of each line that is not empty; otherwise as
/// [`read_lines`].
pub fn read<const COLUMNS: usize>(
    path: &Path,
    names: [&str; COLUMNS],
    mut take: impl FnMut(u64, [&str; COLUMNS]) -> Result<(), String>,
) -> Result<(), Error> {
    read_lines(path, |line, text| take(line, columns(text, names)?))
}

/// Calls `take` with the number and the text of each line that is not empty. A carriage return at
/// a line's end and a byte order mark at the file's start are dropped.
///
/// `take` says what is wrong with a line; the error names file and line.
pub fn read_lines(
    path: &Path,
    take: impl FnMut(u64, &str) -> Result<(), String>,
) -> Result<(), Error> {
    let file = File::open(path).map_err(|source| Error::Read { path: path.into(), source })?;
    read_lines_of(path, BufReader::with_capacity(1 << 16, file), take)
}

/// The same of a file that was opened.
pub fn read_lines_of(
    path: &Path,
    mut reader: impl BufRead,
    mut take: impl FnMut(u64, &str) -> Result<(), String>,
) -> Result<(), Error> {
    let mut bytes = Vec::new();
    for line in 1.. {
        let Some(text) = read_line(&mut reader, path, line, &mut bytes)? else { break };
        if !text.is_empty() {
            let at_line = |problem| Error::Line { path: path.into(), line, problem };
            take(line, text).map_err(at_line)?;
        }
    }
    Ok(())
}

/// The text of a line of this number, which is read into `bytes`; `None` where there is no more. A
/// carriage return at its end is dropped, and a byte order mark at the head of the first.
pub fn read_line<'a>(
    reader: &mut impl BufRead,
    path: &Path,
    line: u64,
    bytes: &'a mut Vec<u8>,
) -> Result<Option<&'a str>, Error> {
    bytes.clear();
    let mut limited = reader.by_ref().take(MOST_LINE_BYTES + 1);
    let failed = |source| Error::Read { path: path.into(), source };
    if limited.read_until(b'\n', bytes).map_err(failed)? == 0 {
        return Ok(None);
    }
    let at_line = |problem| Error::Line { path: path.into(), line, problem };
    if bytes.len() as u64 > MOST_LINE_BYTES {
        let problem = format!("longer than {MOST_LINE_BYTES} bytes, the most a line may have");
        return Err(at_line(problem));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        at_line(format!("not UTF-8 at byte {} of the line", error.valid_up_to() + 1))
    })?;
    let text = text.strip_suffix('\n').unwrap_or(text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    Ok(Some(if line == 1 { text.strip_prefix('\u{feff}').unwrap_or(text) } else { text }))
}

fn columns<'a, const COLUMNS: usize>(
    text: &'a str,
    names: [&str; COLUMNS],
) -> Result<[&'a str; COLUMNS], String> {
    let found: Vec<&str> = text.split('\t').collect();
    let count = found.len();
    found.try_into().map_err(|_| {
        format!("{count} tab-separated column(s), expected {COLUMNS}: {}", names.join(", "))
    })
}

/// A value in an error, cut where it is long.
pub fn shown(value: &str) -> String {
    let mut cut: String = value.chars().take(60).collect();
    if cut.len() < value.len() {
        cut.push('…');
    }
    cut
}
