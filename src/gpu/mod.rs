//! The training step and the ranking of documents on a GPU: WebGPU in a browser, Vulkan, Metal or
//! Direct3D natively.
//!
//! | file | what it does |
//! |---|---|
//! | `device.rs` | asks for a device, runs kernels on it, reads back, tells what went wrong |
//! | `table.rs` | a table in training, in as many buffers as its size takes |
//! | `batch.rs` | a batch as the lists that the shaders read |
//! | `step.rs`, `step.wgsl` | the training step |
//!
//! The shaders repeat the arithmetic of [`step`](crate::step), whose answers they give to a
//! tolerance: a GPU's sums have another order, and its quotients, roots and exponentials are not
//! rounded as a processor's are. On one device they give the same bits every time: no sum depends
//! on which thread comes first.

mod batch;
mod device;
mod step;
mod table;

pub use device::{Gpu, Limits};
pub use step::Learner;
