//! Which files of a folder are the dumps wanted.

use std::fs;
use std::path::{Path, PathBuf};

use crate::data::tsv::shown;
use crate::error::Error;

/// Endings that dumps come with.
const ENDINGS: [&str; 3] = ["", ".gz", ".bz2"];

/// A folder of dumps, of one date for each wiki.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    date: Option<String>,
    names: Vec<String>,
}

/// A file's name taken apart: `swwiki-20250101-pagelinks.sql.gz`.
struct Name<'a> {
    date: &'a str,
    /// What comes after the date, without `.gz` or `.bz2`.
    rest: &'a str,
}

fn take_apart<'a>(name: &'a str, wiki: &str) -> Option<Name<'a>> {
    let (date, rest) = name.strip_prefix(wiki)?.strip_prefix('-')?.split_once('-')?;
    let is_date = date == "latest" || date.len() == 8 && date.bytes().all(|b| b.is_ascii_digit());
    let ending = ENDINGS[1..].iter().find(|ending| rest.ends_with(**ending)).unwrap_or(&"");
    is_date.then(|| Name { date, rest: &rest[..rest.len() - ending.len()] })
}

impl Folder {
    /// Reads the names in a folder. `date`: only dumps of it.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn open(path: &Path, date: Option<&str>) -> Result<Self, Error> {
        let failed = |source| Error::Read { path: path.into(), source };
        let mut names = Vec::new();
        for entry in fs::read_dir(path).map_err(failed)? {
            names.extend(entry.map_err(failed)?.file_name().into_string());
        }
        names.sort();
        Ok(Self { path: path.into(), date: date.map(str::to_owned), names })
    }

    /// The file of a table, as `pagelinks`.
    ///
    /// # Errors
    /// If there is none, or several.
    pub fn table(&self, wiki: &str, table: &str) -> Result<PathBuf, Error> {
        let expected = format!("{wiki}-*-{table}.sql.gz");
        self.optional_table(wiki, table)?.ok_or_else(|| self.missing(&expected))
    }

    /// The same where it may be missing.
    ///
    /// # Errors
    /// If there are several.
    pub fn optional_table(&self, wiki: &str, table: &str) -> Result<Option<PathBuf>, Error> {
        let found = self.find(wiki, |rest| rest == format!("{table}.sql"));
        match &found[..] {
            [] => Ok(None),
            [only] => Ok(Some(self.path.join(only))),
            [first, second, ..] => Err(self.several(first, second)),
        }
    }

    /// The files of a wiki's pages in their order: one, or the parts of one dump. The same pages in
    /// several streams are taken first, as they are read faster.
    ///
    /// # Errors
    /// If there is none, or there are several dumps.
    pub fn pages(&self, wiki: &str) -> Result<Vec<PathBuf>, Error> {
        for kind in ["pages-articles-multistream", "pages-articles"] {
            let whole = self.find(wiki, |rest| rest == format!("{kind}.xml"));
            if let [first, second, ..] = &whole[..] {
                return Err(self.several(first, second));
            }
            let mut parts = self.find(wiki, |rest| is_part(rest, kind));
            parts.sort_by_key(|name| numbers(name));
            let dates = |name: &&String| take_apart(name, wiki).map(|name| name.date.to_owned());
            if let (Some(first), Some(last)) = (parts.first(), parts.iter().max_by_key(dates))
                && dates(&first) != dates(&last)
            {
                return Err(self.several(first, last));
            }
            let found = if whole.is_empty() { parts } else { whole };
            if !found.is_empty() {
                return Ok(found.iter().map(|name| self.path.join(name)).collect());
            }
        }
        Err(self.missing(&format!("{wiki}-*-pages-articles.xml.bz2")))
    }

    fn find(&self, wiki: &str, is: impl Fn(&str) -> bool) -> Vec<String> {
        let wanted = |name: &&String| {
            take_apart(name, wiki).is_some_and(|name| {
                self.date.as_ref().is_none_or(|date| date == name.date) && is(name.rest)
            })
        };
        self.names.iter().filter(wanted).cloned().collect()
    }

    fn missing(&self, expected: &str) -> Error {
        let names: Vec<String> = self.names.iter().take(12).map(|name| shown(name)).collect();
        let names = if names.is_empty() { "nothing".into() } else { names.join(", ") };
        let date = self.date.as_ref().map_or(String::new(), |date| format!(" of {date}"));
        Error::data(&self.path, format!("expected {expected}{date}; found {names}"))
    }

    fn several(&self, first: &str, second: &str) -> Error {
        let problem = format!(
            "{} and {}: choose one with --date, or keep only one",
            shown(first),
            shown(second)
        );
        Error::data(&self.path, problem)
    }
}

/// Whether a name is of a part: `pages-articles12.xml-p1p100`.
fn is_part(rest: &str, kind: &str) -> bool {
    let Some(rest) = rest.strip_prefix(kind) else { return false };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let after = rest[digits..].strip_prefix(".xml");
    digits > 0 && after.is_some_and(|pages| pages.is_empty() || pages.starts_with("-p"))
}

/// The numbers in a name: the tenth part comes after the second.
fn numbers(name: &str) -> Vec<u64> {
    let numbers = name.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty());
    numbers.map(|digits| digits.parse().unwrap_or(u64::MAX)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for name in names {
            fs::write(folder.path().join(name), "").unwrap();
        }
        folder
    }

    fn pages(names: &[&str], date: Option<&str>) -> Result<Vec<String>, String> {
        let folder = folder(names);
        let found = Folder::open(folder.path(), date).unwrap().pages("enwiki");
        let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
        found.map(|paths| paths.into_iter().map(name).collect()).map_err(|error| error.to_string())
    }

    #[test]
    fn parts_are_read_in_the_order_of_their_numbers_and_streams_first() {
        let parts = [
            "enwiki-20250101-pages-articles1.xml-p1p41242.bz2",
            "enwiki-20250101-pages-articles10.xml-p4045403p5399366.bz2",
            "enwiki-20250101-pages-articles2.xml-p41243p151573.bz2",
        ];
        assert_eq!(pages(&parts, None).unwrap(), [parts[0], parts[2], parts[1]]);
        let whole = "enwiki-20250101-pages-articles.xml.bz2";
        let streams = "enwiki-20250101-pages-articles-multistream.xml.bz2";
        let index = "enwiki-20250101-pages-articles-multistream-index.txt.bz2";
        assert_eq!(pages(&[whole, parts[0], index], None).unwrap(), [whole]);
        assert_eq!(pages(&[whole, streams, index], None).unwrap(), [streams]);
    }

    #[test]
    fn dumps_of_two_dates_are_told_apart() {
        let [old, new] =
            ["enwiki-20250101-pages-articles.xml.bz2", "enwiki-20250201-pages-articles.xml.bz2"];
        assert!(pages(&[old, new], None).unwrap_err().contains("--date"));
        assert_eq!(pages(&[old, new], Some("20250201")).unwrap(), [new]);
        assert!(pages(&[old], Some("20250301")).unwrap_err().contains("of 20250301"));
        let parts = [
            "enwiki-20250101-pages-articles1.xml-p1p9.bz2",
            "enwiki-20250201-pages-articles2.xml-p10p20.bz2",
        ];
        assert!(pages(&parts, None).unwrap_err().contains("--date"));
    }
}
