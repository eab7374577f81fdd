//! Rows of a table in a dump by `mysqldump`, its columns found by name.

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::compressed;
use super::progress::Progress;
use crate::data::tsv::shown;
use crate::error::Error;
use crate::limits::import::SQL_BYTES;

/// A value of a row: its bytes, or none where it is NULL.
#[derive(Debug, Default)]
pub struct Value {
    null: bool,
    bytes: Vec<u8>,
}

impl Value {
    /// The value as text; NULL is empty.
    pub fn text(&self) -> Result<&str, String> {
        std::str::from_utf8(&self.bytes)
            .map_err(|_| format!("`{}` is not UTF-8", shown(&String::from_utf8_lossy(&self.bytes))))
    }

    /// The value as a number of 32 bits, what pages are numbered with.
    pub fn number(&self) -> Result<u32, String> {
        let number = self.text().ok().and_then(|text| text.parse().ok());
        number.ok_or_else(|| {
            let found =
                if self.null { "NULL".into() } else { self.bytes.escape_ascii().to_string() };
            format!("`{}`, expected a number below 2^32", shown(&found))
        })
    }

    /// The value as a number that may be negative or long.
    pub fn long(&self) -> Result<i64, String> {
        let number = self.text().ok().and_then(|text| text.parse().ok());
        number.ok_or_else(|| {
            format!("`{}`, expected a whole number", shown(&self.bytes.escape_ascii().to_string()))
        })
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Calls `take` with the values of each row of `table`, in the order of `columns`; `take` says what is
/// wrong with them.
///
/// # Errors
/// If the file cannot be read, is cut short, is no dump of this table, or lacks a column.
pub fn read_rows(
    path: &Path,
    progress: &Arc<Progress>,
    table: &str,
    columns: &[&str],
    mut take: impl FnMut(&[Value]) -> Result<(), String>,
) -> Result<(), Error> {
    let reader = compressed::open(path, progress)?;
    let mut scanner = Scanner::new(Box::new(reader));
    let read = Dump { scanner: &mut scanner, table, there: None, complete: false }.read(
        &mut |there| there_of(there, columns),
        columns.len(),
        &mut take,
    );
    read.map_err(|stop| stop.at(path, scanner.line))
}

/// The columns of `table`.
///
/// # Errors
/// As [`read_rows`].
pub fn columns(path: &Path, table: &str) -> Result<Vec<String>, Error> {
    let progress = Arc::new(Progress::new(table, 0));
    let reader = compressed::open(path, &progress)?;
    let mut scanner = Scanner::new(Box::new(reader));
    let mut found = Vec::new();
    let mut dump = Dump { scanner: &mut scanner, table, there: None, complete: false };
    let read = dump.read(
        &mut |there| {
            found = there.to_vec();
            Err(String::new())
        },
        0,
        &mut |_| Ok(()),
    );
    match read {
        // What stopped it is that the columns are known.
        Err(Stop::Wrong(_)) if !found.is_empty() => Ok(found),
        Err(stop) => Err(stop.at(path, scanner.line)),
        Ok(()) => Ok(found),
    }
}

/// For each column of the table which of the wanted ones it is.
fn there_of(there: &[String], wanted: &[&str]) -> Result<Vec<Option<usize>>, String> {
    if let Some(missing) = wanted.iter().find(|name| !there.iter().any(|there| there == *name)) {
        return Err(format!("missing column `{missing}`; found {}", shown(&there.join(", "))));
    }
    Ok(there.iter().map(|there| wanted.iter().position(|name| name == there)).collect())
}

enum Stop {
    Read(io::Error),
    Wrong(String),
}

impl Stop {
    fn at(self, path: &Path, line: u64) -> Error {
        match self {
            Stop::Read(source) => Error::Read { path: path.into(), source },
            Stop::Wrong(problem) => Error::Line { path: path.into(), line, problem },
        }
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Read(error)
    }
}

impl From<String> for Stop {
    fn from(problem: String) -> Self {
        Stop::Wrong(problem)
    }
}

/// Bytes, one after the other, and the line that they are on.
struct Scanner {
    reader: Box<dyn Read>,
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    line: u64,
}

impl Scanner {
    fn new(reader: Box<dyn Read>) -> Self {
        Self { reader, buffer: vec![0; 1 << 18], at: 0, end: 0, line: 1 }
    }

    fn peek(&mut self) -> Result<Option<u8>, Stop> {
        if self.at == self.end {
            (self.at, self.end) = (0, self.reader.read(&mut self.buffer)?);
        }
        Ok((self.at < self.end).then(|| self.buffer[self.at]))
    }

    fn next(&mut self) -> Result<Option<u8>, Stop> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.at += 1;
            self.line += u64::from(byte == b'\n');
        }
        Ok(byte)
    }

