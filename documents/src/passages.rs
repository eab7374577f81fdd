//! Long documents -> passages: a vector of a few paragraphs says more than one of a book.

use std::collections::HashMap;
use std::sync::Arc;

use unicode_segmentation::UnicodeSegmentation;

use crate::document::{Document, Found, Heading, Part};
use crate::error::Error;
use crate::words::{self, count};
use crate::{limits, page};

/// Cuts a document into passages of at most `most` words, between paragraphs where that can be, else
/// between sentences, else between words. A passage begins anew at a heading, and where the language changes, unless it
/// or what is left would have less than a quarter of these words.
///
/// A passage stands under the heading that most of its words stand under: this is its section, and its id leads to it
/// (`id#anchor`). A heading without an anchor has that of the heading above it. The page's own heading counts as none:
/// the id of what stands under it is the document's. A further passage with the same address has a number at its end
/// (`id#anchor (2)`), which is no part of the address: see [`link_of`](page::link_of). Each has the document's title and fields.
///
/// # Errors
/// [`Error::Limit`], if the passages repeat too much of these.
pub fn cut(found: Found, most: Option<usize>) -> Result<Vec<Document>, Error> {
    let Found { id, title, parts, fields, .. } = found;
    let most = most.unwrap_or(usize::MAX);
    let (passages, sections) = Cut::new(most, &title).cut(parts);
    let of_fields = fields.iter().map(|(name, value)| name.len() + value.len()).sum::<usize>();
    let own = id.len() + title.len() + of_fields;
    let mut repeated = 0;
    for passage in passages.iter().skip(1) {
        let Section { anchor, heading } = &sections[passage.section()];
        let of_section = anchor.as_ref().map_or(0, |anchor| anchor.len()) + heading.len();
        repeated += (own + of_section) as u64;
        check_repeated(repeated)?;
    }
    let mut numbers: HashMap<Option<Arc<str>>, usize> = HashMap::new();
    let is_whole = passages.len() == 1;
    let named = |passage: Passage| {
        let Section { anchor, heading } = &sections[passage.section()];
        let (anchor, section) = match is_whole {
            true => (None, String::new()),
            false => (anchor.clone(), heading.clone()),
        };
        let address = match &anchor {
            Some(anchor) => format!("{id}#{anchor}"),
            None => id.clone(),
        };
        let number = numbers.entry(anchor).or_default();
        *number += 1;
        let (title, fields, language) =
            (title.clone(), fields.clone(), passage.language.to_string());
        Document {
            id: numbered(address, *number),
            title,
            section,
            text: passage.text,
            language,
            fields,
        }
    };
    Ok(passages.into_iter().map(named).collect())
}

/// The id of a further passage with the same address.
fn numbered(address: String, number: usize) -> String {
    if number == 1 { address } else { format!("{address} ({number})") }
}

/// What passages are said to stand under.
#[derive(Default)]
struct Section {
    /// As it stands in an address.
    anchor: Option<Arc<str>>,
    heading: String,
}

/// A passage that grows.
#[derive(Default)]
struct Passage {
    text: String,
    words: usize,
    language: Arc<str>,
    /// Of each section, the number of its words.
    sections: Vec<(usize, usize)>,
}

impl Passage {
    fn push(&mut self, text: &str, words: usize, section: usize) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text += text;
        self.words += words;
        match self.sections.last_mut() {
            Some((last, sum)) if *last == section => *sum += words,
            _ => self.sections.push((section, words)),
        }
    }

    /// The section of most of its words, of equal ones the first.
    fn section(&self) -> usize {
        let most = self.sections.iter().rev().max_by_key(|(_, words)| *words);
        most.map_or(0, |(section, _)| *section)
    }
}

/// A paragraph of a section, with the number of its words.
struct Line {
    text: String,
    words: usize,
    section: usize,
    language: Arc<str>,
}

/// A document that is being cut.
struct Cut<'a> {
    most: usize,
    /// The words from which a passage stands alone.
    least: usize,
    title: &'a str,
    passages: Vec<Passage>,
    growing: Passage,
    /// Headings whose text has not come: they go with it.
    waiting: Vec<Line>,
    /// The first has no heading.
    sections: Vec<Section>,
    /// The levels and anchors of the headings that we are under.
    under: Vec<(u8, Option<Arc<str>>)>,
}

