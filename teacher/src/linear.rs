//! A linear layer: weights of 8 bits with a scale for each output, activations of 12 bits with one for each token.

use multiversion::multiversion;

use crate::Error;
use crate::product;
use crate::product::{Activations, BLOCK, GROUP, multiply};
use crate::weights::{Weights, scale};

const LARGEST_ACTIVATION: f32 = 2047.0;

/// `outputs` times `inputs` weights and a bias.
pub struct Linear {
    groups: Vec<product::Weights>,
    scales: Vec<f32>,
    bias: Vec<f32>,
    pairs: usize,
}

/// Rounded tokens, ready to be multiplied by any layer with as many inputs.
#[derive(Default)]
pub struct Rounded {
    blocks: Vec<Activations>,
    scales: Vec<f32>,
}

/// Sums of products that are not yet scaled: kept, so that their memory is used again.
#[derive(Default)]
pub struct Sums(Vec<i32>);

impl Linear {
    /// Reads `{name}.weight` and `{name}.bias`.
    pub fn read(
        weights: &mut impl Weights,
        name: &str,
        inputs: usize,
        outputs: usize,
    ) -> Result<Self, Error> {
        let rows = weights.linear(&format!("{name}.weight"), outputs, inputs)?;
        let bias = weights.values(&format!("{name}.bias"), &[outputs])?;
        let pairs = inputs.div_ceil(2);
        let mut groups = vec![[0; 2 * GROUP]; outputs.div_ceil(GROUP) * pairs];
        for (output, row) in rows.values.chunks_exact(inputs).enumerate() {
            for (input, value) in row.iter().enumerate() {
                let pair = &mut groups[output / GROUP * pairs + input / 2];
                pair[output % GROUP * 2 + input % 2] = *value;
            }
        }
        Ok(Self { groups, scales: rows.scales.into_vec(), bias, pairs })
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.bias.len()
    }

    /// Writes a row of outputs for each token.
    pub fn apply(&self, tokens: &Rounded, sums: &mut Sums, outputs: &mut Vec<f32>) {
        let width = self.outputs().next_multiple_of(GROUP);
        sums.0.resize(tokens.scales.len().next_multiple_of(BLOCK) * width, 0);
        multiply(&self.groups, &tokens.blocks, self.pairs, &mut sums.0);
        outputs.resize(tokens.scales.len() * self.outputs(), 0.0);
        let rows = sums.0.chunks_exact(width).zip(outputs.chunks_exact_mut(self.outputs()));
        for ((sums, outputs), scale) in rows.zip(&tokens.scales) {
            rescale(sums, *scale, &self.scales, &self.bias, outputs);
        }
    }
}

impl Rounded {
    /// Rounds tokens of `width` values each.
    pub fn round(&mut self, tokens: &[f32], width: usize) {
        let pairs = width.div_ceil(2);
        self.scales.clear();
        self.blocks.clear();
        self.blocks.resize(tokens.len().div_ceil(BLOCK * width) * pairs, [0; BLOCK]);
        for (block, tokens) in self.blocks.chunks_exact_mut(pairs).zip(tokens.chunks(BLOCK * width))
        {
            for (place, token) in tokens.chunks_exact(width).enumerate() {
                let scale = scale(token, LARGEST_ACTIVATION);
                round(token, scale, place, block);
                self.scales.push(scale);
            }
        }
    }
}

/// Writes a token's rounded values to its place in a block.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn round(token: &[f32], scale: f32, place: usize, block: &mut [Activations]) {
    let rounded = |value: f32| (value / scale).round_ties_even() as i32;
    let (whole, rest) = token.as_chunks::<2>();
    for (pair, [first, second]) in block.iter_mut().zip(whole) {
        pair[place] = rounded(*first) & 0xFFFF | rounded(*second) << 16;
    }
    if let (Some(pair), [last]) = (block.last_mut(), rest) {
        pair[place] = rounded(*last) & 0xFFFF;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn rescale(sums: &[i32], scale: f32, scales: &[f32], bias: &[f32], outputs: &mut [f32]) {
    for (((output, sum), weight), bias) in outputs.iter_mut().zip(sums).zip(scales).zip(bias) {
        *output = *sum as f32 * (scale * weight) + bias;
    }
}
