//! The training step, one implementation for every host, with its sampling and its threads.

pub mod corpus;
pub mod grades;
pub mod lengths;
pub mod sampling;
pub mod step;
mod team;
