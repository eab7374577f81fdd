//! The text of a page, paragraph by paragraph.

use crate::document::Part;

/// Text as it gathers, paragraph by paragraph.
#[derive(Default)]
pub struct Gathering {
    parts: Vec<Part>,
    text: String,
    anchor: Option<String>,
}

impl Gathering {
    /// Adds text to the paragraph; any white space is one space.
    pub fn add(&mut self, text: &str) {
        let begins_apart = text.starts_with(char::is_whitespace);
        for (number, word) in text.split_whitespace().enumerate() {
            let is_apart = number > 0 || begins_apart;
            if is_apart && !self.text.is_empty() && !self.text.ends_with(' ') {
                self.text.push(' ');
            }
            self.text.push_str(word);
        }
        if text.ends_with(char::is_whitespace) && !self.text.is_empty() && !self.text.ends_with(' ')
        {
            self.text.push(' ');
        }
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

    /// What follows stands under a heading of this id.
    pub fn under(&mut self, anchor: Option<String>) {
        self.anchor = anchor;
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
