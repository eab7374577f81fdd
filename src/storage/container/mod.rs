//! Tensors <-> a safetensors file, checked whole.
//!
//! A file states its digest under `digest`: SHA-256 over all its bytes with the digest's own 64
//! characters read as zeros. Any byte changed, in the header too, is found out. A file without
//! one (made by another tool, say) must pass every other check.

mod header;

use std::collections::BTreeMap;

use bytemuck::AnyBitPattern;
use header::{Named, TensorView};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::Error;
use crate::decimal::decimal;
use crate::error::shown;
use crate::limits;
use crate::storage::{Buffer, SharedBytes};

/// The required value of `format`.
pub const FORMAT: &str = "smooth-clir";
/// The version of the format that this library writes, and the newest that it reads.
pub const VERSION: u32 = 1;

const KNOWN_METADATA: [&str; 10] = [
    "config",
    "digest",
    "extensions",
    "format",
    "kind",
    "model",
    "provenance",
    "space",
    "teacher",
    "version",
];
const NO_DIGEST: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// The type of a tensor's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// Bytes; text, mostly.
    U8,
    /// 16 bits: eight integers of 2 bits, or a number.
    U16,
    /// 32-bit offsets.
    U32,
    /// 8-bit integers.
    I8,
    /// 16-bit floating point.
    F16,
    /// 32-bit floating point.
    F32,
}

impl Element {
    fn name(self) -> &'static str {
        match self {
            Element::U8 => "U8",
            Element::U16 => "U16",
            Element::U32 => "U32",
            Element::I8 => "I8",
            Element::F16 => "F16",
            Element::F32 => "F32",
        }
    }

    fn size(self) -> usize {
        match self {
            Element::U8 | Element::I8 => 1,
            Element::U16 | Element::F16 => 2,
            Element::U32 | Element::F32 => 4,
        }
    }
}

/// A file to be: tensors and metadata.
#[derive(Debug, Clone, Default)]
pub struct Writer {
    tensors: BTreeMap<String, (Element, Vec<usize>, Vec<u8>)>,
    metadata: BTreeMap<String, String>,
}

impl Writer {
    /// A file of this kind with nothing in it.
    pub fn new(kind: &str) -> Self {
        let mut writer = Self::default();
        writer.metadata("format", FORMAT.into());
        writer.metadata("version", VERSION.to_string());
        writer.metadata("kind", kind.into());
        writer
    }

    /// Adds a line of metadata.
    pub fn metadata(&mut self, key: &str, value: String) {
        self.metadata.insert(key.into(), value);
    }

    /// Adds text as bytes.
    pub fn text(&mut self, name: &str, text: &str) {
        self.bytes(name, text.as_bytes());
    }

    /// Adds bytes.
    pub fn bytes(&mut self, name: &str, bytes: &[u8]) {
        let shape = vec![bytes.len()];
        self.tensors.insert(name.into(), (Element::U8, shape, bytes.to_vec()));
    }

    /// Adds rows of integers from -8 to 7, two in a byte: the first in the lower four bits, 8 more
    /// than it is. Where a row's number is odd, four bits are left over.
    pub fn i4(&mut self, name: &str, dimension: usize, values: &[i8]) {
        let four = |x: &i8| (x + 8) as u8 & 15;
        let byte = |pair: &[i8]| four(&pair[0]) | pair.get(1).map_or(0, four) << 4;
        let rows = values.chunks_exact(dimension.max(1));
        let shape = vec![rows.len(), dimension.div_ceil(2)];
        let bytes = rows.flat_map(|row| row.chunks(2).map(byte)).collect();
        self.tensors.insert(name.into(), (Element::U8, shape, bytes));
    }

