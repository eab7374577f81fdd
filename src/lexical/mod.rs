//! The lexical score: words -> their translations -> BM25 over expected counts.

pub mod bigrams;
pub mod found;
pub mod gloss;
mod list;
pub mod pivot;
pub mod postings;
pub mod relatives;
pub mod score;
pub mod senses;
pub(crate) mod slim;
pub mod stems;
pub mod table;
pub mod translation;
