//! Tensors of a file -> tables and rows, where they lie in the file's bytes if they can be read there.

use half::f16;

use super::{Quantised, Rows, Table};
use crate::Error;
use crate::storage::container::{
    Element, Reader, check_values, unpacked, unpacked_from_two, value_error, values,
};

impl<'a> Reader<'a> {
    /// Takes a [rows, `dimension`] table of 32-bit floating point. Without `rows`, as many as
    /// there are.
    ///
    /// # Errors
    /// If it is missing, of another type or shape, or not finite.
    pub fn table(
        &mut self,
        name: &str,
        rows: Option<usize>,
        dimension: usize,
    ) -> Result<Table, Error> {
        let (_, view) = self.matrix(name, rows, dimension, &[Element::F32])?;
        self.table_of(name, view.data(), dimension)
    }

    fn table_of(&self, name: &str, data: &'a [u8], dimension: usize) -> Result<Table, Error> {
        let found = self.shared(data, |bytes| values(bytes, f32::from_le_bytes));
        check_values(name, &found, "finite", f32::is_finite)?;
        Ok(Table::in_place(dimension, found))
    }

    /// Takes [rows, `dimension`] rows of any precision allowed; those of 8 bits, of 4 (bytes) and of 2
    /// (16 bits) have a tensor `scale`.
    /// Without `rows`, as many as there are.
    ///
    /// # Errors
    /// If anything is missing, of another type or shape, or not finite.
    pub fn rows(
        &mut self,
        name: &str,
        scale: &str,
        rows: Option<usize>,
        dimension: usize,
        allowed: &[Element],
    ) -> Result<Rows, Error> {
        let (element, view) = self.matrix(name, rows, dimension, allowed)?;
        Ok(match element {
            Element::I8 | Element::U8 | Element::U16 => {
                let scales = self.magnitudes(scale, view.shape()[0])?;
                let small = |x: f32| (x * f32::from(i8::MIN)).is_finite();
                check_values(scale, &scales, "finite 128 times over", small)?;
                let found = match element {
                    Element::I8 => {
                        self.shared(view.data(), |bytes| values(bytes, i8::from_le_bytes))
                    }
                    Element::U16 => unpacked_from_two(view.data(), dimension),
                    _ => unpacked(view.data(), dimension),
                };
                Rows::I8 { dimension, rows: Quantised { values: found, scales } }
            }
            Element::F16 => {
                let bits = self.shared(view.data(), |bytes| values(bytes, u16::from_le_bytes));
                if let Some(at) = bits.iter().position(|&x| !f16::from_bits(x).is_finite()) {
                    let found = f16::from_bits(bits[at]).to_f32();
                    return Err(value_error(name, at, found, "finite"));
                }
                Rows::F16 { dimension, bits }
            }
            _ => Rows::F32(self.table_of(name, view.data(), dimension)?),
        })
    }
}