    /// Adds rows of the integers -3, -1, 1 and 3, eight in 16 bits, the first in the lowest two: 0 to 3 in this order. Where
    /// 8 does not divide a row's number, bits are left over.
    pub fn i2(&mut self, name: &str, dimension: usize, values: &[i8]) {
        let two = |x: &i8| u16::from(((x + 3) as u8 / 2) & 3);
        let eight = |part: &[i8]| part.iter().rev().fold(0, |bits, x| bits << 2 | two(x));
        let rows = values.chunks_exact(dimension.max(1));
        let shape = vec![rows.len(), dimension.div_ceil(8)];
        let bytes =
            rows.flat_map(|row| row.chunks(8).flat_map(|part| eight(part).to_le_bytes())).collect();
        self.tensors.insert(name.into(), (Element::U16, shape, bytes));
    }

    /// Adds numbers of 16 bits.
    pub fn u16(&mut self, name: &str, values: &[u16]) {
        let bytes = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.tensors.insert(name.into(), (Element::U16, vec![values.len()], bytes));
    }

    /// Adds offsets.
    pub fn u32(&mut self, name: &str, values: &[u32]) {
        let bytes = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.tensors.insert(name.into(), (Element::U32, vec![values.len()], bytes));
    }

    /// Adds 8-bit integers; shape and values must agree in length.
    pub fn i8(&mut self, name: &str, shape: &[usize], values: &[i8]) {
        let bytes = values.iter().map(|&x| x as u8).collect();
        self.tensors.insert(name.into(), (Element::I8, shape.to_vec(), bytes));
    }

    /// Adds the bits of 16-bit floats; shape and values must agree in length.
    pub fn f16(&mut self, name: &str, shape: &[usize], bits: &[u16]) {
        let bytes = bits.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.tensors.insert(name.into(), (Element::F16, shape.to_vec(), bytes));
    }

    /// Adds 32-bit floats; shape and values must agree in length.
    pub fn f32(&mut self, name: &str, shape: &[usize], values: &[f32]) {
        let bytes = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.tensors.insert(name.into(), (Element::F32, shape.to_vec(), bytes));
    }

    /// The file's bytes: the same for the same content.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.metadata("digest", NO_DIGEST.into());
        // Widest elements first, so that each tensor is aligned.
        let mut order: Vec<_> = std::mem::take(&mut self.tensors).into_iter().collect();
        order.sort_by_key(|(_, (element, ..))| std::cmp::Reverse(element.size()));
        let mut header = Map::new();
        let metadata = self.metadata.iter().map(|(k, v)| (k.clone(), Value::from(v.as_str())));
        header.insert("__metadata__".into(), Value::Object(metadata.collect()));
        let mut end = 0;
        for (name, (element, shape, data)) in &order {
            let start = end;
            end += data.len();
            header.insert(
                name.clone(),
                serde_json::json!({
                    "dtype": element.name(), "shape": shape, "data_offsets": [start, end]
                }),
            );
        }
        let mut header = Value::Object(header).to_string().into_bytes();
        header.resize(header.len().next_multiple_of(8), b' ');
        let mut bytes = Vec::with_capacity(8 + header.len() + end);
        bytes.extend((header.len() as u64).to_le_bytes());
        bytes.extend(header);
        for (_, (_, _, data)) in order {
            bytes.extend(data);
        }
        if let Some(at) = digest_position(&bytes, NO_DIGEST) {
            let digest = sha256_hex(&[&bytes]);
            bytes[at..at + digest.len()].copy_from_slice(digest.as_bytes());
        }
        bytes
    }
}

