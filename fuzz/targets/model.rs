//! A model file, or several files of encoders.
#![no_main]

use smooth_clir::model::Model;
use smooth_clir_fuzz::{bounded, checks};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(model) = bounded(bytes.len(), || Model::read(bytes)) {
        checks::model(model);
    }
});
