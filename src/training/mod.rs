//! The training step, written once for every host, and what it is fed with.

pub mod corpus;
pub mod sampling;
pub mod step;
mod team;
