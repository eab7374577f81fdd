//! Token <-> row.

mod front;
mod places;

use std::cmp::Ordering;
use std::sync::Arc;

use crate::Error;
use crate::error::shown;
use crate::text::{Scratch, for_each_token};
pub(crate) use places::hash;
use places::{Place, Places};

/// Bytes below are control characters: no token has them.
const LOWEST_BYTE: u8 = 32;

/// Sorted tokens; a token's place is its row in the embedding table.
///
/// Stored as in the file: the tokens in one text, joined by newlines.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Vocabulary {
    text: Arc<str>,
    /// Where each token begins, and one past the last's newline.
    starts: Vec<u32>,
    places: Places,
}

impl Vocabulary {
    /// The vocabulary of these tokens, in any order, repeated or not; empty ones and those with a
    /// control character are left out.
    ///
    /// # Errors
    /// [`Error::TooLarge`] beyond 4 GiB of text.
    pub fn from_tokens<'a>(tokens: impl IntoIterator<Item = &'a str>) -> Result<Self, Error> {
        let is_kept = |token: &&str| !token.is_empty() && !has_control(token.as_bytes());
        let mut sorted: Vec<&str> = tokens.into_iter().filter(is_kept).collect();
        sorted.sort_unstable();
        sorted.dedup();
        Self::from_joined("vocabulary", sorted.join("\n"))
    }

    /// The vocabulary in the form that files hold; `name` is the tensor that errors speak of.
    ///
    /// # Errors
    /// [`Error::Vocabulary`] for a token that is empty, has a control character or is not above the one
    /// before it.
    pub fn from_joined(name: &str, text: String) -> Result<Self, Error> {
        let most = u32::MAX as usize - 1;
        if text.len() > most {
            return Err(Error::TooLarge { what: "vocabulary", found: text.len(), most });
        }
        if text.is_empty() {
            return Ok(Self::default());
        }
        let (mut starts, mut start) = (vec![0], 0);
        let mut before: Option<&[u8]> = None;
        for (position, token) in text.as_bytes().split(|&byte| byte == b'\n').enumerate() {
            let next = start + token.len() as u32 + 1;
            let problem = match before {
                _ if token.is_empty() => Some("is empty"),
                _ if has_control(token) => Some("has a control character"),
                Some(before) if before == token => Some("is there twice"),
                Some(before) if before > token => Some("is out of order"),
                _ => None,
            };
            if let Some(problem) = problem {
                return Err(Error::Vocabulary {
                    name: name.into(),
                    position,
                    token: shown(between(&text, start, next)),
                    problem,
                });
            }
            before = Some(token);
            start = next;
            starts.push(start);
        }
        let places = Places::new(starts.windows(2).map(|ends| between(&text, ends[0], ends[1])));
        Ok(Self { text: text.into(), starts, places })
    }

    /// The tokens joined by newlines, which the vocabulary shares with its clones alone.
    pub(crate) fn shared_text(&self) -> &Arc<str> {
        &self.text
    }

    /// The number of tokens.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The token of a row below [`len`](Self::len).
    pub fn token(&self, row: usize) -> &str {
        between(&self.text, self.starts[row], self.starts[row + 1])
    }

    /// The row of a token, if it is known.
    pub fn row(&self, token: &str) -> Option<u32> {
        match self.places.search(token, |row| self.bytes(row as usize)) {
            Place::Row(row) => Some(row),
            Place::Nowhere => None,
            Place::Crowded => self.row_by_halving(token),
        }
    }

    /// A token without the look at its first and last byte that a `str` takes.
    fn bytes(&self, row: usize) -> &[u8] {
        &self.text.as_bytes()[self.starts[row] as usize..self.starts[row + 1] as usize - 1]
    }

    fn row_by_halving(&self, token: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.token(middle).cmp(token) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(middle as u32),
            }
        }
        None
    }

    /// The rows of a text's known tokens, in text order.
    pub fn rows(&self, text: &str) -> Vec<u32> {
        let mut rows = Vec::new();
        self.rows_into(text, &mut Scratch::default(), &mut rows);
        rows
    }

    /// As [`rows`](Self::rows), in place of the contents of `rows`. Returns the number of tokens of the text,
    /// known or not.
    pub fn rows_into(&self, text: &str, scratch: &mut Scratch, rows: &mut Vec<u32>) -> usize {
        rows.clear();
        let mut tokens = 0;
        for_each_token(text, scratch, |token| {
            tokens += 1;
            rows.extend(self.row(token));
        });
        tokens
    }

    /// The tokens joined by newlines, as files hold them.
    pub fn as_joined(&self) -> &str {
        &self.text
    }
}

fn has_control(token: &[u8]) -> bool {
    token.iter().any(|&byte| byte < LOWEST_BYTE)
}

/// The token between its start and the next one's.
fn between(text: &str, start: u32, next: u32) -> &str {
    &text[start as usize..next as usize - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tokens_row_is_its_place_in_byte_order() {
        let vocabulary = Vocabulary::from_tokens(["pluie", "eau", "été", "eau"]).unwrap();
        assert_eq!(vocabulary.as_joined(), "eau\npluie\nété");
        assert_eq!(vocabulary.row("eau"), Some(0));
        assert_eq!(vocabulary.row("été"), Some(2));
        assert_eq!(vocabulary.row("e"), None);
        assert_eq!(vocabulary.row(""), None);
        assert_eq!(vocabulary.token(1), "pluie");
    }

    #[test]
    fn unknown_words_are_left_out_and_order_is_kept() {
        let vocabulary = Vocabulary::from_tokens(["a", "b", "c"]).unwrap();
        assert_eq!(vocabulary.rows("C, x, a; c"), [2, 0, 2]);
    }

    #[test]
    fn an_empty_vocabulary_knows_nothing() {
        let vocabulary = Vocabulary::from_joined("v", String::new()).unwrap();
        assert_eq!((vocabulary.len(), vocabulary.row("a")), (0, None));
    }

    #[test]
    fn disorder_repetition_and_empty_tokens_are_refused() {
        for (text, problem) in [
            ("b\na", "is out of order"),
            ("a\na", "is there twice"),
            ("a\n", "is empty"),
            ("\na", "is empty"),
            ("a\tb", "has a control character"),
        ] {
            let error = Vocabulary::from_joined("v", text.into()).unwrap_err();
            assert!(error.to_string().contains(problem), "{text:?}: {error}");
        }
    }

    #[test]
    fn words_that_no_file_could_hold_are_left_out() {
        let vocabulary = Vocabulary::from_tokens(["", "a\tb", "c", "\n", "\u{1f}", " "]).unwrap();
        assert_eq!(vocabulary.as_joined(), " \nc");
    }

    #[test]
    fn known_or_not_every_token_is_counted() {
        let vocabulary = Vocabulary::from_tokens(["a"]).unwrap();
        let mut rows = vec![7];
        assert_eq!(vocabulary.rows_into("a b a c", &mut Scratch::default(), &mut rows), 4);
        assert_eq!(rows, [0, 0]);
    }
}