/// SHA-256 over the parts, one after the other, in hexadecimal.
pub fn sha256_hex(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hex(&hash.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Where the file states its digest.
fn digest_position(bytes: &[u8], digest: &str) -> Option<usize> {
    let before = "\"digest\":\"";
    let pattern = format!("{before}{digest}\"");
    let found = bytes.windows(pattern.len()).position(|window| window == pattern.as_bytes());
    found.map(|at| at + before.len())
}

/// A file whose structure, metadata and digest are sound. Tensors are taken out one by one;
/// [`Reader::finish`] refuses what is left.
pub struct Reader<'a> {
    bytes: &'a [u8],
    /// The same bytes, where they are shared.
    file: Option<&'a SharedBytes>,
    tensors: Named<Option<TensorView<'a>>>,
    metadata: Named<String>,
    /// Names of tensors and metadata, with nothing.
    extensions: Map<String, Value>,
}

impl<'a> Reader<'a> {
    /// Opens a file that must be of `kind`.
    ///
    /// # Errors
    /// [`Error::NotSafetensors`], [`Error::Metadata`], [`Error::NewerVersion`].
    pub fn open(bytes: &'a [u8], kind: &str) -> Result<Self, Error> {
        let refused = |reason| Error::NotSafetensors { length: bytes.len(), reason };
        let header::Contents { metadata, tensors } = header::read(bytes).map_err(refused)?;
        let mut reader = Self { bytes, file: None, tensors, metadata, extensions: Map::new() };
        reader.check_kind(kind)?;
        Ok(reader)
    }

    /// Opens a file whose bytes are shared: what is taken out stays where it lies.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_in_place(file: &'a SharedBytes, kind: &str) -> Result<Self, Error> {
        Ok(Self { file: Some(file), ..Self::open(file, kind)? })
    }

    fn check_kind(&mut self, kind: &str) -> Result<(), Error> {
        let format = self.required("format")?;
        if format != FORMAT {
            return Err(metadata_error("format", &format, &format!("\"{FORMAT}\"")));
        }
        let version = self.required("version")?;
        match version.parse::<u32>() {
            Ok(VERSION) => {}
            Ok(newer) if newer > VERSION => {
                return Err(Error::NewerVersion { found: version, supported: VERSION });
            }
            _ => return Err(metadata_error("version", &version, &format!("\"{VERSION}\""))),
        }
        let found = self.required("kind")?;
        if found != kind {
            return Err(metadata_error("kind", &found, &format!("\"{kind}\"")));
        }
        if let Some(list) = self.value("extensions") {
            self.extensions = names(list).ok_or_else(|| {
                metadata_error("extensions", list, "a JSON array of names of tensors or metadata")
            })?;
        }
        let known = |key: &str| KNOWN_METADATA.contains(&key) || self.extensions.contains_key(key);
        if let Some((key, found)) = self.metadata.iter().find(|(key, _)| !known(key)) {
            return Err(metadata_error(key, found, "no such key"));
        }
        Ok(())
    }

    fn value(&self, key: &str) -> Option<&str> {
        named(&self.metadata, key).map(|place| &*self.metadata[place].1)
    }

    /// A line of metadata that must be there.
    ///
    /// # Errors
    /// [`Error::Metadata`].
    pub fn required(&self, key: &str) -> Result<String, Error> {
        self.value(key).map(str::to_owned).ok_or_else(|| Error::Metadata {
            key: key.into(),
            found: "nothing".into(),
            expected: "a value".into(),
        })
    }

    /// A line of metadata that says which training or texts a file belongs to: a digest, in the files that
    /// this library writes. It is shown and stored elsewhere, so nothing in it may mean something there.
    ///
    /// # Errors
    /// [`Error::Metadata`].
    pub fn space(&self, key: &str) -> Result<String, Error> {
        let space = self.required(key)?;
        if is_space(&space) {
            return Ok(space);
        }
        Err(metadata_error(key, &space, "1 to 64 ASCII letters, digits, spaces, `-`, `_` or `.`"))
    }

    /// As [`space`](Self::space); `None` if there is no such line.
    ///
    /// # Errors
    /// [`Error::Metadata`] if it is anything else.
    pub fn space_if_there(&self, key: &str) -> Result<Option<String>, Error> {
        self.value(key).map(|_| self.space(key)).transpose()
    }

    /// A line of metadata that must be JSON.
    ///
    /// # Errors
    /// [`Error::Metadata`].
    pub fn json(&self, key: &str) -> Result<Value, Error> {
        let text = self.required(key)?;
        serde_json::from_str(&text).map_err(|_| metadata_error(key, &text, "JSON"))
    }

    /// Whether there is such a tensor that has not been taken.
    pub fn has(&self, name: &str) -> bool {
        named(&self.tensors, name).is_some_and(|place| self.tensors[place].1.is_some())
    }

    fn take(
        &mut self,
        name: &str,
        allowed: &[Element],
    ) -> Result<(Element, TensorView<'a>), Error> {
        let found = named(&self.tensors, name).and_then(|place| self.tensors[place].1.take());
        let view = found.ok_or_else(|| Error::MissingTensor { name: name.into() })?;
        match allowed.iter().find(|element| element.name() == view.dtype()) {
            Some(&element) => Ok((element, view)),
            None => Err(Error::TensorType {
                name: name.into(),
                found: view.dtype().into(),
                expected: allowed.iter().map(|e| e.name()).collect::<Vec<_>>().join(" or "),
            }),
        }
    }

    /// Takes text.
    ///
    /// # Errors
    /// If it is missing, of another type or shape, or not UTF-8.
    pub fn text(&mut self, name: &str) -> Result<String, Error> {
        let bytes = self.text_bytes(name)?.into_vec();
        // It was checked: nothing is lost.
        Ok(String::from_utf8(bytes).unwrap_or_default())
    }

    /// Takes text, as its bytes.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub fn text_bytes(&mut self, name: &str) -> Result<Buffer<u8>, Error> {
        let bytes = self.bytes(name)?;
        match std::str::from_utf8(&bytes) {
            Ok(_) => Ok(bytes),
            Err(error) => {
                Err(Error::TensorText { name: name.into(), position: error.valid_up_to() })
            }
        }
    }

    /// Takes bytes.
    ///
    /// # Errors
    /// If they are missing or of another type or shape.
    pub fn bytes(&mut self, name: &str) -> Result<Buffer<u8>, Error> {
        let view = self.list(name, Element::U8, None)?;
        Ok(self.shared(view.data(), <[u8]>::to_vec))
    }

    /// Takes offsets.
    ///
    /// # Errors
    /// If they are missing or of another type or shape.
    pub fn u32(&mut self, name: &str) -> Result<Buffer<u32>, Error> {
        let view = self.list(name, Element::U32, None)?;
        Ok(self.shared(view.data(), |bytes| values(bytes, u32::from_le_bytes)))
    }

    /// Takes `length` numbers of 16 bits.
    ///
    /// # Errors
    /// If they are missing or of another type or shape.
    pub fn u16(&mut self, name: &str, length: usize) -> Result<Vec<u16>, Error> {
        let view = self.list(name, Element::U16, Some(length))?;
        Ok(values(view.data(), u16::from_le_bytes))
    }

    /// Takes `length` finite numbers of 0 or more.
    ///
    /// # Errors
    /// If they are missing, of another type or shape, negative or not finite.
    pub fn magnitudes(&mut self, name: &str, length: usize) -> Result<Buffer<f32>, Error> {
        let view = self.list(name, Element::F32, Some(length))?;
        let found = self.shared(view.data(), |bytes| values(bytes, f32::from_le_bytes));
        check_values(name, &found, "finite and 0 or more", |x| x.is_finite() && x >= 0.0)?;
        Ok(found)
    }

    /// Takes `length` finite numbers; without it, as many as there are.
    ///
    /// # Errors
    /// If they are missing, of another type or shape, or not finite.
    pub fn numbers(&mut self, name: &str, length: Option<usize>) -> Result<Vec<f32>, Error> {
        let found = values(self.list(name, Element::F32, length)?.data(), f32::from_le_bytes);
        check_values(name, &found, "finite", f32::is_finite)?;
        Ok(found)
    }

    fn list(
        &mut self,
        name: &str,
        element: Element,
        length: Option<usize>,
    ) -> Result<TensorView<'a>, Error> {
        let (_, view) = self.take(name, &[element])?;
        match (view.shape(), length) {
            (&[found], Some(length)) if found == length => Ok(view),
            (&[_], None) => Ok(view),
            (_, Some(length)) => Err(shape_error(name, &view, format!("[{length}]"))),
            (_, None) => Err(shape_error(name, &view, "one dimension".into())),
        }
    }

    /// Numbers where they lie, if they can be read there, or decoded.
    pub(crate) fn shared<T: AnyBitPattern>(
        &self,
        data: &'a [u8],
        decode: impl Fn(&[u8]) -> Vec<T>,
    ) -> Buffer<T> {
        let start = data.as_ptr().addr() - self.bytes.as_ptr().addr();
        let in_place = self.file.and_then(|file| Buffer::in_file(file, start..start + data.len()));
        in_place.unwrap_or_else(|| decode(data).into())
    }

    /// Takes a [rows, `dimension`] tensor of one of these types; without `rows`, of as many as there are.
    pub(crate) fn matrix(
        &mut self,
        name: &str,
        rows: Option<usize>,
        dimension: usize,
        allowed: &[Element],
    ) -> Result<(Element, TensorView<'a>), Error> {
        let (element, view) = self.take(name, allowed)?;
        let rows = rows.or(view.shape().first().copied()).unwrap_or(0);
        let columns = match element {
            Element::U8 => dimension.div_ceil(2),
            Element::U16 => dimension.div_ceil(8),
            _ => dimension,
        };
        if view.shape() == [rows, columns] {
            Ok((element, view))
        } else {
            Err(shape_error(name, &view, format!("[{rows}, {columns}]")))
        }
    }

    /// The names of the tensors that have not been taken.
    pub fn left(&self) -> impl Iterator<Item = &str> {
        let left = self.tensors.iter().filter(|(_, view)| view.is_some());
        left.map(|(name, _)| name.as_str())
    }

    /// Refuses what is left and not named under `extensions`, and a digest that does not match.
    ///
    /// # Errors
    /// [`Error::UnknownTensor`], [`Error::Digest`].
    pub fn finish(self) -> Result<(), Error> {
        if let Some(name) = self.left().find(|&name| !self.extensions.contains_key(name)) {
            return Err(Error::UnknownTensor { name: name.into() });
        }
        let Some(expected) = self.value("digest") else {
            return Ok(());
        };
        // A host that computed another one may have looked for it elsewhere: the file is judged by what is computed here.
        let given = self.file.and_then(SharedBytes::digest);
        if given.is_some_and(|digest| hex(digest) == expected) {
            return Ok(());
        }
        let found = match digest_position(self.bytes, expected) {
            Some(at) if expected.len() == NO_DIGEST.len() => {
                let (before, rest) = self.bytes.split_at(at);
                sha256_hex(&[before, NO_DIGEST.as_bytes(), &rest[expected.len()..]])
            }
            _ => "of another form".into(),
        };
        if found != expected {
            return Err(Error::Digest { found, expected: expected.into() });
        }
        Ok(())
    }
}

