//! Which documents an index has: sixteen bytes of each id, and of all that is shown.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use sha2::{Digest, Sha256};
use smooth_clir::index::Document;

type Short = [u8; 16];

/// The documents there are.
#[derive(Default)]
pub struct Known(HashMap<Short, Short>);

impl Known {
    /// Adds a document; false where it is there already, word for word.
    ///
    /// # Errors
    /// What is wrong with it: its id is there with another text.
    pub fn add(&mut self, document: &Document<'_>) -> Result<bool, String> {
        let content = short(
            &[document.language, document.title, document.section, document.text],
            document.fields,
        );
        match self.0.entry(short(&[document.id], &[])) {
            Entry::Vacant(place) => {
                place.insert(content);
                Ok(true)
            }
            Entry::Occupied(place) if *place.get() == content => Ok(false),
            Entry::Occupied(_) => {
                let id = crate::data::tsv::shown(document.id);
                Err(format!(
                    "id `{id}` is in the index already, with another title, section, text or field: tell documents of another collection from it by --prefix"
                ))
            }
        }
    }
}

/// Each part with its length before it, so that no two lists are alike.
fn short(parts: &[&str], fields: &[(String, String)]) -> Short {
    let mut fields: Vec<_> = fields.iter().collect();
    // As an index has them.
    fields.sort();
    fields.dedup();
    let fields = fields.into_iter().flat_map(|(name, value)| [name.as_str(), value]);
    let mut hash = Sha256::new();
    for part in parts.iter().copied().chain(fields) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let mut short = Short::default();
    short.copy_from_slice(&hash.finalize()[..16]);
    short
}
