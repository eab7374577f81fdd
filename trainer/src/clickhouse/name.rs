//! Names that stand in statements as they are.

use std::fmt;

/// The name of a database, a table or a cluster: ASCII letters, digits and underscores, no digit first.
/// Nothing in it can end it, so it can stand in a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name(String);

impl Name {
    /// Takes a name.
    ///
    /// # Errors
    /// If it has another character, or begins with a digit.
    pub fn new(text: &str) -> Result<Self, String> {
        let is_good = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if begins && text.chars().all(is_good) {
            Ok(Self(text.into()))
        } else {
            Err("expected letters, digits and underscores, no digit first".into())
        }
    }

    /// It in the quotes of an identifier.
    pub fn quoted(&self) -> String {
        format!("`{}`", self.0)
    }

    /// How many characters it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
