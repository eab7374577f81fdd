//! What is wrong with files of parallel sentences: columns in another language or swapped, or a script without words.

use std::collections::BTreeMap;
use std::path::Path;

use smooth_clir::text;
use smooth_clir_documents::told;

use crate::data::tsv;
use crate::error::Error;

/// The names of the columns.
const COLUMNS: [&str; 5] = ["set", "group", "id", "en", "xx"];
/// Bytes of a passage, as lines together, whose language is told.
const PASSAGE: usize = 600;
/// Passages of a file that are looked at, from its beginning, at most.
const MOST: usize = 4000;
/// From this share on, a file is refused; from the lower one, it is told.
const WRONG: f64 = 0.5;
const TOLD: f64 = 0.1;
/// Letters of a word, on average, from which on the text rule does not find words.
const LETTERS: f64 = 20.0;

/// The passages of one column.
#[derive(Default)]
struct Column {
    passage: String,
    /// The line that the passage begins with.
    start: u64,
    passages: u64,
    /// Passages in other languages than the expected one, with the line of the first.
    others: BTreeMap<String, (u64, u64)>,
}

impl Column {
    fn add(&mut self, line: u64, text: &str, expected: &str) {
        if self.passage.is_empty() {
            self.start = line;
        }
        self.passage.push_str(text);
        self.passage.push('\n');
        if self.passage.len() >= PASSAGE {
            self.end(expected);
        }
    }

    fn end(&mut self, expected: &str) {
        if self.passage.is_empty() {
            return;
        }
        self.passages += 1;
        if let Some(other) = told(&self.passage, Some(expected), &[]) {
            self.others.entry(other).or_insert((0, self.start)).0 += 1;
        }
        self.passage.clear();
    }

    /// The most frequent other language, its share, and the line of the first passage.
    fn other(&self) -> Option<(&str, f64, u64)> {
        let (name, &(count, line)) = self.others.iter().max_by_key(|(_, (count, _))| *count)?;
        Some((name, count as f64 / self.passages as f64, line))
    }
}

/// Words and letters of the language's column.
#[derive(Default)]
struct Script {
    lines: u64,
    without_words: u64,
    first: Option<(u64, String)>,
    words: u64,
    letters: u64,
}

/// Refuses a file whose columns are not English and the language; tells if a part of it is not.
pub fn check(path: &Path, language: &str) -> Result<(), Error> {
    let mut columns = [Column::default(), Column::default()];
    let expected = ["en", language];
    let (mut script, mut scratch) = (Script::default(), text::Scratch::default());
    tsv::read(path, COLUMNS, |line, [_, _, _, english, other]| {
        if columns[1].passages < MOST as u64 {
            for ((column, text), expected) in columns.iter_mut().zip([english, other]).zip(expected)
            {
                column.add(line, text, expected);
            }
        }
        script.lines += 1;
        let before = script.words;
        text::for_each_token(other, &mut scratch, |word| {
            script.words += 1;
            script.letters += word.chars().count() as u64;
        });
        if script.words == before {
            script.without_words += 1;
            script.first.get_or_insert_with(|| (line, tsv::shown(other)));
        }
        Ok(())
    })?;
    for (column, expected) in columns.iter_mut().zip(expected) {
        column.end(expected);
    }
    check_script(path, language, &script)?;
    check_columns(path, language, &columns)
}

fn check_script(path: &Path, language: &str, script: &Script) -> Result<(), Error> {
    let Script { lines, without_words, first, words, letters } = script;
    if let Some((line, text)) = first
        && *without_words as f64 > WRONG * *lines as f64
    {
        let problem = format!(
            "the text rule finds no word in column 5 of {without_words} of {lines} lines, such as {text}: it does not know the script of {language}"
        );
        return Err(Error::Line { path: path.into(), line: *line, problem });
    }
    let mean = *letters as f64 / (*words).max(1) as f64;
    if mean > LETTERS {
        let problem = format!(
            "the words of column 5 have {mean:.0} letters on average: the text rule does not know the script of {language}, which seems to have no spaces between words"
        );
        return Err(Error::data(path, problem));
    }
    Ok(())
}

fn check_columns(path: &Path, language: &str, columns: &[Column; 2]) -> Result<(), Error> {
    let [english, other] =
        columns.each_ref().map(|column| column.other().filter(|(_, share, _)| *share > WRONG));
    let percent = |share: f64| (100.0 * share).round();
    if let Some((found, share, line)) = other {
        let share = percent(share);
        let problem = match (found, english) {
            ("en", Some(_)) => format!(
                "the columns are swapped: column 5 is in English in {share} % of the file and column 4 is not; expected English in column 4 and {language} in column 5"
            ),
            _ => format!("column 5 is in {found} in {share} % of the file; expected {language}"),
        };
        return Err(Error::Line { path: path.into(), line, problem });
    }
    if let Some((found, share, line)) = english {
        let share = percent(share);
        let problem = format!("column 4 is in {found} in {share} % of the file; expected English");
        return Err(Error::Line { path: path.into(), line, problem });
    }
    for (number, column) in [4, 5].into_iter().zip(columns) {
        if let Some((found, share, line)) = column.other().filter(|(_, share, _)| *share > TOLD) {
            eprintln!(
                "{}: column {number} is in {found} in {} % of the file, from line {line} on",
                path.display(),
                percent(share)
            );
        }
    }
    Ok(())
}
