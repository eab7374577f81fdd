//! Queries, documents, pairs: tab-separated lines.
#![no_main]

use smooth_clir_fuzz::on_file;
use smooth_clir_trainer::readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    on_file(".tsv", bytes, readers::documents);
    on_file(".tsv", bytes, readers::pairs);
});
