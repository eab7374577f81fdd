//! A lesson's steps on a GPU. What is learned stays on the processor too: a GPU that is lost takes
//! nothing with it.

use super::{Lesson, pairs};
use crate::container::{Reader, Writer};
use crate::encoder::Table;
use crate::error::Error;
use crate::gpu::{self, Gpu};
use crate::step::{Report, Settings};

/// Steps after which the processor's copy is brought up to date.
const STEPS_AHEAD: usize = 8;
/// How far a gradient may be from the processor's: the Euclidean norm of the difference of a row's
/// gradients over the largest norm of the batch.
const TOLERANCE: f32 = 1e-4;
const KIND: &str = "learner";

/// Where the steps are taken.
#[derive(Debug)]
pub(super) struct Device {
    settings: Settings,
    homes: Vec<Table>,
    gpu: Option<gpu::Learner>,
    /// Steps that the GPU took and the processor has not.
    ahead: usize,
}

impl Device {
    pub fn new(settings: Settings, homes: Vec<Table>) -> Self {
        Self { settings, homes, gpu: None, ahead: 0 }
    }
}

impl Lesson {
    /// Takes the next steps on a GPU, once its gradients have been seen to be those of the
    /// processor.
    ///
    /// # Errors
    /// [`Error::GpuFailed`], [`Error::NotForGpu`]: the lesson stays where it is.
    pub async fn move_to(&mut self, gpu: &Gpu) -> Result<(), Error> {
        self.settle().await?;
        let mut homes = self.device.homes.clone();
        let documents = homes.split_off(1);
        let query = homes.pop().unwrap_or_default();
        let mut learner = gpu::Learner::new(gpu, self.device.settings.clone(), query, documents)?;
        let mut writer = Writer::new(KIND);
        self.learner.save(&mut writer);
        let bytes = writer.into_bytes();
        learner.restore(&mut Reader::open(&bytes, KIND)?)?;
        let batch = pairs(&self.examples);
        let found = learner.gradients(&batch).await?;
        let difference = difference(&self.learner.gradients(&batch), &found);
        if difference.is_nan() || difference > TOLERANCE {
            let reason = format!("its gradients differ from the processor's by {difference:e}");
            return Err(Error::GpuFailed { reason });
        }
        self.device.gpu = Some(learner);
        Ok(())
    }

    /// Whether the next step is taken on a GPU.
    pub fn is_on_gpu(&self) -> bool {
        self.device.gpu.is_some()
    }

    /// One step on all marks at once, where the lesson is.
    ///
    /// # Errors
    /// [`Error::GpuFailed`] where the GPU failed: the step was taken, and those that only the GPU
    /// had taken were taken again, on the processor, where the lesson is from now on.
    pub async fn step_there(&mut self) -> Result<Report, (Report, Error)> {
        let Some(gpu) = &mut self.device.gpu else { return Ok(self.step()) };
        let taken = gpu.step(&pairs(&self.examples)).await;
        match taken {
            Ok(report) => {
                self.device.ahead += 1;
                if self.device.ahead >= STEPS_AHEAD {
                    self.settle().await.map_err(|error| (report, error))?;
                }
                Ok(report)
            }
            Err(error) => {
                self.catch_up();
                Err((self.step(), error))
            }
        }
    }

    /// Brings the processor's copy up to date. Where the GPU fails, the processor takes its steps.
    ///
    /// # Errors
    /// [`Error::GpuFailed`]: the copy is up to date all the same.
    pub async fn settle(&mut self) -> Result<(), Error> {
        let Some(gpu) = &self.device.gpu else { return Ok(()) };
        if self.device.ahead == 0 {
            return Ok(());
        }
        let mut writer = Writer::new(KIND);
        let saved = gpu.save(&mut writer).await;
        let bytes = writer.into_bytes();
        let restored = saved.and_then(|()| {
            let mut reader = Reader::open(&bytes, KIND)?;
            self.learner.restore(&mut reader)
        });
        match restored {
            Ok(()) => {
                self.device.ahead = 0;
                Ok(())
            }
            Err(error) => {
                self.catch_up();
                Err(error)
            }
        }
    }

    /// Takes the steps that only the GPU had taken, and goes on without it.
    fn catch_up(&mut self) {
        self.device.gpu = None;
        for _ in 0..std::mem::take(&mut self.device.ahead) {
            self.step();
        }
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
