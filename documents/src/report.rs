//! What a collection was found to have, and what of it was left out.

use std::collections::BTreeMap;
use std::fmt;

/// What came of a collection: told at the end of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Files that were left out, in the order of reading.
    pub left_out: Vec<LeftOut>,
    /// Of each language, its documents; that of documents whose language nothing told is "".
    pub languages: BTreeMap<String, Count>,
    /// Paragraphs that were left out because many pages have them.
    pub repeated: u64,
}

/// A file that was left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its place, as the page's.
    pub place: String,
    /// Why.
    pub reason: String,
    /// Whether something is wrong with it: it is not only without words.
    pub is_wrong: bool,
}

/// The documents of a language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Those that are indexed.
    pub indexed: u64,
    /// Those that are left out.
    pub left_out: u64,
}

impl Report {
    /// Notes that a file is left out.
    pub fn leave_out(&mut self, place: &str, reason: impl fmt::Display, is_wrong: bool) {
        let (place, reason) = (place.to_owned(), reason.to_string());
        self.left_out.push(LeftOut { place, reason, is_wrong });
    }

    /// Counts a document.
    pub fn count(&mut self, language: &str, is_indexed: bool) {
        if !self.languages.contains_key(language) {
            self.languages.insert(language.to_owned(), Count::default());
        }
        if let Some(count) = self.languages.get_mut(language) {
            match is_indexed {
                true => count.indexed += 1,
                false => count.left_out += 1,
            }
        }
    }

    /// The number of documents that are indexed.
    pub fn indexed(&self) -> u64 {
        self.languages.values().map(|count| count.indexed).sum()
    }
}

/// Its lines: files that were left out, paragraphs, and documents of languages that are not indexed.
impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for LeftOut { place, reason, .. } in &self.left_out {
            // A name may have any character.
            let place = place.replace(char::is_control, "?");
            writeln!(formatter, "{place}: left out, {reason}")?;
        }
        if self.repeated > 0 {
            let repeated = self.repeated;
            writeln!(
                formatter,
                "left out: {repeated} paragraphs that many pages have, such as headers"
            )?;
        }
        for (language, Count { left_out, .. }) in &self.languages {
            match (&**language, left_out) {
                (_, 0) => {}
                ("", count) => {
                    writeln!(formatter, "left out: {count} documents whose language is not known")?
                }
                (language, count) => {
                    writeln!(formatter, "left out: {count} documents in {language}")?
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_says_what_was_left_out() {
        let mut report = Report::default();
        assert_eq!(report.to_string(), "");
        report.leave_out("a.html", "it has no words", false);
        for (language, is_indexed) in [("fr", true), ("de", false), ("de", false), ("", false)] {
            report.count(language, is_indexed);
        }
        report.repeated = 3;
        let expected = "a.html: left out, it has no words\n\
                        left out: 3 paragraphs that many pages have, such as headers\n\
                        left out: 1 documents whose language is not known\n\
                        left out: 2 documents in de\n";
        assert_eq!(report.to_string(), expected);
        assert_eq!(report.indexed(), 1);
    }
}
