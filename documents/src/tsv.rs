//! Tab-separated lines of id, title and text.

use std::collections::HashMap;
use std::io::BufRead;

use crate::error::{Error, shown};
use crate::lines;

/// The text of a line, column by column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: u64,
    /// The document's id, unique in its file.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// Calls `take` with each line that is not empty; it says what is wrong with one. Gives the place of each id.
///
/// # Errors
/// As [`lines::read`]; if a line has other columns, an id is empty or repeated, or there is no line.
pub fn read(
    reader: impl BufRead,
    take: &mut dyn FnMut(Line) -> Result<(), String>,
) -> Result<HashMap<String, u32>, Error> {
    let mut places = HashMap::new();
    lines::read(reader, |number, line| {
        let [id, title, text] = lines::columns(line, ["id", "title", "text"])?;
        if id.is_empty() {
            return Err("an empty id".into());
        }
        let Ok(place) = u32::try_from(places.len()) else {
            return Err("more than 4,294,967,295 lines".into());
        };
        if places.insert(id.into(), place).is_some() {
            return Err(format!("id `{}` is there twice", shown(id)));
        }
        take(Line { number, id: id.into(), title: title.into(), text: text.into() })
    })?;
    if places.is_empty() {
        return Err(Error::Whole("no lines; expected id, title and text".into()));
    }
    Ok(places)
}
