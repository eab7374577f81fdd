//! Vectors in characters: `word v1 ... vp` a line, as word2vec, fastText and GloVe write them.

use super::format;
use super::rows::Rows;
use super::source::Source;
use crate::data::tsv::shown;
use crate::error::Error;

/// Reads all lines; `header` says whether the first one is `count dimension`.
pub fn read(source: &mut Source, rows: &mut Rows<'_>, header: bool) -> Result<(), Error> {
    if source.head()?.starts_with(b"\xef\xbb\xbf") {
        source.take(3);
    }
    let mut line = Vec::new();
    let mut numbers = Vec::new();
    let mut promised = None;
    let mut number = 1;
    if header {
        source.reading("line", number);
        source.until(b'\n', &mut line)?;
        if let Some((count, dimension)) = format::header(&line) {
            rows.check_dimension(dimension).map_err(|problem| source.refuse(problem))?;
            promised = Some(count);
        }
        number += 1;
    }
    let mut entries = 0;
    loop {
        source.reading("line", number);
        if source.at_end()? {
            break;
        }
        source.until(b'\n', &mut line)?;
        let at_line = |problem| Error::Line { path: source.path().into(), line: number, problem };
        if promised == Some(entries) {
            return Err(at_line(format!("more words than the {entries} of the header")));
        }
        if entries == 0 && !header {
            rows.check_dimension(width(&line)).map_err(at_line)?;
        }
        let word = parse(&line, rows.dimension(), &mut numbers).map_err(at_line)?;
        if let Some(row) = rows.claim(word, entries) {
            rows.set(row, numbers.iter().rev().copied());
        }
        entries += 1;
        number += 1;
    }
    match promised {
        Some(count) if count != entries => {
            Err(source
                .refuse(format!("the file ends after {entries} words of the header's {count}")))
        }
        _ => Ok(()),
    }
}

/// The word of a line; its numbers go into `numbers`, the last first.
///
/// They are looked for from the right: some of GloVe's words have spaces in them.
fn parse<'a>(line: &'a [u8], dimension: usize, numbers: &mut Vec<f32>) -> Result<&'a [u8], String> {
    numbers.clear();
    let mut rest = trimmed(line);
    while numbers.len() < dimension {
        let Some((before, field)) = last_field(rest) else {
            return Err(format!(
                "{} number(s) after the word, expected {dimension}",
                numbers.len()
            ));
        };
        let field = String::from_utf8_lossy(field);
        match field.parse::<f32>() {
            Ok(number) if number.is_finite() => numbers.push(number),
            Ok(_) => return Err(format!("`{}` is not a finite number", shown(&field))),
            Err(_) => {
                return Err(format!(
                    "`{}` is not a number; expected {dimension} of them after the word",
                    shown(&field)
                ));
            }
        }
        rest = before;
    }
    match last_field(rest) {
        Some((_, field)) if is_number(field) => {
            Err(format!("more than {dimension} numbers after the word"))
        }
        _ => Ok(rest),
    }
}

/// How many numbers stand at the end of a line, its first word left out.
fn width(line: &[u8]) -> u64 {
    let mut rest = trimmed(line);
    let mut width = 0;
    while let Some((before, field)) = last_field(rest)
        && is_number(field)
    {
        rest = before;
        width += 1;
    }
    width
}

fn is_number(field: &[u8]) -> bool {
    let text = std::str::from_utf8(field).unwrap_or_default();
    text.contains(|c: char| c.is_ascii_digit()) && text.parse::<f32>().is_ok()
}

fn is_space(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

fn trimmed(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|byte| !is_space(byte)).map_or(0, |last| last + 1);
    &line[..end]
}

fn last_field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = line.iter().rposition(is_space)?;
    Some((&line[..space], &line[space + 1..]))
}