/// Whether a text can be what [`Reader::space`] reads.
pub(crate) fn is_space(text: &str) -> bool {
    let is_good = |byte: u8| byte.is_ascii_alphanumeric() || b" -_.".contains(&byte);
    (1..=64).contains(&text.len()) && text.bytes().all(is_good)
}

/// The names in a list of a `config`, of at most so many.
pub(crate) fn names_in(config: &Value, key: &str, most: usize) -> Result<Vec<String>, Error> {
    let name = |name: &Value| {
        let name = name.as_str().filter(|name| name.len() <= limits::NAME_BYTES);
        name.map(str::to_owned)
    };
    let list = config[key].as_array().filter(|list| list.len() <= most);
    list.and_then(|list| list.iter().map(name).collect()).ok_or_else(|| {
        let longest = limits::NAME_BYTES;
        wrong_config(
            config,
            key,
            &format!("a list of at most {most} names of at most {longest} bytes"),
        )
    })
}

/// The strings of a JSON array, each with nothing: a map of these is there already, for JSON's objects.
fn names(text: &str) -> Option<Map<String, Value>> {
    let list: Value = serde_json::from_str(text).ok()?;
    let mut names = Map::new();
    // One by one: `collect` sorts, which is several KB of the search module.
    for name in list.as_array()? {
        names.insert(name.as_str()?.to_owned(), Value::Null);
    }
    Some(names)
}

