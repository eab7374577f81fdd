//! Texts of any length, read line by line.

use std::io::BufRead;

use crate::document::Document;
use crate::error::Error;
use crate::limits;
use crate::lines;
use crate::page;
use crate::passages::Cutter;
use crate::refusal::Refusal;

/// Calls `take` with each passage of a text: those of [`Collection::page`](crate::Collection::page), but of a text of any
/// length. A paragraph has at most [`PAGE_BYTES`](limits::PAGE_BYTES).
///
/// # Errors
/// [`Refusal`]; as `take`.
pub fn read(
    place: &str,
    words: usize,
    mut reader: impl BufRead,
    take: &mut dyn FnMut(Document) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let mut cutter = Cutter::new(page::address(place), page::name(place), words);
    let (mut bytes, mut paragraph) = (Vec::new(), String::new());
    for number in 1.. {
        let read = lines::read_line(&mut reader, number, &mut bytes);
        let Some(line) = read.map_err(|error| of_line(error, number))?.map(str::trim) else {
            break;
        };
        if line.is_empty() {
            cutter.push(&paragraph, take)?;
            paragraph.clear();
            continue;
        }
        if (paragraph.len() + line.len()) as u64 > limits::PAGE_BYTES {
            return Err(Refusal::TooLong { line: number, most: limits::PAGE_BYTES });
        }
        if !paragraph.is_empty() {
            paragraph.push(' ');
        }
        paragraph.push_str(line);
    }
    cutter.push(&paragraph, take)?;
    if cutter.finish(take)? == 0 { Err(Refusal::Empty) } else { Ok(()) }
}

/// A refusal of a line: it is too long or no UTF-8.
fn of_line(error: Error, number: u64) -> Refusal {
    match error {
        Error::Line { line, problem } if problem.starts_with("not UTF-8") => {
            Refusal::NotUtf8 { line }
        }
        Error::Line { .. } => Refusal::TooLong { line: number, most: limits::PAGE_BYTES },
        error => Refusal::Reader(error),
    }
}

/// The first words of a text, at most `most` characters: its title for want of one.
pub fn beginning(text: &str, most: usize) -> String {
    let line = text.trim_start().lines().next().unwrap_or_default().trim_end();
    let Some((end, _)) = line.char_indices().nth(most) else { return line.to_owned() };
    let cut = line[..end].rfind(char::is_whitespace).unwrap_or(end);
    format!("{}…", line[..cut].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Collection, Page, PageFormat, Reading};

    fn passages(text: &str, words: usize) -> Result<Vec<Document>, Refusal> {
        let mut passages = Vec::new();
        read("a/b.txt", words, text.as_bytes(), &mut |passage| {
            passages.push(passage);
            Ok(())
        })?;
        Ok(passages)
    }

    #[test]
    fn a_text_has_the_passages_of_the_page() {
        let text = "\u{feff}One two three.\r\nFour five.\n\n \nSix! Seven eight nine ten eleven twelve thirteen.\n\n\nEnd";
        for words in 1..20 {
            let languages = ["fr".to_owned()];
            let reading =
                Reading { words: Some(words), languages: &languages, ..Reading::default() };
            let (format, bytes) = (PageFormat::Plain, text.as_bytes());
            let mut collection = Collection::new(reading);
            collection.page(&Page { place: "a/b.txt", format, bytes, changed: None }).unwrap();
            let mut expected = collection.finish().unwrap().documents;
            // The reader of a text does not tell languages.
            expected.iter_mut().for_each(|passage| passage.language.clear());
            assert_eq!(passages(text, words).unwrap(), expected);
        }
    }

    #[test]
    fn a_paragraph_is_as_long_as_the_limit() {
        let most = limits::PAGE_BYTES as usize;
        for (bytes, is_read) in [(most - 1, true), (most, true), (most + 1, false)] {
            // Lines are shorter.
            let text = format!("{}\n{}", "a".repeat(bytes / 2), "a".repeat(bytes - bytes / 2));
            assert_eq!(passages(&text, 200).is_ok(), is_read, "{bytes}");
        }
    }

    #[test]
    fn a_text_that_is_none_is_refused() {
        assert_eq!(passages(" \n\n", 9).unwrap_err().code(), "empty");
        let broken = read("a", 9, &b"a\ncaf\xe9\n"[..], &mut |_| Ok(())).unwrap_err();
        assert_eq!((broken.code(), broken.line()), ("not-utf8", Some(2)));
    }

    #[test]
    fn a_title_is_the_beginning_of_a_text() {
        assert_eq!(beginning("  La pluie \ntombe", 60), "La pluie");
        assert_eq!(beginning("one two three", 9), "one two…");
        assert_eq!(beginning("éééé", 3), "ééé…");
        assert_eq!(beginning("", 3), "");
    }
}
