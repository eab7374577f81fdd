//! Training of the networks with layers: vectors and their gradients by candle, scores and losses
//! by the core, a network for the queries and one for each language.

mod layers;
mod pass;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use candle_core::Result as Candle;
use pass::{Gradient, Pass};
use smooth_clir::encoder::{
    Cell, Convolution, Linear, Network, Precision, ReadOut, Recurrent, Table, WINDOW,
};
use smooth_clir::math::arrays::of_rows;
use smooth_clir::math::random::Random;
use smooth_clir::model::{read_network, write_network};
use smooth_clir::storage::container::{Reader, Writer};
use smooth_clir::training::step::{Adam, Pair, Report, Settings};

use super::plan::{EncoderName, Plan};
use crate::error::Error;
use crate::evaluation::networks::Epsilons;

/// Filters of a convolution (paper 1, section 5.1).
const FILTERS: usize = 300;
/// Hidden units of a direction (paper 1, section 5.1).
const HIDDEN: usize = 64;

/// Networks in training: the queries' first, then each language's.
pub struct NetworkTrainer {
    settings: Settings,
    /// The share of the words' numbers that a step leaves out.
    dropout: f32,
    /// Whether all networks have the same layers, each with words of its own.
    shares_layers: bool,
    seed: u64,
    adam: Adam,
    encoders: Vec<TrainedEncoder>,
    reports: Vec<Report>,
}

/// A network with Adam's two moments of each number.
struct TrainedEncoder {
    network: Network,
    words: Moments,
    weights: Vec<Moments>,
}

struct Moments {
    first: Vec<f32>,
    second: Vec<f32>,
}

/// The texts of one encoder of a batch, each once and in the order of the pairs.
#[derive(Default)]
struct Texts<'a> {
    distinct: Vec<&'a [u32]>,
    places: HashMap<&'a [u32], usize>,
}

impl NetworkTrainer {
    /// Networks of the plan's kind, the words' rows as given.
    pub fn new(plan: &Plan, words: Vec<Table>) -> Self {
        let units = match plan.encoder {
            EncoderName::Cnn => FILTERS,
            _ => HIDDEN,
        };
        let shares_layers = plan.variant.shared_layers;
        let networks = words.into_iter().enumerate();
        let networks = networks
            .map(|(encoder, words)| {
                let layers = if shares_layers { 0 } else { encoder };
                network(plan.encoder, units, plan.seed, layers, words)
            })
            .collect();
        let settings = super::trainer::settings(plan);
        Self { shares_layers, ..Self::of(networks, settings, plan.dropout, plan.seed) }
    }

    fn of(networks: Vec<Network>, settings: Settings, dropout: f32, seed: u64) -> Self {
        let encoders = networks.into_iter().map(TrainedEncoder::new).collect();
        let (adam, reports) = (Adam::after(0), Vec::new());
        Self { settings, dropout, shares_layers: false, seed, adam, encoders, reports }
    }