/// The place of a name.
fn named<T>(sorted: &Named<T>, name: &str) -> Option<usize> {
    sorted.binary_search_by(|(found, _)| found.as_str().cmp(name)).ok()
}

/// Rows of integers of 2 bits, eight in 16: see [`Writer::i2`].
pub(crate) fn unpacked_from_two(bytes: &[u8], dimension: usize) -> Buffer<i8> {
    let mut values = Vec::with_capacity(bytes.len() * 4);
    for row in bytes.chunks(2 * dimension.div_ceil(8).max(1)) {
        let fours = row.iter().flat_map(|byte| [0, 2, 4, 6].map(|at| (byte >> at) & 3));
        values.extend(fours.take(dimension).map(|two| (2 * two as i8 - 3) as u8));
    }
    Buffer::shared(values)
}

/// Rows of integers of 4 bits, two in a byte: see [`Writer::i4`].
pub(crate) fn unpacked(bytes: &[u8], dimension: usize) -> Buffer<i8> {
    let mut values = Vec::with_capacity(bytes.len() * 2);
    for row in bytes.chunks(dimension.div_ceil(2).max(1)) {
        let pairs = row.iter().flat_map(|byte| [byte & 15, byte >> 4]);
        values.extend(pairs.take(dimension).map(|four| (four as i8 - 8) as u8));
    }
    Buffer::shared(values)
}

