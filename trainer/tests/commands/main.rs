//! The trainer's tests, as one program: linking is most of what a program of tests costs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // A failure here is a failed test.

mod command_line;
mod corpus;
#[cfg(feature = "teacher")]
mod deep;
mod encode;
mod evaluation;
mod experiments;
#[cfg(target_os = "linux")]
mod faults;
mod figures;
mod from;
mod from_scratch;
mod gpu;
mod hostile;
#[cfg(feature = "import")]
mod import;
#[cfg(unix)]
mod interruption;
#[cfg(unix)]
mod links;
mod measures;
mod methods;
mod neural;
#[cfg(feature = "teacher")]
mod packs;
mod pairs;
mod segments;
#[cfg(all(unix, feature = "serve"))]
mod serve;
mod statistics;
mod svg;
mod theory;
mod toy;
mod training;
mod vectors;
mod wikipedia;
