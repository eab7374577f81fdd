//! A model file, or several sides of one; what is accepted encodes and searches, and is written as
//! it was read.
#![no_main]

use smooth_clir::encoder::Precision;
use smooth_clir::engine::{Engine, Search};
use smooth_clir::model::Model;
use smooth_clir_fuzz::bounded;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Ok(model) = bounded(bytes.len(), || Model::read(bytes)) else { return };
    let written = model.write(Precision::F32);
    let again = Model::read(&written).expect("what is written is read");
    assert_eq!(again.write(Precision::F32), written);
    let Ok(engine) = Engine::new(model) else { return };
    let found = engine.search(Search {
        query: "rain over the mountains pioggia",
        epsilon: None,
        limit: 10,
        language: None,
        dense: None,
    });
    assert!(found.is_err() || found.is_ok_and(|hits| hits.is_empty()));
});
