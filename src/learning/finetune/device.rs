//! Steps of a fine-tuning run on a GPU.

use super::FineTuning;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::training::step::{Report, pairs};

impl FineTuning {
    /// Moves the run to a GPU, after a check that the GPU's gradients agree with the processor's.
    ///
    /// # Errors
    /// [`Error::GpuFailed`], [`Error::NotForGpu`]: the run stays on its device.
    pub async fn move_to(&mut self, gpu: &Gpu) -> Result<(), Error> {
        self.trainer.move_to(gpu, &pairs(&self.examples)).await
    }

    /// Whether the next step runs on a GPU.
    pub fn is_on_gpu(&self) -> bool {
        self.trainer.is_on_gpu()
    }

    /// Takes one step on all judgements, on the current device.
    ///
    /// # Errors
    /// [`Error::GpuFailed`], [`Error::NotForGpu`] if the GPU failed. The step was taken all the
    /// same: the processor repeated the steps that only the GPU had taken, and the run continues
    /// there.
    pub async fn step_there(&mut self) -> Result<Report, (Report, Error)> {
        self.trainer.step_there(&pairs(&self.examples)).await
    }

    /// Copies the rows from the GPU to the processor. If the GPU fails, the processor repeats its
    /// steps.
    ///
    /// # Errors
    /// [`Error::GpuFailed`]: the processor's rows are up to date all the same.
    pub async fn settle(&mut self) -> Result<(), Error> {
        self.trainer.settle().await
    }
}
