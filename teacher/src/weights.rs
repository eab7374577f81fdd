//! The named tensors of `model.safetensors`.

use safetensors::{Dtype, SafeTensors};

use crate::Error;

/// The tensors of an encoder, checked one by one as they are read.
pub struct Weights<'a> {
    tensors: SafeTensors<'a>,
    /// What names begin with: nothing, or `bert.`.
    prefix: &'static str,
}

impl<'a> Weights<'a> {
    /// Reads the list of tensors.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        let tensors = SafeTensors::deserialize(bytes)
            .map_err(|problem| Error::Container(problem.to_string()))?;
        let prefixed = tensors.names().iter().any(|name| name.starts_with("bert."));
        Ok(Self { tensors, prefix: if prefixed { "bert." } else { "" } })
    }

    /// The values of a tensor of a type of 32 bits and the given shape, all of them finite.
    pub fn values(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Error> {
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
}
