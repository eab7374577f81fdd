//! The named tensors of an encoder: of `model.safetensors`, of a compact file, and from the one to the other.

use safetensors::{Dtype, SafeTensors};
use smooth_clir::encoder::{Quantised, Rows, Table};
use smooth_clir::storage::container::{Element, Reader, Writer};

use crate::Error;
use crate::functions::magnitude;

/// The magnitude of the largest integer that a row of weights is rounded to.
const LARGEST_WEIGHT: f32 = 127.0;

/// Where the tensors of an encoder come from. Each is checked when it is taken.
pub trait Weights {
    /// The finite values of a tensor of 32 bits and the given shape.
    fn values(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Error>;

    /// The weights of a linear layer, `outputs` rows of `inputs`, each of 8 bits with a scale for each row.
    fn linear(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<Quantised, Error>;

    /// A table of `rows` vectors.
    fn embedding(&mut self, name: &str, rows: usize, dimension: usize) -> Result<Rows, Error>;
}

/// The tensors of `model.safetensors`, all of 32 bits.
pub struct Folder<'a> {
    tensors: SafeTensors<'a>,
    /// What names begin with: nothing, or `bert.`.
    prefix: &'static str,
}

impl<'a> Folder<'a> {
    /// Reads the list of tensors.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        let tensors = SafeTensors::deserialize(bytes)
            .map_err(|problem| Error::Container(problem.to_string()))?;
        let prefixed = tensors.names().iter().any(|name| name.starts_with("bert."));
        Ok(Self { tensors, prefix: if prefixed { "bert." } else { "" } })
    }
}

impl Weights for Folder<'_> {
    fn values(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Error> {
        let name = format!("{}{name}", self.prefix);
        let Ok(tensor) = self.tensors.tensor(&name) else { return Err(Error::NoTensor(name)) };
        if tensor.dtype() != Dtype::F32 || tensor.shape() != shape {
            let found = format!("{:?} {:?}", tensor.dtype(), tensor.shape());
            return Err(Error::Shape { name, found, expected: format!("F32 {shape:?}") });
        }
        let (chunks, _) = tensor.data().as_chunks();
        let values: Vec<f32> = chunks.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        if let Some(position) = values.iter().position(|value| !value.is_finite()) {
            return Err(Error::NotFinite { name, value: values[position], position });
        }
        Ok(values)
    }

    fn linear(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<Quantised, Error> {
        Ok(rounded(&self.values(name, &[outputs, inputs])?, inputs))
    }

    fn embedding(&mut self, name: &str, rows: usize, dimension: usize) -> Result<Rows, Error> {
        Ok(Rows::F32(Table::new(dimension, self.values(name, &[rows, dimension])?)))
    }
}

/// The tensors of a compact file, which have the names of the folder's.
pub struct Compact<'a>(pub Reader<'a>);

impl Weights for Compact<'_> {
    fn values(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Error> {
        Ok(match *shape {
            [rows, dimension] => self.0.table(name, Some(rows), dimension)?.into_values(),
            _ => self.0.numbers(name, Some(shape.iter().product()))?,
        })
    }

    fn linear(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<Quantised, Error> {
        match self.embedding(name, outputs, inputs)? {
            Rows::I8 { rows, .. } => Ok(rows),
            // No other type was allowed.
            _ => Err(Error::NoTensor(name.to_owned())),
        }
    }

    fn embedding(&mut self, name: &str, rows: usize, dimension: usize) -> Result<Rows, Error> {
        let scale = scale_of(name);
        Ok(self.0.rows(name, &scale, Some(rows), dimension, &[Element::I8])?)
    }
}

/// The tensors of a folder, each of which is written to a compact file when it is taken.
pub struct Compacting<'a> {
    /// The folder's.
    pub folder: Folder<'a>,
    /// The file.
    pub writer: Writer,
}

impl Compacting<'_> {
    fn write(&mut self, name: &str, dimension: usize, rows: &Quantised) {
        self.writer.i8(name, &[rows.scales.len(), dimension], &rows.values);
        self.writer.f32(&scale_of(name), &[rows.scales.len()], &rows.scales);
    }
}

impl Weights for Compacting<'_> {
    fn values(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Error> {
        let values = self.folder.values(name, shape)?;
        self.writer.f32(name, shape, &values);
        Ok(values)
    }

    fn linear(&mut self, name: &str, outputs: usize, inputs: usize) -> Result<Quantised, Error> {
        let rows = self.folder.linear(name, outputs, inputs)?;
        self.write(name, inputs, &rows);
        Ok(rows)
    }

    fn embedding(&mut self, name: &str, rows: usize, dimension: usize) -> Result<Rows, Error> {
        let rows = rounded(&self.folder.values(name, &[rows, dimension])?, dimension);
        self.write(name, dimension, &rows);
        Ok(Rows::I8 { dimension, rows })
    }
}

/// The name of the scales of a tensor's rows.
fn scale_of(name: &str) -> String {
    format!("{name}.scale")
}

/// Rows of 8-bit integers, the largest of each 127 in magnitude.
fn rounded(values: &[f32], dimension: usize) -> Quantised {
    let rows = values.chunks_exact(dimension);
    let scales: Vec<f32> = rows.clone().map(|row| scale(row, LARGEST_WEIGHT)).collect();
    let rounded = |(row, scale): (&[f32], &f32)| {
        let scale = *scale;
        row.iter().map(move |value| (value / scale).round_ties_even() as i8).collect::<Vec<_>>()
    };
    let integers: Vec<i8> = rows.zip(&scales).flat_map(rounded).collect();
    Quantised { values: integers.into(), scales: scales.into() }
}

/// The scale at which the largest magnitude becomes `most`; 1 for a vector of zeros, or of numbers so small that the
/// quotients by their scale would not be exact.
pub fn scale(values: &[f32], most: f32) -> f32 {
    let scale = magnitude(values) / most;
    if scale >= f32::MIN_POSITIVE { scale } else { 1.0 }
}
