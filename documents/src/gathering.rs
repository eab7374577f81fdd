//! The text of a page, paragraph by paragraph.

use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use crate::document::{Heading, Part};
use crate::limits;

/// Text as it gathers, paragraph by paragraph.
#[derive(Default)]
pub struct Gathering {
    parts: Vec<Part>,
    text: String,
    heading: Option<Arc<Heading>>,
    /// The heading that we are in.
    open: Option<Open>,
    /// The last id since the last text: a heading that follows can be reached by it.
    before: Option<Arc<str>>,
    /// The hashes of the ids so far: an address leads to the first element of an id.
    ids: HashSet<u64>,
    /// The same in each run.
    hasher: BuildHasherDefault<DefaultHasher>,
}

/// A heading that has not ended.
struct Open {
    level: u8,
    /// The first id on it or in it.
    within: Option<Arc<str>>,
    before: Option<Arc<str>>,
}

impl Gathering {
    /// Adds text to the paragraph; any white space is one space.
    pub fn add(&mut self, text: &str) {
        if self.open.is_none() && !text.trim_start().is_empty() {
            self.before = None;
        }
        push(&mut self.text, text);
    }

    /// Ends the paragraph. Within a heading there is only one.
    pub fn end(&mut self) {
        match self.open {
            Some(_) => push(&mut self.text, " "),
            None => self.end_part(false),
        }
    }

    fn end_part(&mut self, is_heading: bool) {
        let text = std::mem::take(&mut self.text);
        let text = text.trim_end();
        if !text.is_empty() {
            self.parts.push(Part {
                heading: self.heading.clone(),
                is_heading,
                text: text.to_owned(),
                ..Part::default()
            });
        }
    }

    /// An element has this id, and what follows is within or behind it. An id that is there twice leads to the first,
    /// and a very long one is passed over. `is_shown` says whether an address can lead to the element.
    pub fn see(&mut self, id: &str, is_shown: bool) {
        let is_first = self.ids.insert(self.hasher.hash_one(id));
        if !is_first || !is_shown || id.is_empty() || id.len() > limits::ANCHOR_BYTES {
            return;
        }
        match &mut self.open {
            None => self.before = Some(id.into()),
            Some(open) => _ = open.within.get_or_insert_with(|| id.into()),
        }
    }

    /// A heading begins. One within another is part of it.
    pub fn begin_heading(&mut self, level: u8) {
        if self.open.is_none() {
            self.end_part(false);
            self.open = Some(Open { level, within: None, before: self.before.take() });
        }
    }

    /// The heading ends that began at this level. What follows stands under it, if it has a text. Gives it back.
    pub fn end_heading(&mut self, level: u8) -> Option<&str> {
        let Open { within, before, .. } = self.open.take_if(|open| open.level == level)?;
        // Signs of a link to the heading itself, as many generators add one.
        let text =
            self.text.trim_end_matches(|sign: char| sign.is_whitespace() || "¶#§🔗".contains(sign));
        let end = text.len();
        self.text.truncate(end);
        if end > 0 {
            let text = cut_heading(&self.text);
            self.heading = Some(Arc::new(Heading { level, anchor: within.or(before), text }));
        }
        self.end_part(true);
        self.parts.last().filter(|_| end > 0).map(|part| part.text.as_str())
    }

    /// The title, or else the heading of the first level, and all paragraphs. A title is the first of them where there is
    /// no such heading, and no other heading says it: it tells best what a page is about.
    pub fn titled(mut self, title: Option<String>, heading: &str) -> (String, Vec<Part>) {
        self.open = None;
        self.end();
        let is_said = |title: &str| {
            let mut headings = self.parts.iter().filter(|part| part.is_heading);
            !heading.is_empty() || headings.any(|part| part.text == title)
        };
        if let Some(title) = &title
            && !self.parts.is_empty()
            && !is_said(title)
        {
            self.parts.insert(0, Part::plain(title.clone()));
        }
        (title.unwrap_or_else(|| heading.to_owned()), self.parts)
    }
}

/// A heading as it is shown.
fn cut_heading(text: &str) -> String {
    let Some((end, _)) = text.char_indices().nth(limits::SECTION_CHARACTERS) else {
        return text.to_owned();
    };
    format!("{}…", text[..end].trim_end())
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
