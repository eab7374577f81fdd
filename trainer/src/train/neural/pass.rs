//! Forward and backward through one network, for all texts of a batch at once.

use candle_core::{Device, Result, Tensor, Var};
use smooth_clir::encoder::{Convolution, Network, ReadOut, Recurrent, Rows, WINDOW, Weight};
use smooth_clir::math::arrays::values;
use smooth_clir::math::random::Random;

use super::layers;

/// A network's vectors of some texts, and the graph that they came by.
pub struct Pass<'a> {
    words: Words<'a>,
    weights: Vec<Var>,
    /// [texts, dimension].
    output: Tensor,
    vectors: Vec<f32>,
    /// Which text stands where in the graph.
    order: Vec<usize>,
}

/// The derivative of the loss in each number of a network.
pub struct Gradient {
    /// The words touched, in rising order.
    pub rows: Vec<u32>,
    /// [rows, dimension].
    pub words: Vec<f32>,
    /// As [`Network::weights`].
    pub weights: Vec<Vec<f32>>,
}

/// The words of all texts, one after the other, and the places where they enter the graph.
struct Words<'a> {
    table: &'a Rows,
    rows: Vec<u32>,
    /// What each number of each word is multiplied by; nothing where none is left out.
    factors: Vec<f32>,
    leaves: Vec<Leaf>,
}

/// A tensor made of words; between them, beyond the ends of a text, zeros.
struct Leaf {
    words: Vec<Option<usize>>,
    var: Var,
}

impl<'a> Pass<'a> {
    /// Encodes texts of at least one word each, each number of a word left out with probability
    /// `dropout`, and the others multiplied so that their expectation stays.
    pub fn forward(
        network: &'a Network,
        texts: &[&[u32]],
        dropout: f32,
        random: &mut Random,
    ) -> Result<Self> {
        let weights = network.weights().into_iter();
        let weights = weights.map(|Weight { values: weight, .. }| {
            Var::from_slice(values(&weight), weight.shape(), &Device::Cpu)
        });
        let weights = weights.collect::<Result<Vec<_>>>()?;
        let mut words = Words::new(network.words(), texts, dropout, random);
        // Longest first, so that the texts that a step through time still reads are the first.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|&text| std::cmp::Reverse(texts[text].len()));
        let mut start = 0;
        let ranges = texts.iter().map(|text| {
            start += text.len();
            start - text.len()..start
        });
        let ranges: Vec<_> = ranges.collect();
        let ranges: Vec<_> = order.iter().map(|&text| ranges[text].clone()).collect();
        let output = match network {
            Network::Convolution(network) => convolution(network, &weights, &mut words, &ranges)?,
            Network::Recurrent(network) => recurrent(network, &weights, &mut words, &ranges)?,
            _ => candle_core::bail!("an encoder of kind {} has no layers", network.kind()),
        };
        let dimension = network.dimension();
        let mut vectors = vec![0.0; texts.len() * dimension];
        let sorted = output.flatten_all()?.to_vec1::<f32>()?;
        for (&text, vector) in order.iter().zip(sorted.chunks_exact(dimension)) {
            vectors[text * dimension..(text + 1) * dimension].copy_from_slice(vector);
        }
        Ok(Self { words, weights, output, vectors, order })
    }

    /// [texts, dimension], in the order given.
    pub fn vectors(&self) -> &[f32] {
        &self.vectors
    }

    /// The gradient of a loss whose derivative in [`vectors`](Self::vectors) is `flow`.
    pub fn backward(self, flow: Vec<f32>) -> Result<Gradient> {
        let dimension = flow.len() / self.order.len();
        let rows = self.order.iter().map(|&text| &flow[text * dimension..(text + 1) * dimension]);
        let flow: Vec<f32> = rows.flatten().copied().collect();
        let flow = Tensor::from_vec(flow, self.output.shape(), &Device::Cpu)?;
        // The gradient of this sum is that of the loss: the flow is a constant.
        let gradients = (self.output * flow)?.sum_all()?.backward()?;
        let gradient = |var: &Var| match gradients.get(var) {
            Some(gradient) => gradient.flatten_all()?.to_vec1::<f32>(),
            None => Ok(vec![0.0; var.elem_count()]),
        };
        let weights = self.weights.iter().map(gradient).collect::<Result<_>>()?;
        let mut words = vec![0.0; self.words.rows.len() * self.words.table.dimension()];
        for leaf in &self.words.leaves {
            leaf.add(&gradient(&leaf.var)?, self.words.table.dimension(), &mut words);
        }
        let (rows, words) = self.words.by_row(words);
        Ok(Gradient { rows, words, weights })
    }
}

impl Gradient {
    /// All its numbers.
    pub fn numbers(&self) -> impl Iterator<Item = &f32> {
        self.words.iter().chain(self.weights.iter().flatten())
    }

    /// All its numbers, to be changed in place.
    pub fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.words.iter_mut().chain(self.weights.iter_mut().flatten())
    }
}

impl<'a> Words<'a> {
    fn new(table: &'a Rows, texts: &[&[u32]], dropout: f32, random: &mut Random) -> Self {
        let rows = texts.concat();
        let factors = factors(rows.len() * table.dimension(), dropout, random);
        Self { table, rows, factors, leaves: Vec::new() }
    }

