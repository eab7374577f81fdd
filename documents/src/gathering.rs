//! The text of a page, paragraph by paragraph.

use std::rc::Rc;

use crate::document::Part;
use crate::limits;

/// Text as it gathers, paragraph by paragraph.
#[derive(Default)]
pub struct Gathering {
    parts: Vec<Part>,
    text: String,
    anchor: Option<Rc<str>>,
}

impl Gathering {
    /// Adds text to the paragraph; any white space is one space.
    pub fn add(&mut self, text: &str) {
        push(&mut self.text, text);
    }

    /// Ends the paragraph, and gives it back.
    pub fn end(&mut self) -> Option<&str> {
        let text = std::mem::take(&mut self.text);
        let text = text.trim_end();
        if text.is_empty() {
            return None;
        }
        self.parts.push(Part { anchor: self.anchor.clone(), text: text.to_owned() });
        self.parts.last().map(|part| part.text.as_str())
    }

    /// What follows stands under a heading of this id; a very long one is passed over.
    pub fn under(&mut self, anchor: Option<&str>) {
        self.anchor = anchor.filter(|id| id.len() <= limits::ANCHOR_BYTES).map(Rc::from);
    }

    /// The title, or else the heading, and all paragraphs. A title that no heading of the first level
    /// says is the first of them: it tells best what a page is about.
    pub fn titled(mut self, title: Option<String>, heading: &str) -> (String, Vec<Part>) {
        self.end();
        if let (Some(title), true) = (&title, heading.is_empty() && !self.parts.is_empty()) {
            self.parts.insert(0, Part::plain(title.clone()));
        }
        (title.unwrap_or_else(|| heading.to_owned()), self.parts)
    }
}

/// Adds more to a text; any white space is one space, and none is at the beginning.
pub fn push(text: &mut String, more: &str) {
    let begins_apart = more.starts_with(char::is_whitespace);
    for (number, word) in more.split_whitespace().enumerate() {
        let is_apart = number > 0 || begins_apart;
        if is_apart && !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
        text.push_str(word);
    }
    if more.ends_with(char::is_whitespace) && !text.is_empty() && !text.ends_with(' ') {
        text.push(' ');
    }
}