    /// The next byte, within a statement.
    fn need(&mut self) -> Result<u8, Stop> {
        self.next()?.ok_or_else(|| Stop::Wrong("it ends in the middle of a statement".into()))
    }

    /// The next byte that is no space, left where it is.
    fn need_after_space(&mut self) -> Result<u8, Stop> {
        while self.peek()?.is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.next()?;
        }
        match self.peek()? {
            Some(byte) => Ok(byte),
            None => self.need(),
        }
    }

    fn expect(&mut self, expected: u8) -> Result<(), Stop> {
        self.need_after_space()?;
        match self.need()? {
            byte if byte == expected => Ok(()),
            byte => Err(unexpected(byte, &format!("`{}`", char::from(expected)))),
        }
    }

    /// Letters, digits and underscores, in capitals; so many at most.
    fn word(&mut self) -> Result<String, Stop> {
        let mut word = String::new();
        while let Some(byte) = self.peek()?
            && (byte.is_ascii_alphanumeric() || byte == b'_')
            && word.len() < 64
        {
            word.push(char::from(byte.to_ascii_uppercase()));
            self.next()?;
        }
        Ok(word)
    }

    /// What is in quotes, after the first of them; `keep` whether into `into`.
    fn quoted(&mut self, quote: u8, into: Option<&mut Vec<u8>>) -> Result<(), Stop> {
        let mut nowhere = Vec::new();
        let (keep, into) = match into {
            Some(into) => (true, into),
            None => (false, &mut nowhere),
        };
        loop {
            let byte = match self.need()? {
                b'\\' if quote != b'`' => match self.need()? {
                    b'0' => 0,
                    b'b' => 8,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'Z' => 0x1a,
                    byte => byte,
                },
                byte if byte == quote => match self.peek()? {
                    Some(again) if again == quote => self.need()?,
                    _ => return Ok(()),
                },
                byte => byte,
            };
            if keep {
                into.push(byte);
                if into.len() > SQL_BYTES {
                    return Err(Stop::Wrong(format!("a value of more than {SQL_BYTES} bytes")));
                }
            }
        }
    }

    /// A name in backticks.
    fn name(&mut self) -> Result<String, Stop> {
        self.expect(b'`')?;
        let mut name = Vec::new();
        self.quoted(b'`', Some(&mut name))?;
        Ok(String::from_utf8_lossy(&name).into_owned())
    }

    /// A comment after its first byte. What it says, the first of it.
    fn comment(&mut self, first: u8) -> Result<String, Stop> {
        let mut said = Vec::new();
        let mut last = 0;
        let is_block = first == b'/';
        if is_block && self.need()? != b'*' {
            return Err(unexpected(b'/', "a statement"));
        }
        loop {
            let byte = match self.next()? {
                None if is_block => self.need()?,
                None => break,
                Some(byte) => byte,
            };
            if is_block && last == b'*' && byte == b'/' || !is_block && byte == b'\n' {
                break;
            }
            if said.len() < 256 {
                said.push(byte);
            }
            last = byte;
        }
        Ok(String::from_utf8_lossy(&said).into_owned())
    }

    /// To the end of the statement.
    fn skip_statement(&mut self) -> Result<(), Stop> {
        loop {
            match self.need()? {
                b';' => return Ok(()),
                quote @ (b'\'' | b'"' | b'`') => self.quoted(quote, None)?,
                _ => {}
            }
        }
    }
}

fn unexpected(byte: u8, expected: &str) -> Stop {
    Stop::Wrong(format!("`{}`, expected {expected}", byte.escape_ascii()))
}

type Take<'a> = &'a mut dyn FnMut(&[Value]) -> Result<(), String>;
type Choose<'a> = &'a mut dyn FnMut(&[String]) -> Result<Vec<Option<usize>>, String>;

struct Dump<'a> {
    scanner: &'a mut Scanner,
    table: &'a str,
    /// For each column which of the wanted ones it is.
    there: Option<Vec<Option<usize>>>,
    /// Whether what ends a dump has come after the rows.
    complete: bool,
}

