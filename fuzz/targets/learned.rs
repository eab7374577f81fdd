//! What a person taught the model, kept from an earlier visit.
#![no_main]

use smooth_clir::changes::Changes;
use smooth_clir_fuzz::bounded;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let sides = [("query", 5), ("document.xx", 7)];
    let _ = bounded(bytes.len(), || Changes::read(bytes, "space", 4, sides));
});
