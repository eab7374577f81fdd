//! Word vectors: word2vec's text and binary, fastText, GloVe, Polyglot's pickle.
#![no_main]

use smooth_clir_fuzz::on_file;
use smooth_clir_trainer::readers;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    on_file(".vec", bytes, readers::vectors);
});
