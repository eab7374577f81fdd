//! A BERT sentence encoder: a text to a vector, with the same bits on every host.
//!
//! The encoder reads the usual folder of a sentence transformer: `config.json`, `tokenizer.json`, `model.safetensors`
//! and its pooling configuration; or a compact file that was made of one, of a quarter of its bytes. Weights are rounded
//! to 8 bits and activations to 12 when it is loaded and run, so the sums of a matrix product are exact integers in any
//! order and on any register width. What is left (attention, layer norms, the activation function) is arithmetic of 32
//! bits in one fixed order. A vector therefore does not depend on the machine, on the number of threads, or on the texts
//! that are encoded beside it.
//!
//! Nothing here opens a file or starts a thread: bytes come in, vectors go out, natively and in WebAssembly alike.
//! Each file uses only those above it (`tests/core/layers.rs` checks that):
//!
//! | file | what it does |
//! |---|---|
//! | `limits` | the limits of a teacher's sizes |
//! | `error` | every way in which a teacher is refused |
//! | `config` | the sizes and the pooling, from the folder's JSON files |
//! | `vector` | sixteen numbers in the registers of a host |
//! | `functions` | exponential, GELU, softmax, layer norm, the largest magnitude |
//! | `weights` | named tensors of `model.safetensors`, of a compact file, and from the one to the other |
//! | `product` | exact products of 8-bit weights and 12-bit activations |
//! | `linear` | a linear layer: rounded weights, scales and a bias |
//! | `layer` | one layer of the transformer: attention and feed-forward |
//! | `encoder` | token numbers -> vectors |
//! | `teacher` | a folder or a compact file -> a teacher; texts -> vectors: the tokenizer, long texts in windows |

mod config;
mod encoder;
mod error;
mod functions;
mod layer;
mod limits;
mod linear;
mod product;
mod teacher;
mod vector;
mod weights;

pub use error::Error;
pub use teacher::{Files, Teacher};
