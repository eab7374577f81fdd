//! The terminal: options' values in, results, notes and progress bars out.

// First: its macros are for all modules below.
#[macro_use]
pub mod output;
pub mod phase;
pub mod progress_bar;
pub mod values;
