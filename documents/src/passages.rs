//! Long documents -> passages: a vector of a few paragraphs says more than one of a book.

use std::collections::HashSet;
use std::rc::Rc;

use unicode_segmentation::UnicodeSegmentation;

use crate::document::{Document, Found, Part};
use crate::error::Error;
use crate::limits;

/// Cuts a document into passages of at most `most` words, between paragraphs where that can be, else
/// between sentences, else between words. The first has the document's id, a further one also its
/// heading's (`id#heading`) or a number (`id#2`). Each has the document's title and fields.
///
/// # Errors
/// [`Error::Limit`], if the passages repeat too much of these.
pub fn cut(found: Found, most: Option<usize>) -> Result<Vec<Document>, Error> {
    let Found { id, title, parts, fields, .. } = found;
    let most = most.unwrap_or(usize::MAX);
    let mut passages: Vec<Part> = Vec::new();
    let mut words = usize::MAX;
    for Part { anchor, text } in parts {
        for piece in pieces(&text, most) {
            let own = piece.split_whitespace().count();
            match passages.last_mut().filter(|_| words.saturating_add(own) <= most) {
                Some(last) => {
                    last.text += "\n";
                    last.text += piece;
                    words += own;
                }
                None => {
                    passages.push(Part { anchor: anchor.clone(), text: piece.to_owned() });
                    words = own;
                }
            }
        }
    }
    let of_fields = fields.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
    let repeated = (id.len() + title.len() + of_fields) as u64;
    check_repeated(repeated, passages.len().saturating_sub(1) as u64)?;
    // A heading's id may be a number.
    let anchors: HashSet<Rc<str>> =
        passages.iter().skip(1).filter_map(|passage| passage.anchor.clone()).collect();
    let mut taken = HashSet::new();
    let mut last = 0;
    let named = |(at, Part { anchor, text }): (usize, Part)| {
        let fragment = match (at, anchor.filter(|anchor| taken.insert(anchor.clone()))) {
            (0, _) => String::new(),
            (_, Some(anchor)) => format!("#{anchor}"),
            (_, None) => {
                last = last.max(at) + 1;
                while anchors.contains(&*last.to_string()) {
                    last += 1;
                }
                format!("#{last}")
            }
        };
        let (title, fields) = (title.clone(), fields.clone());
        Document { id: format!("{id}{fragment}"), title, text, fields, ..Document::default() }
    };
    Ok(passages.into_iter().enumerate().map(named).collect())
}

/// Cuts a text of any length into passages as it comes, one paragraph after another: the passages of [`cut`], for
/// paragraphs under no headings.
#[derive(Debug)]
pub struct Cutter {
    id: String,
    title: String,
    most: usize,
    /// The passage that grows.
    text: String,
    words: usize,
    /// Passages so far.
    count: u64,
}

impl Cutter {
    /// Passages of at most `most` words.
    pub fn new(id: String, title: String, most: usize) -> Self {
        Self { id, title, most, text: String::new(), words: 0, count: 0 }
    }

    /// Takes the next paragraph. Calls `take` with each passage that is complete.
    ///
    /// # Errors
    /// As [`cut`]; as `take`.
    pub fn push<E: From<Error>>(
        &mut self,
        paragraph: &str,
        take: &mut dyn FnMut(Document) -> Result<(), E>,
    ) -> Result<(), E> {
        for piece in pieces(paragraph, self.most).into_iter().filter(|piece| !piece.is_empty()) {
            let own = piece.split_whitespace().count();
            if !self.text.is_empty() && self.words + own > self.most {
                self.end(take)?;
            }
            if !self.text.is_empty() {
                self.text.push('\n');
            }
            self.text += piece;
            self.words += own;
        }
        Ok(())
    }

    /// Calls `take` with the last passage. Returns the number of passages.
    ///
    /// # Errors
    /// As [`push`](Self::push).
    pub fn finish<E: From<Error>>(
        mut self,
        take: &mut dyn FnMut(Document) -> Result<(), E>,
    ) -> Result<u64, E> {
        if !self.text.is_empty() {
            self.end(take)?;
        }
        Ok(self.count)
    }

    fn end<E: From<Error>>(
        &mut self,
        take: &mut dyn FnMut(Document) -> Result<(), E>,
    ) -> Result<(), E> {
        check_repeated((self.id.len() + self.title.len()) as u64, self.count)?;
        self.count += 1;
        let id = match self.count {
            1 => self.id.clone(),
            number => format!("{}#{number}", self.id),
        };
        self.words = 0;
        take(Document {
            id,
            title: self.title.clone(),
            text: std::mem::take(&mut self.text),
            ..Document::default()
        })
    }
}

/// Refuses passages that repeat too many bytes of their document, `times` times.
fn check_repeated(bytes: u64, times: u64) -> Result<(), Error> {
    if bytes.saturating_mul(times) <= limits::REPEATED_BYTES {
        return Ok(());
    }
    let what = "bytes of a document's id, title and fields, which each of its passages repeats";
    let remedy = "shorten them, or split the document";
    Err(Error::Limit { what, most: limits::REPEATED_BYTES, remedy })
}

