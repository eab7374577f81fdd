//! Plain text -> paragraphs.

use crate::document::Part;

/// The paragraphs between empty lines.
pub fn read(text: &str) -> Vec<Part> {
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
