//! A model, an index or a file of texts whose header is nearly right.
#![no_main]

use smooth_clir::index::{BlockFile, Index};
use smooth_clir::model::Model;
use smooth_clir_fuzz::{bounded, checks, header};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let file = header::file(bytes);
    if let Ok(model) = bounded(file.len(), || Model::read(&file)) {
        checks::model(model);
    }
    if let Ok(index) = bounded(file.len(), || Index::read(&file)) {
        checks::index(index);
    }
    if let Ok(block) = bounded(file.len(), || BlockFile::read(file.clone())) {
        checks::block(block);
    }
});
