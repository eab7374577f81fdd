//! What candle does not have: the largest value over the windows of each text, and an LSTM over
//! texts of different lengths in one piece (as a graph of single steps it takes twice as long, and
//! is walked by recursion, too deep for the stack where a text is long).

use std::ops::Range;
use std::sync::OnceLock;

use candle_core::{CpuStorage, CustomOp2, CustomOp3, Device, Layout, Result, Shape, Tensor, bail};
use smooth_clir::math::kernels;

/// The largest value of each filter over the windows of each text: [texts, filters] from
/// windows [windows, width], of which each text has so many, and filters [filters, width].
pub fn largest(
    windows: &Tensor,
    filters: &Tensor,
    windows_of_texts: &[usize],
    count: usize,
) -> Result<Tensor> {
    let values =
        windows.detach().matmul(&filters.detach().t()?)?.flatten_all()?.to_vec1::<f32>()?;
    let mut windows_left = values.chunks_exact(count).enumerate();
    let mut chosen = Largest { values: Vec::new(), windows: Vec::new(), count };
    for &of_text in windows_of_texts {
        let start = chosen.values.len();
        chosen.values.resize(start + count, f32::NEG_INFINITY);
        chosen.windows.resize(start + count, 0);
        let best = &mut chosen.values[start..];
        let places = &mut chosen.windows[start..];
        for (window, values) in windows_left.by_ref().take(of_text) {
            for ((best, place), &value) in best.iter_mut().zip(&mut *places).zip(values) {
                if value > *best {
                    (*best, *place) = (value, window);
                }
            }
        }
    }
    windows.apply_op2(filters, chosen)
}

/// The values chosen and the windows they came from. Only these windows get a gradient: a few in
/// a hundred of what a dense product would go through.
struct Largest {
    values: Vec<f32>,
    windows: Vec<usize>,
    count: usize,
}

impl CustomOp2 for Largest {
    fn name(&self) -> &'static str {
        "largest over windows"
    }

    fn cpu_fwd(
        &self,
        _: &CpuStorage,
        _: &Layout,
        _: &CpuStorage,
        _: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let shape = Shape::from((self.values.len() / self.count, self.count));
        Ok((CpuStorage::F32(self.values.clone()), shape))
    }

    fn bwd(
        &self,
        windows: &Tensor,
        filters: &Tensor,
        _: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>)> {
        let width = windows.dim(1)?;
        let [windows_in, filters_in, gradient] = host([windows, filters, gradient])?;
        let mut to_windows = vec![0.0; windows_in.len()];
        let mut to_filters = vec![0.0; filters_in.len()];
        let filters_of_texts = (0..self.count).cycle();
        for ((&flow, &window), filter) in gradient.iter().zip(&self.windows).zip(filters_of_texts) {
            let window = window * width..(window + 1) * width;
            let filter = filter * width..(filter + 1) * width;
            add(flow, &filters_in[filter.clone()], &mut to_windows[window.clone()]);
            add(flow, &windows_in[window], &mut to_filters[filter]);
        }
        let to_windows = Tensor::from_vec(to_windows, windows.shape(), windows.device())?;
        let to_filters = Tensor::from_vec(to_filters, filters.shape(), filters.device())?;
        Ok((Some(to_windows), Some(to_filters)))
    }
}

/// Adds values times a factor.
pub fn add(factor: f32, values: &[f32], sums: &mut [f32]) {
    sums.iter_mut().zip(values).for_each(|(sum, x)| *sum += factor * x);
}

/// An LSTM's states after the last word of each text, [texts, hidden]: from what the words alone
/// say to the gates, [words, 4 hidden], the weights [4 hidden, hidden] of the states before, and a
/// bias, [4 hidden].
///
/// The words come in the order of their places: the first of every text, then the second of every
/// text that has one, and so on; the texts, the longest first.
pub struct Memory {
    /// Where the first words of the texts stand, the second ones, and so on.
    steps: Vec<Range<usize>>,
    /// What the way back needs from the way there.
    past: OnceLock<Past>,
}

/// After each word; all [words, hidden] but the gates, [words, 4 hidden].
#[derive(Default)]
struct Past {
    gates: Vec<f32>,
    memories: Vec<f32>,
    squashed: Vec<f32>,
    states: Vec<f32>,
}

