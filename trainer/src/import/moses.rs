//! Two plain files line by line, as Moses reads and OPUS hands out: line n of one translates line n of the
//! other.

use std::io::BufRead;
use std::path::Path;
use std::sync::Arc;

use super::compressed;
use super::options::Moses;
use super::progress::Progress;
use super::whole::{self, Whole};
use crate::data::tsv;
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
    for line in 1.. {
        let texts = match (english.next(line)?, other.next(line)?) {
            (None, None) => break,
            (Some(_), None) => return Err(english.alone(line, paths[1])),
            (None, Some(_)) => return Err(other.alone(line, paths[0])),
            (Some(english), Some(other)) => [english, other],
        };
        if texts.contains(&"") {
            empty += 1;
            continue;
        }
        let id = line.to_string();
        out.row(&[&options.set, &id, &id, texts[0], texts[1]])?;
        written += 1;
    }
    if written == 0 {
        return Err(Error::data(paths[0], "no line has a translation"));
    }
    whole::finish([out])?;
    progress.finish(&format!("{written} pairs, {empty} left out because one text is empty"));
    Ok(())
}

struct Lines<'a> {
    path: &'a Path,
    reader: Box<dyn BufRead>,
    bytes: Vec<u8>,
}

impl<'a> Lines<'a> {
    fn open(path: &'a Path, progress: &Arc<Progress>) -> Result<Self, Error> {
        let reader = compressed::open(path, progress)?;
        Ok(Self { path, reader, bytes: Vec::new() })
    }

    /// The next line, of this number, without spaces around it; `None` where there is no more.
    fn next(&mut self, line: u64) -> Result<Option<&str>, Error> {
        let text = tsv::read_line(&mut self.reader, self.path, line, &mut self.bytes)?;
        // Files that were put together have several such marks.
        Ok(text.map(|text| text.strip_prefix('\u{feff}').unwrap_or(text).trim()))
    }

    fn alone(&self, line: u64, other: &Path) -> Error {
        let problem =
            format!("{} ends before this line: the files differ in length", other.display());
        Error::Line { path: self.path.into(), line, problem }
    }
}
