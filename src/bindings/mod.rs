//! The interface to JavaScript, and nothing else.

#[cfg(any(feature = "wasm", feature = "lab"))]
mod crossing;
#[cfg(feature = "wasm")]
pub mod engine;
#[cfg(feature = "lab")]
pub mod lab;
#[cfg(all(feature = "wasm", feature = "learn", feature = "gpu"))]
pub mod learn;
#[cfg(all(feature = "wasm", feature = "learn", feature = "gpu"))]
pub mod ranking;
#[cfg(any(feature = "wasm", feature = "lab"))]
mod shapes;
#[cfg(all(feature = "wasm", feature = "learn", feature = "gpu"))]
pub mod training;
