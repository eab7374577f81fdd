//! The theory of paper 1 (section 4 and appendix), corrected: how smooth the loss is in the weights,
//! how stable that makes plain SGD, and what follows for queries not trained on.

pub mod bound;
mod constants;

pub use constants::{Constants, Smooth, decimal};
