//! Texts of one language, without translations, of which none is a text that methods are judged by.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use smooth_clir::text;

use crate::data::tsv;
use crate::error::Error;

/// A text that has so many words in a row in common with a held-out one is left out.
const IN_A_ROW: usize = 8;

/// Texts of a language that are in use, and how many were left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Unlabelled {
    /// Each once, in the order of the file.
    pub texts: Vec<String>,
    /// How many have words of a held-out text.
    pub held_out: usize,
}

impl Unlabelled {
    /// Reads a file of a text a line. A line is left out that is a held-out text, or has eight words in a row
    /// in common with one.
    ///
    /// # Errors
    /// If the file cannot be read or has no lines.
    pub fn read(path: &Path, held_out: &[&str]) -> Result<Self, Error> {
        let known: HashSet<u64> = held_out.iter().flat_map(|text| prints(text)).collect();
        let (mut unlabelled, mut seen) = (Self::default(), HashSet::new());
        tsv::read_lines(path, |_, line| {
            if !seen.insert(print_of(&text::tokens(line))) {
                return Ok(());
            }
            match prints(line).iter().any(|print| known.contains(print)) {
                true => unlabelled.held_out += 1,
                false => unlabelled.texts.push(line.to_owned()),
            }
            Ok(())
        })?;
        match unlabelled.texts.is_empty() {
            true => Err(Error::data(path, "no text that is not among the held-out ones")),
            false => Ok(unlabelled),
        }
    }
}

/// A print of every eight words in a row; of the whole text where it has fewer.
fn prints(text: &str) -> Vec<u64> {
    let words = text::tokens(text);
    match words.len() {
        0 => Vec::new(),
        count if count < IN_A_ROW => vec![print_of(&words)],
        _ => words.windows(IN_A_ROW).map(print_of).collect(),
    }
}

fn print_of(words: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    words.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_eight_words_of_a_held_out_text_is_left_out_and_one_twice_is_there_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("texts");
        let lines = [
            "one two three four five six seven eight",
            "zero, one two three four five six seven",
            "Zero one two three four five six SEVEN eight.",
            "snow and rain",
            "rain and snow",
            "rain and snow",
        ];
        std::fs::write(&path, lines.join("\n")).unwrap();
        let held_out = "so one two three four five six seven eight nine";
        let found = Unlabelled::read(&path, &[held_out, "snow and rain", ""]).unwrap();
        assert_eq!(found.texts, [lines[1], lines[4]]);
        assert_eq!(found.held_out, 3);
        let error = Unlabelled::read(&path, &lines).unwrap_err().to_string();
        assert!(error.contains("no text that is not among"), "{error}");
    }
}