/// A text whole, or its sentences put together as far as they fit; a longer sentence is cut.
fn pieces(text: &str, most: usize) -> Vec<&str> {
    let count = |text: &str| text.split_whitespace().count();
    if count(text) <= most {
        return vec![text];
    }
    let (mut pieces, mut start, mut end, mut words) = (Vec::new(), 0, 0, 0);
    for word_or_sentence in sentences(text).flat_map(|sentence| match count(sentence) > most {
        true => sentence.split_inclusive(char::is_whitespace).collect::<Vec<_>>(),
        false => vec![sentence],
    }) {
        let own = count(word_or_sentence);
        if words + own > most {
            pieces.push(text[start..end].trim());
            (start, words) = (end, 0);
        }
        end += word_or_sentence.len();
        words += own;
    }
    pieces.push(text[start..end].trim());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The sentences of a text. A long run of spaces or signs ends one too: at each sign after a full stop, Unicode's rule
/// looks for a small letter behind all of them.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let (mut cuts, mut run) = (Vec::new(), 0);
    for (place, word) in text.split_word_bound_indices() {
        let signs = word.chars().count();
        if word.starts_with(char::is_alphanumeric) {
            run = 0;
        } else if run + signs > limits::SIGNS {
            cuts.push(place);
            run = signs;
        } else {
            run += signs;
        }
    }
    cuts.push(text.len());
    let mut start = 0;
    cuts.into_iter().flat_map(move |end| {
        let between = &text[start..end];
        start = end;
        between.split_sentence_bounds()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(parts: &[(Option<&str>, &str)]) -> Found {
        let part = |&(anchor, text): &(Option<&str>, &str)| Part {
            anchor: anchor.map(Rc::from),
            text: text.into(),
        };
        let parts = parts.iter().map(part).collect();
        Found { id: "page".into(), title: "Page".into(), parts, ..Found::default() }
    }

    fn cut_into(parts: &[(Option<&str>, &str)], most: Option<usize>) -> Vec<(String, String)> {
        let passages = cut(document(parts), most).unwrap();
        assert!(passages.iter().all(|passage| passage.title == "Page"));
        passages.into_iter().map(|passage| (passage.id, passage.text)).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|&(id, text)| (id.to_owned(), text.to_owned())).collect()
    }

    #[test]
    fn a_document_is_cut_between_paragraphs_and_named_after_headings() {
        let parts = [
            (None, "one two"),
            (None, "three"),
            (Some("rain"), "four five"),
            (Some("rain"), "six seven"),
            (Some("sun"), "eight"),
        ];
        let expected = pairs(&[
            ("page", "one two\nthree"),
            ("page#rain", "four five"),
            ("page#3", "six seven\neight"),
        ]);
        assert_eq!(cut_into(&parts, Some(3)), expected);
        let whole = "one two\nthree\nfour five\nsix seven\neight";
        assert_eq!(cut_into(&parts, None), pairs(&[("page", whole)]));
    }

    #[test]
    fn a_heading_that_is_a_number_has_its_own_passage() {
        let parts =
            [(None, "a b"), (Some("3"), "c d"), (None, "e f"), (None, "g h"), (Some("3"), "i j")];
        let ids: Vec<String> = cut_into(&parts, Some(2)).into_iter().map(|(id, _)| id).collect();
        assert_eq!(ids, ["page", "page#3", "page#4", "page#5", "page#6"]);
    }

    #[test]
    fn a_long_paragraph_is_cut_between_sentences_and_a_long_sentence_between_words() {
        let text = "Rain falls. Snow falls too. One two three four five six.";
        let expected = pairs(&[
            ("page", "Rain falls."),
            ("page#2", "Snow falls too. One"),
            ("page#3", "two three four five"),
            ("page#4", "six."),
        ]);
        assert_eq!(cut_into(&[(None, text)], Some(4)), expected);
    }

    #[test]
    fn no_word_is_lost_at_any_length() {
        let text = "Aa bb. Cc dd ee ff!  Gg\u{a0}hh, ii? jj\nkk ll mm nn";
        let words: Vec<&str> = text.split_whitespace().collect();
        for most in 1..=words.len() + 1 {
            let passages = cut_into(&[(None, text), (Some("b"), text)], Some(most));
            let found: Vec<&str> =
                passages.iter().flat_map(|(_, text)| text.split_whitespace()).collect();
            assert_eq!(found, [&words[..], &words[..]].concat());
            assert!(passages.iter().all(|(_, text)| text.split_whitespace().count() <= most));
            let ids: HashSet<&String> = passages.iter().map(|(id, _)| id).collect();
            assert_eq!(ids.len(), passages.len());
        }
    }

    #[test]
    fn a_long_run_of_signs_ends_a_sentence() {
        for (signs, count) in [(limits::SIGNS - 1, 1), (limits::SIGNS, 1), (limits::SIGNS + 1, 2)] {
            let text = format!("a.{}b", "\"".repeat(signs - 1));
            assert_eq!(sentences(&text).count(), count, "{signs}");
            assert_eq!(sentences(&text).collect::<String>(), text);
        }
        let honest = "Rain falls. (Snow too!) \"Ice,\" she said... then 3.5 mm.";
        assert!(sentences(honest).eq(honest.split_sentence_bounds()));
    }

    #[test]
    fn passages_repeat_a_limited_number_of_bytes() {
        let cut_titled = |bytes: usize| {
            // The id has 4 bytes and the field 2; 4 passages repeat them.
            let found = Found {
                title: "t".repeat(bytes - 6),
                fields: vec![("a".into(), "b".into())],
                ..document(&[(None, "one two three four five")])
            };
            cut(found, Some(1)).map(|passages| passages.len())
        };
        let most = limits::REPEATED_BYTES as usize / 4;
        assert_eq!(cut_titled(most - 1).unwrap(), 5);
        assert_eq!(cut_titled(most).unwrap(), 5);
        let error = cut_titled(most + 1).unwrap_err().to_string();
        assert!(error.starts_with("more than 16777216 bytes of a document's id"), "{error}");
    }
}