impl<'a> Cut<'a> {
    fn new(most: usize, title: &'a str) -> Self {
        Self {
            most,
            least: most / 4,
            title,
            passages: Vec::new(),
            growing: Passage::default(),
            waiting: Vec::new(),
            sections: vec![Section::default()],
            under: Vec::new(),
        }
    }

    fn cut(mut self, parts: Vec<Part>) -> (Vec<Passage>, Vec<Section>) {
        let counts: Vec<usize> = parts.iter().map(|part| count(&part.text)).collect();
        let mut left = counts.iter().sum::<usize>();
        let mut last: Option<Arc<Heading>> = None;
        for (Part { heading, is_heading, text, language }, words) in parts.into_iter().zip(counts) {
            if let Some(heading) = heading
                && last.as_ref().is_none_or(|last| !Arc::ptr_eq(last, &heading))
            {
                self.begin_section(&heading, last.is_none());
                last = Some(heading);
            }
            let section = self.sections.len() - 1;
            let is_long = self.growing.words >= self.least && left >= self.least;
            left -= words;
            if is_heading {
                if is_long && self.waiting.is_empty() {
                    self.end();
                }
                if self.words_waiting() + words <= self.most / 2 {
                    self.waiting.push(Line { text, words, section, language });
                    continue;
                }
            } else if language != self.growing.language {
                self.end();
            }
            let first = self.most - self.words_waiting();
            for piece in pieces(&text, first, self.most) {
                let own = count(piece);
                self.make_place(own);
                self.growing.language = Arc::clone(&language);
                self.growing.push(piece, own, section);
            }
        }
        self.make_place(0);
        self.end();
        (self.passages, self.sections)
    }

    /// `is_first` says whether it is the document's first heading. If it says the title, it is the document's own.
    fn begin_section(&mut self, heading: &Heading, is_first: bool) {
        let Heading { level, anchor, text } = heading;
        while self.under.pop_if(|(above, _)| *above >= *level).is_some() {}
        if is_first && (*level == 1 || text == self.title || text.is_empty()) {
            return;
        }
        let above = self.under.last().and_then(|(_, anchor)| anchor.clone());
        let own = anchor.as_ref().map(|anchor| page::fragment(anchor).into());
        let anchor = own.or(above);
        self.under.push((*level, anchor.clone()));
        self.sections.push(Section { anchor, heading: text.clone() });
    }

    fn words_waiting(&self) -> usize {
        self.waiting.iter().map(|line| line.words).sum()
    }

    /// Adds the headings that wait, to a passage with place for them and some words more.
    fn make_place(&mut self, more: usize) {
        if self.growing.words.saturating_add(self.words_waiting()).saturating_add(more) > self.most
        {
            self.end();
        }
        for Line { text, words, section, language } in self.waiting.drain(..) {
            if self.growing.text.is_empty() {
                self.growing.language = language;
            }
            self.growing.push(&text, words, section);
        }
    }

    fn end(&mut self) {
        if !self.growing.text.is_empty() {
            self.passages.push(std::mem::take(&mut self.growing));
        }
    }
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
    count: usize,
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
        for piece in
            pieces(paragraph, self.most, self.most).into_iter().filter(|piece| !piece.is_empty())
        {
            let own = count(piece);
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
    ) -> Result<usize, E> {
        if !self.text.is_empty() {
            self.end(take)?;
        }
        Ok(self.count)
    }

    fn end<E: From<Error>>(
        &mut self,
        take: &mut dyn FnMut(Document) -> Result<(), E>,
    ) -> Result<(), E> {
        check_repeated(
            ((self.id.len() + self.title.len()) as u64).saturating_mul(self.count as u64),
        )?;
        self.count += 1;
        let id = numbered(self.id.clone(), self.count);
        self.words = 0;
        take(Document {
            id,
            title: self.title.clone(),
            text: std::mem::take(&mut self.text),
            ..Document::default()
        })
    }
}

/// Refuses passages that repeat too many bytes of their document.
fn check_repeated(bytes: u64) -> Result<(), Error> {
    if bytes <= limits::REPEATED_BYTES {
        return Ok(());
    }
    let what = "bytes of a document's id, title, headings and fields, which its passages repeat";
    let remedy = "shorten them, or split the document";
    Err(Error::Limit { what, most: limits::REPEATED_BYTES, remedy })
}

