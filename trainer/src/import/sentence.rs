//! The first sentence of a page without the words of its title: what asks for the page.

use std::collections::HashSet;

use smooth_clir::text::tokens;
use unicode_segmentation::UnicodeSegmentation;

/// A sentence has so many words at most; a longer one is cut.
const MOST_WORDS: usize = 100;
/// A paragraph of fewer words is no sentence, if another follows.
const LEAST_WORDS: usize = 4;
/// Words after whose full stop a sentence goes on.
const ABBREVIATIONS: [&str; 38] = [
    "mr", "mrs", "ms", "dr", "st", "ste", "sr", "jr", "no", "vs", "ca", "c", "fl", "b", "d", "r",
    "e.g", "i.e", "lit", "pron", "abbr", "approx", "prof", "gen", "col", "lt", "sgt", "capt",
    "rev", "hon", "gov", "inc", "ltd", "co", "corp", "bros", "mt", "ft",
];

/// The first sentence of a text of one paragraph a line.
pub fn first(text: &str) -> String {
    let words = |line: &str| line.split_whitespace().count();
    let mut lines = text.lines();
    let Some(line) = text.lines().find(|line| words(line) >= LEAST_WORDS).or(lines.next()) else {
        return String::new();
    };
    let (mut end, mut open) = (0, 0);
    for piece in line.split_sentence_bounds() {
        end += piece.len();
        open += piece.matches('(').count() as i64 - piece.matches(')').count() as i64;
        let so_far = line[..end].trim_end();
        if words(so_far) >= MOST_WORDS {
            break;
        }
        if open <= 0 && !ends_with_abbreviation(so_far) {
            break;
        }
    }
    first_words(&line[..end], MOST_WORDS)
}

/// Whether what ends with a full stop is an abbreviation, or a single letter, as of a name.
fn ends_with_abbreviation(text: &str) -> bool {
    let Some(text) = text.strip_suffix('.') else { return false };
    let word = text.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    let letters = word.chars().filter(|c| c.is_alphabetic()).count();
    let is_initial = letters == 1 && word.chars().all(|c| c.is_uppercase())
        || word.len() > 1 && word.split('.').all(|part| part.chars().count() == 1);
    is_initial || ABBREVIATIONS.contains(&&word.to_lowercase()[..])
}

/// A sentence without the title's words; none if no word is left.
pub fn without_title(sentence: &str, title: &str) -> Option<String> {
    let title: HashSet<String> = tokens(title).into_iter().collect();
    let mut kept = String::with_capacity(sentence.len());
    let mut any = false;
    for piece in sentence.split_word_bounds() {
        let tokens = tokens(piece);
        if tokens.iter().any(|token| title.contains(token)) {
            continue;
        }
        any |= !tokens.is_empty();
        kept.push_str(piece);
    }
    any.then(|| tidy(&kept))
}

/// One space between words, none before a stop, no brackets without words, and a word at the beginning.
fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for piece in text.split_whitespace() {
        let has_words = piece.contains(char::is_alphanumeric);
        let stop = piece.starts_with([',', '.', ';', ':', ')', '!', '?']);
        if out.is_empty() && !has_words {
            continue;
        }
        if !out.is_empty() && !stop && !out.ends_with('(') {
            out.push(' ');
        }
        out.push_str(piece);
        if out.ends_with("()") {
            out.truncate(out.trim_end_matches("()").trim_end().len());
        }
    }
    let start = out.find(|c: char| c.is_alphanumeric() || c == '(' || c == '"').unwrap_or(0);
    out.drain(..start);
    out
}

/// The first words of a text, in one line, nothing where it has none; of scripts without spaces, characters count as words.
pub fn first_words(text: &str, most: usize) -> String {
    let mut words = 0;
    let mut out = String::new();
    for piece in text.split_word_bounds() {
        if piece.chars().all(char::is_whitespace) {
            if words == most {
                break;
            }
            if !out.is_empty() && !out.ends_with(' ') {
                out.push(' ');
            }
            continue;
        }
        let is_word = piece.contains(char::is_alphanumeric);
        if is_word && words == most {
            break;
        }
        words += usize::from(is_word);
        out.push_str(piece);
    }
    if words == 0 {
        return String::new();
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_ends_where_it_ends() {
        for (text, expected) in [
            ("Rain falls. Snow too.", "Rain falls."),
            (
                "St. John R. R. Smith (b. 1950, d. Rome. Italy) sang. He left.",
                "St. John R. R. Smith (b. 1950, d. Rome. Italy) sang.",
            ),
            (
                "The U.S. Navy sails, e.g. Ships by Acme Inc. of Rome. It sank.",
                "The U.S. Navy sails, e.g. Ships by Acme Inc. of Rome.",
            ),
            ("Contents\nRain falls on the hills. Often.", "Rain falls on the hills."),
            ("Rain", "Rain"),
            ("", ""),
        ] {
            assert_eq!(first(text), expected);
        }
        assert_eq!(first(&"word ".repeat(300)).split(' ').count(), 100);
    }

    #[test]
    fn the_titles_words_are_not_asked_for() {
        for (sentence, title, expected) in [
            (
                "Kenya (Jamhuri ya Kenya), is a country.",
                "Kenya",
                Some("(Jamhuri ya), is a country."),
            ),
            (
                "The White Nile is a river; the NILE's arm.",
                "White Nile",
                Some("The is a river; the arm."),
            ),
            ("Kenya, or Kenia, lies (Kenya) there.", "Kenya", Some("or Kenia, lies there.")),
            ("Mercury is a planet.", "Mercury (planet)", Some("is a.")),
            ("Rain.", "Rain", None),
        ] {
            assert_eq!(without_title(sentence, title).as_deref(), expected);
        }
    }

    #[test]
    fn first_words_are_words() {
        assert_eq!(first_words("one, two\nthree (four)", 3), "one, two three");
        assert_eq!(first_words("one two.", 9), "one two.");
        assert_eq!(first_words("...", 9), "");
    }
}
