//! word2vec's binary: the header `count dimension`, then each word, a space, and its numbers as
//! little-endian 32-bit floats; some writers end an entry with a newline.

use super::format;
use super::rows::Rows;
use super::source::Source;
use crate::error::Error;

/// Reads all entries.
pub fn read(source: &mut Source, rows: &mut Rows<'_>) -> Result<(), Error> {
    let mut word = Vec::new();
    source.until(b'\n', &mut word)?;
    let (count, dimension) = format::header(&word).unwrap_or_default();
    rows.check_dimension(dimension).map_err(|problem| source.refuse(problem))?;
    let mut bytes = vec![0; 4 * rows.dimension()];
    let mut numbers = vec![0.0; rows.dimension()];
    for entry in 0..count {
        source.reading("word", entry + 1);
        skip_newlines(source)?;
        if source.at_end()? {
            return Err(source.refuse(format!("the file ends before it; the header says {count}")));
        }
        if !source.until(b' ', &mut word)? {
            return Err(source.refuse("the file ends within the word"));
        }
        source.row(&mut bytes, &mut numbers)?;
        if let Some(row) = rows.claim(&word, entry) {
            rows.set(row, numbers.iter().copied());
        }
    }
    skip_newlines(source)?;
    match source.at_end()? {
        true => Ok(()),
        false => {
            Err(source.refuse(format!("unexpected bytes after the {count} words of the header")))
        }
    }
}

fn skip_newlines(source: &mut Source) -> Result<(), Error> {
    while source.head()?.first() == Some(&b'\n') {
        source.take(1);
    }
    Ok(())
}
