//! The objects that cross to JavaScript and back, in its names. Each file declares its objects a second
//! time, in TypeScript, and the package's own types are checked against these declarations.

#[cfg(feature = "wasm")]
pub(super) mod engine;
#[cfg(feature = "lab")]
pub(super) mod lab;
#[cfg(all(feature = "wasm", feature = "learn", feature = "gpu"))]
pub(super) mod learning;
#[cfg(any(feature = "lab", all(feature = "wasm", feature = "learn", feature = "gpu")))]
pub(super) mod metrics;
