//! Runs and grades as trec_eval reads them.
#![no_main]

use smooth_clir_fuzz::on_file;
use smooth_clir_trainer::readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    on_file(".run", bytes, readers::run);
    on_file(".qrels", bytes, readers::qrels);
});
