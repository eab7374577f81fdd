//! A file's bytes, there as long as anything that was read from them.

use std::ops::Deref;
use std::sync::Arc;

/// Bytes of a digest.
pub const DIGEST_BYTES: usize = 32;

/// The bytes of a whole file, shared without a copy: in memory, or mapped to it.
#[derive(Clone)]
pub struct SharedBytes {
    bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
    /// The digest that a host computed.
    digest: Option<[u8; DIGEST_BYTES]>,
}

impl SharedBytes {
    /// Shares the bytes of an owner that gives the same ones, at the same place, each time.
    pub fn new(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Self { bytes: Arc::new(bytes), digest: None }
    }

    /// The bytes with a file's own digest, as the host computed it of them: browsers do so many times as fast as WebAssembly.
    /// A digest of another length is none.
    pub fn with_digest(self, digest: &[u8]) -> Self {
        Self { digest: digest.try_into().ok(), ..self }
    }

    pub(super) fn digest(&self) -> Option<&[u8; DIGEST_BYTES]> {
        self.digest.as_ref()
    }
}

impl From<Vec<u8>> for SharedBytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self::new(bytes)
    }
}

impl Deref for SharedBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        (*self.bytes).as_ref()
    }
}
