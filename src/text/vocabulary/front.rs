//! Front coding: each token less what it has in common with the one before it (Witten, Moffat and
//! Bell, Managing Gigabytes, 1999).
//!
//! Before each token stands a byte: how many bytes it begins with like the token before it, at most
//! 31. No byte of a token is as low.

use super::{LOWEST_BYTE, Vocabulary};
use crate::Error;

const MOST_ALIKE: u8 = LOWEST_BYTE - 1;

impl Vocabulary {
    /// The tokens, front-coded.
    pub fn to_front_coded(&self) -> Vec<u8> {
        let mut coded = Vec::with_capacity(self.text.len());
        let mut before: &[u8] = &[];
        for row in 0..self.len() {
            let token = self.token(row).as_bytes();
            let pairs = before.iter().zip(token).take(usize::from(MOST_ALIKE));
            let alike = pairs.take_while(|(a, b)| a == b).count();
            coded.push(alike as u8);
            coded.extend_from_slice(&token[alike..]);
            before = token;
        }
        coded
    }

    /// The vocabulary of front-coded tokens; `name` is the tensor that errors speak of.
    ///
    /// # Errors
    /// As [`from_joined`](Self::from_joined); [`Error::TensorValue`] where the tokens are no text.
    pub fn from_front_coded(name: &str, coded: &[u8]) -> Result<Self, Error> {
        let wrong = |position: usize, expected| {
            let found = coded.get(position).map_or("no byte".into(), |byte| format!("byte {byte}"));
            Error::TensorValue { name: name.into(), position, found, expected }
        };
        let (mut joined, mut before) = (Vec::with_capacity(coded.len() * 2), 0);
        let mut at = 0;
        while at < coded.len() {
            let alike = usize::from(coded[at]);
            let start = joined.len() + usize::from(at > 0);
            if alike > usize::from(MOST_ALIKE) || before + alike > joined.len() {
                return Err(wrong(at, "how many bytes are those of the token before"));
            }
            if at > 0 {
                joined.push(b'\n');
            }
            joined.extend_from_within(before..before + alike);
            let rest = &coded[at + 1..];
            let end = rest.iter().position(|&byte| byte <= MOST_ALIKE).unwrap_or(rest.len());
            joined.extend_from_slice(&rest[..end]);
            if alike + end == 0 {
                return Err(wrong(at, "a token that is not empty"));
            }
            before = start;
            at += 1 + end;
        }
        let joined = String::from_utf8(joined)
            .map_err(|error| wrong(error.utf8_error().valid_up_to(), "UTF-8"))?;
        Self::from_joined(name, joined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coded(tokens: &[&str]) -> Vec<u8> {
        Vocabulary::from_tokens(tokens.iter().copied()).unwrap().to_front_coded()
    }

    #[test]
    fn each_token_is_what_it_does_not_share_with_the_one_before() {
        let tokens = ["mont", "montagne", "monter", "mots", "été", "étés"];
        let expected = b"\0mont\x04agne\x04er\x02ts\0\xc3\xa9t\xc3\xa9\x05s";
        assert_eq!(coded(&tokens), expected);
        assert_eq!(coded(&[]), b"");
        // At most 31 are shared.
        let [before, after] = ["x".repeat(40), "x".repeat(39) + "y"];
        let expected = ["\0", &before, "\x1f", &after[31..]].concat();
        assert_eq!(coded(&[&before, &after]), expected.as_bytes());
    }

    #[test]
    fn what_was_coded_comes_back() {
        let long = "x".repeat(100);
        let longer = format!("{long}y");
        let lists: [&[&str]; 4] =
            [&[], &["a"], &["à", "á", "â", "ab", "中", "中国"], &[&long, &longer, "y"]];
        for tokens in lists {
            let words = Vocabulary::from_tokens(tokens.iter().copied()).unwrap();
            let back = Vocabulary::from_front_coded("v", &words.to_front_coded()).unwrap();
            assert_eq!(back, words);
        }
    }

    #[test]
    fn broken_bytes_are_refused() {
        for (bytes, problem) in [
            (&b"\x01a"[..], "byte 1"),
            (b"\0ab\x03c", "byte 3"),
            (b"a", "byte 97"),
            (b"\0b\0a", "out of order"),
            (b"\0a\x01", "twice"),
            (b"\0", "empty"),
            (b"\0\xc3", "UTF-8"),
        ] {
            let error = Vocabulary::from_front_coded("v", bytes).unwrap_err().to_string();
            assert!(error.contains(problem), "{bytes:?}: {error}");
        }
    }
}
