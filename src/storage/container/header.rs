//! The head of a safetensors file, which says where each tensor lies: eight bytes of length, then
//! JSON. What it says is true of the bytes that follow, or the file is refused.
//!
//! Whatever the `safetensors` library refuses is refused here, and also what it lets pass but the
//! format's own text does not: a header that does not begin with `{`, has a key twice, or says of a tensor
//! what the format does not know.
//!
//! The JSON is read into a tree, which takes 33 MB of the longest header that there may be (`tests/core/cost.rs`).
//! A reader that keeps only what is needed, as it comes, would add 8 KB to the 190 KB of the search module.

use std::collections::BinaryHeap;

use serde_json::{Map, Value};

use crate::error::shown;
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

/// Things by their names, sorted: a map is 2 KB of code.
pub(super) type Named<T> = Vec<(String, T)>;

/// The contents of a file.
#[derive(Default)]
pub(super) struct Contents<'a> {
    pub(super) metadata: Named<String>,
    /// Each until it is taken.
    pub(super) tensors: Named<Option<TensorView<'a>>>,
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
    let mut contents = Contents::default();
    // Sorted in a heap: a sort proper is several KB of code. The first lies before every tensor.
    let mut places = BinaryHeap::from([(0, 0)]);
    for (name, entry) in entries(header)? {
        check_name(&name)?;
        if name == "__metadata__" {
            contents.metadata = strings(entry).ok_or("its `__metadata__` is no map of strings")?;
            contents.metadata.iter().try_for_each(|(name, _)| check_name(name))?;
            continue;
        }
        if contents.tensors.len() == limits::TENSORS {
            return Err(format!("it has more than {} tensors", limits::TENSORS));
        }
        let (place, view) = tensor(&entry, data).map_err(|why| format!("tensor `{name}` {why}"))?;
        places.push(place);
        contents.tensors.push((name, Some(view)));
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
    Ok(contents)
}

fn entries(header: &[u8]) -> Result<Map<String, Value>, String> {
    let Ok(text) = str::from_utf8(header) else {
        return Err("its header is not UTF-8".into());
    };
    let value =
        serde_json::from_str(text).map_err(|error| format!("its header is not JSON: {error}"))?;
    if members(&value) != colons(text) {
        return Err("its header has a key twice".into());
    }
    match value {
        Value::Object(entries) if text.starts_with('{') => Ok(entries),
        _ => Err("its header is not a JSON object from its first byte".into()),
    }
}

/// The number of keys, at any depth.
fn members(value: &Value) -> usize {
    match value {
        Value::Object(map) => map.len() + map.values().map(members).sum::<usize>(),
        Value::Array(list) => list.iter().map(members).sum(),
        _ => 0,
    }
}

/// The number of colons outside the strings of a JSON text: one for each key that was written,
/// where a map of what was read has only the last of two.
fn colons(text: &str) -> usize {
    let (mut count, mut quoted, mut escaped) = (0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => quoted = !quoted,
            b':' if !quoted => count += 1,
            _ => {}
        }
    }
    count
}

/// Refuses a name that is too long for a message.
fn check_name(name: &str) -> Result<(), String> {
    let (found, most) = (name.len(), limits::NAME_BYTES);
    match found <= most {
        true => Ok(()),
        false => Err(format!("it has a name of {found} bytes, more than {most}")),
    }
}

fn strings(value: Value) -> Option<Named<String>> {
    let Value::Object(entries) = value else {
        return None;
    };
    let pairs = entries.into_iter().map(|(key, value)| match value {
        Value::String(value) => Some((key, value)),
        _ => None,
    });
    pairs.collect()
}

/// A tensor, and where its bytes begin and end.
fn tensor<'a>(entry: &Value, data: &'a [u8]) -> Result<((usize, usize), TensorView<'a>), String> {
    let Some(&(dtype, bits)) = TYPES.iter().find(|(name, _)| entry["dtype"] == *name) else {
        return Err("has no `dtype` that the format knows".into());
    };
    let known = ["dtype", "shape", "data_offsets"];
    let mut keys = entry.as_object().into_iter().flat_map(Map::keys);
    if let Some(key) = keys.find(|key| !known.contains(&&key[..])) {
        return Err(format!("has `{}`, which the format does not know", shown(key)));
    }
    let numbers = |key: &str| -> Option<Vec<usize>> {
        let list = entry[key].as_array()?.iter();
        list.map(|x| usize::try_from(x.as_u64()?).ok()).collect()
    };
    let shape = numbers("shape").ok_or("has no `shape` that is a list of whole numbers")?;
    let (found, most) = (shape.len(), limits::TENSOR_DIMENSIONS);
    if found > most {
        return Err(format!("has {found} dimensions, more than {most}"));
    }
    let offsets = numbers("data_offsets");
    let Some(&[start, end]) = offsets.as_deref() else {
        return Err("has no `data_offsets` that are two whole numbers".into());
    };
    let elements = shape.iter().try_fold(1u64, |product, &n| product.checked_mul(n as u64));
    let expected = elements.and_then(|elements| elements.checked_mul(bits));
    let found = end.checked_sub(start).and_then(|bytes| (bytes as u64).checked_mul(8));
    if expected.is_none() || found != expected {
        return Err(format!(
            "has bytes {start} to {end}, which is not the size of shape {shape:?} in {dtype}"
        ));
    }
    let Some(data) = data.get(start..end) else {
        let length = data.len();
        return Err(format!("ends at byte {end} of the data, which are cut off at {length}"));
    };
    Ok(((start, end), TensorView { dtype, shape, data }))
}