    /// Enters words into the graph: [rows, words in a row * dimension].
    fn enter(&mut self, words: Vec<Option<usize>>, words_in_row: usize) -> Result<Tensor> {
        let width = self.table.dimension();
        let mut values = Vec::with_capacity(words.len() * width);
        let mut row = vec![0.0; width];
        for word in &words {
            match word {
                None => values.resize(values.len() + width, 0.0),
                Some(word) => {
                    self.table.read(self.rows[*word] as usize, &mut row);
                    match self.factors.get(word * width..(word + 1) * width) {
                        None => values.extend_from_slice(&row),
                        Some(factors) => values.extend(row.iter().zip(factors).map(|(x, f)| x * f)),
                    }
                }
            }
        }
        let shape = (words.len() / words_in_row, words_in_row * width);
        let var = Var::from_vec(values, shape, &Device::Cpu)?;
        let tensor = var.as_tensor().clone();
        self.leaves.push(Leaf { words, var });
        Ok(tensor)
    }

    /// The gradient in each distinct row, from that in each word.
    fn by_row(&self, mut words: Vec<f32>) -> (Vec<u32>, Vec<f32>) {
        let width = self.table.dimension();
        words.iter_mut().zip(&self.factors).for_each(|(x, factor)| *x *= factor);
        let mut rows = self.rows.clone();
        rows.sort_unstable();
        rows.dedup();
        let mut sums = vec![0.0; rows.len() * width];
        for (row, word) in self.rows.iter().zip(words.chunks_exact(width)) {
            let at = rows.partition_point(|other| other < row) * width;
            sums[at..at + width].iter_mut().zip(word).for_each(|(sum, x)| *sum += x);
        }
        (rows, sums)
    }
}

impl Leaf {
    /// Adds the leaf's gradient to that of its words.
    fn add(&self, gradient: &[f32], width: usize, words: &mut [f32]) {
        for (word, gradient) in self.words.iter().zip(gradient.chunks_exact(width)) {
            if let Some(word) = word {
                let sum = &mut words[word * width..(word + 1) * width];
                sum.iter_mut().zip(gradient).for_each(|(sum, x)| *sum += x);
            }
        }
    }
}

/// 0 with probability `dropout`, else what keeps the mean 1; nothing where nothing is left out.
pub fn factors(count: usize, dropout: f32, random: &mut Random) -> Vec<f32> {
    if dropout == 0.0 {
        return Vec::new();
    }
    let kept = 1.0 / (1.0 - dropout);
    (0..count).map(|_| if random.unit() < dropout { 0.0 } else { kept }).collect()
}

type Range = std::ops::Range<usize>;

fn convolution(
    network: &Convolution,
    weights: &[Var],
    words: &mut Words<'_>,
    texts: &[Range],
) -> Result<Tensor> {
    let [filters, bias, output @ ..] = weights else {
        candle_core::bail!("{} tensors of a convolution", weights.len());
    };
    let windows = texts.iter().flat_map(|text| {
        let neighbour = |place: usize| place.checked_sub(1).filter(|place| text.contains(place));
        // Counted from 1, so that what lies before the first word of all is a number too.
        text.clone().flat_map(move |word| [word, word + 1, word + 2].map(neighbour))
    });
    let windows = words.enter(windows.collect(), WINDOW)?;
    let lengths: Vec<usize> = texts.iter().map(Range::len).collect();
    let largest = layers::largest(&windows, filters, &lengths, network.filters.bias.len())?;
    linear(&largest.broadcast_add(bias)?.tanh()?, output)
}

fn recurrent(
    network: &Recurrent,
    weights: &[Var],
    words: &mut Words<'_>,
    texts: &[Range],
) -> Result<Tensor> {
    let [forward, backward, output] = [weights.get(..3), weights.get(3..6), weights.get(6..)];
    let (Some([fi, fh, fb]), Some([bi, bh, bb]), Some(output)) = (forward, backward, output) else {
        candle_core::bail!("{} tensors of an LSTM", weights.len());
    };
    let until = |text: &Range| match network.read_out {
        ReadOut::Last => text.end,
        ReadOut::First => text.start + 1,
    };
    let onward = texts.iter().map(|text| (text.start..until(text)).collect()).collect::<Vec<_>>();
    let back = texts.iter().map(|text| text.clone().rev().collect()).collect::<Vec<_>>();
    let forward = last_states([fi, fh, fb], words, &onward)?;
    let backward = last_states([bi, bh, bb], words, &back)?;
    linear(&Tensor::cat(&[forward, backward], 1)?, output)
}

/// The state after the last word of each sequence, the longest of which comes first.
fn last_states(
    [input, hidden, bias]: [&Var; 3],
    words: &mut Words<'_>,
    sequences: &[Vec<usize>],
) -> Result<Tensor> {
    let longest = sequences.first().map_or(0, Vec::len);
    let reading = |step: usize| sequences.partition_point(|sequence| sequence.len() > step);
    let reading: Vec<usize> = (0..longest).map(reading).collect();
    let steps = reading.iter().enumerate();
    let order =
        steps.flat_map(|(step, &reading)| sequences[..reading].iter().map(move |s| s[step]));
    let words = words.enter(order.map(Some).collect(), 1)?;
    let gates = words.matmul(&input.t()?)?;
    gates.apply_op3(hidden, bias, layers::Memory::new(&reading))
}

fn linear(input: &Tensor, weights: &[Var]) -> Result<Tensor> {
    match weights {
        [weight, bias] => input.matmul(&weight.t()?)?.broadcast_add(bias)?.tanh(),
        _ => candle_core::bail!("{} tensors of a linear layer", weights.len()),
    }
}
