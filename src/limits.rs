//! Every limit of what is read and asked: larger input is refused with an error that names the limit.
//!
//! `docs/limits.md` lists them with those of the other crates. A limit stands an order of magnitude above the
//! largest file that we have seen, and bounds the time and memory that a hostile one can take.

/// Bytes of the header of a model or index file. The largest part of one is the name of each block of texts, of
/// 68 bytes.
pub const HEADER_BYTES: u64 = 1 << 20;
/// Bytes of the name of a tensor, of a line of metadata, of a language or of a field: messages show them whole.
pub const NAME_BYTES: usize = 256;
/// Tensors of a file: a language has up to a dozen, a field has four.
pub const TENSORS: usize = 8192;
/// Dimensions of a tensor, of which this library's have at most two.
pub const TENSOR_DIMENSIONS: usize = 8;
/// Languages of a model, and of an index, whose documents state theirs in a byte.
pub const LANGUAGES: usize = 256;
/// Fields that the documents of an index may have.
pub const FIELDS: usize = 256;
/// Blocks of texts of an index; larger blocks hold more documents.
pub const BLOCKS: usize = 10_000;
/// The length of a vector.
pub const DIMENSIONS: usize = 4096;
/// Affixes of a language: each word that is not known is compared with them.
pub const AFFIXES: usize = 256;
/// Bytes of a query.
pub const QUERY_BYTES: usize = 1 << 20;
/// Words of a query that is corrected: a longer one is a text, not typing.
pub const CORRECTED_WORDS: usize = 64;
/// Words that are read to explain a text: its vector is computed again without each explained word. A text of up to 2,048
/// words is explained whole; of one with 8,192, the first 512 words are.
pub const EXPLAINED_WORDS: usize = 1 << 22;
/// Characters of a token, or of a value of a file, that a message shows.
pub const SHOWN_CHARACTERS: usize = 60;
/// Points along a side of a heat map.
#[cfg(feature = "lab")]
pub const MAP_POINTS: usize = 2048;
/// Steps of a colour scale on each side of its middle: more than a screen tells apart.
#[cfg(feature = "lab")]
pub const COLOUR_STEPS: usize = 1024;
/// Steps of a descent.
#[cfg(feature = "lab")]
pub const DESCENT_STEPS: usize = 100_000;
/// Steps of the bound on how far two trainings grow apart.
#[cfg(feature = "lab")]
pub const GROWTH_STEPS: usize = 10_000_000;
