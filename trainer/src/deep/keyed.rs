//! The rows of a file of vectors, by keys of the texts that they are of.

use std::collections::BTreeMap;

#[cfg(feature = "teacher")]
use smooth_clir::storage::container::Writer;
use smooth_clir::storage::container::{Element, Reader, sha256_hex};

const KEYS: &str = "keys";
/// The names of the rows and of their scales.
pub const VECTORS: &str = "vectors";
pub const SCALE: &str = "scale";
/// Hexadecimal digits of a key: 128 bits.
const LENGTH: usize = 32;

/// The key of what a vector depends on, in parts.
pub fn key(parts: &[&[u8]]) -> String {
    sha256_hex(parts)[..LENGTH].to_owned()
}

/// The vectors of a file by their keys, or what is wrong with it.
pub fn read(
    mut reader: Reader<'_>,
    dimension: usize,
    allowed: &[Element],
) -> Result<BTreeMap<String, Vec<f32>>, String> {
    let told = |error: smooth_clir::Error| error.to_string();
    let keys = reader.text(KEYS).map_err(told)?;
    let rows = reader.rows(VECTORS, SCALE, None, dimension, allowed).map_err(told)?;
    reader.finish().map_err(told)?;
    let is_key = |key: &[u8]| key.len() == LENGTH && key.iter().all(u8::is_ascii_hexdigit);
    if keys.len() != rows.len() * LENGTH || !keys.as_bytes().chunks(LENGTH).all(is_key) {
        return Err(format!(
            "{} vectors, but other keys than {LENGTH} digits for each",
            rows.len()
        ));
    }
    let pair = |row: usize| (keys[row * LENGTH..][..LENGTH].to_owned(), rows.row(row));
    Ok((0..rows.len()).map(pair).collect())
}

/// Writes the keys of vectors, which are written in the same order.
#[cfg(feature = "teacher")]
pub fn write_keys(writer: &mut Writer, known: &BTreeMap<String, Vec<f32>>) {
    writer.text(KEYS, &known.keys().map(String::as_str).collect::<String>());
}
