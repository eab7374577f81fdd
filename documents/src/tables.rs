//! Tables of people: with a header in any order, or without one, between commas, semicolons or tabs.

use std::cell::Cell;
use std::io::{BufRead, BufReader};

use csv::{ErrorKind, ReaderBuilder, StringRecord};

use crate::document::Document;
use crate::error::{Error, shown};
use crate::limits;
use crate::page::primary;
use crate::records::{Limited, delimiter_of};
use crate::refusal::Refusal;
use crate::texts::beginning;

/// Characters of a title that is the beginning of its text.
pub const TITLE_CHARACTERS: usize = 60;

/// The names of a column in a header, by what it holds.
const ID: &[&str] = &["id", "url"];
const TITLE: &[&str] = &["title", "titre", "name", "nom"];
const TEXT: &[&str] = &["text", "texte", "body", "content", "contenu", "description"];
const LANGUAGE: &[&str] = &["language", "lang", "langue"];

/// What stands between the columns of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delimiter {
    /// A comma or, as spreadsheets of many countries write it, a semicolon: by the first line. Cells can be quoted.
    Comma,
    /// A tab. Quotes are text.
    Tab,
}

/// A record as it was found, and its language if it names one.
pub struct Record {
    /// Its id and, if it has one, its title and text.
    pub document: Document,
    /// Its language.
    pub language: Option<String>,
}

/// The places of the columns.
struct Columns {
    id: Option<usize>,
    title: Option<usize>,
    text: usize,
    language: Option<usize>,
    /// How many there are; a record after a header may have fewer.
    count: usize,
    has_header: bool,
}

/// Calls `take` with each record that has a text. Returns the number of those without one.
///
/// The first line is a header if it names a column of texts, or else an id and a title. Without a header a table has one column (text),
/// two (title, text) or three (id, title, text). `place` is the name of the file, with which ids begin.
///
/// # Errors
/// [`Refusal`]; as `take`.
pub fn read(
    delimiter: Delimiter,
    place: &str,
    reader: impl BufRead,
    take: &mut dyn FnMut(Record) -> Result<(), Refusal>,
) -> Result<u64, Refusal> {
    let since_record = Cell::new(0);
    let limited = Limited { reader, since_record: &since_record };
    let mut reader = BufReader::new(limited);
    let between = match delimiter {
        Delimiter::Tab => b'\t',
        Delimiter::Comma => delimiter_of(reader.fill_buf().map_err(Error::from)?),
    };
    let mut table = ReaderBuilder::new()
        .delimiter(between)
        .quoting(delimiter == Delimiter::Comma)
        .has_headers(false)
        .flexible(true)
        .from_reader(reader);
    let (mut columns, mut record) = (None::<Columns>, StringRecord::new());
    let (mut taken, mut without_text) = (0_u64, 0);
    while table.read_record(&mut record).map_err(refusal)? {
        since_record.set(0);
        let line = record.position().map_or(1, csv::Position::line);
        let Some(columns) = &columns else {
            without_byte_order_mark(&mut record);
            let found = columns_of(&record, line)?;
            if !found.has_header {
                take_record(&record, &found, place, (&mut taken, &mut without_text), take)?;
            }
            columns = Some(found);
            continue;
        };
        let found = (0..record.len())
            .rev()
            .find(|&at| !record[at].trim().is_empty())
            .map_or(0, |at| at + 1);
        let is_other =
            if columns.has_header { found > columns.count } else { record.len() != columns.count };
        if is_other && found > 0 {
            let (found, first) = (record.len(), columns.count);
            return Err(Refusal::OtherColumns { line, found, first });
        }
        take_record(&record, columns, place, (&mut taken, &mut without_text), take)?;
    }
    if taken == 0 { Err(Refusal::Empty) } else { Ok(without_text) }
}

fn take_record(
    record: &StringRecord,
    columns: &Columns,
    place: &str,
    (taken, without_text): (&mut u64, &mut u64),
    take: &mut dyn FnMut(Record) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let cell = |column: Option<usize>| {
        column.and_then(|column| record.get(column)).map(str::trim).filter(|cell| !cell.is_empty())
    };
    let Some(text) = cell(Some(columns.text)) else {
        *without_text += 1;
        return Ok(());
    };
    *taken += 1;
    let title =
        cell(columns.title).map_or_else(|| beginning(text, TITLE_CHARACTERS), str::to_owned);
    let id = id_of(place, *taken, cell(columns.id));
    let language = cell(columns.language).and_then(primary);
    let document = Document { id, title, text: text.to_owned(), ..Document::default() };
    take(Record { document, language })
}

/// The id of a record: unique in its file, whatever ids the file gives.
pub fn id_of(place: &str, number: u64, own: Option<&str>) -> String {
    own.map_or_else(|| format!("{place}#{number}"), |own| format!("{place}#{number} {own}"))
}

