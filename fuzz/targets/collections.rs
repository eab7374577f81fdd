//! What `import` reads: tables and pages of dumps, wikitext, translation memories, topics. The first
//! byte chooses.
#![no_main]

use smooth_clir_fuzz::{bounded, on_file};
use smooth_clir_trainer::readers::collections;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    match choice % 5 {
        0 => drop(on_file(".sql", bytes, collections::table)),
        1 => drop(on_file(".xml", bytes, collections::pages)),
        2 => {
            let text = String::from_utf8_lossy(bytes);
            bounded(text.len(), || collections::text(&text));
        }
        3 => drop(on_file(".tmx", bytes, collections::memory)),
        _ => drop(on_file(".topics", bytes, collections::topics)),
    }
});
