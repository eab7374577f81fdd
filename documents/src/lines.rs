//! Lines of a limited length, checked as they are read, and their columns.

use std::io::{BufRead, Read};

use crate::error::Error;
use crate::limits;

/// Calls `take` with the number and the text of each line that is not empty. A carriage return at
/// a line's end and a byte order mark at the head of the first are dropped.
///
/// # Errors
/// If the bytes cannot be read; if a line is too long or not UTF-8, or `take` says what is wrong with it.
pub fn read(
    mut reader: impl BufRead,
    mut take: impl FnMut(u64, &str) -> Result<(), String>,
) -> Result<(), Error> {
    let mut bytes = Vec::new();
    for line in 1.. {
        let Some(text) = read_line(&mut reader, line, &mut bytes)? else { break };
        if !text.is_empty() {
            take(line, text).map_err(|problem| Error::Line { line, problem })?;
        }
    }
    Ok(())
}

/// Reads the line of this number into `bytes` and gives its text, as [`read`] does; `None` at the end.
///
/// # Errors
/// As [`read`].
pub fn read_line<'a>(
    reader: &mut impl BufRead,
    line: u64,
    bytes: &'a mut Vec<u8>,
) -> Result<Option<&'a str>, Error> {
    bytes.clear();
    let mut limited = reader.by_ref().take(limits::PAGE_BYTES + 1);
    if limited.read_until(b'\n', bytes)? == 0 {
        return Ok(None);
    }
    let refused = |problem| Error::Line { line, problem };
    if bytes.len() as u64 > limits::PAGE_BYTES {
        return Err(refused(format!(
            "longer than {} bytes, the most a line may have",
            limits::PAGE_BYTES
        )));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        refused(format!("not UTF-8 at byte {} of the line", error.valid_up_to() + 1))
    })?;
    let text = text.strip_suffix('\n').unwrap_or(text);
    let text = text.strip_suffix('\r').unwrap_or(text);
    Ok(Some(if line == 1 { text.strip_prefix('\u{feff}').unwrap_or(text) } else { text }))
}

/// The tab-separated columns of a line, as many as there are names.
///
/// # Errors
/// What was found and what was expected, if there are more or fewer.
pub fn columns<'a, const COLUMNS: usize>(
    text: &'a str,
    names: [&str; COLUMNS],
) -> Result<[&'a str; COLUMNS], String> {
    let mut found = text.split('\t');
    let columns = [(); COLUMNS].map(|()| found.next());
    match (columns.iter().flatten().count() + found.count(), columns) {
        (count, columns) if count == COLUMNS => Ok(columns.map(Option::unwrap_or_default)),
        (count, _) => Err(format!(
            "{count} tab-separated column(s), expected {COLUMNS}: {}",
            names.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_as_long_as_the_limit() {
        // The end of the line counts.
        for (bytes, is_read) in [
            (limits::PAGE_BYTES - 1, true),
            (limits::PAGE_BYTES, true),
            (limits::PAGE_BYTES + 1, false),
        ] {
            let line = "a".repeat(bytes as usize - 1) + "\n";
            assert_eq!(read(line.as_bytes(), |_, _| Ok(())).is_ok(), is_read, "{bytes}");
        }
    }

    #[test]
    fn columns_are_as_many_as_their_names() {
        assert_eq!(columns("a\t\tb", ["x", "y", "z"]).unwrap(), ["a", "", "b"]);
        for (line, count) in [("a", 1), ("a\tb", 2), ("a\tb\tc\td", 4), ("\t\t\t\t", 5)] {
            let problem = columns(line, ["x", "y", "z"]).unwrap_err();
            let expected = format!("{count} tab-separated column(s), expected 3: x, y, z");
            assert_eq!(problem, expected);
        }
    }
}
