//! What JavaScript sees, and nothing else.

#[cfg(feature = "wasm")]
mod engine;
#[cfg(feature = "lab")]
mod lab;
#[cfg(all(feature = "wasm", feature = "learn", feature = "gpu"))]
mod learn;
#[cfg(all(feature = "wasm", feature = "learn", feature = "gpu"))]
mod ranking;
#[cfg(all(feature = "wasm", feature = "learn", feature = "gpu"))]
mod training;
mod values;
