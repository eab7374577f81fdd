//! Cross-lingual search by smooth cosine similarity.
//!
//! A query in one language ranks documents in others. The data flows one way, and each module
//! uses only those above it:
//!
//! | module | step |
//! |---|---|
//! | [`text`] | text -> tokens |
//! | [`vocabulary`] | token -> row of an embedding table |
//! | [`subwords`] | token -> its character n-grams, so that no word is unknown |
//! | [`kernels`] | the inner loops: dot products and sums in one fixed order |
//! | [`similarity`] | two vectors -> smooth cosine similarity (SCS), its gradient and bounds |
//! | [`curvature`] | how SCS bends: the norm of its Hessian, and the constants of the theory |
//! | [`loss`] | score and grade -> smooth ordinal search loss (SOSL) |
//! | [`translation`], [`stem`], [`postings`], [`lexical`] | words -> translations; BM25 over them, beside SCS |
//! | [`fusion`] | SCS and that -> one score |
//! | [`metrics`] | ranked grades -> precision, NDCG, average precision, reciprocal rank |
//! | [`encoder`] | rows -> vector |
//! | [`container`] | tensors <-> a safetensors file, checked whole |
//! | [`scan`] | a query against every document: exact top-k |
//! | [`model`], [`index`] | the two kinds of file: encoders, and encoded documents |
//! | [`changes`] | rows that replace those of a model's files |
//! | [`random`], [`step`] | the training step: forward, backward, Adam on the touched rows |
//! | [`engine`] | what a host holds: a model and its indexes; search |
//! | [`finetune`] | a person's marks -> steps -> rows that an engine takes over; undo |
//! | `gpu` | the training step and the ranking as compute shaders (feature `gpu`) |
//!
//! The same functions run natively and as WebAssembly and give the same bits on both: every
//! transcendental comes from `libm`, every reduction has one order, and nothing is fused.
//!
//! ```
//! use smooth_clir::similarity::smooth_cosine;
//! // Paper 1, eq. (1): q.d / ((|q|+eps)(|d|+eps))
//! assert_eq!(smooth_cosine(&[3.0, 4.0], &[3.0, 4.0], 0.0), 1.0);
//! assert_eq!(smooth_cosine(&[3.0, 4.0], &[3.0, 4.0], 5.0), 0.25);
//! ```

#[cfg(feature = "learn")]
pub mod changes;
pub mod container;
pub mod curvature;
mod decimal;
pub mod draw;
pub mod encoder;
pub mod engine;
pub mod error;
#[cfg(feature = "learn")]
pub mod finetune;
pub mod fusion;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod index;
#[cfg(any(feature = "wasm", all(feature = "lab", feature = "js")))]
mod js;
pub mod judged;
pub mod kernels;
#[cfg(feature = "lab")]
pub mod lab;
pub mod lexical;
pub mod loss;
pub mod metrics;
pub mod model;
pub mod postings;
pub mod random;
pub mod scan;
pub mod similarity;
pub mod spelling;
pub mod stem;
pub mod step;
pub mod subwords;
mod team;
mod tensors;
pub mod text;
#[cfg(feature = "learn")]
pub mod training;
pub mod translation;
pub mod varint;
pub mod vocabulary;
#[cfg(feature = "wasm")]
mod wasm;

pub use error::Error;