/// A text whole, or its sentences put together as far as they fit; a longer sentence is cut. The first piece may have
/// `first` words, which are no more than `most`.
fn pieces(text: &str, first: usize, most: usize) -> Vec<&str> {
    if count(text) <= first {
        return vec![text];
    }
    let (mut pieces, mut start, mut end, mut words, mut place) = (Vec::new(), 0, 0, 0, first);
    for word_or_sentence in sentences(text).flat_map(|sentence| match count(sentence) > first {
        true => words::each(sentence).collect::<Vec<_>>(),
        false => vec![sentence],
    }) {
        let own = count(word_or_sentence);
        if words + own > place {
            pieces.push(text[start..end].trim());
            (start, words, place) = (end, 0, most);
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
    use std::collections::HashSet;

    use super::*;

    /// Paragraphs, and headings (`## Rain #rain`: of level 2, with an anchor).
    fn document(lines: &[&str]) -> Found {
        let mut heading = None;
        let part = |line: &&str| {
            let marks = line.bytes().take_while(|byte| *byte == b'#').count();
            let is_heading = marks > 0;
            let mut text = line.trim_start_matches('#').trim();
            if is_heading {
                let (before, anchor) = match text.split_once(" #") {
                    Some((before, anchor)) => (before, Some(Arc::from(anchor))),
                    None => (text, None),
                };
                text = before;
                heading = Some(Arc::new(Heading { level: marks as u8, anchor, text: text.into() }));
            }
            Part { heading: heading.clone(), is_heading, text: text.into(), ..Part::default() }
        };
        let parts = lines.iter().map(part).collect();
        Found { id: "page".into(), title: "Page".into(), parts, ..Found::default() }
    }

    #[test]
    fn a_page_without_spaces_is_cut_as_one_with_spaces_is() {
        // Ten words of two characters.
        let sentence = "山上一直在下雨，风吹过森林里的树木啊。";
        let page = cut_into(&[&sentence.repeat(6)], Some(20));
        let texts: Vec<&str> = page.iter().map(|(_, _, text)| &**text).collect();
        assert_eq!(texts, vec![&*sentence.repeat(2); 3]);
        // A sentence that is longer than a passage.
        let long = cut_into(&[&"山上下雨".repeat(20)], Some(10));
        assert!(long.iter().all(|(_, _, text)| text.chars().count() == 20), "{long:?}");
        assert_eq!(long.len(), 4);
    }

    /// Ids, sections and texts.
    fn cut_into(lines: &[&str], most: Option<usize>) -> Vec<(String, String, String)> {
        let passages = cut(document(lines), most).unwrap();
        assert!(passages.iter().all(|passage| passage.title == "Page"));
        passages.into_iter().map(|passage| (passage.id, passage.section, passage.text)).collect()
    }

    fn rows(expected: &[(&str, &str, &str)]) -> Vec<(String, String, String)> {
        let row =
            |&(id, section, text): &(&str, &str, &str)| (id.into(), section.into(), text.into());
        expected.iter().map(row).collect()
    }

    #[test]
    fn a_passage_begins_at_a_heading_and_links_to_it() {
        let lines = [
            "# Page #top",
            "one two",
            "## Rain #rain",
            "three four five",
            "six seven eight",
            "## Sun",
            "nine ten",
        ];
        let expected = rows(&[
            ("page", "", "Page\none two"),
            ("page#rain", "Rain", "Rain\nthree four five"),
            ("page#rain (2)", "Rain", "six seven eight"),
            ("page (2)", "Sun", "Sun\nnine ten"),
        ]);
        assert_eq!(cut_into(&lines, Some(4)), expected);
        let whole = "Page\none two\nRain\nthree four five\nsix seven eight\nSun\nnine ten";
        assert_eq!(cut_into(&lines, None), rows(&[("page", "", whole)]));
    }

    #[test]
    fn no_passage_is_tiny_where_headings_are_dense() {
        // A passage of 8 words at most stands alone from 2.
        let dense =
            ["# Page", "## A #a", "1", "## B #b", "2 3 4", "## C #c", "5 6 7 8 9", "## D #d"];
        let expected = rows(&[
            ("page#a", "A", "Page\nA\n1"),
            ("page#b", "B", "B\n2 3 4"),
            ("page#c", "C", "C\n5 6 7 8 9\nD"),
        ]);
        assert_eq!(cut_into(&dense, Some(8)), expected);
    }

    #[test]
    fn a_passage_stands_under_the_heading_of_most_of_its_words() {
        let lines = ["intro", "## A #a", "1 2 3 4 5 6", "## B #b", "7", "8 9 10 11 12 13 14"];
        let expected = rows(&[
            ("page#a", "A", "intro\nA\n1 2 3 4 5 6"),
            ("page#b", "B", "B\n7"),
            ("page#b (2)", "B", "8 9 10 11 12 13 14"),
        ]);
        assert_eq!(cut_into(&lines, Some(8)), expected);
    }

    #[test]
    fn a_heading_without_an_anchor_has_that_of_the_heading_above_it() {
        let lines = [
            "## Rain #rain",
            "1 2 3",
            "### Wind",
            "4 5 6",
            "#### Storm #storm",
            "7 8 9",
            "### Hail",
            "a b c",
            "## Sun",
            "d e f",
        ];
        let found = cut_into(&lines, Some(4));
        let links: Vec<_> = found.iter().map(|(id, section, _)| (&**id, &**section)).collect();
        let expected = [
            ("page#rain", "Rain"),
            ("page#rain (2)", "Wind"),
            ("page#storm", "Storm"),
            ("page#rain (3)", "Hail"),
            ("page", "Sun"),
        ];
        assert_eq!(links, expected);
    }

    #[test]
    fn a_passage_is_of_one_language_and_a_heading_goes_with_its_text() {
        let mut found = document(&["un deux", "## Pluie #pluie", "one two", "three", "quatre"]);
        for (part, language) in found.parts.iter_mut().zip(["fr", "fr", "en", "en", "fr"]) {
            part.language = language.into();
        }
        let passages = cut(found, Some(100)).unwrap();
        let passages: Vec<_> =
            passages.iter().map(|passage| (&*passage.language, &*passage.text)).collect();
        assert_eq!(
            passages,
            [("fr", "un deux"), ("en", "Pluie\none two\nthree"), ("fr", "quatre")]
        );
    }

    #[test]
    fn the_address_of_a_passage_is_its_id_without_its_number() {
        for (id, address) in [
            ("page.html#rain (2)", "page.html#rain"),
            ("page.html (13)", "page.html"),
            ("page.html#rain", "page.html#rain"),
            ("page (2).html", "page (2).html"),
            ("page ()", "page ()"),
            ("page(2)", "page(2)"),
            ("page (2", "page (2"),
            ("page (a)", "page (a)"),
        ] {
            assert_eq!(page::link_of(id), address);
        }
        // Whatever a page and an anchor are called.
        let mut found = document(&["1 2", "## Rain #rain (2)", "3 4 5", "6 7 8"]);
        found.id = page::address("notes (2)");
        let found: Vec<_> = cut(found, Some(4)).unwrap();
        let links: Vec<_> = found.iter().map(|passage| page::link_of(&passage.id)).collect();
        assert_eq!(links, ["notes%20(2)", "notes%20(2)#rain%20(2)", "notes%20(2)#rain%20(2)"]);
    }

    #[test]
    fn a_long_paragraph_is_cut_between_sentences_and_a_long_sentence_between_words() {
        let text = "Rain falls. Snow falls too. One two three four five six.";
        let expected = rows(&[
            ("page", "", "Rain falls."),
            ("page (2)", "", "Snow falls too. One"),
            ("page (3)", "", "two three four five"),
            ("page (4)", "", "six."),
        ]);
        assert_eq!(cut_into(&[text], Some(4)), expected);
    }

    #[test]
    fn no_word_is_lost_at_any_length() {
        let text = "Aa bb. Cc dd ee ff!  Gg\u{a0}hh, ii? jj\nkk ll mm nn";
        let lines = ["# Page", text, "## Of b #b", "### Of c", text, "## Of d #d"];
        let all: Vec<&str> = lines
            .iter()
            .flat_map(|line| {
                line.trim_start_matches('#').split(" #").next().unwrap().split_whitespace()
            })
            .collect();
        for most in 1..=all.len() + 1 {
            let passages = cut_into(&lines, Some(most));
            let found: Vec<&str> =
                passages.iter().flat_map(|(_, _, text)| text.split_whitespace()).collect();
            assert_eq!(found, all, "{most}");
            assert!(passages.iter().all(|(_, _, text)| count(text) <= most), "{most}");
            let ids: HashSet<&String> = passages.iter().map(|(id, ..)| id).collect();
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
            // The id has 4 bytes, the field 2, and the anchor and the heading of a passage 3; 4 passages repeat them.
            let found = Found {
                title: "t".repeat(bytes - 9),
                fields: vec![("a".into(), "b".into())],
                ..document(&["## B #cc", "one two three four"])
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
