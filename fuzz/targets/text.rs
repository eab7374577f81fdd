//! Text -> tokens, and what a token is cut and hashed into.
#![no_main]

use smooth_clir::subwords::for_each_bucket;
use smooth_clir::text;

libfuzzer_sys::fuzz_target!(|text: &str| {
    for token in text::tokens(text) {
        assert!(!token.is_empty());
        // A token is split as itself: queries and documents agree.
        assert_eq!(text::tokens(&token), [token.clone()], "{token:?}");
        for_each_bucket(&token, 1000, |bucket| assert!(bucket < 1000));
    }
});
