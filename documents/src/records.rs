//! Files of many documents: JSON Lines and CSV, by the names `id`, `title` and `text`, and tab-separated lines.

use std::cell::Cell;
use std::collections::HashSet;
use std::io::{self, BufRead, BufReader, Read};

use serde_json::Value;

use crate::document::{Found, Part, Take};
use crate::error::{Error, shown};
use crate::fields::{Fields, Wanted};
use crate::json::string_or_number;
use crate::limits;
use crate::page::primary;
use crate::{lines, tsv};

/// The format of a file of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFormat {
    /// Lines of id, title and text.
    TabSeparated,
    /// An object on each line.
    JsonLines,
    /// Records with a header that names their columns, between commas, semicolons or tabs.
    Csv,
}

impl RecordFormat {
    /// The format of a file, by the ending of its name: `.jsonl`, `.ndjson`, `.json`, `.csv`, else tab-separated.
    pub fn of(name: &str) -> Self {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        match ending.as_deref() {
            Some("jsonl" | "ndjson" | "json") => Self::JsonLines,
            Some("csv") => Self::Csv,
            _ => Self::TabSeparated,
        }
    }
}

/// Calls `take` with each document; it says what is wrong with one.
///
/// # Errors
/// What is wrong, and in which line.
pub fn read(
    format: RecordFormat,
    reader: impl BufRead,
    wanted: &mut Wanted<'_>,
    take: Take<'_>,
) -> Result<(), Error> {
    match format {
        RecordFormat::TabSeparated => read_tsv(reader, take),
        RecordFormat::JsonLines => read_json_lines(reader, wanted, take),
        RecordFormat::Csv => read_csv(reader, wanted, take),
    }
}

fn read_tsv(reader: impl BufRead, take: Take<'_>) -> Result<(), Error> {
    let mut found = |tsv::Line { number: line, id, title, text }| {
        take(Found { id, title, parts: vec![Part::plain(text)], line, ..Found::default() })
    };
    tsv::read(reader, &mut found).map(drop)
}

/// Reads an object from each line: `text`, `id` or else `url`, `title` and `language` (or else `lang`) where there is
/// one, and the fields that are asked for. Other names are passed over.
fn read_json_lines(
    reader: impl BufRead,
    wanted: &mut Wanted<'_>,
    take: Take<'_>,
) -> Result<(), Error> {
    let mut records = Records::new(take);
    lines::read(reader, |number, line| {
        let record: Value =
            // Its line is always the first.
            serde_json::from_str(line)
                .map_err(|error| format!("not JSON: {error}").replace(" line 1 column", " column"))?;
        let Value::Object(record) = record else {
            return Err("not an object: expected one on each line (JSON Lines)".into());
        };
        let field = |name| string_or_number(name, record.get(name));
        let mut fields = Fields::new();
        for (name, value) in &record {
            wanted.add_json(&mut fields, name, value)?;
        }
        records.add(
            [
                field("id")?.or(field("url")?),
                field("title")?,
                field("text")?,
                field("language")?.or(field("lang")?),
            ],
            fields,
            number,
        )
    })?;
    records.check()
}

/// Reads records with a header that names their columns, as [`read_json_lines`] does.
fn read_csv(reader: impl BufRead, wanted: &mut Wanted<'_>, take: Take<'_>) -> Result<(), Error> {
    let since_record = Cell::new(0);
    let mut reader = BufReader::new(Limited { reader, since_record: &since_record });
    let delimiter = delimiter_of(reader.fill_buf()?);
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(reader);
    let at = |line: u64, problem: String| Error::Line { line, problem };
    let failed = |error: csv::Error| {
        let line = error.position().map_or(1, csv::Position::line);
        at(line, error.to_string())
    };
    let header = reader.headers().map_err(failed)?.clone();
    let column = |name: &str| {
        let is_named =
            |found: &str| found.trim_start_matches('\u{feff}').eq_ignore_ascii_case(name);
        header.iter().position(is_named)
    };
    let language = column("language").or(column("lang"));
    let columns = [column("id").or(column("url")), column("title"), column("text"), language];
    if columns[0].is_none() || columns[2].is_none() {
        let found: Vec<&str> = header.iter().take(limits::SHOWN_COLUMNS).collect();
        let problem =
            format!("the header needs `id` or `url`, and `text`; found {}", found.join(", "));
        return Err(at(1, shown(&problem).to_string()));
    }
    let mut records = Records::new(take);
    for record in reader.records() {
        since_record.set(0);
        let record = record.map_err(failed)?;
        let line = record.position().map_or(1, csv::Position::line);
        let field = |column: Option<usize>| Some(record.get(column?)?.to_owned());
        let mut fields = Fields::new();
        for (name, value) in header.iter().zip(&record) {
            wanted.add(&mut fields, name.trim_start_matches('\u{feff}'), value);
        }
        records.add(columns.map(field), fields, line).map_err(|problem| at(line, problem))?;
    }
    records.check()
}

