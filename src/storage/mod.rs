//! Bytes as files hold them: shared without copies, numbers in their shortest form, and the
//! safetensors container, checked whole before use.

mod buffer;
pub mod container;
mod shared_bytes;
pub mod varint;

pub use buffer::Buffer;
pub use shared_bytes::{DIGEST_BYTES, SharedBytes};
