//! Two plain files line by line, as Moses reads and OPUS hands out: line n of one translates line n of the
//! other.

use std::io::{BufRead, Read};
use std::path::Path;
use std::sync::Arc;

use super::compressed;
use super::options::Moses;
use super::progress::Progress;
use super::whole::{self, Whole};
use crate::data::tsv::MOST_LINE_BYTES;
use crate::error::Error;

/// Does the import.
///
/// # Errors
/// If a file cannot be read, has more lines than the other, or the output cannot be written.
pub fn run(options: &Moses) -> Result<(), Error> {
    let paths = [&options.english, &options.other];
    let total = compressed::length(paths[0])? + compressed::length(paths[1])?;
    let progress = Arc::new(Progress::new("moses", total));
    let [mut english, mut other] =
        [Lines::open(paths[0], &progress)?, Lines::open(paths[1], &progress)?];
    let mut out = Whole::new(&options.out)?;
    let (mut written, mut empty) = (0u64, 0u64);
    loop {
        match (english.next()?, other.next()?) {
            (false, false) => break,
            (true, false) => return Err(english.alone(paths[1])),
            (false, true) => return Err(other.alone(paths[0])),
            (true, true) => {}
        }
        let texts = [english.text()?.trim(), other.text()?.trim()];
        if texts.contains(&"") {
            empty += 1;
            continue;
        }
        let id = english.line.to_string();
        out.row(&[&options.set, &id, &id, texts[0], texts[1]])?;
        written += 1;
    }
    if written == 0 {
        return Err(Error::data(paths[0], "no line that has a translation"));
    }
    whole::finish([out])?;
    progress.finish(&format!("{written} pairs, {empty} left out of which one side is empty"));
    Ok(())
}

struct Lines<'a> {
    path: &'a Path,
    reader: Box<dyn BufRead>,
    line: u64,
    bytes: Vec<u8>,
}

impl<'a> Lines<'a> {
    fn open(path: &'a Path, progress: &Arc<Progress>) -> Result<Self, Error> {
        let reader = compressed::open(path, progress)?;
        Ok(Self { path, reader, line: 0, bytes: Vec::new() })
    }

    /// Reads the next line. Whether there is one.
    fn next(&mut self) -> Result<bool, Error> {
        self.bytes.clear();
        let mut limited = self.reader.by_ref().take(MOST_LINE_BYTES + 1);
        let read = limited.read_until(b'\n', &mut self.bytes);
        if read.map_err(|source| Error::Read { path: self.path.into(), source })? == 0 {
            return Ok(false);
        }
        self.line += 1;
        if self.bytes.len() as u64 > MOST_LINE_BYTES {
            return Err(self.wrong(format!("longer than {MOST_LINE_BYTES} bytes")));
        }
        Ok(true)
    }

    /// The line.
    fn text(&self) -> Result<&str, Error> {
        let text = std::str::from_utf8(&self.bytes).map_err(|error| {
            self.wrong(format!("not UTF-8 at byte {} of the line", error.valid_up_to() + 1))
        })?;
        Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
    }

    fn wrong(&self, problem: String) -> Error {
        Error::Line { path: self.path.into(), line: self.line, problem }
    }

    fn alone(&self, other: &Path) -> Error {
        self.wrong(format!("{} has no such line: one file is longer", other.display()))
    }
}
