//! Training on the device, while a person watches: fine-tuning from feedback, and a small model from
//! scratch.

pub mod finetune;
pub mod scratch;
