//! A trainer of the core that can run its steps on a GPU. The processor keeps the batches since the
//! last synchronisation, so a lost GPU loses no step.

use super::{Gpu, GpuTrainer};
use crate::Error;
use crate::encoder::Table;
use crate::training::step::{self, OwnedPair, Pair, Report, Settings, Weighting, pairs};

/// The number of steps after which the GPU's tables are copied to the processor.
const STEPS_AHEAD: usize = 8;
/// The tolerance of the GPU's gradients: the Euclidean norm of the difference of a row's gradients
/// over the largest norm of the batch.
const TOLERANCE: f32 = 1e-4;

/// A trainer of the core and, after [`move_to`](Self::move_to), its twin on a GPU.
#[derive(Debug)]
pub struct MirroredTrainer {
    core: step::PairTrainer,
    gpu: Option<GpuTrainer>,
    /// The batches of the steps that only the GPU has taken.
    ahead: Vec<Vec<OwnedPair>>,
}

impl MirroredTrainer {
    /// Creates a trainer on the processor: see [`step::PairTrainer::new`].
    pub fn new(settings: Settings, query: Table, documents: Vec<Table>) -> Self {
        let core = step::PairTrainer::new(settings, query, documents);
        Self { core, gpu: None, ahead: Vec::new() }
    }

    /// See [`step::PairTrainer::pull_towards`]; to be called before a move to a GPU.
    pub fn pull_towards(&mut self, tables: Vec<Table>) {
        self.core.pull_towards(tables);
    }

    /// See [`step::PairTrainer::weigh`]; to be called before a move to a GPU.
    pub fn weigh(&mut self, weightings: Vec<Weighting>) {
        self.core.weigh(weightings);
    }

    /// The query table, then the document tables: the current ones or, on a GPU, those of the last
    /// [`settle`](Self::settle).
    pub fn tables(&self) -> Vec<Table> {
        self.core.tables()
    }

    /// Whether the next step runs on a GPU.
    pub fn is_on_gpu(&self) -> bool {
        self.gpu.is_some()
    }

    /// Moves the training to a GPU, after a check that the GPU's gradients of a batch agree with
    /// the processor's.
    ///
    /// # Errors
    /// [`Error::GpuFailed`], [`Error::NotForGpu`]: the training stays on its device.
    pub async fn move_to(&mut self, gpu: &Gpu, batch: &[Pair<'_>]) -> Result<(), Error> {
        self.settle().await?;
        let mut trainer = GpuTrainer::from_core(gpu, &self.core)?;
        let found = trainer.gradients(batch).await?;
        let difference = difference(&self.core.gradients(batch), &found);
        if difference.is_nan() || difference > TOLERANCE {
            let reason = format!("its gradients differ from the processor's by {difference:e}");
            return Err(Error::GpuFailed { reason });
        }
        self.gpu = Some(trainer);
        Ok(())
    }

    /// Takes one step of Adam on a batch, on the processor, where training continues.
    ///
    /// # Panics
    /// As [`step::PairTrainer::step`].
    pub fn step(&mut self, batch: &[Pair<'_>]) -> Report {
        self.catch_up();
        self.core.step(batch)
    }

    /// Takes one step of plain gradient descent on a batch, on the processor: see
    /// [`step::PairTrainer::descend`].
    pub fn descend(&mut self, batch: &[Pair<'_>], step_size: f32) -> Report {
        self.catch_up();
        self.core.descend(batch, step_size)
    }

    /// The lengths of the gradients of the processor's last batch: see
    /// [`step::PairTrainer::gradient_lengths`].
    pub fn gradient_lengths(&self) -> impl Iterator<Item = f32> {
        self.core.gradient_lengths()
    }

    /// Takes one step of Adam on a batch, on the current device.
    ///
    /// # Errors
    /// [`Error::GpuFailed`], [`Error::NotForGpu`] if the GPU failed. The step was taken all the
    /// same: the processor repeated the steps that only the GPU had taken, and training continues
    /// there.
    ///
    /// # Panics
    /// As [`step::PairTrainer::step`].
    pub async fn step_there(&mut self, batch: &[Pair<'_>]) -> Result<Report, (Report, Error)> {
        let Some(gpu) = &mut self.gpu else { return Ok(self.core.step(batch)) };
        self.ahead.push(batch.iter().map(OwnedPair::from).collect());
        match gpu.step(batch).await {
            Ok(report) => {
                if self.ahead.len() >= STEPS_AHEAD {
                    self.settle().await.map_err(|error| (report, error))?;
                }
                Ok(report)
            }
            Err(error) => Err((self.catch_up(), error)),
        }
    }

    /// Copies the tables from the GPU to the processor. If the GPU fails, the processor repeats its
    /// steps.
    ///
    /// # Errors
    /// [`Error::GpuFailed`]: the processor's tables are up to date all the same.
    pub async fn settle(&mut self) -> Result<(), Error> {
        let Some(gpu) = self.gpu.as_ref().filter(|_| !self.ahead.is_empty()) else {
            return Ok(());
        };
        match gpu.state().await {
            Ok(state) => {
                self.core.take(state);
                self.ahead.clear();
                Ok(())
            }
            Err(error) => {
                self.catch_up();
                Err(error)
            }
        }
    }

    /// Leaves the GPU and repeats the steps that only the GPU had taken. Returns the report of the
    /// last one.
    fn catch_up(&mut self) -> Report {
        self.gpu = None;
        let ahead = std::mem::take(&mut self.ahead).into_iter();
        ahead.map(|batch| self.core.step(&pairs(&batch))).last().unwrap_or_default()
    }
}

/// For each table, the touched rows and their gradients.
type Gradients = [Vec<(u32, Vec<f32>)>];

/// The largest norm of the difference of a row's gradients over the largest norm of a gradient;
/// infinite if the rows differ.
fn difference(expected: &Gradients, found: &Gradients) -> f32 {
    let norm =
        |values: &mut dyn Iterator<Item = f32>| libm::sqrtf(values.fold(0.0, |s, x| s + x * x));
    let rows = |gradients: &Gradients| gradients.iter().map(Vec::len).collect::<Vec<_>>();
    if rows(expected) != rows(found) {
        return f32::INFINITY;
    }
    let (mut largest, mut most) = (0.0f32, 0.0f32);
    for ((row, expected), (other, found)) in expected.iter().flatten().zip(found.iter().flatten()) {
        if row != other {
            return f32::INFINITY;
        }
        largest = largest.max(norm(&mut expected.iter().copied()));
        let between = norm(&mut expected.iter().zip(found).map(|(a, b)| a - b));
        // `f32::max` would drop NaN, and a later row would replace it.
        most = if most.is_nan() || between <= most { most } else { between };
    }
    if largest > 0.0 { most / largest } else { most }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_is_no_number_differs_wherever_it_stands() {
        let expected = [vec![(0, vec![1.0, 0.0]), (1, vec![0.0, 2.0])]];
        for wrong in 0..2 {
            let mut found = expected.clone();
            found[0][wrong].1[0] = f32::NAN;
            assert!(difference(&expected, &found).is_nan(), "row {wrong}");
        }
        let mut found = expected.clone();
        found[0][1].1[0] = 0.5;
        assert_eq!(difference(&expected, &found), 0.25);
    }
}