/// What stands between the columns, by the first line: quoted text does not count.
pub fn delimiter_of(start: &[u8]) -> u8 {
    let (mut is_quoted, mut counts) = (false, [0_usize; 3]);
    for &byte in start {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' if !is_quoted => break,
            b',' | b';' | b'\t' if !is_quoted => {
                counts[CANDIDATES.iter().position(|&one| one == byte).unwrap_or_default()] += 1
            }
            _ => {}
        }
    }
    let most = counts.into_iter().max().unwrap_or_default();
    CANDIDATES[counts.iter().position(|&count| count == most).unwrap_or_default()]
}

/// Of equally many the first.
const CANDIDATES: [u8; 3] = [b',', b';', b'\t'];

/// A quote that is never closed would make all the rest one record.
pub struct Limited<'a, R> {
    /// What is read.
    pub reader: R,
    /// Bytes since the last record.
    pub since_record: &'a Cell<u64>,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.since_record.set(self.since_record.get() + count as u64);
        if self.since_record.get() > limits::PAGE_BYTES {
            let problem = format!(
                "a record is longer than {} bytes, the most it may have",
                limits::PAGE_BYTES
            );
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        Ok(count)
    }
}

/// Records so far.
struct Records<'a> {
    take: Take<'a>,
    ids: HashSet<String>,
}

impl<'a> Records<'a> {
    fn new(take: Take<'a>) -> Self {
        Self { take, ids: HashSet::new() }
    }

    fn add(
        &mut self,
        [id, title, text, language]: [Option<String>; 4],
        fields: Fields,
        line: u64,
    ) -> Result<(), String> {
        let id = id.filter(|id| !id.is_empty()).ok_or("`id` or `url` is missing")?;
        let text = text.ok_or("`text` is missing")?;
        if !self.ids.insert(id.clone()) {
            return Err(format!("id `{}` is there twice", shown(&id)));
        }
        let title = title.unwrap_or_default();
        let language = language.as_deref().and_then(primary);
        (self.take)(Found { id, title, parts: vec![Part::plain(text)], language, fields, line })
    }

    fn check(self) -> Result<(), Error> {
        if self.ids.is_empty() {
            return Err(Error::Whole("no records; expected `id` and `text` in each".into()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn csv(text: &str) -> Result<(), Error> {
        read(RecordFormat::Csv, text.as_bytes(), &mut Wanted::new(&[]), &mut |_| Ok(()))
    }

    #[test]
    fn a_record_is_as_long_as_the_limit() {
        let record = |bytes: u64| {
            let before = "id,text\n1,\"";
            format!("{before}{}", "a".repeat(bytes as usize - before.len()))
        };
        for (bytes, is_read) in [
            (limits::PAGE_BYTES - 1, true),
            (limits::PAGE_BYTES, true),
            (limits::PAGE_BYTES + 1, false),
        ] {
            assert_eq!(csv(&record(bytes)).is_ok(), is_read, "{bytes}");
        }
    }

    #[test]
    fn an_error_lists_the_first_columns() {
        for (count, listed) in [
            (limits::SHOWN_COLUMNS - 1, limits::SHOWN_COLUMNS - 1),
            (limits::SHOWN_COLUMNS, limits::SHOWN_COLUMNS),
            (limits::SHOWN_COLUMNS + 1, limits::SHOWN_COLUMNS),
        ] {
            // The error is cut, too.
            let error = csv(&",".repeat(count - 1)).unwrap_err().to_string();
            let found = error.split("found ").nth(1).unwrap();
            assert!(found.matches(',').count() < listed, "{error}");
        }
    }
}
