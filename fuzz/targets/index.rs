//! An index file, whole or without its texts, or a file of its texts.
#![no_main]

use smooth_clir::index::{BlockFile, Index};
use smooth_clir_fuzz::bounded;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(index) = bounded(bytes.len(), || Index::read(bytes)) {
        let written = index.write();
        // One whose texts lie in other files is not written whole.
        if let Ok(again) = Index::read(&written) {
            assert_eq!(again.write(), written);
        }
    }
    if let Ok(block) = bounded(bytes.len(), || BlockFile::read(bytes.to_vec())) {
        let written = block.write();
        assert_eq!(
            BlockFile::read(written.clone()).expect("what is written is read").write(),
            written
        );
    }
});
