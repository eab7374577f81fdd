//! What is trained: networks that take a step on a batch of pairs.

use smooth_clir::container::{Reader, Writer};
use smooth_clir::encoder::{Network, Table};
use smooth_clir::random::Random;
use smooth_clir::step::{self, Pair, Report, Settings};

use super::{Corpus, EncoderName, Plan};
use crate::error::Error;

/// Networks in training: the queries' first, then each language's.
pub trait Learner {
    /// One step on a batch.
    fn step(&mut self, batch: &[Pair<'_>]) -> Result<Report, Error>;
    /// Another step size from now on.
    fn set_learning_rate(&mut self, learning_rate: f32);
    /// The networks as they are now.
    fn networks(&self) -> Vec<Network>;
    /// Adds all that the next step depends on to a file.
    fn save(&self, writer: &mut Writer);
    /// Takes it back.
    fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), smooth_clir::Error>;
}

impl Learner for step::Learner {
    fn step(&mut self, batch: &[Pair<'_>]) -> Result<Report, Error> {
        Ok(self.step(batch))
    }

    fn set_learning_rate(&mut self, learning_rate: f32) {
        self.set_learning_rate(learning_rate);
    }

    fn networks(&self) -> Vec<Network> {
        self.tables().into_iter().map(|table| Network::Average(table.into())).collect()
    }

    fn save(&self, writer: &mut Writer) {
        self.save(writer);
    }

    fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), smooth_clir::Error> {
        self.restore(reader)
    }
}

/// The learner of a plan, its words' rows as given.
pub fn learner(plan: &Plan, words: Vec<Table>) -> Result<Box<dyn Learner>, Error> {
    match plan.encoder {
        EncoderName::Average => Ok(Box::new(average(plan, words, rayon::current_num_threads()))),
        #[cfg(feature = "neural")]
        _ => Ok(Box::new(super::neural::Learner::new(plan, words))),
        #[cfg(not(feature = "neural"))]
        other => Err(Error::Usage(format!(
            "--encoder {}: this program was built without it; build it with --features neural",
            other.name()
        ))),
    }
}

/// The averaging learner, on so many threads.
pub fn average(plan: &Plan, mut words: Vec<Table>, threads: usize) -> step::Learner {
    let settings = Settings {
        epsilon: plan.epsilon,
        loss: plan.loss.clone(),
        learning_rate: plan.learning_rate,
        clip: plan.clip,
        pull: 0.0,
    };
    let documents = words.split_off(1);
    let query = words.pop().unwrap_or_default();
    step::Learner::on_threads(threads, settings, query, documents)
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
