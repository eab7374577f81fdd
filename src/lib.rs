//! Cross-lingual search by smooth cosine similarity.
//!
//! A query in one language ranks documents in others. The data flows one way, and each room uses
//! only those above it (`tests/core/layers.rs` holds that):
//!
//! | room | what it does |
//! |---|---|
//! | `decimal` | numbers as text, in messages and in files |
//! | [`limits`] | every limit of what is read and asked |
//! | [`error`](mod@error) | every way in which input is refused |
//! | [`storage`] | shared bytes, buffers, varints, and the safetensors container |
//! | [`math`] | kernels, smooth cosine similarity (SCS), curvature, losses, metrics, random numbers |
//! | [`text`] | text -> tokens -> rows: the text rule, spelling, stems, n-grams, vocabularies |
//! | [`encoder`] | rows -> vector |
//! | [`lexical`] | words -> translations -> BM25 over expected counts |
//! | [`model`] | a kind of file: encoders with their translations and calibration |
//! | [`ranking`] | a query against every document: the exact top k; judged lists |
//! | [`index`] | a kind of file: encoded documents, with what is shown of them |
//! | [`engine`] | a model with its indexes: search, explanations, user documents |
//! | [`training`] | the training step: forward, backward, Adam on the touched rows; sampling |
//! | `gpu` | the training step and the ranking as compute shaders (feature `gpu`) |
//! | `learning` | fine-tuning from feedback, and training from scratch, on the device (feature `learn`) |
//! | `lab` | the mathematics behind the page's pictures (feature `lab`) |
//! | `bindings` | the interface to JavaScript (features `wasm`, `js`) |
//!
//! The same functions run natively and as WebAssembly and give the same bits on both: every
//! transcendental comes from `libm`, every reduction has one order, and nothing is fused.
//!
//! ```
//! use smooth_clir::math::similarity::smooth_cosine;
//! // Paper 1, eq. (1): q.d / ((|q|+eps)(|d|+eps))
//! assert_eq!(smooth_cosine(&[3.0, 4.0], &[3.0, 4.0], 0.0), 1.0);
//! assert_eq!(smooth_cosine(&[3.0, 4.0], &[3.0, 4.0], 5.0), 0.25);
//! ```

#[cfg(feature = "js")]
pub mod bindings;
mod decimal;
pub mod encoder;
pub mod engine;
pub mod error;
#[cfg(feature = "gpu")]
pub mod gpu;
pub mod index;
#[cfg(feature = "lab")]
pub mod lab;
#[cfg(feature = "learn")]
pub mod learning;
pub mod lexical;
pub mod limits;
pub mod math;
pub mod model;
pub mod ranking;
pub mod storage;
pub mod text;
pub mod training;

pub use error::Error;
