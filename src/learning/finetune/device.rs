//! A fine-tuning run's steps on a GPU.

use super::FineTuning;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::training::step::{Report, pairs};

impl FineTuning {
    /// Takes the next steps on a GPU, once its gradients have been seen to be those of the
    /// processor.
    ///
    /// # Errors
    /// [`Error::GpuFailed`], [`Error::NotForGpu`]: the fine-tuning run stays where it is.
    pub async fn move_to(&mut self, gpu: &Gpu) -> Result<(), Error> {
        self.trainer.move_to(gpu, &pairs(&self.examples)).await
    }

    /// Whether the next step is taken on a GPU.
    pub fn is_on_gpu(&self) -> bool {
        self.trainer.is_on_gpu()
    }

    /// One step on all judgements at once, where the fine-tuning run is.
    ///
    /// # Errors
    /// [`Error::GpuFailed`], [`Error::NotForGpu`] where the GPU failed: the step was taken, and
    /// those that only the GPU had taken were taken again, on the processor, where the fine-tuning run is
    /// from now on.
    pub async fn step_there(&mut self) -> Result<Report, (Report, Error)> {
        self.trainer.step_there(&pairs(&self.examples)).await
    }

    /// Brings the processor's copy up to date. Where the GPU fails, the processor takes its steps.
    ///
    /// # Errors
    /// [`Error::GpuFailed`]: the copy is up to date all the same.
    pub async fn settle(&mut self) -> Result<(), Error> {
        self.trainer.settle().await
    }
}
