//! From pages and a model to the files of an index.
//!
//! Nothing here opens a file, starts a thread or maps memory: bytes come in, the bytes of files go out, natively and in
//! WebAssembly alike. The files of a light index are those that the native command writes.
//!
//! Each file uses only those above it (`tests/core/layers.rs` checks that):
//!
//! | file | what it does |
//! |---|---|
//! | `error` | every way in which an index is refused |
//! | `deep` | documents, glossed in English, and a teacher's vectors of the glosses -> the vectors of deep documents |
//! | `encoding` | documents and a model -> the files of an index |
//! | `bindings` | all of it, for JavaScript (feature `js`) |

#[cfg(feature = "js")]
pub mod bindings;
mod deep;
mod encoding;
mod error;

pub use deep::{DeepDocuments, Glossed};
pub use encoding::{Encoding, Files};
pub use error::Error;
