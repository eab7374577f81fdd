//! Rows that replace those of a model's files, in memory and in a file of their own.

use std::collections::BTreeMap;

use crate::Error;
use crate::storage::container::{Reader, Writer};

const KIND: &str = "learned";

/// For some rows of some encoders of a model (`query`, `document.fr`) what replaces them; `None` for
/// the row of the model's file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Changes(BTreeMap<String, BTreeMap<u32, Option<Vec<f32>>>>);

impl Changes {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.0.values().map(BTreeMap::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The encoders, and for each what replaces its rows.
    pub fn iter(&self) -> impl Iterator<Item = (&String, &BTreeMap<u32, Option<Vec<f32>>>)> {
        self.0.iter()
    }

    /// Adds changes; of a row that has one already, theirs counts.
    pub fn extend(&mut self, others: Self) {
        for (encoder, rows) in others.0 {
            self.0.entry(encoder).or_default().extend(rows);
        }
    }

    /// Leaves an encoder out.
    pub fn forget(&mut self, encoder: &str) {
        self.0.remove(encoder);
    }

    /// For the same rows, those of the model's files.
    #[must_use]
    pub fn without(mut self) -> Self {
        self.0.values_mut().flat_map(BTreeMap::values_mut).for_each(|row| *row = None);
        self
    }

    /// The rows that replace others, as a file that belongs to the model of this space.
    pub fn write(&self, space: &str) -> Vec<u8> {
        let mut writer = Writer::new(KIND);
        writer.metadata("space", space.into());
        for (encoder, rows) in &self.0 {
            let replaced = rows.iter().filter_map(|(number, row)| Some((*number, row.as_ref()?)));
            let (numbers, values): (Vec<u32>, Vec<&Vec<f32>>) = replaced.unzip();
            if let Some(first) = values.first() {
                let shape = [numbers.len(), first.len()];
                writer.u32(&format!("{encoder}.rows"), &numbers);
                writer.f32(
                    &format!("{encoder}.embedding"),
                    &shape,
                    &values.into_iter().flatten().copied().collect::<Vec<_>>(),
                );
            }
        }
        writer.into_bytes()
    }

    /// Reads what [`write`](Self::write) wrote for the model of this space, of these encoders with so
    /// many rows of `dimension` numbers.
    ///
    /// # Errors
    /// [`Error::Mismatch`] if it belongs to another model; whatever is wrong with the file.
    pub fn read<'a>(
        bytes: &[u8],
        space: &str,
        dimension: usize,
        encoders: impl IntoIterator<Item = (&'a str, usize)>,
    ) -> Result<Self, Error> {
        let mut reader = Reader::open(bytes, KIND)?;
        let found = reader.space("space")?;
        if found != space {
            let expected = space.to_owned();
            return Err(Error::Mismatch { what: "what was learned".into(), found, expected });
        }
        let mut changes = Self::default();
        for (encoder, rows) in encoders {
            let name = format!("{encoder}.rows");
            if !reader.has(&name) {
                continue;
            }
            let numbers = reader.u32(&name)?;
            if let Some(position) = numbers.iter().position(|&number| number as usize >= rows) {
                let found = numbers[position].to_string();
                let expected = "a row of the model";
                return Err(Error::TensorValue { name, position, found, expected });
            }
            let table =
                reader.table(&format!("{encoder}.embedding"), Some(numbers.len()), dimension)?;
            let rows = numbers.iter().enumerate();
            changes.0.insert(
                encoder.into(),
                rows.map(|(at, &number)| (number, Some(table.row(at).to_vec()))).collect(),
            );
        }
        reader.finish()?;
        Ok(changes)
    }
}

impl IntoIterator for Changes {
    type Item = (String, BTreeMap<u32, Option<Vec<f32>>>);
    type IntoIter = std::collections::btree_map::IntoIter<String, BTreeMap<u32, Option<Vec<f32>>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl FromIterator<(String, u32, Option<Vec<f32>>)> for Changes {
    fn from_iter<I: IntoIterator<Item = (String, u32, Option<Vec<f32>>)>>(rows: I) -> Self {
        let mut changes = Self::default();
        for (encoder, number, row) in rows {
            changes.0.entry(encoder).or_default().insert(number, row);
        }
        changes
    }
}
