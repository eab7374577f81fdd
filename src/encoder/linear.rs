//! A fully connected layer.

use super::Table;
use crate::math::kernels;

/// `weight x + bias`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Linear {
    /// [outputs, inputs].
    pub weight: Table,
    /// One for each output.
    pub bias: Vec<f32>,
}

impl Linear {
    /// Writes `tanh(weight input + bias)` to `output`, one number for each row of the weight.
    pub fn tanh(&self, input: &[f32], output: &mut [f32]) {
        for (at, (output, bias)) in output.iter_mut().zip(&self.bias).enumerate() {
            let sum = kernels::dot(self.weight.row(at), input) + bias;
            // Weights near the largest numbers can overflow both ways at once.
            *output = if sum.is_nan() { 0.0 } else { sum };
        }
        kernels::tanh(output);
    }
}