impl Memory {
    /// Of texts of which so many have a first word, so many a second, and so on.
    pub fn new(reading: &[usize]) -> Self {
        let mut end = 0;
        let steps = reading.iter().map(|&reading| {
            end += reading;
            end - reading..end
        });
        Self { steps: steps.collect(), past: OnceLock::new() }
    }

    /// How many texts there are.
    fn texts(&self) -> usize {
        self.steps.first().map_or(0, Range::len)
    }

    fn forward(&self, words: &[f32], weights: &Tensor, bias: &[f32]) -> Result<Past> {
        let size = weights.dim(1)?;
        let transposed = weights.t()?;
        let count = words.len() / 4;
        let zeros = || Vec::with_capacity(count);
        let mut past =
            Past { memories: zeros(), squashed: zeros(), states: zeros(), gates: words.to_vec() };
        let mut before = 0;
        for step in &self.steps {
            let (start, reading) = (step.start, step.len());
            let numbers = reading * size;
            let gates = &mut past.gates[4 * start * size..][..4 * numbers];
            gates.chunks_exact_mut(4 * size).for_each(|gates| add(1.0, bias, gates));
            if start > 0 {
                let states = &past.states[before * size..][..numbers];
                let from_states = product(states, reading, &transposed)?;
                gates.iter_mut().zip(from_states).for_each(|(gate, x)| *gate += x);
            }
            open(gates, size);
            for (text, gates) in gates.chunks_exact(4 * size).enumerate() {
                let [input, forget, cell, _] = four(gates, size);
                for at in 0..size {
                    let kept = match start {
                        0 => 0.0,
                        _ => forget[at] * past.memories[(before + text) * size + at],
                    };
                    past.memories.push(kept + input[at] * cell[at]);
                }
            }
            past.squashed.extend_from_slice(&past.memories[start * size..]);
            kernels::tanh(&mut past.squashed[start * size..]);
            let squashed = past.squashed[start * size..].chunks_exact(size);
            for (gates, squashed) in
                past.gates[4 * start * size..].chunks_exact(4 * size).zip(squashed)
            {
                let [.., output] = four(gates, size);
                past.states.extend(squashed.iter().zip(output).map(|(x, output)| x * output));
            }
            before = start;
        }
        Ok(past)
    }

    /// From the gradient in each last state to that in what the words said to the gates.
    fn backward(&self, past: &Past, weights: &Tensor, gradient: Vec<f32>) -> Result<Vec<f32>> {
        let size = weights.dim(1)?;
        let mut to_memory = vec![0.0; gradient.len()];
        let mut to_state = gradient;
        let mut to_gates = vec![0.0; past.gates.len()];
        for (number, step) in self.steps.iter().enumerate().rev() {
            let (start, reading) = (step.start, step.len());
            let before = number.checked_sub(1).map(|number| self.steps[number].start);
            for text in 0..reading {
                let word = start + text;
                let [input, forget, cell, output] = four(&past.gates[4 * word * size..], size);
                let to_gates = &mut to_gates[4 * word * size..][..4 * size];
                let squashed = &past.squashed[word * size..][..size];
                let before = before.map(|start| &past.memories[(start + text) * size..][..size]);
                for at in 0..size {
                    let (to_state, to_memory) =
                        (to_state[text * size + at], &mut to_memory[text * size + at]);
                    let slope = 1.0 - squashed[at] * squashed[at];
                    let flow = *to_memory + to_state * output[at] * slope;
                    let before = before.map_or(0.0, |memory| memory[at]);
                    *to_memory = flow * forget[at];
                    to_gates[at] = flow * cell[at] * input[at] * (1.0 - input[at]);
                    to_gates[size + at] = flow * before * forget[at] * (1.0 - forget[at]);
                    to_gates[2 * size + at] = flow * input[at] * (1.0 - cell[at] * cell[at]);
                    to_gates[3 * size + at] =
                        to_state * squashed[at] * output[at] * (1.0 - output[at]);
                }
            }
            if number > 0 {
                let to_gates = &to_gates[4 * start * size..][..4 * reading * size];
                let before = product(to_gates, reading, weights)?;
                to_state[..reading * size].copy_from_slice(&before);
            }
        }
        Ok(to_gates)
    }

