//! The training step and the ranking of documents on a GPU: WebGPU in a browser, Vulkan, Metal or
//! Direct3D natively.
//!
//! | file | content |
//! |---|---|
//! | `device.rs` | requests a device, runs kernels, reads results, reports failures |
//! | `lists.rs` | the host's input to shaders, in one buffer |
//! | `table.rs` | a trainable table, in as many buffers as its size needs |
//! | `batch.rs` | a batch as lists for the shaders |
//! | `step.rs`, `step.wgsl` | the training step |
//! | `twin.rs` | a trainer of the core that moves to a GPU, and back if the device is lost |
//! | `ranking.rs` | the scans of an engine's indexes |
//! | `scan.rs`, `scan.wgsl` | the top documents for a query, which the core scores again |
//!
//! The shaders repeat the arithmetic of [`step`](crate::training::step) and
//! [`scan`](crate::ranking::scan) and agree with them to a tolerance: a GPU adds in another order,
//! and rounds quotients, roots and exponentials differently from a processor. On one device they
//! give the same bits every time, because no sum depends on the order of threads.

mod batch;
mod device;
mod lists;
mod ranking;
mod scan;
mod step;
mod table;
mod twin;

pub use device::{Gpu, Limits};
pub use ranking::Ranking;
pub use scan::Scan;
pub use step::GpuTrainer;
pub use twin::MirroredTrainer;

use crate::Error;

/// An error for input that the GPU code does not support.
fn not_for_gpu(what: &str, found: impl ToString, expected: impl ToString) -> Error {
    Error::NotForGpu { what: what.into(), found: found.to_string(), expected: expected.to_string() }
}