/// A line of metadata that says something else than it should.
pub(crate) fn metadata_error(key: &str, found: &str, expected: &str) -> Error {
    let found = format!("\"{}\"", shown(found));
    Error::Metadata { key: key.into(), found, expected: expected.into() }
}

/// A field of `config` that is not what it should be.
pub(crate) fn wrong_config(config: &Value, key: &str, expected: &str) -> Error {
    let found = match &config[key] {
        Value::Null => "nothing",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "another number",
        Value::String(text) => text,
        Value::Array(_) => "another list",
        Value::Object(_) => "an object",
    };
    metadata_error(&format!("config/{key}"), found, expected)
}

fn shape_error(name: &str, view: &TensorView<'_>, expected: String) -> Error {
    Error::TensorShape { name: name.into(), found: view.shape().to_vec(), expected }
}

/// Numbers of `SIZE` bytes each.
pub(crate) fn values<T, const SIZE: usize>(
    bytes: &[u8],
    value: impl Fn([u8; SIZE]) -> T,
) -> Vec<T> {
    bytes.as_chunks().0.iter().map(|bytes| value(*bytes)).collect()
}

pub(crate) fn check_values(
    name: &str,
    values: &[f32],
    expected: &'static str,
    good: impl Fn(f32) -> bool,
) -> Result<(), Error> {
    match values.iter().position(|&x| !good(x)) {
        None => Ok(()),
        Some(position) => Err(value_error(name, position, values[position], expected)),
    }
}

pub(crate) fn value_error(
    name: &str,
    position: usize,
    found: f32,
    expected: &'static str,
) -> Error {
    Error::TensorValue { name: name.into(), position, found: decimal(found), expected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_four_bits_are_in_the_lower_half_of_a_byte_first_and_odd_rows_end_with_half_a_byte()
     {
        assert_eq!(unpacked(&[0xf0, 0x08, 0x79, 0x5b], 4)[..], [-8, 7, 0, -8, 1, -1, 3, -3]);
        assert_eq!(unpacked(&[0xf0, 0x08, 0x79, 0x5b], 3)[..], [-8, 7, 0, 1, -1, 3]);
        assert_eq!(unpacked(&[0xf0, 0x08, 0x79, 0x5b], 1)[..], [-8, 0, 1, 3]);
        let all: Vec<u8> = (0..8).map(|pair| (2 * pair) | ((2 * pair + 1) << 4)).collect();
        let expected: Vec<i8> = (-8..8).collect();
        for bytes in 0..=8 {
            assert_eq!(unpacked(&all[..bytes], 2)[..], expected[..2 * bytes]);
        }
        assert!(unpacked(&[], 0).is_empty());
    }
}
