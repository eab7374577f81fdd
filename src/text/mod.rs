//! Text -> tokens -> rows of an embedding table.

pub(crate) mod interner;
mod normal;
pub mod parts;
mod plain;
mod rule;
pub mod spelling;
pub mod stem;
pub mod subwords;
pub mod vocabulary;

pub use rule::{RULE, Scratch, VERSION, for_each_token, is_unspaced, tokens};
