//! Rows -> vector.

mod average;
mod convolution;
mod encode;
mod linear;
mod memo;
mod projection;
mod pursuit;
mod reading;
mod recurrent;
mod rows;
mod sparse_code;
mod stored;
mod subset;
mod table;

pub use average::{Spelled, encode_rows};
pub use convolution::{Convolution, WINDOW};
pub use linear::Linear;
pub use pursuit::Pursuit;
pub use reading::Reading;
pub use recurrent::{Cell, ReadOut, Recurrent};
pub use rows::{Changed, Mixed, Parts, Rows};
pub use sparse_code::SparseCode;
pub(crate) use table::{MOST_OF_FOUR_BITS, OF_TWO_BITS};
pub use table::{Precision, Quantised, Table};

use std::sync::Arc;

use ndarray::{Array2, ArrayView1, ArrayViewD};

use crate::math::arrays::values_mut;
use crate::text;
use crate::text::vocabulary::Vocabulary;

/// An encoder of a model: the row of each word, and the network that turns rows into a vector.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Encoder {
    /// The row of each word.
    pub vocabulary: Vocabulary,
    /// The network, which turns the rows of a text into its vector.
    pub network: Network,
    /// The weight of each word in the mean of its text, above 0; `None` where all weigh the same.
    /// Networks with layers have none: see [`Network::is_weighted`].
    pub weights: Option<Arc<[f32]>>,
    /// The rows of n-grams, which all encoders of a model share: a word without a row is their mean,
    /// and weighs 1. Averages only.
    pub subwords: Option<Arc<Rows>>,
    /// The affixes of its language: a word without a row is read as the words that it is [made of](crate::text::parts).
    pub affixes: Option<Arc<Vocabulary>>,
}

/// A network: it turns the rows of a text into its vector.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a model holds one for each of its encoders, no more")]
pub enum Network {
    /// tanh of the mean of the words' rows (paper 1, section 3.2).
    Average(Rows),
    /// DSSM-CNN.
    Convolution(Convolution),
    /// DSSM-LSTM, in either way to read its states.
    Recurrent(Recurrent),
    /// The mean of the words' rows, without tanh: linear methods.
    Linear(Rows),
    /// Coupled dictionary learning (paper 2, section 3).
    SparseCode(SparseCode),
}

/// The kind of [`SparseCode`].
const SPARSE_CODE: &str = "sparse_code";

/// A tensor of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct Weight<'a> {
    /// Its name in files.
    pub name: &'static str,
    /// Its numbers, of one dimension or two, row after row.
    pub values: ArrayViewD<'a, f32>,
}

/// What [`Encoder::encode_into`] works in: kept from text to text, it spares allocations, and computing the rows of frequent
/// words and the readings of unknown ones again. It is of limited size, and best kept for one encoder: it changes no vector,
/// but forgets words whenever the encoder is another.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    text: text::Scratch,
    reading: Reading,
    rows: memo::MixedRows,
    unknown: memo::UnknownWords,
}

/// The numbers of words of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    /// Those that the encoder knows.
    pub known: usize,
    /// All of them.
    pub all: usize,
}

impl Network {
    /// The kinds there are.
    pub const KINDS: [&str; 6] = ["average", "cnn", "lstm", "lstm-first", "linear", SPARSE_CODE];

    /// Whether the vectors of a kind come from tanh, so that components lie in [-1, 1].
    pub fn is_bounded(kind: &str) -> bool {
        !["linear", SPARSE_CODE].contains(&kind)
    }

    /// Whether words may have weights.
    pub fn is_weighted(&self) -> bool {
        matches!(self, Self::Average(_) | Self::Linear(_) | Self::SparseCode(_))
    }

