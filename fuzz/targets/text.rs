//! Text -> tokens, and what a token is cut and hashed into.
#![no_main]

use smooth_clir_fuzz::checks;

libfuzzer_sys::fuzz_target!(|text: &str| checks::text(text));
