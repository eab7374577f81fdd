//! A trainer of the core whose steps can be taken on a GPU. What is learned stays on the processor
//! too: a GPU that is lost takes nothing with it.

use super::{Gpu, GpuTrainer};
use crate::Error;
use crate::encoder::Table;
use crate::training::step::{self, OwnedPair, Pair, Report, Settings, Weighting, pairs};

/// Steps after which the processor's tables are brought up to date.
const STEPS_AHEAD: usize = 8;
/// How far a gradient may be from the processor's: the Euclidean norm of the difference of a row's
/// gradients over the largest norm of the batch.
const TOLERANCE: f32 = 1e-4;

/// A trainer of the core and, once it was moved there, its twin on a GPU.
#[derive(Debug)]
pub struct MirroredTrainer {
    core: step::PairTrainer,
    gpu: Option<GpuTrainer>,
    /// The batches of the steps that only the GPU took.
    ahead: Vec<Vec<OwnedPair>>,
}

impl MirroredTrainer {
    /// On the processor: see [`step::PairTrainer::new`].
    pub fn new(settings: Settings, query: Table, documents: Vec<Table>) -> Self {
        let core = step::PairTrainer::new(settings, query, documents);
        Self { core, gpu: None, ahead: Vec::new() }
    }

    /// See [`step::PairTrainer::pull_towards`]; before it is moved to a GPU.
    pub fn pull_towards(&mut self, tables: Vec<Table>) {
        self.core.pull_towards(tables);
    }

    /// See [`step::PairTrainer::weigh`]; before it is moved to a GPU.
    pub fn weigh(&mut self, weightings: Vec<Weighting>) {
        self.core.weigh(weightings);
    }

    /// All tables as they were when it last [settled](Self::settle), or as they are now where it is
    /// on the processor: the query's, then the documents'.
    pub fn tables(&self) -> Vec<Table> {
        self.core.tables()
    }

    /// Whether the next step is taken on a GPU.
    pub fn is_on_gpu(&self) -> bool {
        self.gpu.is_some()
    }

    /// Takes the next steps on a GPU, once its gradients of a batch have been seen to be those of
    /// the processor.
    ///
    /// # Errors
    /// [`Error::GpuFailed`], [`Error::NotForGpu`]: it stays where it is.
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

    /// One step of Adam on a batch, on the processor, where it is from now on.
    ///
    /// # Panics
    /// As [`step::PairTrainer::step`].
    pub fn step(&mut self, batch: &[Pair<'_>]) -> Report {
        self.catch_up();
        self.core.step(batch)
    }

    /// One step of Adam on a batch, where it is.
    ///
    /// # Errors
    /// [`Error::GpuFailed`], [`Error::NotForGpu`] where the GPU failed: the step was taken, and
    /// those that only the GPU had taken were taken again, on the processor, where it is from now
    /// on.
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

    /// Brings the processor's tables up to date. Where the GPU fails, the processor takes its steps.
    ///
    /// # Errors
    /// [`Error::GpuFailed`]: the tables are up to date all the same.
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

    /// Leaves the GPU and takes the steps that only it had taken: what the last of them met.
    fn catch_up(&mut self) -> Report {
        self.gpu = None;
        let ahead = std::mem::take(&mut self.ahead).into_iter();
        ahead.map(|batch| self.core.step(&pairs(&batch))).last().unwrap_or_default()
    }
}

/// Rows and their gradients, for each table.
type Gradients = [Vec<(u32, Vec<f32>)>];

/// The largest difference of a row's gradients over the largest gradient; infinite where the rows
/// are not the same.
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
        // `max` would lose what is not a number.
        most = if between <= most { most } else { between };
    }
    if largest > 0.0 { most / largest } else { most }
}
