//! An index file, whole or without its texts, or a file of its texts.
#![no_main]

use smooth_clir::index::{BlockFile, Index};
use smooth_clir_fuzz::{bounded, checks};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(index) = bounded(bytes.len(), || Index::read(bytes)) {
        checks::index(index);
    }
    if let Ok(block) = bounded(bytes.len(), || BlockFile::read(bytes.to_vec())) {
        checks::block(block);
    }
});
