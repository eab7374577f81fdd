//! Texts and their translations: a pair a line, from sentences or from a lexicon.

use std::path::{Path, PathBuf};

use super::tsv;
use crate::error::Error;

/// A file of pairs of English and another language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairsFile {
    /// Where it is.
    pub path: PathBuf,
    /// What its columns are.
    pub kind: Kind,
    /// How often an epoch goes through its pairs.
    pub repeat: u32,
}

/// What the columns of a file of pairs are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// set, group, id, English, other: neighbours share set and group.
    Sentences,
    /// source, English, other.
    Lexicon,
    /// As sentences, but no translations: a query and the document that answers it, in English and
    /// the other language.
    Queries,
}

/// A line of a file of pairs.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// Which part of a collection it comes from, and of which document or chapter; a lexicon's
    /// entries have no chapter.
    pub chapter: Option<(&'a str, &'a str)>,
    /// The text in English and in the other language.
    pub texts: [&'a str; 2],
}

impl PairsFile {
    /// Whether the English text of a pair is a query, and the other the document that answers it: queries are shorter.
    pub fn asks_in_english(&self, texts: [&str; 2]) -> bool {
        self.kind == Kind::Queries && texts[0].len() < texts[1].len()
    }

    /// Calls `take` with each pair, in the order of the file.
    ///
    /// # Errors
    /// If the file cannot be read, a line has other columns, or there is none.
    pub fn read(&self, mut take: impl FnMut(Pair<'_>)) -> Result<(), Error> {
        let mut lines = 0;
        match self.kind {
            Kind::Sentences | Kind::Queries => tsv::read(
                &self.path,
                ["set", "group", "id", "en", "xx"],
                |_, [set, group, _, english, other]| {
                    lines += 1;
                    take(Pair { chapter: Some((set, group)), texts: [english, other] });
                    Ok(())
                },
            )?,
            Kind::Lexicon => {
                tsv::read(&self.path, ["source", "en", "xx"], |_, [_, english, other]| {
                    lines += 1;
                    take(Pair { chapter: None, texts: [english, other] });
                    Ok(())
                })?;
            }
        }
        match lines {
            0 => Err(Error::data(&self.path, self.expected())),
            _ => Ok(()),
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn expected(&self) -> &'static str {
        match self.kind {
            Kind::Sentences | Kind::Queries => {
                "no lines; expected set, group, id, English and other text"
            }
            Kind::Lexicon => "no lines; expected source, English and other word",
        }
    }
}
