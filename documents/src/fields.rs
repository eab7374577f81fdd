//! What documents can be chosen by: the fields that were asked for.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::error::{Error, shown};

/// How many names an error lists.
const MOST_SHOWN: usize = 20;

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
    there: BTreeSet<String>,
}

impl<'a> Wanted<'a> {
    pub fn new(names: &'a [String]) -> Self {
        Self { names, there: BTreeSet::new() }
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

    fn is_there(&mut self, name: &str) -> bool {
        if !self.there.contains(name) && !self.is_empty() {
            self.there.insert(name.to_owned());
        }
        self.names.iter().any(|wanted| wanted == name)
    }

    /// Refuses a name that no document has.
    pub fn check(&self) -> Result<(), Error> {
        let Some(name) = self.names.iter().find(|name| !self.there.contains(*name)) else {
            return Ok(());
        };
        let there: Vec<_> = self.there.iter().take(MOST_SHOWN).map(|name| shown(name)).collect();
        let there = if there.is_empty() { "none".into() } else { there.join(", ") };
        Err(Error::NoField { name: shown(name), there })
    }
}
