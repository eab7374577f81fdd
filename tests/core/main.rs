//! The core's tests that run natively, as one program: linking is most of what a program of tests costs.
//! Those that run in WebAssembly too are programs of their own beside this folder.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // A failure here is a failed test.

mod any_to_any;
mod contrastive;
mod cost;
mod deep;
#[cfg(feature = "gpu")]
mod device;
mod example;
mod explain;
mod fields;
mod files;
#[cfg(feature = "learn")]
mod finetune;
mod fuzz_corpus;
#[cfg(feature = "gpu")]
mod gpu_ranking;
#[cfg(feature = "gpu")]
mod gpu_scan;
#[cfg(feature = "gpu")]
mod gpu_step;
mod layers;
mod lexical;
mod limits;
mod networks;
mod packs;
mod safetensors;
mod slim;
mod spaces;
mod step;
mod tampering;
#[cfg(feature = "learn")]
mod training;
#[cfg(feature = "learn")]
mod translated;
