//! DSSM-CNN (Shen et al., 2014): filters over three neighbouring words, the largest value of each
//! over the text, linear.

use super::{Linear, Rows};
use crate::math::arrays::values;
use crate::math::kernels;

/// Words that a filter sees at once: one, with a neighbour on either side.
pub const WINDOW: usize = 3;

/// `v = tanh(output tanh(max over windows of (filters window)))`.
#[derive(Debug, Clone, PartialEq)]
pub struct Convolution {
    /// [words, p].
    pub words: Rows,
    /// [filters, 3 p]: each over the word before, the word, and the word after.
    pub filters: Linear,
    /// [p, filters].
    pub output: Linear,
}

impl Convolution {
    /// Writes the vector of a text of at least one row to `vector`, of length p. Beyond both ends
    /// of the text lie zeros, so it has as many windows as words.
    ///
    /// # Panics
    /// If the table lacks one of the rows, or the shapes are others than those above.
    pub fn encode(&self, rows: &[u32], vector: &mut [f32]) {
        let width = self.words.dimension();
        let mut window = vec![0.0; WINDOW * width];
        let mut largest = vec![f32::NEG_INFINITY; self.filters.weight.nrows()];
        for after in 0..=rows.len() {
            window.copy_within(width.., 0);
            let last = &mut window[(WINDOW - 1) * width..];
            match rows.get(after) {
                Some(&row) => self.words.read(row as usize, last),
                None => last.fill(0.0),
            }
            if after > 0 {
                self.raise(&window, &mut largest);
            }
        }
        for (x, bias) in largest.iter_mut().zip(&self.filters.bias) {
            *x += bias;
        }
        // tanh rises, so it commutes with the maximum.
        kernels::tanh(&mut largest);
        self.output.tanh(&largest, vector);
    }

    fn raise(&self, window: &[f32], largest: &mut [f32]) {
        for (filter, largest) in self.filters.weight.rows().into_iter().zip(largest) {
            let value = kernels::dot(values(&filter), window);
            if value > *largest {
                *largest = value;
            }
        }
    }
}