    /// Its name in a model's `config` and on the command line.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Average(_) => "average",
            Self::Convolution(_) => "cnn",
            Self::Recurrent(Recurrent { read_out: ReadOut::Last, .. }) => "lstm",
            Self::Recurrent(Recurrent { read_out: ReadOut::First, .. }) => "lstm-first",
            Self::Linear(_) => "linear",
            Self::SparseCode(_) => SPARSE_CODE,
        }
    }

    /// The length of the vectors.
    pub fn dimension(&self) -> usize {
        match self {
            Self::Average(words) | Self::Linear(words) => words.dimension(),
            Self::Convolution(network) => network.output.weight.nrows(),
            Self::Recurrent(network) => network.output.weight.nrows(),
            Self::SparseCode(network) => network.gram.nrows(),
        }
    }

    /// A row for each word of the vocabulary.
    pub fn words(&self) -> &Rows {
        match self {
            Self::Average(words) | Self::Linear(words) => words,
            Self::Convolution(network) => &network.words,
            Self::Recurrent(network) => &network.words,
            Self::SparseCode(network) => &network.words,
        }
    }

    /// As [`words`](Self::words), to be changed in place.
    pub fn words_mut(&mut self) -> &mut Rows {
        match self {
            Self::Average(words) | Self::Linear(words) => words,
            Self::Convolution(network) => &mut network.words,
            Self::Recurrent(network) => &mut network.words,
            Self::SparseCode(network) => &mut network.words,
        }
    }

    /// All tensors but the words' rows.
    pub fn weights(&self) -> Vec<Weight<'_>> {
        match self {
            Self::Average(_) | Self::Linear(_) => Vec::new(),
            Self::Convolution(Convolution { filters, output, .. }) => vec![
                matrix("convolution.weight", &filters.weight),
                vector("convolution.bias", &filters.bias),
                matrix("linear.weight", &output.weight),
                vector("linear.bias", &output.bias),
            ],
            Self::Recurrent(Recurrent { forward, backward, output, .. }) => vec![
                matrix("forward.input", &forward.input),
                matrix("forward.hidden", &forward.hidden),
                vector("forward.bias", &forward.bias),
                matrix("backward.input", &backward.input),
                matrix("backward.hidden", &backward.hidden),
                vector("backward.bias", &backward.bias),
                matrix("linear.weight", &output.weight),
                vector("linear.bias", &output.bias),
            ],
            Self::SparseCode(SparseCode { gram, map, .. }) => {
                let map = map.iter().map(|map| matrix("map", map));
                std::iter::once(matrix("gram", gram)).chain(map).collect()
            }
        }
    }

    /// The numbers of [`weights`](Self::weights), in the same order, to be changed in place.
    pub fn weights_mut(&mut self) -> Vec<&mut [f32]> {
        match self {
            Self::Average(_) | Self::Linear(_) => Vec::new(),
            Self::Convolution(Convolution { filters, output, .. }) => vec![
                values_mut(&mut filters.weight),
                &mut filters.bias,
                values_mut(&mut output.weight),
                &mut output.bias,
            ],
            Self::Recurrent(Recurrent { forward, backward, output, .. }) => vec![
                values_mut(&mut forward.input),
                values_mut(&mut forward.hidden),
                &mut forward.bias,
                values_mut(&mut backward.input),
                values_mut(&mut backward.hidden),
                &mut backward.bias,
                values_mut(&mut output.weight),
                &mut output.bias,
            ],
            Self::SparseCode(SparseCode { gram, map, .. }) => {
                let map = map.iter_mut().map(|map| values_mut(map));
                std::iter::once(values_mut(gram)).chain(map).collect()
            }
        }
    }
}

fn matrix<'a>(name: &'static str, values: &'a Array2<f32>) -> Weight<'a> {
    Weight { name, values: values.view().into_dyn() }
}

fn vector<'a>(name: &'static str, values: &'a [f32]) -> Weight<'a> {
    Weight { name, values: ArrayView1::from(values).into_dyn() }
}

impl Default for Network {
    fn default() -> Self {
        Self::Average(Rows::default())
    }
}
