//! DSSM-LSTM (Palangi et al., 2016, in both directions): a state that each word changes, linear.

use ndarray::Array2;

use super::{Linear, Rows};
use crate::math::arrays::values;
use crate::math::kernels;

/// `v = tanh(output [forward state, backward state])`.
#[derive(Debug, Clone, PartialEq)]
pub struct Recurrent {
    /// [words, p].
    pub words: Rows,
    /// Reads from the first word on.
    pub forward: Cell,
    /// Reads from the last word back to the first.
    pub backward: Cell,
    /// [p, 2 hidden].
    pub output: Linear,
    /// Which states are the text's.
    pub read_out: ReadOut,
}

/// Which of a text's states make its vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadOut {
    /// Of each direction the last: both have read the whole text.
    Last,
    /// Both at the first word, as the paper and its code do: forward has read one word.
    First,
}

/// Long short-term memory (Hochreiter and Schmidhuber, 1997), with PyTorch's order of the gates:
/// input, forget, cell, output.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Cell {
    /// [4 hidden, p].
    pub input: Array2<f32>,
    /// [4 hidden, hidden].
    pub hidden: Array2<f32>,
    /// [4 hidden].
    pub bias: Vec<f32>,
}

impl Recurrent {
    /// Writes the vector of a text of at least one row to `vector`, of length p.
    ///
    /// # Panics
    /// If the table lacks one of the rows, or the shapes are others than those above.
    pub fn encode(&self, rows: &[u32], vector: &mut [f32]) {
        let until = match self.read_out {
            ReadOut::Last => rows.len(),
            ReadOut::First => 1,
        };
        let forward = self.forward.read(&self.words, rows[..until].iter());
        let backward = self.backward.read(&self.words, rows.iter().rev());
        self.output.tanh(&[forward, backward].concat(), vector);
    }
}

impl Cell {
    /// The state after some rows.
    fn read<'a>(&self, words: &Rows, rows: impl Iterator<Item = &'a u32>) -> Vec<f32> {
        let size = self.hidden.ncols();
        let mut gates = vec![0.0; 4 * size];
        let (mut state, mut memory) = (vec![0.0; size], vec![0.0; size]);
        let mut word = vec![0.0; words.dimension()];
        for &row in rows {
            words.read(row as usize, &mut word);
            let weights = self.input.rows().into_iter().zip(self.hidden.rows());
            for ((gate, bias), (input, hidden)) in gates.iter_mut().zip(&self.bias).zip(weights) {
                *gate = kernels::dot(values(&input), &word)
                    + kernels::dot(values(&hidden), &state)
                    + bias;
            }
            advance(&mut gates, &mut state, &mut memory);
        }
        state
    }
}

/// One word: `memory = s(f) memory + s(i) tanh(g)`, `state = s(o) tanh(memory)`, s the logistic
/// function.
fn advance(gates: &mut [f32], state: &mut [f32], memory: &mut [f32]) {
    let size = state.len();
    let (input, rest) = gates.split_at_mut(size);
    let (forget, rest) = rest.split_at_mut(size);
    let (cell, output) = rest.split_at_mut(size);
    kernels::tanh(cell);
    for at in 0..size {
        memory[at] =
            kernels::logistic(forget[at]) * memory[at] + kernels::logistic(input[at]) * cell[at];
    }
    state.copy_from_slice(memory);
    kernels::tanh(state);
    for (state, output) in state.iter_mut().zip(output) {
        *state *= kernels::logistic(*output);
    }
}
