//! Polyglot's file: a pickle of `(words, vectors)`, the vectors an array or lists of numbers.

use std::fs::File;
use std::io::{BufRead, BufReader, Cursor, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

use super::bytes::{Characters, Encoding};
use super::pickle::{Pickle, Text, Value};
use super::rows::Rows;
use super::source::Source;
use crate::error::Error;

/// Reads the pickle, then the vectors of its words.
pub fn read(source: &mut Source, rows: &mut Rows<'_>) -> Result<(), Error> {
    let (pickle, root) = Pickle::read(source)?;
    let path = source.path().to_owned();
    let refuse = |problem: String| Error::data(&path, problem);
    let Some(&[words, vectors]) = pickle.list(root) else {
        return Err(refuse("is not a pickle of words and their vectors".into()));
    };
    let Some(words) = pickle.list(words) else {
        return Err(refuse("the words are not a list or tuple".into()));
    };
    for (entry, &word) in words.iter().enumerate() {
        let Some(text) = pickle.text(word) else {
            return Err(refuse(format!("word {} is no string", entry + 1)));
        };
        match spelling(&pickle, text) {
            _ if text.long => (), // No text has such a word.
            Some(word) => {
                rows.claim(&word, entry as u64);
            }
            None => rows.skip(),
        }
    }
    match pickle.list(vectors) {
        Some(lists) => read_lists(&pickle, words.len(), lists, rows).map_err(refuse),
        None => read_array(&path, &pickle, words.len(), vectors, rows),
    }
}

/// The bytes of a word that is held; `None` for what is no text.
fn spelling(pickle: &Pickle, text: Text) -> Option<Vec<u8>> {
    let bytes = pickle.held(text);
    if matches!(text.encoding, Encoding::Raw | Encoding::Utf8) {
        return Some(bytes.to_vec());
    }
    let mut characters = Characters::new(Cursor::new(bytes), text.encoding).ok()?;
    let mut units = Vec::new();
    while let Some(character) = characters.next().ok()? {
        // Python 2 writes characters beyond 65,535 as two.
        match u16::try_from(character) {
            Ok(unit) => units.push(unit),
            Err(_) => units.extend_from_slice(char::from_u32(character)?.encode_utf16(&mut [0; 2])),
        }
    }
    match text.encoding {
        Encoding::Quoted => units.into_iter().map(|unit| u8::try_from(unit).ok()).collect(),
        _ => String::from_utf16(&units).ok().map(String::into_bytes),
    }
}

fn read_lists(
    pickle: &Pickle,
    words: usize,
    lists: &[Value],
    rows: &mut Rows<'_>,
) -> Result<(), String> {
    check_height(words, lists.len() as u64)?;
    let mut wanted = rows.claimed().into_iter().peekable();
    let mut width = None;
    for (entry, &list) in lists.iter().enumerate() {
        let place = entry + 1;
        let list = pickle.list(list).ok_or_else(|| format!("vector {place} is not a list"))?;
        match width {
            None => rows.check_dimension(list.len() as u64)?,
            Some(width) if width == list.len() => (),
            Some(width) => {
                return Err(format!("vector {place} has {} numbers, expected {width}", list.len()));
            }
        }
        width = Some(list.len());
        let numbers = list.iter().map(|&value| match value {
            Value::Float(number) => Some(number as f32),
            Value::Integer(number) => Some(number as f32),
            _ => None,
        });
        let numbers: Option<Vec<f32>> =
            numbers.map(|number| number.filter(|number| number.is_finite())).collect();
        let numbers = numbers
            .ok_or_else(|| format!("vector {place} has values that are not finite numbers"))?;
        if let Some((_, row)) = wanted.next_if(|(place, _)| *place == entry as u64) {
            rows.set(row, numbers);
        }
    }
    Ok(())
}

/// The numbers of an array, where they are.
struct Numbers {
    text: Text,
    height: u64,
    double: bool,
    big_endian: bool,
}

fn read_array(
    path: &Path,
    pickle: &Pickle,
    words: usize,
    array: Value,
    rows: &mut Rows<'_>,
) -> Result<(), Error> {
    let numbers =
        describe(pickle, words, array, rows).map_err(|problem| Error::data(path, problem))?;
    let unreadable = |source| Error::Read { path: path.into(), source };
    if !numbers.text.long {
        return fill(path, Cursor::new(pickle.held(numbers.text)), &numbers, rows);
    }
    let mut file = File::open(path).map_err(unreadable)?;
    file.seek(SeekFrom::Start(numbers.text.start)).map_err(unreadable)?;
    fill(path, BufReader::new(file.take(numbers.text.length)), &numbers, rows)
}

fn describe(
    pickle: &Pickle,
    words: usize,
    array: Value,
    rows: &Rows<'_>,
) -> Result<Numbers, String> {
    let Some([_, shape, number_type, fortran, data]) = pickle.array(array) else {
        return Err("the vectors are neither an array of numbers nor lists".into());
    };
    let Some(&[Value::Integer(height), Value::Integer(width)]) = pickle.list(shape) else {
        return Err("the vectors' array does not have two axes".into());
    };
    let (Ok(height), Ok(width)) = (u64::try_from(height), u64::try_from(width)) else {
        return Err(format!("invalid array of {height} x {width}"));
    };
    check_height(words, height)?;
    rows.check_dimension(width)?;
    if matches!(fortran, Value::Boolean(true) | Value::Integer(1)) && height > 1 && width > 1 {
        return Err("the array is in Fortran's order: pickle numpy.ascontiguousarray(array)".into());
    }
    let number_type = pickle.number_type(number_type);
    let (double, big_endian) = match number_type.map(|t| (&t.name[..], t.big_endian)) {
        Some(("f4", order)) => (false, order),
        Some(("f8", order)) => (true, order),
        other => {
            let found = other.map_or("none", |(name, _)| name);
            return Err(format!("numbers of type `{found}`, expected f4 or f8"));
        }
    };
    let text = pickle.text(data).ok_or("the array has no numbers")?;
    Ok(Numbers { text, height, double, big_endian })
}

fn fill(
    path: &Path,
    reader: impl BufRead,
    numbers: &Numbers,
    rows: &mut Rows<'_>,
) -> Result<(), Error> {
    let unreadable = |at: u64, source: std::io::Error| match source.kind() {
        ErrorKind::InvalidData => Error::data(path, format!("vector {at}: {source}")),
        ErrorKind::UnexpectedEof => {
            Error::data(path, format!("vector {at}: the array's numbers end within it"))
        }
        _ => Error::Read { path: path.into(), source },
    };
    let mut characters =
        Characters::new(reader, numbers.text.encoding).map_err(|source| unreadable(1, source))?;
    let mut wanted = rows.claimed().into_iter().peekable();
    let mut bytes = vec![0; rows.dimension() * if numbers.double { 8 } else { 4 }];
    for entry in 0..numbers.height {
        characters.fill(&mut bytes).map_err(|source| unreadable(entry + 1, source))?;
        let row: Vec<f32> = numbers.of(&bytes);
        if row.iter().any(|number| !number.is_finite()) {
            let problem = format!("vector {} has numbers that are not finite", entry + 1);
            return Err(Error::data(path, problem));
        }
        if let Some((_, place)) = wanted.next_if(|(place, _)| *place == entry) {
            rows.set(place, row);
        }
    }
    match characters.next() {
        Ok(None) => Ok(()),
        Ok(Some(_)) => Err(Error::data(path, "the array has more numbers than its shape says")),
        Err(source) => Err(unreadable(numbers.height, source)),
    }
}

impl Numbers {
    /// The numbers of a row's bytes.
    fn of(&self, bytes: &[u8]) -> Vec<f32> {
        let singles = bytes.as_chunks::<4>().0.iter();
        let doubles = bytes.as_chunks::<8>().0.iter();
        match (self.double, self.big_endian) {
            (false, false) => singles.map(|four| f32::from_le_bytes(*four)).collect(),
            (false, true) => singles.map(|four| f32::from_be_bytes(*four)).collect(),
            (true, false) => doubles.map(|eight| f64::from_le_bytes(*eight) as f32).collect(),
            (true, true) => doubles.map(|eight| f64::from_be_bytes(*eight) as f32).collect(),
        }
    }
}

fn check_height(words: usize, vectors: u64) -> Result<(), String> {
    match words as u64 == vectors {
        true => Ok(()),
        false => Err(format!("{words} words, but {vectors} vectors")),
    }
}
