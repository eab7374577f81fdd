//! The training step and the ranking of documents on a GPU: WebGPU in a browser, Vulkan, Metal or
//! Direct3D natively.
//!
//! | file | what it does |
//! |---|---|
//! | `device.rs` | asks for a device, runs kernels on it, reads back, tells what went wrong |
//! | `lists.rs` | what a host tells shaders, in one buffer |
//! | `table.rs` | a table in training, in as many buffers as its size takes |
//! | `batch.rs` | a batch as the lists that the shaders read |
//! | `step.rs`, `step.wgsl` | the training step |
//! | `twin.rs` | a trainer of the core that goes on here, and back where the device is lost |
//! | `ranking.rs` | an engine's indexes, each with a scan |
//! | `scan.rs`, `scan.wgsl` | the best documents for a query, to be scored again by the core |
//!
//! The shaders repeat the arithmetic of [`step`](crate::training::step) and [`scan`](crate::ranking::scan), whose
//! answers they give to a tolerance: a GPU's sums have another order, and its quotients, roots and
//! exponentials are not rounded as a processor's are. On one device they give the same bits every
//! time: no sum depends on which thread comes first.

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

/// The refusal of what the GPU does not do here.
fn not_for_gpu(what: &str, found: impl ToString, expected: impl ToString) -> Error {
    Error::NotForGpu { what: what.into(), found: found.to_string(), expected: expected.to_string() }
}
