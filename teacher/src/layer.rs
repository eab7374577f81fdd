//! One layer of the transformer: attention, then a feed-forward block, each added to its input and normalised.

use multiversion::multiversion;

use crate::Error;
use crate::config::Config;
use crate::functions::{gelu, layer_norm, softmax};
use crate::linear::{Linear, Rounded, Sums};
use crate::weights::Weights;

/// The gain and the bias of a layer norm.
pub struct Norm {
    gain: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

/// A layer's weights.
pub struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    attended_norm: Norm,
    wide: Linear,
    narrow: Linear,
    narrow_norm: Norm,
    heads: usize,
}

/// The memory of a forward pass, used again by each layer.
#[derive(Default)]
pub struct Scratch {
    rounded: Rounded,
    sums: Sums,
    query: Vec<f32>,
    key: Vec<f32>,
    value: Vec<f32>,
    attended: Vec<f32>,
    update: Vec<f32>,
    wide: Vec<f32>,
    keys: Vec<Lanes>,
    scores: Vec<Lanes>,
}

impl Norm {
    /// Reads `{name}.weight` and `{name}.bias`.
    pub fn read(weights: &mut impl Weights, name: &str, config: &Config) -> Result<Self, Error> {
        let shape = [config.hidden_size];
        Ok(Self {
            gain: weights.values(&format!("{name}.weight"), &shape)?,
            bias: weights.values(&format!("{name}.bias"), &shape)?,
            epsilon: config.layer_norm_eps,
        })
    }

    /// Normalises each token.
    pub fn apply(&self, tokens: &mut [f32]) {
        for token in tokens.chunks_exact_mut(self.gain.len()) {
            layer_norm(token, &self.gain, &self.bias, self.epsilon);
        }
    }
}

impl Layer {
    /// Reads layer `number`, counted from 0.
    pub fn read(weights: &mut impl Weights, number: usize, config: &Config) -> Result<Self, Error> {
        let (hidden, wide) = (config.hidden_size, config.intermediate_size);
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        Ok(Self {
            query: Linear::read(weights, &name("attention.self.query"), hidden, hidden)?,
            key: Linear::read(weights, &name("attention.self.key"), hidden, hidden)?,
            value: Linear::read(weights, &name("attention.self.value"), hidden, hidden)?,
            attended: Linear::read(weights, &name("attention.output.dense"), hidden, hidden)?,
            attended_norm: Norm::read(weights, &name("attention.output.LayerNorm"), config)?,
            wide: Linear::read(weights, &name("intermediate.dense"), hidden, wide)?,
            narrow: Linear::read(weights, &name("output.dense"), wide, hidden)?,
            narrow_norm: Norm::read(weights, &name("output.LayerNorm"), config)?,
            heads: config.num_attention_heads,
        })
    }

    /// Replaces the tokens of several texts by the layer's outputs; `lengths` are the tokens of each text.
    pub fn apply(&self, tokens: &mut [f32], lengths: &[usize], scratch: &mut Scratch) {
        let hidden = self.attended.outputs();
        let s = scratch;
        s.rounded.round(tokens, hidden);
        self.query.apply(&s.rounded, &mut s.sums, &mut s.query);
        self.key.apply(&s.rounded, &mut s.sums, &mut s.key);
        self.value.apply(&s.rounded, &mut s.sums, &mut s.value);
        s.attended.clear();
        s.attended.resize(tokens.len(), 0.0);
        let mut begin = 0;
        for length in lengths {
            let text = begin * hidden..(begin + length) * hidden;
            let projected = Projected {
                query: &s.query[text.clone()],
                key: &s.key[text.clone()],
                value: &s.value[text.clone()],
            };
            for head in 0..self.heads {
                let columns = Columns {
                    first: head * (hidden / self.heads),
                    count: hidden / self.heads,
                    width: hidden,
                };
                attend(
                    &projected,
                    &columns,
                    &mut s.keys,
                    &mut s.scores,
                    &mut s.attended[text.clone()],
                );
            }
            begin += length;
        }
        s.rounded.round(&s.attended, hidden);
        self.attended.apply(&s.rounded, &mut s.sums, &mut s.update);
        add(tokens, &s.update);
        self.attended_norm.apply(tokens);

        s.rounded.round(tokens, hidden);
        self.wide.apply(&s.rounded, &mut s.sums, &mut s.wide);
        gelu(&mut s.wide);
        s.rounded.round(&s.wide, self.wide.outputs());
        self.narrow.apply(&s.rounded, &mut s.sums, &mut s.update);
        add(tokens, &s.update);
        self.narrow_norm.apply(tokens);
    }
}

/// The queries, keys and values of one text's tokens.
struct Projected<'a> {
    query: &'a [f32],
    key: &'a [f32],
    value: &'a [f32],
}

/// The columns of one head in rows of `width` values.
struct Columns {
    first: usize,
    count: usize,
    width: usize,
}

/// Sums that are taken at once.
const LANES: usize = 16;
type Lanes = [f32; LANES];

/// The attention of one head: each token's mean of the values, weighted by how its query agrees with the keys.
///
/// Keys are transposed first, 16 tokens at a time. The scores of a query with 16 keys are then sums over dimensions, and 16
/// dimensions of its output sums over tokens: each sum goes from first to last, and stays in a register.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn attend(
    projected: &Projected,
    columns: &Columns,
    keys: &mut Vec<Lanes>,
    scores: &mut Vec<Lanes>,
    attended: &mut [f32],
) {
    let Columns { first, count, width } = *columns;
    let tokens = attended.len() / width;
    // The lanes beyond the last token are computed and not used.
    keys.resize(count * tokens.div_ceil(LANES), [0.0; LANES]);
    scores.resize(tokens.div_ceil(LANES), [0.0; LANES]);
    for (token, row) in projected.key.chunks_exact(width).enumerate() {
        let keys = &mut keys[token / LANES * count..][..count];
        for (keys, value) in keys.iter_mut().zip(&row[first..first + count]) {
            keys[token % LANES] = *value;
        }
    }
    let factor = 1.0 / (count as f32).sqrt();
    for (query, output) in projected.query.chunks_exact(width).zip(attended.chunks_exact_mut(width))
    {
        let query = &query[first..first + count];
        for (scores, keys) in scores.iter_mut().zip(keys.chunks_exact(count)) {
            let mut sums = [0.0; LANES];
            for (value, keys) in query.iter().zip(keys) {
                let value = value * factor;
                for (sum, key) in sums.iter_mut().zip(keys) {
                    *sum += value * key;
                }
            }
            *scores = sums;
        }
        let probabilities = &mut scores.as_flattened_mut()[..tokens];
        softmax(probabilities);
        let rows = || probabilities.iter().zip(projected.value.chunks_exact(width));
        let (chunks, rest) = output[first..first + count].as_chunks_mut::<LANES>();
        for (chunk, output) in chunks.iter_mut().enumerate() {
            let mut sums = [0.0; LANES];
            for (probability, values) in rows() {
                let values = &values[first + chunk * LANES..][..LANES];
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum += probability * value;
                }
            }
            *output = sums;
        }
        for (place, output) in rest.iter_mut().enumerate() {
            let place = first + count / LANES * LANES + place;
            *output =
                rows().fold(0.0, |sum, (probability, values)| sum + probability * values[place]);
        }
    }
}

fn add(tokens: &mut [f32], update: &[f32]) {
    for (token, update) in tokens.iter_mut().zip(update) {
        *token += update;
    }
}
