//! Which trainer takes the steps of a plan.

use smooth_clir::encoder::Table;

use super::average::AverageTrainer;
#[cfg(feature = "neural")]
use super::neural::NetworkTrainer;
#[cfg(feature = "gpu")]
use super::on_gpu::GpuAverageTrainer;
use super::plan::{DeviceName, EncoderName, Plan};
use super::trainer::Trainer;
use crate::corpus::Corpus;
use crate::error::Error;

/// The trainer of a plan, its words' rows as given; they weigh as they do in the corpus.
pub fn trainer(plan: &Plan, corpus: &Corpus, words: Vec<Table>) -> Result<Box<dyn Trainer>, Error> {
    match (plan.encoder, plan.device) {
        (EncoderName::Average, DeviceName::Cpu) => {
            Ok(Box::new(AverageTrainer::new(plan, corpus, words)))
        }
        #[cfg(feature = "gpu")]
        (EncoderName::Average, DeviceName::Gpu) => {
            Ok(Box::new(GpuAverageTrainer::new(plan, corpus, words)?))
        }
        #[cfg(not(feature = "gpu"))]
        (_, DeviceName::Gpu) => Err(Error::Usage(
            "--device gpu: built without GPU support: rebuild with --features gpu".into(),
        )),
        #[cfg(feature = "neural")]
        _ => Ok(Box::new(NetworkTrainer::new(plan, words))),
        #[cfg(not(feature = "neural"))]
        (other, _) => Err(Error::Usage(format!(
            "--encoder {}: built without networks: rebuild with --features neural",
            other.name()
        ))),
    }
}
