//! What `index` reads: JSON Lines, CSV, a folder's Markdown and HTML, a sitemap. The first byte
//! chooses.
#![no_main]

use smooth_clir_fuzz::on_file;
use smooth_clir_trainer::readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some((choice, bytes)) = bytes.split_first() else { return };
    match choice % 5 {
        0 => on_file(".jsonl", bytes, readers::records),
        1 => on_file(".csv", bytes, readers::records),
        2 => on_file(".md", bytes, readers::page),
        3 => on_file(".html", bytes, readers::page),
        _ => on_file(".xml", bytes, readers::records),
    };
});
