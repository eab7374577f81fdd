//! Other people's collections -> the folders and files that training reads.

mod bzip2_streams;
mod compressed;
mod dumps;
pub mod options;
mod pages;
mod progress;
mod sentence;
mod sort;
mod sql;
mod stages;
mod titles;
pub mod wikipedia;
mod wikitext;
mod xml;
