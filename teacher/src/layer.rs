//! One layer of the transformer: attention, then a feed-forward block, each added to its input and normalised.

use crate::Error;
use crate::config::Config;
use crate::functions::{gelu, layer_norm, softmax, sums_of_rows};
use crate::linear::{Linear, Rounded};
use crate::vector::{LANES, Lanes, Vector, widest};
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
    query: Vec<f32>,
    key: Vec<f32>,
    value: Vec<f32>,
    attended: Vec<f32>,
    update: Vec<f32>,
    wide: Vec<f32>,
    memory: Memory,
}

/// The memory of one head's attention.
#[derive(Default)]
struct Memory {
    /// Of each few tokens, the values of each dimension of their keys.
    keys: Vec<f32>,
    /// Of each 16 dimensions, the tokens' values.
    values: Vec<Lanes>,
    /// Of each dimension, the values of 16 queries.
    queries: Vec<Lanes>,
    /// Of each token's key, the scores with 16 queries.
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
        self.query.apply(&s.rounded, &mut s.query);
        self.key.apply(&s.rounded, &mut s.key);
        self.value.apply(&s.rounded, &mut s.value);
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
                attend(&projected, &columns, &mut s.memory, &mut s.attended[text.clone()]);
            }
            begin += length;
        }
        s.rounded.round(&s.attended, hidden);
        self.attended.apply(&s.rounded, &mut s.update);
        add(tokens, &s.update);
        self.attended_norm.apply(tokens);

        s.rounded.round(tokens, hidden);
        self.wide.apply(&s.rounded, &mut s.wide);
        gelu(&mut s.wide);
        s.rounded.round(&s.wide, self.wide.outputs());
        self.narrow.apply(&s.rounded, &mut s.update);
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

widest! {
    /// The attention of one head: each token's mean of the values, weighted by how its query agrees with the keys.
    fn attend = attend_to(
        projected: &Projected,
        columns: &Columns,
        memory: &mut Memory,
        attended: &mut [f32],
    )
}

/// The attention of one head, 16 queries at a time, with a multiple of `TILE` keys.
///
/// The scores of 16 queries with a key are sums over dimensions, and 16 dimensions of an output are sums over tokens: each sum
/// goes from first to last, `TILE` of them at a time.
#[inline(always)]
fn attend_to<V: Vector, const TILE: usize>(
    projected: &Projected,
    columns: &Columns,
    memory: &mut Memory,
    attended: &mut [f32],
) {
    let Columns { first, count, width } = *columns;
    let Memory { keys, values, queries, scores } = memory;
    let tokens = attended.len() / width;
    let chunks = count / LANES;
    // What stands beyond the last token, or query, is computed with and not used.
    keys.resize(tokens.next_multiple_of(TILE) * count, 0.0);
    values.resize(tokens * chunks, [0.0; LANES]);
    queries.resize(count, [0.0; LANES]);
    scores.resize(tokens.next_multiple_of(TILE), [0.0; LANES]);
    for (token, row) in projected.key.chunks_exact(width).enumerate() {
        let keys = &mut keys[token / TILE * TILE * count..][..TILE * count];
        for (keys, value) in keys.chunks_exact_mut(TILE).zip(&row[first..]) {
            keys[token % TILE] = *value;
        }
    }
    for (token, row) in projected.value.chunks_exact(width).enumerate() {
        for (chunk, dimensions) in row[first..][..count].as_chunks().0.iter().enumerate() {
            values[chunk * tokens + token] = *dimensions;
        }
    }
    let mut sums = [[0.0; LANES]; TILE];
    let factor = 1.0 / (count as f32).sqrt();
    let some = LANES * width;
    for (rows, outputs) in projected.query.chunks(some).zip(attended.chunks_mut(some)) {
        for (query, row) in rows.chunks_exact(width).enumerate() {
            for (queries, value) in queries.iter_mut().zip(&row[first..]) {
                queries[query] = value * factor;
            }
        }
        let tiles = keys.chunks_exact(TILE * count).zip(scores.as_chunks_mut::<TILE>().0);
        for (keys, scores) in tiles {
            sums_of_rows::<V, TILE>(keys, TILE, queries, scores);
        }
        let scores = &mut scores[..tokens];
        softmax::<V>(scores);
        for chunk in 0..chunks {
            let values = &values[chunk * tokens..][..tokens];
            let place = first + chunk * LANES;
            for (part, outputs) in outputs.chunks_mut(TILE * width).enumerate() {
                let factors = &scores.as_flattened()[part * TILE..];
                sums_of_rows::<V, TILE>(factors, LANES, values, &mut sums);
                for (output, sums) in outputs.chunks_exact_mut(width).zip(&sums) {
                    output[place..][..LANES].copy_from_slice(sums);
                }
            }
        }
        for place in first + chunks * LANES..first + count {
            for (query, output) in outputs.chunks_exact_mut(width).enumerate() {
                let rows = scores.iter().zip(projected.value.chunks_exact(width));
                output[place] =
                    rows.fold(0.0, |sum, (scores, row)| sum + scores[query] * row[place]);
            }
        }
    }
}

fn add(tokens: &mut [f32], update: &[f32]) {
    for (token, update) in tokens.iter_mut().zip(update) {
        *token += update;
    }
}
