//! A linear layer: weights of 8 bits with a scale for each output, activations of 12 bits with one for each token.

use crate::Error;
use crate::product;
use crate::product::{Activations, BLOCK, GROUP, Sums, multiply};
use crate::vector::{Vector, widest};
use crate::weights::{Weights, scale};

const LARGEST_ACTIVATION: f32 = 2047.0;

/// `outputs` times `inputs` weights and a bias.
pub struct Linear {
    groups: Vec<product::Weights>,
    /// The scales and the biases of each group; 0 beyond the last output.
    scales: Vec<[f32; GROUP]>,
    bias: Vec<[f32; GROUP]>,
    pairs: usize,
    outputs: usize,
}

/// Rounded tokens, ready to be multiplied by any layer with as many inputs.
#[derive(Default)]
pub struct Rounded {
    blocks: Vec<Activations>,
    scales: Vec<f32>,
    /// A token's integers.
    row: Vec<i16>,
}

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
        let (scales, bias) = (grouped(&rows.scales), grouped(&bias));
        Ok(Self { groups, scales, bias, pairs, outputs })
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Writes a row of outputs for each token.
    ///
    /// The weights of two groups are multiplied with all blocks before the next two, so that they are read from the nearest cache.
    pub fn apply(&self, tokens: &Rounded, outputs: &mut Vec<f32>) {
        let width = self.outputs;
        outputs.resize(tokens.scales.len() * width, 0.0);
        let mut sums: [Sums; 2] = [[[0; GROUP]; BLOCK]; 2];
        let scales = self.scales.chunks(2).zip(self.bias.chunks(2));
        let groups = self.groups.chunks(2 * self.pairs).zip(scales);
        for (two, (weights, (scales, bias))) in groups.enumerate() {
            let blocks = tokens.blocks.chunks_exact(self.pairs).zip(tokens.scales.chunks(BLOCK));
            for ((block, tokens), rows) in blocks.zip(outputs.chunks_mut(BLOCK * width)) {
                multiply(weights, block, tokens.len(), &mut sums);
                for (second, (sums, scales)) in sums.iter().zip(scales.iter().zip(bias)).enumerate()
                {
                    rescale(sums, tokens, scales, rows, ((2 * two + second) * GROUP, width));
                }
            }
        }
    }
}

impl Rounded {
    /// Rounds tokens of `width` values each.
    pub fn round(&mut self, tokens: &[f32], width: usize) {
        let pairs = width.div_ceil(2);
        self.scales.clear();
        // Places and blocks beyond the last token keep older integers, whose sums nobody reads.
        let blocks = tokens.len().div_ceil(BLOCK * width) * pairs;
        self.blocks.resize(self.blocks.len().max(blocks), [0; BLOCK]);
        self.row.clear();
        self.row.resize(2 * pairs, 0);
        for (block, tokens) in self.blocks.chunks_exact_mut(pairs).zip(tokens.chunks(BLOCK * width))
        {
            for (place, token) in tokens.chunks_exact(width).enumerate() {
                let scale = scale(token, LARGEST_ACTIVATION);
                round(token, scale, &mut self.row);
                for (pair, [first, second]) in block.iter_mut().zip(self.row.as_chunks().0) {
                    pair[place] = i32::from(*first) & 0xFFFF | i32::from(*second) << 16;
                }
                self.scales.push(scale);
            }
        }
    }
}

widest! {
    /// Writes the integers that are nearest to a token's quotients by their scale; of two, the even one.
    fn round = round_of(token: &[f32], scale: f32, rounded: &mut [i16])
}

/// Near 1.5 times 2^23, numbers of 32 bits are integers, and the lower half of their bits counts them: adding a quotient to
/// it rounds the quotient.
#[inline(always)]
fn round_of<V: Vector, const TILE: usize>(token: &[f32], scale: f32, rounded: &mut [i16]) {
    const WHOLE: f32 = 12_582_912.0;
    for (rounded, value) in rounded.iter_mut().zip(token) {
        *rounded = (value / scale + WHOLE).to_bits() as i16;
    }
}

/// Numbers in groups of 16.
fn grouped(values: &[f32]) -> Vec<[f32; GROUP]> {
    let group = |values: &[f32]| std::array::from_fn(|place| *values.get(place).unwrap_or(&0.0));
    values.chunks(GROUP).map(group).collect()
}

widest! {
    /// Writes the outputs of a group from the place `first` of rows of `width` values on, with its weights' scales and its bias.
    fn rescale = rescale_of(
        sums: &Sums,
        tokens: &[f32],
        scales: (&[f32; GROUP], &[f32; GROUP]),
        rows: &mut [f32],
        place: (usize, usize),
    )
}

#[inline(always)]
fn rescale_of<V: Vector, const TILE: usize>(
    sums: &Sums,
    tokens: &[f32],
    (weights, bias): (&[f32; GROUP], &[f32; GROUP]),
    rows: &mut [f32],
    (first, width): (usize, usize),
) {
    for ((sums, scale), row) in sums.iter().zip(tokens).zip(rows.chunks_exact_mut(width)) {
        let output = |place: usize| sums[place] as f32 * (scale * weights[place]) + bias[place];
        let row = &mut row[first..];
        match row.first_chunk_mut::<GROUP>() {
            Some(whole) => *whole = std::array::from_fn(output),
            None => row.iter_mut().enumerate().for_each(|(place, value)| *value = output(place)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against `round_ties_even`, at, below and above each number between two integers.
    #[test]
    fn quotients_are_rounded_to_the_nearest_integer() {
        let halves = (-4094..=4094).map(|half| half as f32 / 2.0);
        let beside = |half: f32| [half.next_down(), half, half.next_up()];
        let values: Vec<f32> =
            halves.flat_map(beside).filter(|half| half.abs() <= 2047.0).collect();
        for scale in [1.0, 0.25, 0.1] {
            let mut rounded = vec![0; values.len()];
            round(
                &values.iter().map(|value| value * scale).collect::<Vec<_>>(),
                scale,
                &mut rounded,
            );
            for (value, rounded) in values.iter().zip(rounded) {
                let expected = (value * scale / scale).round_ties_even();
                assert_eq!(f32::from(rounded), expected, "{value} times {scale}");
            }
        }
    }
}
