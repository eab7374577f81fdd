//! The head of a safetensors file, which says where each tensor lies: eight bytes of length, then
//! JSON. What it says is true of the bytes that follow, or the file is refused.
//!
//! Whatever the `safetensors` library refuses is refused here, and also what it lets pass but the
//! format's own text does not: a header that does not begin with `{`, has a key twice, or says of a tensor
//! what the format does not know. The JSON is read as it comes, into what is kept of it and nothing else.

use std::collections::{BTreeMap, BinaryHeap};
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};

use crate::limits;

/// The format's element types, and the bits that each takes.
const TYPES: [(&str, u64); 22] = [
    ("BOOL", 8),
    ("F4", 4),
    ("F6_E2M3", 6),
    ("F6_E3M2", 6),
    ("U8", 8),
    ("I8", 8),
    ("F8_E5M2", 8),
    ("F8_E4M3", 8),
    ("F8_E8M0", 8),
    ("F8_E4M3FNUZ", 8),
    ("F8_E5M2FNUZ", 8),
    ("I16", 16),
    ("U16", 16),
    ("F16", 16),
    ("BF16", 16),
    ("I32", 32),
    ("U32", 32),
    ("F32", 32),
    ("C64", 64),
    ("F64", 64),
    ("I64", 64),
    ("U64", 64),
];

/// A tensor in the file's bytes, of any type that the format knows.
pub(crate) struct TensorView<'a> {
    dtype: &'static str,
    shape: Vec<usize>,
    data: &'a [u8],
}

impl<'a> TensorView<'a> {
    /// The name of its element type.
    pub(crate) fn dtype(&self) -> &'static str {
        self.dtype
    }

    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// As many bytes as type and shape take.
    pub(crate) fn data(&self) -> &'a [u8] {
        self.data
    }
}

/// The contents of a file.
#[derive(Default)]
pub(super) struct Contents<'a> {
    pub(super) metadata: BTreeMap<String, String>,
    pub(super) tensors: BTreeMap<String, TensorView<'a>>,
}

/// Reads the head of a whole file. The error says what is wrong with it.
pub(super) fn read(bytes: &[u8]) -> Result<Contents<'_>, String> {
    let Some((length, rest)) = bytes.split_first_chunk::<8>() else {
        return Err("shorter than the 8 bytes of its header's length".into());
    };
    let length = u64::from_le_bytes(*length);
    if length > limits::HEADER_BYTES {
        let most = limits::HEADER_BYTES;
        return Err(format!("its header would have {length} bytes, more than {most}"));
    }
    let Some((header, data)) = rest.split_at_checked(length as usize) else {
        return Err(format!("cut off inside its header of {length} bytes"));
    };
    let Header { metadata, entries } = parsed(header)?;
    let mut tensors = BTreeMap::new();
    // Sorted in a heap: a sort proper is several KB of code. The first lies before every tensor.
    let mut places = BinaryHeap::from([(0, 0)]);
    for (name, entry) in entries {
        let (place, view) = entry.tensor(data).map_err(|why| format!("tensor `{name}` {why}"))?;
        places.push(place);
        tensors.insert(name, view);
    }
    let mut covered_from = data.len();
    while let Some((start, end)) = places.pop() {
        if end != covered_from {
            return Err(format!(
                "its tensors leave a gap or overlap: found an end at byte {end} of the data, expected {covered_from}"
            ));
        }
        covered_from = start;
    }
    Ok(Contents { metadata, tensors })
}

fn parsed(header: &[u8]) -> Result<Header, String> {
    let Ok(text) = str::from_utf8(header) else {
        return Err("its header is not UTF-8".into());
    };
    if !text.is_empty() && !text.starts_with('{') {
        return Err("its header is not a JSON object from its first byte".into());
    }
    serde_json::from_str(text).map_err(|error| match error.is_data() {
        true => format!("its header is wrong: {error}"),
        false => format!("its header is not JSON: {error}"),
    })
}

/// A header, as it is written.
#[derive(Default)]
struct Header {
    metadata: BTreeMap<String, String>,
    entries: BTreeMap<String, Entry>,
}

/// What it says of a tensor.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object of `dtype`, `shape` and `data_offsets`")]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

/// Strings by their names, each once.
struct Metadata(BTreeMap<String, String>);

struct HeaderVisitor;
struct MetadataVisitor;

impl<'de> Deserialize<'de> for Header {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(HeaderVisitor)
    }
}

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(MetadataVisitor)
    }
}

impl<'de> Visitor<'de> for HeaderVisitor {
    type Value = Header;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tensors by their names")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Header, A::Error> {
        let mut header = Header::default();
        let mut has_metadata = false;
        while let Some(name) = map.next_key::<String>()? {
            check_name(&name)?;
            let is_twice = if name == "__metadata__" {
                header.metadata = map.next_value::<Metadata>()?.0;
                std::mem::replace(&mut has_metadata, true)
            } else {
                let entry = map
                    .next_value()
                    .map_err(|error| A::Error::custom(format_args!("tensor `{name}`: {error}")))?;
                if header.entries.len() == limits::TENSORS {
                    let most = limits::TENSORS;
                    return Err(A::Error::custom(format_args!("more than {most} tensors")));
                }
                header.entries.insert(name, entry).is_some()
            };
            if is_twice {
                return Err(A::Error::custom("a name of a tensor is there twice"));
            }
        }
        Ok(header)
    }
}

impl<'de> Visitor<'de> for MetadataVisitor {
    type Value = Metadata;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of strings as `__metadata__`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Metadata, A::Error> {
        let mut metadata = BTreeMap::new();
        while let Some((name, value)) = map.next_entry::<String, String>()? {
            check_name(&name)?;
            if metadata.insert(name, value).is_some() {
                return Err(A::Error::custom("a name in `__metadata__` is there twice"));
            }
        }
        Ok(Metadata(metadata))
    }
}

/// Refuses a name that no message could show.
fn check_name<E: serde::de::Error>(name: &str) -> Result<(), E> {
    let (found, most) = (name.len(), limits::NAME_BYTES);
    match found <= most {
        true => Ok(()),
        false => Err(E::custom(format_args!("a name of {found} bytes, more than {most}"))),
    }
}

impl Entry {
    /// The tensor, and where its bytes begin and end.
    fn tensor<'a>(&self, data: &'a [u8]) -> Result<((usize, usize), TensorView<'a>), String> {
        let Self { dtype, shape, data_offsets: [start, end] } = self;
        let Some(&(dtype, bits)) = TYPES.iter().find(|(name, _)| name == dtype) else {
            return Err("has no `dtype` that the format knows".into());
        };
        let (found, most) = (shape.len(), limits::TENSOR_DIMENSIONS);
        if found > most {
            return Err(format!("has {found} dimensions, more than {most}"));
        }
        let elements = shape.iter().try_fold(1u64, |product, &n| product.checked_mul(n as u64));
        let expected = elements.and_then(|elements| elements.checked_mul(bits));
        let found = end.checked_sub(*start).and_then(|bytes| (bytes as u64).checked_mul(8));
        if expected.is_none() || found != expected {
            return Err(format!(
                "has bytes {start} to {end}, which is not the size of shape {shape:?} in {dtype}"
            ));
        }
        let Some(data) = data.get(*start..*end) else {
            let length = data.len();
            return Err(format!("ends at byte {end} of the data, which are cut off at {length}"));
        };
        Ok(((*start, *end), TensorView { dtype, shape: shape.clone(), data }))
    }
}
