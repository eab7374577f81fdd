//! A fully connected layer.

use ndarray::Array2;

use crate::math::arrays::values;
use crate::math::kernels;

/// `weight x + bias`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Linear {
    /// [outputs, inputs].
    pub weight: Array2<f32>,
    /// One for each output.
    pub bias: Vec<f32>,
}

impl Linear {
    /// Writes `tanh(weight input + bias)` to `output`, one number for each row of the weight.
    pub fn tanh(&self, input: &[f32], output: &mut [f32]) {
        let rows = self.weight.rows().into_iter().zip(&self.bias);
        for (output, (row, bias)) in output.iter_mut().zip(rows) {
            let sum = kernels::dot(values(&row), input) + bias;
            // Weights near the largest numbers can overflow both ways at once.
            *output = if sum.is_nan() { 0.0 } else { sum };
        }
        kernels::tanh(output);
    }
}
