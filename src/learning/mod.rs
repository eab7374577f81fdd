//! Training on the device, in small steps: fine-tuning from feedback, and training a small model
//! from scratch.

pub mod finetune;
pub mod scratch;
