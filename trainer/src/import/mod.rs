//! Other people's collections -> the folders and files that training reads.

mod bzip2_streams;
pub mod clirmatrix;
mod compressed;
#[cfg(feature = "download")]
mod download;
mod dumps;
pub mod moses;
pub mod options;
mod pages;
mod progress;
#[cfg(any(fuzzing, test))]
pub mod readers;
mod sentence;
mod sort;
mod sql;
mod stages;
mod titles;
pub mod tmx;
pub mod topics;
mod whole;
pub mod wikipedia;
mod wikitext;
mod xml;
