//! Standard output and standard error: this program's `println!` and its like, which, unlike the
//! library's, do not panic where nobody reads any more.

use std::fmt::{Arguments, Display};
use std::io::{ErrorKind, Write, stderr, stdout};
use std::process::exit;

use smooth_clir::model::calibration::Calibration;

/// To standard output, without what acts on a terminal: text of files and documents may hold some. A reader that has left (`| head`) ends the program quietly; a disk that is
/// full ends it with an error. Results are written to their files before they are told.
pub fn told(text: Arguments<'_>) {
    write(&text.to_string().replace(acts, " "));
}

/// JSON to standard output, in a line. What acts on a terminal is escaped, which means the same.
pub fn json(value: &impl Display) {
    let mut text = String::new();
    for c in value.to_string().chars() {
        match acts(c) {
            // All of these have four digits.
            true => text.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => text.push(c),
        }
    }
    text.push('\n');
    write(&text);
}

/// The weights of the two scores in words.
pub fn weights(calibration: &Calibration) -> String {
    let Calibration { dense, lexical, .. } = calibration;
    format!("weight of the dense score {dense:.3}, of the lexical score {lexical:.3}")
}

fn write(text: &str) {
    let written = stdout().write_all(text.as_bytes()).and_then(|()| stdout().flush());
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => exit(0),
        Err(error) => {
            noted(format_args!("error: standard output: cannot be written: {error}\n"));
            exit(1)
        }
        Ok(()) => {}
    }
}

/// To standard error. That it cannot be written is no reason to stop the work. What is told may hold text
/// of a file that somebody else made: what would mean something to a terminal becomes a space.
pub fn noted(text: Arguments<'_>) {
    let text = text.to_string().replace(acts, " ");
    let _ = stderr().write_all(text.as_bytes());
}

/// Whether a character acts on a terminal: a control character that does not set lines, or one that turns the
/// direction of what follows it.
fn acts(c: char) -> bool {
    let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (c.is_control() && !matches!(c, '\n' | '\t'))
}

/// A text as it can stand in a line between tabs.
pub fn in_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

macro_rules! println {
    ($($text:tt)*) => { $crate::terminal::output::told(format_args!("{}\n", format_args!($($text)*))) };
}
macro_rules! print {
    ($($text:tt)*) => { $crate::terminal::output::told(format_args!($($text)*)) };
}
macro_rules! eprintln {
    ($($text:tt)*) => { $crate::terminal::output::noted(format_args!("{}\n", format_args!($($text)*))) };
}
macro_rules! eprint {
    ($($text:tt)*) => { $crate::terminal::output::noted(format_args!($($text)*)) };
}
