//! What a person taught the model, kept from an earlier visit.
#![no_main]

use smooth_clir_fuzz::{bounded, checks};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bounded(bytes.len(), || checks::learned(bytes)));
