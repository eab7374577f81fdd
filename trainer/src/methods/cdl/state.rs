//! How far a training has come: saved, and taken up again.

use ndarray::Array2;
use smooth_clir::math::arrays::{of_rows, values};
use smooth_clir::storage::container::{Reader, Writer};

use super::codes::Code;
use super::dictionary::Dictionary;
use crate::error::Error;

/// One language's part.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Side {
    /// Its atoms.
    pub dictionary: Dictionary,
    /// From its codes to the other side's.
    pub map: Array2<f64>,
    /// Its texts' codes.
    pub codes: Vec<Code>,
}

/// How far a training has come.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// Rounds done.
    pub round: usize,
    /// Both languages.
    pub sides: [Side; 2],
    /// The joint objective so far; empty before the first pairs.
    pub objective: Vec<f64>,
}

impl State {
    /// Adds it to a file.
    pub fn save(&self, writer: &mut Writer) {
        writer.u32("round", &[self.round as u32]);
        put(writer, "objective", &self.objective);
        for (number, side) in self.sides.iter().enumerate() {
            put(writer, &format!("dictionary.{number}"), values(&side.dictionary.values));
            put(writer, &format!("gram.{number}"), values(&side.dictionary.gram));
            put(writer, &format!("map.{number}"), values(&side.map));
            let lengths: Vec<u32> = side.codes.iter().map(|code| code.len() as u32).collect();
            let (atoms, amounts): (Vec<u32>, Vec<f64>) =
                side.codes.iter().flatten().copied().unzip();
            writer.u32(&format!("code.{number}.lengths"), &lengths);
            writer.u32(&format!("code.{number}.atoms"), &atoms);
            put(writer, &format!("code.{number}.amounts"), &amounts);
        }
    }

    /// Takes it from a file; `words` are each side's.
    ///
    /// # Errors
    /// If something is missing or does not fit.
    pub fn restore(
        reader: &mut Reader<'_>,
        words: [usize; 2],
        atoms: usize,
    ) -> Result<Self, Error> {
        let round = reader.u32("round")?.first().copied().unwrap_or_default() as usize;
        let objective = take(reader, "objective", None)?;
        let mut side = |number: usize| {
            let mut matrix = |name: &str, rows: usize| {
                let values = take(reader, &format!("{name}.{number}"), Some(rows * atoms))?;
                Ok::<_, Error>(of_rows(atoms, values))
            };
            let values = matrix("dictionary", words[number])?;
            let dictionary = Dictionary { values, gram: matrix("gram", atoms)? };
            let map = matrix("map", atoms)?;
            let codes = codes(reader, &format!("code.{number}"), atoms)?;
            Ok::<_, Error>(Side { dictionary, map, codes })
        };
        Ok(Self { round, sides: [side(0)?, side(1)?], objective })
    }
}

fn codes(reader: &mut Reader<'_>, name: &str, atoms: usize) -> Result<Vec<Code>, Error> {
    let lengths = reader.u32(&format!("{name}.lengths"))?;
    let all = reader.u32(&format!("{name}.atoms"))?;
    let amounts = take(reader, &format!("{name}.amounts"), Some(all.len()))?;
    if let Some(position) = all.iter().position(|&atom| atom as usize >= atoms) {
        let (name, found) = (format!("{name}.atoms"), all[position].to_string());
        let expected = "one of the atoms";
        return Err(smooth_clir::Error::TensorValue { name, position, found, expected }.into());
    }
    if lengths.iter().map(|&length| u64::from(length)).sum::<u64>() != all.len() as u64 {
        return Err(shape(format!("{name}.atoms"), all.len(), "as many as the lengths say".into()));
    }
    let mut left = all.iter().copied().zip(amounts);
    Ok(lengths.iter().map(|&length| left.by_ref().take(length as usize).collect()).collect())
}

/// Adds 64-bit numbers as their bytes, which a file's own types do not include.
fn put(writer: &mut Writer, name: &str, values: &[f64]) {
    let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
    writer.bytes(name, &bytes);
}

fn take(reader: &mut Reader<'_>, name: &str, length: Option<usize>) -> Result<Vec<f64>, Error> {
    let bytes = reader.bytes(name)?;
    let (eights, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() || length.is_some_and(|length| length != eights.len()) {
        let expected = length.map_or("a multiple of 8".into(), |n| format!("{n} times 8"));
        return Err(shape(name.into(), bytes.len(), expected));
    }
    let values: Vec<f64> = eights.iter().map(|&x| f64::from_le_bytes(x)).collect();
    match values.iter().position(|x| !x.is_finite()) {
        Some(position) => {
            let (name, found) = (name.into(), values[position].to_string());
            let expected = "finite";
            Err(smooth_clir::Error::TensorValue { name, position, found, expected }.into())
        }
        None => Ok(values),
    }
}

fn shape(name: String, found: usize, expected: String) -> Error {
    smooth_clir::Error::TensorShape { name, found: vec![found], expected }.into()
}
