//! A folder of pages: Markdown, HTML and plain text.

use std::fs;
use std::path::Path;

use super::{Found, Part, html, markdown};
use crate::data::tsv::MOST_LINE_BYTES;
use crate::error::Error;
use crate::files;

/// How the names of pages end, after the last dot.
pub const ENDINGS: [&str; 5] = ["md", "markdown", "html", "htm", "txt"];

/// Reads the pages of a folder, and of those within it, in the order of their places. A page's id is
/// its place, seen from the folder. Hidden files, and pages without a word, are left out.
///
/// # Errors
/// If one cannot be read, is too long, or is not UTF-8.
pub fn read(folder: &Path) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();
    for place in places(folder)? {
        let path = folder.join(&place);
        let length = fs::metadata(&path).map_or(0, |about| about.len());
        if length > MOST_LINE_BYTES {
            let problem =
                format!("{length} bytes, longer than {MOST_LINE_BYTES}, the most a page may have");
            return Err(Error::data(&path, problem));
        }
        let text = String::from_utf8(files::read(&path)?).map_err(|error| {
            let at = error.utf8_error().valid_up_to() + 1;
            Error::data(&path, format!("not UTF-8 at byte {at}"))
        })?;
        let text = text.trim_start_matches('\u{feff}');
        let (title, parts) = match ending(&place).as_deref() {
            Some("md" | "markdown") => markdown::read(text),
            Some("html" | "htm") => html::read(text),
            _ => (String::new(), plain(text)),
        };
        if parts.is_empty() {
            eprintln!("{}: left out, it has no words", path.display());
            continue;
        }
        let title = if title.is_empty() { name(&place) } else { title };
        found.push(Found { id: place, title, parts });
    }
    Ok(found)
}

/// The places of the pages of a folder and of those within it, sorted.
///
/// # Errors
/// If a folder cannot be read.
pub fn places(folder: &Path) -> Result<Vec<String>, Error> {
    let mut places = files::places(folder)?;
    places.retain(|place| ending(place).is_some_and(|ending| ENDINGS.contains(&&*ending)));
    Ok(places)
}

fn ending(place: &str) -> Option<String> {
    place.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase())
}

/// The file's name without its ending.
fn name(place: &str) -> String {
    let name = place.rsplit('/').next().unwrap_or(place);
    name.rsplit_once('.').map_or(name, |(name, _)| name).to_owned()
}

/// Paragraphs, between empty lines.
fn plain(text: &str) -> Vec<Part> {
    let mut parts = vec![String::new()];
    for line in text.lines().map(str::trim) {
        match parts.last_mut() {
            Some(last) if !line.is_empty() => {
                if !last.is_empty() {
                    last.push(' ');
                }
                last.push_str(line);
            }
            _ => parts.push(String::new()),
        }
    }
    parts.retain(|text| !text.is_empty());
    parts.into_iter().map(Part::plain).collect()
}

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

    /// All paragraphs.
    pub fn finish(mut self) -> Vec<Part> {
        self.end();
        self.parts
    }
}
