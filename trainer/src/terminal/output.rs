//! Standard output and standard error: this program's `println!` and its like, which, unlike the
//! library's, do not panic where nobody reads any more.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::process::exit;

/// To standard output. A reader that has left (`| head`) ends the program quietly; a disk that is
/// full ends it with an error. Results are written to their files before they are told.
pub fn told(text: Arguments<'_>) {
    let written = stdout().write_fmt(text).and_then(|()| stdout().flush());
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
    let text = text.to_string().replace(is_control, " ");
    let _ = stderr().write_all(text.as_bytes());
}

/// Whether a character is neither shown nor a part of how lines are set.
pub fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t')
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