impl Dump<'_> {
    fn read(&mut self, choose: Choose<'_>, wanted: usize, take: Take<'_>) -> Result<(), Stop> {
        let mut values: Vec<Value> = Vec::new();
        values.resize_with(wanted, Value::default);
        while let Some(byte) = self.scanner.peek()? {
            match byte {
                b'-' | b'#' | b'/' => {
                    self.scanner.next()?;
                    let said = self.scanner.comment(byte)?;
                    self.complete |=
                        said.contains("Dump completed") || said.contains("ENABLE KEYS");
                }
                b';' => {
                    self.scanner.next()?;
                }
                byte if byte.is_ascii_whitespace() => {
                    self.scanner.next()?;
                }
                _ => match &self.scanner.word()?[..] {
                    "" => return Err(unexpected(byte, "a statement")),
                    "CREATE" => self.create(choose)?,
                    "INSERT" => {
                        self.complete = false;
                        self.insert(&mut values, choose, take)?;
                    }
                    "UNLOCK" => {
                        self.complete = true;
                        self.scanner.skip_statement()?;
                    }
                    _ => self.scanner.skip_statement()?,
                },
            }
        }
        match (&self.there, self.complete) {
            (None, _) => Err(Stop::Wrong(format!("no table `{}`", self.table))),
            (_, false) => Err(Stop::Wrong("it ends before the dump is completed".into())),
            _ => Ok(()),
        }
    }

    /// The columns of CREATE TABLE.
    fn create(&mut self, choose: Choose<'_>) -> Result<(), Stop> {
        self.scanner.need_after_space()?;
        if self.scanner.word()? != "TABLE" {
            return self.scanner.skip_statement();
        }
        while self.scanner.need_after_space()? != b'`' {
            if self.scanner.word()?.is_empty() {
                return self.scanner.skip_statement();
            }
        }
        if self.scanner.name()? != self.table {
            return self.scanner.skip_statement();
        }
        self.scanner.expect(b'(')?;
        let mut columns = Vec::new();
        let mut depth = 1;
        // Keys begin with a word, columns with their name.
        let mut begins = true;
        while depth > 0 {
            let byte = self.scanner.need_after_space()?;
            if begins && byte == b'`' {
                columns.push(self.scanner.name()?);
                if columns.len() > 1000 {
                    return Err(Stop::Wrong("a table of more than 1000 columns".into()));
                }
                begins = false;
                continue;
            }
            self.scanner.need()?;
            begins = false;
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b',' => begins = depth == 1,
                quote @ (b'\'' | b'"' | b'`') => self.scanner.quoted(quote, None)?,
                _ => {}
            }
        }
        self.there = Some(choose(&columns)?);
        self.scanner.skip_statement()
    }

    fn insert(
        &mut self,
        values: &mut [Value],
        choose: Choose<'_>,
        take: Take<'_>,
    ) -> Result<(), Stop> {
        while self.scanner.need_after_space()? != b'`' {
            let byte = self.scanner.need()?;
            if !byte.is_ascii_alphabetic() {
                return Err(unexpected(byte, "the name of a table"));
            }
        }
        if self.scanner.name()? != self.table {
            return self.scanner.skip_statement();
        }
        if self.scanner.need_after_space()? == b'(' {
            let mut columns = Vec::new();
            while self.scanner.need()? != b')' && columns.len() < 1000 {
                columns.push(self.scanner.name()?);
                self.scanner.need_after_space()?;
            }
            self.there = Some(choose(&columns)?);
        }
        let Some(there) = &self.there else {
            return Err(Stop::Wrong("rows before CREATE TABLE, which names the columns".into()));
        };
        self.scanner.need_after_space()?;
        let word = self.scanner.word()?;
        if word != "VALUES" {
            return Err(Stop::Wrong(format!("`{word}`, expected VALUES")));
        }
        loop {
            row(self.scanner, there, values)?;
            take(values)?;
            self.scanner.need_after_space()?;
            match self.scanner.need()? {
                b',' => {}
                b';' => return Ok(()),
                byte => return Err(unexpected(byte, "`,` or `;` after a row")),
            }
        }
    }
}

fn row(scanner: &mut Scanner, there: &[Option<usize>], values: &mut [Value]) -> Result<(), Stop> {
    scanner.expect(b'(')?;
    let mut column = 0;
    loop {
        let place = there.get(column).copied().flatten();
        value(scanner, place.map(|place| &mut values[place]))?;
        column += 1;
        scanner.need_after_space()?;
        match scanner.need()? {
            b',' => {}
            b')' if column == there.len() => return Ok(()),
            b')' => {
                let columns = there.len();
                return Err(Stop::Wrong(format!("a row of {column} value(s), expected {columns}")));
            }
            byte => return Err(unexpected(byte, "`,` or `)` after a value")),
        }
    }
}

fn value(scanner: &mut Scanner, mut into: Option<&mut Value>) -> Result<(), Stop> {
    if let Some(value) = &mut into {
        value.null = false;
        value.bytes.clear();
    }
    let mut first = scanner.need_after_space()?;
    if first == b'_' {
        // The character set that some name before a text.
        scanner.word()?;
        first = scanner.need_after_space()?;
    }
    if first == b'\'' {
        scanner.need()?;
        return scanner.quoted(b'\'', into.map(|value| &mut value.bytes));
    }
    let mut bytes = Vec::new();
    while let Some(byte) = scanner.peek()?
        && (byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+'))
        && bytes.len() < 64
    {
        bytes.push(byte);
        scanner.next()?;
    }
    if bytes.is_empty() {
        return Err(unexpected(first, "a value"));
    }
    if let Some(value) = into {
        value.null = bytes == b"NULL";
        if !value.null {
            value.bytes = bytes;
        }
    }
    Ok(())
}
