//! What `index` reads: JSON Lines, CSV, a folder's Markdown and HTML. The first byte chooses.
#![no_main]

use smooth_clir_fuzz::on_file;
use smooth_clir_trainer::readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    match choice % 4 {
        0 => on_file(".jsonl", bytes, readers::records),
        1 => on_file(".csv", bytes, readers::records),
        2 => on_file(".md", bytes, readers::page),
        _ => on_file(".html", bytes, readers::page),
    };
});
