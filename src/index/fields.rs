//! The fields of documents, such as their topic or year, by whose values they are filtered.

use std::collections::BTreeMap;

use super::block::Texts;
use crate::Error;
use crate::error::{check_at_most, shown};
use crate::limits;
use crate::storage::Buffer;
use crate::storage::container::{Reader, Writer};

/// The values that documents have in some fields.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Fields {
    /// Sorted by their names.
    fields: Vec<(String, Field)>,
}

/// Of one field.
#[derive(Debug, Clone, PartialEq)]
struct Field {
    /// Sorted, each once.
    values: Texts,
    /// Where the values of each document begin in `entries`, and where those of the last end.
    starts: Buffer<u32>,
    /// Numbers of values, rising in each document.
    entries: Buffer<u32>,
}

/// Fields whose values are being gathered.
#[derive(Debug, Default)]
pub(super) struct Gathering {
    /// Of each field its values, and which documents have each.
    fields: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
}

impl Gathering {
    /// Takes the fields of the document at a place.
    pub fn push(&mut self, place: usize, fields: &[(String, String)]) {
        for (name, value) in fields {
            let values = self.fields.entry(name.clone()).or_default();
            let documents = values.entry(value.clone()).or_default();
            if documents.last() != Some(&place) {
                documents.push(place);
            }
        }
    }

    /// The fields of `count` documents.
    pub fn finish(self, count: usize) -> Result<Fields, Error> {
        check_at_most("fields", self.fields.len(), limits::FIELDS)?;
        for name in self.fields.keys() {
            check_at_most("bytes of a field's name", name.len(), limits::NAME_BYTES)?;
        }
        let field = |(name, values): (String, BTreeMap<String, Vec<usize>>)| {
            let mut entries = vec![Vec::new(); count];
            let mut texts = Texts::default();
            for (number, (value, documents)) in values.into_iter().enumerate() {
                texts.push(&value)?;
                documents.into_iter().for_each(|place| entries[place].push(number as u32));
            }
            let mut starts = vec![0];
            for values in &entries {
                let found = starts[starts.len() - 1] as usize + values.len();
                let most = u32::MAX as usize;
                let end = u32::try_from(found);
                starts.push(end.map_err(|_| Error::TooLarge { what: "values", found, most })?);
            }
            let (starts, entries) = (starts.into(), entries.concat().into());
            Ok((name, Field { values: texts, starts, entries }))
        };
        Ok(Fields { fields: self.fields.into_iter().map(field).collect::<Result<_, Error>>()? })
    }
}

impl Fields {
    /// The names of all fields, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(name, _)| name.as_str())
    }

    /// The names and values of the document at a place.
    pub fn get(&self, place: usize) -> impl Iterator<Item = (&str, &str)> {
        self.fields.iter().flat_map(move |(name, field)| {
            field
                .values_of(place)
                .iter()
                .map(|&value| (&name[..], field.values.get(value as usize)))
        })
    }

    /// Tells how many documents have each value of each field.
    pub fn each_value<'a>(&'a self, mut tell: impl FnMut(&'a str, &'a str, usize)) {
        for (name, field) in &self.fields {
            let mut counts = vec![0; field.values.len()];
            field.entries.iter().for_each(|&value| counts[value as usize] += 1);
            for (value, count) in counts.into_iter().enumerate() {
                tell(name, field.values.get(value), count);
            }
        }
    }

    /// Takes from the `wanted` documents all that have none of these values of a field.
    pub fn choose(&self, name: &str, values: &[&str], wanted: &mut [bool]) {
        let Some((_, field)) = self.fields.iter().find(|(field, _)| field == name) else {
            return wanted.fill(false);
        };
        let numbers: Vec<u32> =
            values.iter().filter_map(|value| field.values.find(value)).collect();
        for (place, wanted) in wanted.iter_mut().enumerate() {
            *wanted &= field.values_of(place).iter().any(|value| numbers.contains(value));
        }
    }

    pub fn write(&self, writer: &mut Writer) {
        for (number, (_, field)) in self.fields.iter().enumerate() {
            let tensor = |part: &str| format!("field.{number}.{part}");
            field.values.write(writer, &tensor("values"));
            writer.u32(&tensor("starts"), &field.starts);
            writer.u32(&tensor("of"), &field.entries);
        }
    }

    /// Reads the fields of these names, of `count` documents.
    pub fn read(reader: &mut Reader<'_>, names: Vec<String>, count: usize) -> Result<Self, Error> {
        let numbered = names.into_iter().enumerate();
        let field = |(number, name)| Ok((name, Field::read(reader, number, count)?));
        Ok(Self { fields: numbered.map(field).collect::<Result<_, Error>>()? })
    }
}

impl Field {
    fn values_of(&self, place: usize) -> &[u32] {
        &self.entries[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    fn read(reader: &mut Reader<'_>, number: usize, count: usize) -> Result<Self, Error> {
        let tensor = |part: &str| format!("field.{number}.{part}");
        let wrong = |part: &str, position: usize, found: &str, expected: &'static str| {
            Error::TensorValue { name: tensor(part), position, found: found.into(), expected }
        };
        let values = Texts::read(reader, &tensor("values"), None)?;
        for value in 1..values.len() {
            if values.get(value - 1) >= values.get(value) {
                let expected = "above the value before it";
                return Err(wrong("values", value, &shown(values.get(value)), expected));
            }
        }
        let [starts, entries] = [reader.u32(&tensor("starts"))?, reader.u32(&tensor("of"))?];
        if starts.len() != count + 1 {
            let (name, found) = (tensor("starts"), vec![starts.len()]);
            return Err(Error::TensorShape { name, found, expected: format!("[{}]", count + 1) });
        }
        let mut before = 0;
        for (place, &start) in starts.iter().enumerate() {
            let is_end = place == count && start as usize != entries.len();
            if start < before
                || start as usize > entries.len()
                || is_end
                || (place == 0 && start > 0)
            {
                let expected = "a rising place among the values' numbers";
                return Err(wrong("starts", place, &start.to_string(), expected));
            }
            let document = &entries[before as usize..start as usize];
            for (at, &value) in document.iter().enumerate() {
                if value as usize >= values.len() || (at > 0 && document[at - 1] >= value) {
                    let expected = "the number of a value, above the document's one before it";
                    let position = before as usize + at;
                    return Err(wrong("of", position, &value.to_string(), expected));
                }
            }
            before = start;
        }
        Ok(Self { values, starts, entries })
    }
}
