//! What is trained: networks that take a step on a batch of pairs.

use smooth_clir::encoder::{Network, Table};
use smooth_clir::math::random::Random;
use smooth_clir::storage::container::{Reader, Writer};
use smooth_clir::training::step::{self, Pair, Report, Settings};

use super::{Corpus, DeviceName, EncoderName, Plan};
use crate::error::Error;

/// Networks in training: the queries' first, then each language's.
pub trait Trainer {
    /// One step on a batch; what it met is told later.
    fn step(&mut self, batch: &[Pair<'_>]) -> Result<(), Error>;
    /// What each step met since the last time that this was asked.
    fn reports(&mut self) -> Result<Vec<Report>, Error>;
    /// Another step size from now on.
    fn set_learning_rate(&mut self, learning_rate: f32);
    /// The networks as they are now.
    fn networks(&self) -> Result<Vec<Network>, Error>;
    /// Adds all that the next step depends on to a file.
    fn save(&self, writer: &mut Writer) -> Result<(), Error>;
    /// Takes it back.
    fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), smooth_clir::Error>;
}

/// AverageTrainer on the processor.
struct AverageTrainer {
    learner: step::PairTrainer,
    reports: Vec<Report>,
}

impl Trainer for AverageTrainer {
    fn step(&mut self, batch: &[Pair<'_>]) -> Result<(), Error> {
        self.reports.push(self.learner.step(batch));
        Ok(())
    }

    fn reports(&mut self) -> Result<Vec<Report>, Error> {
        Ok(std::mem::take(&mut self.reports))
    }

    fn set_learning_rate(&mut self, learning_rate: f32) {
        self.learner.set_learning_rate(learning_rate);
    }

    fn networks(&self) -> Result<Vec<Network>, Error> {
        Ok(self.learner.tables().into_iter().map(average_network).collect())
    }

    fn save(&self, writer: &mut Writer) -> Result<(), Error> {
        self.learner.save(writer);
        Ok(())
    }

    fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), smooth_clir::Error> {
        self.learner.restore(reader)
    }
}

/// The network of a table.
pub fn average_network(table: Table) -> Network {
    Network::Average(table.into())
}

/// The learner of a plan, its words' rows as given; they weigh as they do in the corpus.
pub fn learner(plan: &Plan, corpus: &Corpus, words: Vec<Table>) -> Result<Box<dyn Trainer>, Error> {
    match (plan.encoder, plan.device) {
        (EncoderName::Average, DeviceName::Cpu) => {
            let mut learner = average(plan, words, rayon::current_num_threads());
            learner.weigh(corpus.weightings());
            Ok(Box::new(AverageTrainer { learner, reports: Vec::new() }))
        }
        #[cfg(feature = "gpu")]
        (EncoderName::Average, DeviceName::Gpu) => {
            Ok(Box::new(super::on_gpu::GpuAverageTrainer::new(plan, corpus, words)?))
        }
        #[cfg(not(feature = "gpu"))]
        (_, DeviceName::Gpu) => Err(Error::Usage("--device gpu: there is none here".into())),
        #[cfg(feature = "neural")]
        _ => Ok(Box::new(super::neural::NetworkTrainer::new(plan, words))),
        #[cfg(not(feature = "neural"))]
        (other, _) => Err(Error::Usage(format!(
            "--encoder {}: this program was built without it; build it with --features neural",
            other.name()
        ))),
    }
}

/// What a plan says of each step of the average encoder.
pub(super) fn settings(plan: &Plan) -> Settings {
    Settings {
        epsilon: plan.epsilon,
        loss: plan.loss.clone(),
        learning_rate: plan.learning_rate,
        clip: plan.clip,
        pull: 0.0,
    }
}

/// The averaging learner, on so many threads.
pub fn average(plan: &Plan, mut words: Vec<Table>, threads: usize) -> step::PairTrainer {
    let documents = words.split_off(1);
    let query = words.pop().unwrap_or_default();
    step::PairTrainer::on_threads(threads, settings(plan), query, documents)
}

/// Random rows for every vocabulary: the queries', then each language's.
pub fn random_words(plan: &Plan, corpus: &Corpus) -> Vec<Table> {
    let table = |rows: usize, side: &str| {
        let mut random = Random::new(plan.seed, &format!("weights {side}"));
        Table::new(plan.dimension, random.normals(rows * plan.dimension, plan.init_deviation))
    };
    let query = table(corpus.query_vocabulary.len(), "query");
    let sides = corpus.document_vocabularies.iter();
    let documents = sides.map(|(language, vocabulary)| table(vocabulary.len(), language));
    std::iter::once(query).chain(documents).collect()
}