    /// The state before each word but the first ones.
    fn states_before(&self, past: &Past, size: usize) -> Vec<f32> {
        let before = self
            .steps
            .windows(2)
            .map(|pair| &past.states[pair[0].start * size..][..pair[1].len() * size]);
        before.flatten().copied().collect()
    }
}

impl CustomOp3 for Memory {
    fn name(&self) -> &'static str {
        "LSTM"
    }

    fn cpu_fwd(
        &self,
        words: &CpuStorage,
        words_layout: &Layout,
        weights: &CpuStorage,
        weights_layout: &Layout,
        bias: &CpuStorage,
        bias_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let weights = slice(weights, weights_layout)?;
        let weights = Tensor::from_slice(weights, weights_layout.shape(), &Device::Cpu)?;
        let bias = slice(bias, bias_layout)?;
        let past = self.forward(slice(words, words_layout)?, &weights, bias)?;
        let size = weights.dim(1)?;
        let mut last = vec![0.0; self.texts() * size];
        for step in &self.steps {
            let states = &past.states[step.start * size..step.end * size];
            last[..states.len()].copy_from_slice(states);
        }
        match self.past.set(past) {
            Ok(()) => Ok((CpuStorage::F32(last), Shape::from((self.texts(), size)))),
            Err(_) => bail!("an LSTM was run twice"),
        }
    }

    fn bwd(
        &self,
        words: &Tensor,
        weights: &Tensor,
        bias: &Tensor,
        _: &Tensor,
        gradient: &Tensor,
    ) -> Result<(Option<Tensor>, Option<Tensor>, Option<Tensor>)> {
        let Some(past) = self.past.get() else { bail!("an LSTM goes back before it went there") };
        let size = weights.dim(1)?;
        let [gradient] = host([gradient])?;
        let to_gates = self.backward(past, weights, gradient)?;
        let mut to_bias = vec![0.0; 4 * size];
        to_gates.chunks_exact(4 * size).for_each(|to_gates| add(1.0, to_gates, &mut to_bias));
        let to_bias = Tensor::from_vec(to_bias, bias.shape(), &Device::Cpu)?;
        let to_words = Tensor::from_vec(to_gates, words.shape(), &Device::Cpu)?;
        let first = self.texts();
        let later = words.dim(0)? - first;
        if later == 0 {
            return Ok((Some(to_words), None, Some(to_bias)));
        }
        let states = Tensor::from_vec(self.states_before(past, size), (later, size), &Device::Cpu)?;
        let to_weights = to_words.narrow(0, first, later)?.t()?.matmul(&states)?;
        Ok((Some(to_words), Some(to_weights), Some(to_bias)))
    }
}

/// Rows times a matrix.
fn product(rows: &[f32], count: usize, matrix: &Tensor) -> Result<Vec<f32>> {
    let rows = Tensor::from_slice(rows, (count, rows.len() / count), &Device::Cpu)?;
    rows.matmul(matrix)?.flatten_all()?.to_vec1()
}

/// Opens the gates: tanh of the third of four, the logistic function of the others, which is
/// `(1 + tanh(x / 2)) / 2`.
fn open(gates: &mut [f32], size: usize) {
    let others = |gates: &mut [f32], change: fn(&mut f32)| {
        for row in gates.chunks_exact_mut(4 * size) {
            row[..2 * size].iter_mut().for_each(change);
            row[3 * size..].iter_mut().for_each(change);
        }
    };
    others(gates, |x| *x *= 0.5);
    kernels::tanh(gates);
    others(gates, |x| *x = 0.5 + 0.5 * *x);
}

fn four(row: &[f32], size: usize) -> [&[f32]; 4] {
    [0, 1, 2, 3].map(|gate| &row[gate * size..(gate + 1) * size])
}

fn slice<'a>(storage: &'a CpuStorage, layout: &Layout) -> Result<&'a [f32]> {
    match layout.contiguous_offsets() {
        Some((start, end)) => Ok(&storage.as_slice::<f32>()?[start..end]),
        None => bail!("a tensor of an LSTM is not contiguous"),
    }
}

fn host<const N: usize>(tensors: [&Tensor; N]) -> Result<[Vec<f32>; N]> {
    let mut values = [const { Vec::new() }; N];
    for (values, tensor) in values.iter_mut().zip(tensors) {
        *values = tensor.flatten_all()?.to_vec1::<f32>()?;
    }
    Ok(values)
}
