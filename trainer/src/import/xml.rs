//! XML read event by event in bounded memory, and where in the file it is.

use std::io::{self, BufRead, Read};
use std::path::Path;

use quick_xml::Reader;
use quick_xml::events::{BytesRef, Event};

use crate::error::Error;
use crate::limits::import::XML_BYTES;

/// XML of a file.
pub struct Xml<'a> {
    path: &'a Path,
    reader: Reader<Lines>,
    buffer: Vec<u8>,
}

impl<'a> Xml<'a> {
    /// Of a file that was opened.
    pub fn new(path: &'a Path, reader: Box<dyn BufRead>) -> Self {
        let reader = Reader::from_reader(Lines { reader, line: 1, left: 0 });
        Self { path, reader, buffer: Vec::new() }
    }

    /// The next event.
    ///
    /// # Errors
    /// If the file cannot be read, or is no XML.
    pub fn next(&mut self) -> Result<Event<'_>, Error> {
        // And the byte that ends it.
        self.reader.get_mut().left = XML_BYTES + 1;
        self.buffer.clear();
        let line = self.reader.get_ref().line;
        match self.reader.read_event_into(&mut self.buffer) {
            Ok(event) => Ok(event),
            Err(quick_xml::Error::Io(error)) => {
                let source = io::Error::new(error.kind(), error.to_string());
                Err(Error::Read { path: self.path.into(), source })
            }
            Err(error) => {
                let problem = format!("invalid XML: {error}");
                Err(Error::Line { path: self.path.into(), line, problem })
            }
        }
    }

    /// That what stands here is wrong.
    pub fn wrong(&self, problem: impl Into<String>) -> Error {
        let line = self.reader.get_ref().line;
        Error::Line { path: self.path.into(), line, problem: problem.into() }
    }
}

/// Appends what a reference stands for; one that XML does not know stays as it is written.
pub fn push_reference(reference: &BytesRef<'_>, text: &mut String) {
    match (&**reference, reference.resolve_char_ref()) {
        (_, Ok(Some(char))) => text.push(char),
        ("lt", _) => text.push('<'),
        ("gt", _) => text.push('>'),
        ("amp", _) => text.push('&'),
        ("quot", _) => text.push('"'),
        ("apos", _) => text.push('\''),
        (other, _) => {
            text.push('&');
            text.push_str(other);
            text.push(';');
        }
    }
}

/// Counts lines, and lets an event have no more than so many bytes.
struct Lines {
    reader: Box<dyn BufRead>,
    line: u64,
    left: usize,
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Lines {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            let problem = format!("more than {XML_BYTES} bytes without markup");
            return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
        }
        let there = self.reader.fill_buf()?;
        Ok(&there[..there.len().min(self.left)])
    }

    fn consume(&mut self, count: usize) {
        if let Ok(there) = self.reader.fill_buf() {
            let lines = there[..count.min(there.len())].iter().filter(|&&byte| byte == b'\n');
            self.line += lines.count() as u64;
        }
        self.left = self.left.saturating_sub(count);
        self.reader.consume(count);
    }
}
