//! A string as a pickle holds it -> the bytes it stands for, one after the other.

use std::io::{BufRead, Error, ErrorKind, Result};

/// How a pickle holds a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes as they are.
    Raw,
    /// Text in UTF-8.
    Utf8,
    /// Text of protocol 0: a byte a character, others as `\uXXXX`.
    UnicodeEscape,
    /// Bytes of protocol 0: quoted, with Python's escapes.
    Quoted,
}

/// The characters of a string: bytes where it is of bytes.
pub struct Characters<R> {
    reader: R,
    encoding: Encoding,
    quote: Option<u8>,
}

impl<R: BufRead> Characters<R> {
    /// The characters of a string that `reader` reads to its end.
    pub fn new(mut reader: R, encoding: Encoding) -> Result<Self> {
        let quote = match encoding {
            Encoding::Quoted => match byte(&mut reader)? {
                Some(quote @ (b'\'' | b'"')) => Some(quote),
                _ => return Err(wrong("a string without its quotation mark")),
            },
            _ => None,
        };
        Ok(Self { reader, encoding, quote })
    }

    /// The next character; `None` at the end.
    pub fn next(&mut self) -> Result<Option<u32>> {
        let Some(first) = byte(&mut self.reader)? else {
            return match self.quote {
                Some(_) => Err(wrong("a string without its second quotation mark")),
                None => Ok(None),
            };
        };
        Ok(Some(match self.encoding {
            Encoding::Raw => u32::from(first),
            Encoding::Utf8 => self.utf8(first)?,
            Encoding::UnicodeEscape if first == b'\\' => match byte(&mut self.reader)? {
                Some(b'u') => self.hexadecimal(4)?,
                Some(b'U') => self.hexadecimal(8)?,
                _ => return Err(wrong("an escape other than \\u")),
            },
            Encoding::UnicodeEscape => u32::from(first),
            Encoding::Quoted if Some(first) == self.quote => {
                return match byte(&mut self.reader)? {
                    None => {
                        self.quote = None;
                        Ok(None)
                    }
                    Some(_) => Err(wrong("a quotation mark within a string")),
                };
            }
            Encoding::Quoted if first == b'\\' => self.escape()?,
            Encoding::Quoted => u32::from(first),
        }))
    }

    /// Fills `bytes`; characters above 255 are no bytes.
    pub fn fill(&mut self, bytes: &mut [u8]) -> Result<()> {
        // Most arrays lie there as they are.
        if self.encoding == Encoding::Raw {
            return self.reader.read_exact(bytes);
        }
        for byte in bytes {
            let character = self.next()?.ok_or(ErrorKind::UnexpectedEof)?;
            *byte = u8::try_from(character)
                .map_err(|_| wrong(&format!("character {character:#x}, expected a byte")))?;
        }
        Ok(())
    }

    fn utf8(&mut self, first: u8) -> Result<u32> {
        let (length, bits) = match first {
            0..0x80 => return Ok(u32::from(first)),
            0xC2..0xE0 => (1, first & 0x1F),
            0xE0..0xF0 => (2, first & 0x0F),
            0xF0..0xF5 => (3, first & 0x07),
            _ => return Err(wrong("text that is not UTF-8")),
        };
        let mut character = u32::from(bits);
        for _ in 0..length {
            match byte(&mut self.reader)? {
                Some(next @ 0x80..0xC0) => character = character << 6 | u32::from(next & 0x3F),
                _ => return Err(wrong("text that is not UTF-8")),
            }
        }
        Ok(character)
    }

    fn escape(&mut self) -> Result<u32> {
        Ok(match byte(&mut self.reader)? {
            Some(b'x') => self.hexadecimal(2)?,
            Some(b'n') => 10,
            Some(b'r') => 13,
            Some(b't') => 9,
            Some(own @ (b'\\' | b'\'' | b'"')) => u32::from(own),
            _ => return Err(wrong("an escape that Python does not write")),
        })
    }

    fn hexadecimal(&mut self, digits: usize) -> Result<u32> {
        let mut number = 0;
        for _ in 0..digits {
            let digit = byte(&mut self.reader)?.and_then(|byte| char::from(byte).to_digit(16));
            number = number << 4 | digit.ok_or_else(|| wrong("an escape cut short"))?;
        }
        Ok(number)
    }
}

fn byte(reader: &mut impl BufRead) -> Result<Option<u8>> {
    let next = reader.fill_buf()?.first().copied();
    reader.consume(usize::from(next.is_some()));
    Ok(next)
}

fn wrong(problem: &str) -> Error {
    Error::new(ErrorKind::InvalidData, problem)
}
