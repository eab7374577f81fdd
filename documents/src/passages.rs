//! Long documents -> passages: a vector of a few paragraphs says more than one of a book.

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation;

use crate::document::{Document, Found, Part};

/// Cuts a document into passages of at most `most` words, between paragraphs where that can be, else
/// between sentences, else between words. The first has the document's id, a further one also its
/// heading's (`id#heading`) or a number (`id#2`). Each has the document's fields.
pub fn cut(found: Found, most: Option<usize>) -> Vec<Document> {
    let Found { id, title, parts, fields } = found;
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
    // A heading's id may be a number.
    let anchors: HashSet<String> =
        passages.iter().skip(1).filter_map(|passage| passage.anchor.clone()).collect();
    let mut taken = HashSet::new();
    let mut last = 0;
    let named = |(at, Part { anchor, text }): (usize, Part)| {
        let fragment = match (at, anchor.filter(|anchor| taken.insert(anchor.clone()))) {
            (0, _) => String::new(),
            (_, Some(anchor)) => format!("#{anchor}"),
            (_, None) => {
                last = last.max(at) + 1;
                while anchors.contains(&last.to_string()) {
                    last += 1;
                }
                format!("#{last}")
            }
        };
        let (title, fields) = (title.clone(), fields.clone());
        Document { id: format!("{id}{fragment}"), title, text, fields }
    };
    passages.into_iter().enumerate().map(named).collect()
}

/// A text whole, or its sentences put together as far as they fit; a longer sentence is cut.
fn pieces(text: &str, most: usize) -> Vec<&str> {
    let count = |text: &str| text.split_whitespace().count();
    if count(text) <= most {
        return vec![text];
    }
    let (mut pieces, mut start, mut end, mut words) = (Vec::new(), 0, 0, 0);
    for word_or_sentence in
        text.split_sentence_bounds().flat_map(|sentence| match count(sentence) > most {
            true => sentence.split_inclusive(char::is_whitespace).collect::<Vec<_>>(),
            false => vec![sentence],
        })
    {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn document(parts: &[(Option<&str>, &str)]) -> Found {
        let part = |&(anchor, text): &(Option<&str>, &str)| Part {
            anchor: anchor.map(str::to_owned),
            text: text.into(),
        };
        let parts = parts.iter().map(part).collect();
        Found { id: "page".into(), title: "Page".into(), parts, fields: Vec::new() }
    }

    fn cut_into(parts: &[(Option<&str>, &str)], most: Option<usize>) -> Vec<(String, String)> {
        let passages = cut(document(parts), most);
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
}