    /// What the batch's mean loss is, and its gradient in each network with a text in the batch.
    fn gradients(&self, batch: &[Pair<'_>]) -> Candle<(Report, Vec<Option<Gradient>>)> {
        let mut texts: Vec<Texts<'_>> = self.encoders.iter().map(|_| Texts::default()).collect();
        let places: Vec<[Option<usize>; 2]> = batch
            .iter()
            .map(|pair| [texts[0].place(pair.query), texts[pair.language + 1].place(pair.document)])
            .collect();
        let mut passes = Vec::new();
        for (number, (encoder, texts)) in self.encoders.iter().zip(&texts).enumerate() {
            let purpose = format!("dropout {number} {}", self.adam.steps());
            let random = &mut Random::new(self.seed, &purpose);
            passes.push(match texts.distinct[..] {
                [] => None,
                ref texts => Some(Pass::forward(&encoder.network, texts, self.dropout, random)?),
            });
        }
        let (report, flows) = self.score(batch, &places, &passes);
        let passes = passes.into_iter().zip(flows);
        let gradients = passes.map(|(pass, flow)| pass.map(|pass| pass.backward(flow)).transpose());
        Ok((report, gradients.collect::<Candle<_>>()?))
    }

    /// The mean loss, and for each encoder what flows back to each vector of its pass.
    fn score(
        &self,
        batch: &[Pair<'_>],
        places: &[[Option<usize>; 2]],
        passes: &[Option<Pass<'_>>],
    ) -> (Report, Vec<Vec<f32>>) {
        let dimension = self.encoders[0].network.dimension();
        let zero = vec![0.0; dimension];
        let vectors = |encoder: usize| passes[encoder].as_ref().map_or(&[][..], Pass::vectors);
        let mut flows: Vec<Vec<f32>> =
            (0..self.encoders.len()).map(|encoder| vec![0.0; vectors(encoder).len()]).collect();
        let [mut to_query, mut to_document] = [zero.clone(), zero.clone()];
        let mut report = Report::default();
        for (pair, &places) in batch.iter().zip(places) {
            let encoders = [0, pair.language + 1];
            let range = |place: usize| place * dimension..(place + 1) * dimension;
            let vector = |at: usize| match places[at] {
                Some(place) => &vectors(encoders[at])[range(place)],
                None => &zero,
            };
            let gradients = [&mut to_query[..], &mut to_document];
            let scored = self.settings.score(pair.grade, [vector(0), vector(1)], gradients);
            report.loss += f64::from(scored.loss) / batch.len() as f64;
            report.undefined += usize::from(scored.undefined);
            if scored.slope == 0.0 {
                continue;
            }
            report.active += 1;
            let factor = scored.slope / batch.len() as f32;
            for (at, gradient) in [&to_query, &to_document].into_iter().enumerate() {
                if let Some(place) = places[at] {
                    let flow = &mut flows[encoders[at]][range(place)];
                    flow.iter_mut().zip(gradient).for_each(|(flow, x)| *flow += factor * x);
                }
            }
        }
        (report, flows)
    }

    fn one_step(&mut self, batch: &[Pair<'_>]) -> Result<Report, Error> {
        let failed = |error: candle_core::Error| Error::Step(error.to_string());
        let (mut report, mut gradients) = self.gradients(batch).map_err(failed)?;
        let mut shared = match self.shares_layers {
            true => take_layers(&mut gradients),
            false => Vec::new(),
        };
        if let Some(most) = self.settings.clip {
            let numbers = gradients.iter().flatten().flat_map(Gradient::numbers);
            let squares = numbers.chain(shared.iter().flatten());
            let length = squares.fold(0.0, |sum, &x| sum + f64::from(x) * f64::from(x)).sqrt();
            report.clipped = length > f64::from(most);
            if report.clipped {
                let factor = (f64::from(most) / length) as f32;
                let numbers = gradients.iter_mut().flatten().flat_map(Gradient::numbers_mut);
                numbers.chain(shared.iter_mut().flatten()).for_each(|x| *x *= factor);
            }
        }
        let step_size = self.adam.advance(self.settings.learning_rate);
        for (encoder, gradient) in self.encoders.iter_mut().zip(gradients) {
            if let Some(gradient) = gradient {
                encoder.update_words(step_size, &gradient);
                encoder.update_layers(step_size, &gradient.weights);
            }
            encoder.update_layers(step_size, &shared);
        }
        Ok(report)
    }
}

impl super::trainer::Trainer for NetworkTrainer {
    fn step(&mut self, batch: &[Pair<'_>]) -> Result<(), Error> {
        let report = self.one_step(batch)?;
        self.reports.push(report);
        Ok(())
    }

    fn reports(&mut self) -> Result<Vec<Report>, Error> {
        Ok(std::mem::take(&mut self.reports))
    }

    fn set_learning_rate(&mut self, learning_rate: f32) {
        self.settings.learning_rate = learning_rate;
    }

    fn epsilons(&self) -> Epsilons {
        self.settings.epsilon.into()
    }

    fn networks(&self) -> Result<Vec<Network>, Error> {
        Ok(self.encoders.iter().map(|encoder| encoder.network.clone()).collect())
    }

    fn save(&self, writer: &mut Writer) -> Result<(), Error> {
        self.adam.save(writer);
        for (number, encoder) in self.encoders.iter().enumerate() {
            write_network(writer, &format!("learner.{number}"), &encoder.network, Precision::F32);
            for (name, moments) in encoder.moments() {
                let name = |part| format!("learner.{number}.{part}.{name}");
                writer.f32(&name("first"), &[moments.first.len()], &moments.first);
                writer.f32(&name("second"), &[moments.second.len()], &moments.second);
            }
        }
        Ok(())
    }

    fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), smooth_clir::Error> {
        self.adam = Adam::restore(reader)?;
        for (number, encoder) in self.encoders.iter_mut().enumerate() {
            let words = encoder.network.words();
            let (rows, dimension, kind) = (words.len(), words.dimension(), encoder.network.kind());
            let name = format!("learner.{number}");
            encoder.network = read_network(reader, &name, kind, rows, dimension)?;
            let names: Vec<&str> = encoder.moments().into_iter().map(|(name, _)| name).collect();
            let moments = std::iter::once(&mut encoder.words).chain(&mut encoder.weights);
            for (name, moments) in names.into_iter().zip(moments) {
                let mut numbers = |part, length| {
                    reader.numbers(&format!("learner.{number}.{part}.{name}"), Some(length))
                };
                moments.first = numbers("first", moments.first.len())?;
                moments.second = numbers("second", moments.second.len())?;
            }
        }
        Ok(())
    }
}

impl TrainedEncoder {
    fn new(network: Network) -> Self {
        let moments = |count: usize| Moments { first: vec![0.0; count], second: vec![0.0; count] };
        let words = moments(network.words().len() * network.dimension());
        let weights = network.weights().iter().map(|weight| moments(weight.values.len())).collect();
        Self { network, words, weights }
    }

    /// All moments, by the names of their tensors.
    fn moments(&self) -> Vec<(&'static str, &Moments)> {
        let weights = self.network.weights().into_iter().zip(&self.weights);
        let weights = weights.map(|(weight, moments)| (weight.name, moments));
        std::iter::once(("embedding", &self.words)).chain(weights).collect()
    }

    /// A step of Adam on the touched rows.
    fn update_words(&mut self, step_size: f32, gradient: &Gradient) {
        let dimension = self.network.words().dimension();
        let words = self.network.words_mut().to_mut();
        for (&row, gradient) in gradient.rows.iter().zip(gradient.words.chunks_exact(dimension)) {
            let row = row as usize * dimension..(row as usize + 1) * dimension;
            let Moments { first, second } = &mut self.words;
            let weights = &mut words[row.clone()];
            Adam::update(step_size, gradient, weights, &mut first[row.clone()], &mut second[row]);
        }
    }

    /// A step of Adam on all other weights; none where there is no gradient.
    fn update_layers(&mut self, step_size: f32, gradients: &[Vec<f32>]) {
        let weights = self.network.weights_mut().into_iter().zip(&mut self.weights);
        for ((weights, moments), gradient) in weights.zip(gradients) {
            let Moments { first, second } = moments;
            Adam::update(step_size, gradient, weights, first, second);
        }
    }
}

/// Takes the layers' gradients out of all networks' and adds them up.
fn take_layers(gradients: &mut [Option<Gradient>]) -> Vec<Vec<f32>> {
    let all = gradients.iter_mut().flatten().map(|gradient| std::mem::take(&mut gradient.weights));
    let sums = all.reduce(|mut sums, layers| {
        sums.iter_mut().zip(&layers).for_each(|(sum, layer)| layers::add(1.0, layer, sum));
        sums
    });
    sums.unwrap_or_default()
}

impl<'a> Texts<'a> {
    /// Where a text stands among the distinct ones; nowhere where it has no words.
    fn place(&mut self, text: &'a [u32]) -> Option<usize> {
        if text.is_empty() {
            return None;
        }
        let next = self.distinct.len();
        let place = *self.places.entry(text).or_insert(next);
        if place == next {
            self.distinct.push(text);
        }
        Some(place)
    }
}

/// A network of so many filters or hidden units about to be trained, its weights spread as PyTorch's defaults spread them.
fn network(kind: EncoderName, units: usize, seed: u64, encoder: usize, words: Table) -> Network {
    let dimension = words.dimension();
    let numbers = |name: &str, count, inputs: usize| {
        let mut random = Random::new(seed, &format!("layer {encoder} {name}"));
        random.uniforms(count, 1.0 / (inputs as f32).sqrt())
    };
    let linear = |name: &str, outputs: usize, inputs: usize| Linear {
        weight: of_rows(inputs, numbers(name, outputs * inputs, inputs)),
        bias: numbers(&format!("{name} bias"), outputs, inputs),
    };
    let cell = |name: &str| {
        let part_of =
            |part, columns| numbers(&format!("{name} {part}"), 4 * units * columns, units);
        Cell {
            input: of_rows(dimension, part_of("input", dimension)),
            hidden: of_rows(units, part_of("hidden", units)),
            bias: part_of("bias", 1),
        }
    };
    let recurrent = |words: Table, read_out| {
        Network::Recurrent(Recurrent {
            words: words.into(),
            forward: cell("forward"),
            backward: cell("backward"),
            output: linear("linear", dimension, 2 * units),
            read_out,
        })
    };
    match kind {
        EncoderName::Average => Network::Average(words.into()),
        EncoderName::Cnn => Network::Convolution(Convolution {
            words: words.into(),
            filters: linear("convolution", units, WINDOW * dimension),
            output: linear("linear", dimension, units),
        }),
        EncoderName::Lstm => recurrent(words, ReadOut::Last),
        EncoderName::LstmFirst => recurrent(words, ReadOut::First),
    }
}
