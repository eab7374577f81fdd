//! Text -> tokens, and what a token is cut and hashed into.
#![no_main]

use smooth_clir::subwords::for_each_bucket;
use smooth_clir::text::{Scratch, for_each_token, tokens};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let found = tokens(text);
    for token in &found {
        // A vocabulary has a token a line.
        assert!(!token.is_empty() && !token.contains('\n'));
        for_each_bucket(token, 1000, |bucket| assert!(bucket < 1000));
    }
    // What was read before changes nothing.
    let (mut again, mut scratch) = (Vec::new(), Scratch::default());
    for_each_token("東京 L’eau", &mut scratch, |_| ());
    for_each_token(text, &mut scratch, |token| again.push(token.to_owned()));
    assert_eq!(again, found);
    // Words apart stay apart.
    let twice = tokens(&format!("{text}\n{text}"));
    assert_eq!(twice, [found.clone(), found].concat());
});