fn columns_of(first: &StringRecord, line: u64) -> Result<Columns, Refusal> {
    let named = |names: &[&str]| {
        let is_named = |cell: &str| names.iter().any(|name| cell.trim().eq_ignore_ascii_case(name));
        first.iter().position(is_named)
    };
    let (id, title, text, language) = (named(ID), named(TITLE), named(TEXT), named(LANGUAGE));
    let count = first.len();
    if let Some(text) = text {
        return Ok(Columns { id, title, text, language, count, has_header: true });
    }
    if id.is_some() && (title.is_some() || count > 3) {
        let found: Vec<&str> = first.iter().take(limits::SHOWN_COLUMNS).collect();
        return Err(Refusal::NoTextColumn { found: shown(&found.join(", ")) });
    }
    let (id, title, text) = match count {
        1 => (None, None, 0),
        2 => (None, Some(0), 1),
        3 => (Some(0), Some(1), 2),
        found => return Err(Refusal::Columns { line, found }),
    };
    Ok(Columns { id, title, text, language: None, count, has_header: false })
}

fn without_byte_order_mark(record: &mut StringRecord) {
    if record.get(0).is_some_and(|cell| cell.starts_with('\u{feff}')) {
        let cells: Vec<String> =
            record.iter().map(|cell| cell.trim_start_matches('\u{feff}').to_owned()).collect();
        let position = record.position().cloned();
        *record = StringRecord::from(cells);
        record.set_position(position);
    }
}

fn refusal(error: csv::Error) -> Refusal {
    let line = error.position().map_or(1, csv::Position::line);
    match error.into_kind() {
        ErrorKind::Utf8 { .. } => Refusal::NotUtf8 { line },
        ErrorKind::Io(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            Refusal::TooLong { line, most: limits::PAGE_BYTES }
        }
        ErrorKind::Io(error) => Refusal::Reader(error.into()),
        other => Refusal::Reader(Error::Line { line, problem: format!("{other:?}") }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row = (String, String, String, Option<String>);

    fn rows(delimiter: Delimiter, text: &str) -> Result<(Vec<Row>, u64), Refusal> {
        let mut rows = Vec::new();
        let without =
            read(delimiter, "f", text.as_bytes(), &mut |Record { document, language }| {
                rows.push((document.id, document.title, document.text, language));
                Ok(())
            })?;
        Ok((rows, without))
    }

    fn row(id: &str, title: &str, text: &str, language: Option<&str>) -> Row {
        (id.into(), title.into(), text.into(), language.map(str::to_owned))
    }

    #[test]
    fn a_header_names_columns_in_any_order() {
        let text =
            "\u{feff}Text;lang;ID;year\n\"La pluie; le\nvent\";fr-CA;7;1984\nIl sole;;;\n;it;8;\n";
        let (found, without) = rows(Delimiter::Comma, text).unwrap();
        let expected = [
            row("f#1 7", "La pluie; le", "La pluie; le\nvent", Some("fr")),
            row("f#2", "Il sole", "Il sole", None),
        ];
        assert_eq!((&found[..], without), (&expected[..], 1));
    }

    #[test]
    fn a_table_without_a_header_has_one_to_three_columns() {
        let one = rows(Delimiter::Tab, "\"La pluie\n").unwrap().0;
        assert_eq!(one, [row("f#1", "\"La pluie", "\"La pluie", None)]);
        let two = rows(Delimiter::Comma, "Pluie,\"La pluie, \"\"ici\"\"\"\n").unwrap().0;
        assert_eq!(two, [row("f#1", "Pluie", "La pluie, \"ici\"", None)]);
        let three = rows(Delimiter::Tab, "1\tPluie\tLa pluie\r\n1\t\tLe sel\n\n").unwrap().0;
        let expected =
            [row("f#1 1", "Pluie", "La pluie", None), row("f#2 1", "Le sel", "Le sel", None)];
        assert_eq!(three, expected);
    }

    #[test]
    fn a_table_that_is_none_is_refused() {
        for (text, code, line) in [
            ("", "empty", None),
            ("\n\n", "empty", None),
            ("text\n", "empty", None),
            ("a\tb\tc\td", "columns", Some(1)),
            ("id\ttitle\tyear\tplace", "no-text-column", Some(1)),
            ("a\tb\nc\td\te\n", "other-columns", Some(2)),
            ("title\ttext\nc\td\te\n", "other-columns", Some(2)),
        ] {
            let refusal = rows(Delimiter::Tab, text).unwrap_err();
            assert_eq!((refusal.code(), refusal.line()), (code, line), "{text}");
        }
        let broken = read(Delimiter::Tab, "f", &b"t\tbon\nt\tcaf\xe9\n"[..], &mut |_| Ok(()));
        let broken = broken.unwrap_err();
        assert_eq!((broken.code(), broken.line()), ("not-utf8", Some(2)));
    }

    #[test]
    fn the_delimiter_is_that_of_the_first_line() {
        for (text, delimiter) in [
            ("a,b", b','),
            ("a;b", b';'),
            ("\"a,b,c\";d\ne,f,g", b';'),
            ("a\tb", b'\t'),
            ("a", b','),
        ] {
            assert_eq!(delimiter_of(text.as_bytes()), delimiter, "{text}");
        }
    }
}
