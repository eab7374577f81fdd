//! A folder of pages: Markdown, HTML and plain text.

use std::fs;
use std::path::{Path, PathBuf};

use super::document::{Found, Part, Take};
use super::fields::{Fields, Wanted};
use super::{front_matter, html, markdown};
use crate::data::tsv::{MOST_LINE_BYTES, shown};
use crate::error::Error;
use crate::files;

/// How the names of pages end, after the last dot.
pub const ENDINGS: [&str; 5] = ["md", "markdown", "html", "htm", "txt"];

/// A page, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its address, seen from the folder: its document's id.
    pub place: String,
    /// Its file.
    pub path: PathBuf,
    /// When it changed, where a sitemap says.
    pub changed: Option<String>,
}

/// The pages of a folder, and of those within it, in the order of their places. Hidden files are left
/// out.
///
/// # Errors
/// If a folder cannot be read, or a page's name is not UTF-8.
pub fn pages(folder: &Path) -> Result<Vec<Page>, Error> {
    let places = files::places(folder, &is_page)?.into_iter();
    let page = |place| Page { path: folder.join(&place), place, changed: None };
    Ok(places.map(page).collect())
}

/// Whether a file's name is that of a page.
pub fn is_page(name: &str) -> bool {
    ending(name).is_some_and(|ending| ENDINGS.contains(&&*ending))
}

/// Reads pages; those without a word, and those that say that they are in another language, are left out.
///
/// # Errors
/// If one cannot be read, is too long, or is not UTF-8.
pub fn read(
    pages: &[Page],
    language: &str,
    wanted: &mut Wanted<'_>,
    take: Take<'_>,
) -> Result<(), Error> {
    for Page { place, path, changed } in pages {
        let text = text_of(path)?;
        let text = text.trim_start_matches('\u{feff}');
        let mut fields = Fields::new();
        let (title, parts) = match ending(&path.to_string_lossy()).as_deref() {
            Some("md" | "markdown") => markdown::read(text, |metadata| {
                front_matter::read(metadata, wanted, &mut fields)
                    .map_err(|problem| Error::data(path, problem))
            })?,
            Some("html" | "htm") => {
                let page = html::Page::parse(text);
                if let Some(other) = page.language().filter(|stated| is_other(stated, language)) {
                    let (path, other) = (path.display(), shown(other));
                    eprintln!("{path}: left out, it is in {other} as it says, not in {language}");
                    continue;
                }
                page.add_fields(wanted, &mut fields);
                page.read()
            }
            _ => (String::new(), plain(text)),
        };
        if parts.is_empty() {
            eprintln!("{}: left out, it has no words", path.display());
            continue;
        }
        if let Some(changed) = changed {
            wanted.add(&mut fields, "lastmod", changed);
        }
        let title = if title.is_empty() { name(place) } else { title };
        let found = Found { id: address(place), title, parts, fields };
        take(found).map_err(|problem| Error::data(path, problem))?;
    }
    Ok(())
}

/// The text of a page or a sitemap.
///
/// # Errors
/// If it cannot be read, is too long, or is not UTF-8.
pub fn text_of(path: &Path) -> Result<String, Error> {
    let length = fs::metadata(path).map_or(0, |about| about.len());
    if length > MOST_LINE_BYTES {
        let problem =
            format!("{length} bytes, longer than {MOST_LINE_BYTES}, the most a page may have");
        return Err(Error::data(path, problem));
    }
    String::from_utf8(files::read(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to() + 1;
        Error::data(path, format!("not UTF-8 at byte {at}"))
    })
}

/// A place as part of an address: what else would end its path, or lead elsewhere, is escaped.
fn address(place: &str) -> String {
    place.replace('%', "%25").replace('#', "%23").replace('?', "%3F").replace('\\', "%5C")
}

/// Whether a page's language, as it states it, is another than the one asked for; regions and scripts do
/// not count.
fn is_other(stated: &str, asked: &str) -> bool {
    let primary = |tag: &str| match tag.trim().split(['-', '_']).next() {
        // Tagalog, as Filipino.
        Some(name) if name.eq_ignore_ascii_case("fil") => "tl".to_owned(),
        name => name.unwrap_or_default().to_ascii_lowercase(),
    };
    let stated = primary(stated);
    !matches!(&*stated, "" | "und" | "mul") && stated != primary(asked)
}

fn ending(place: &str) -> Option<String> {
    place.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase())
}

/// The file's or, of an address that ends with a slash, the folder's name without its ending.
fn name(place: &str) -> String {
    let place = place.trim_end_matches('/');
    let name = place.rsplit('/').next().unwrap_or(place);
    name.rsplit_once('.').map_or(name, |(name, _)| name).to_owned()
}

/// Paragraphs, between empty lines.
fn plain(text: &str) -> Vec<Part> {
    let mut parts = vec![String::new()];
    for line in text.lines().map(str::trim) {
        match parts.last_mut() {
            Some(last) if !line.is_empty() => {
                if !last.is_empty() {
                    last.push(' ');
                }
                last.push_str(line);
            }
            _ => parts.push(String::new()),
        }
    }
    parts.retain(|text| !text.is_empty());
    parts.into_iter().map(Part::plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_that_of_the_file_alone() {
        assert_eq!(address("a b/C#.md"), "a b/C%23.md");
        assert_eq!(address("why?/100%.md"), "why%3F/100%25.md");
    }

    #[test]
    fn a_page_s_language_is_that_of_its_first_subtag() {
        for (stated, asked) in
            [("fr-CA", "fr"), ("FR", "fr"), ("fil-PH", "tl"), ("", "it"), ("und", "it")]
        {
            assert!(!is_other(stated, asked), "{stated} {asked}");
        }
        for (stated, asked) in [("en", "fr"), ("en-fr", "fr"), ("fro", "fr")] {
            assert!(is_other(stated, asked), "{stated} {asked}");
        }
    }
}
