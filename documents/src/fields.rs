//! What documents can be chosen by: the fields that were asked for.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::error::{Error, shown};
use crate::limits;

/// Names of fields and values, of a name as many as there are.
pub type Fields = Vec<(String, String)>;

/// A text in which any white space is one space; `None` where there is nothing else.
pub fn one_line(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The names that are asked for, and those that were there.
#[derive(Debug, Default)]
pub struct Wanted<'a> {
    names: &'a [String],
    /// Of each name, whether a document had it.
    found: Vec<bool>,
    /// The first of all names that were there, as an error shows them: a collection may have millions.
    there: BTreeSet<String>,
}

impl<'a> Wanted<'a> {
    pub fn new(names: &'a [String]) -> Self {
        Self { names, found: vec![false; names.len()], there: BTreeSet::new() }
    }

    /// Whether nothing is asked for.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Adds a value to the fields of a document, if it is asked for; any white space is one space.
    pub fn add(&mut self, fields: &mut Fields, name: &str, value: &str) {
        if self.is_there(name)
            && let Some(value) = one_line(value)
        {
            fields.push((name.to_owned(), value));
        }
    }

    /// Adds a string, a number, a truth value or a list of these.
    pub fn add_json(
        &mut self,
        fields: &mut Fields,
        name: &str,
        value: &Value,
    ) -> Result<(), String> {
        if !self.is_there(name) {
            return Ok(());
        }
        let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        for value in values {
            match value {
                Value::Null => {}
                Value::String(text) => self.add(fields, name, text),
                Value::Number(_) | Value::Bool(_) => self.add(fields, name, &value.to_string()),
                _ => {
                    let expected = "neither a string, a number, true or false, nor a list of these";
                    return Err(format!("`{}` is {expected}", shown(name)));
                }
            }
        }
        Ok(())
    }

    /// Whether the values of this name, which is there, are kept.
    pub fn is_there(&mut self, name: &str) -> bool {
        if self.is_empty() {
            return false;
        }
        let is_first = |last: &String| name < last.as_str();
        if self.there.len() < limits::SHOWN_NAMES || self.there.last().is_some_and(is_first) {
            self.there.insert(shown(name));
            if self.there.len() > limits::SHOWN_NAMES {
                self.there.pop_last();
            }
        }
        let Some(place) = self.names.iter().position(|wanted| wanted == name) else { return false };
        self.found[place] = true;
        true
    }

    /// Refuses a name that no document has.
    pub fn check(&self) -> Result<(), Error> {
        let Some(place) = self.found.iter().position(|found| !found) else { return Ok(()) };
        let name = &self.names[place];
        let there: Vec<&str> = self.there.iter().map(String::as_str).collect();
        let there = if there.is_empty() { "none".into() } else { there.join(", ") };
        Err(Error::NoField { name: shown(name), there })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_lists_the_first_names_and_a_collection_of_many_keeps_no_more() {
        let wanted = ["year".to_owned(), "zone".to_owned()];
        for (count, listed) in [
            (limits::SHOWN_NAMES - 2, limits::SHOWN_NAMES - 1),
            (limits::SHOWN_NAMES - 1, limits::SHOWN_NAMES),
            (limits::SHOWN_NAMES, limits::SHOWN_NAMES),
        ] {
            let (mut all, mut fields) = (Wanted::new(&wanted), Fields::new());
            all.add(&mut fields, "year", "1984");
            for number in (0..count).rev() {
                all.add(&mut fields, &format!("a{number:02}"), "1");
            }
            assert_eq!((fields.len(), all.there.len()), (1, listed));
            let Err(Error::NoField { name, there }) = all.check() else { panic!() };
            assert_eq!((&*name, there.split(", ").count()), ("zone", listed));
            assert!(there.starts_with("a00, a01"), "{there}");
        }
    }
}
