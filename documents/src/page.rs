//! A page of any format: its text, its language, its address.

use crate::document::Found;
use crate::error::{Error, shown};
use crate::fields::{Fields, Wanted};
use crate::limits;
use crate::{front_matter, html, markdown, plain};

/// The endings of pages' names, after the last dot.
pub const ENDINGS: [&str; 5] = ["md", "markdown", "html", "htm", "txt"];

/// The format of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageFormat {
    /// Markdown, with front matter in YAML or TOML.
    Markdown,
    /// HTML.
    Html,
    /// Text.
    Plain,
}

impl PageFormat {
    /// The format of a file, by the ending of its name; `None` where it is not a page's.
    pub fn of(name: &str) -> Option<Self> {
        let (_, ending) = name.rsplit_once('.')?;
        match &*ending.to_ascii_lowercase() {
            "md" | "markdown" => Some(Self::Markdown),
            "html" | "htm" => Some(Self::Html),
            "txt" => Some(Self::Plain),
            _ => None,
        }
    }
}

/// A page to be read.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// Its address, as seen from where it is shown: the id of its document, once escaped.
    pub place: &'a str,
    /// Its format.
    pub format: PageFormat,
    /// Its text; a byte order mark at its head is dropped.
    pub text: &'a str,
    /// When it changed, as a sitemap says: its field `lastmod`.
    pub changed: Option<&'a str>,
}

impl Page<'_> {
    /// The text of a page or a sitemap.
    ///
    /// # Errors
    /// [`Error::Whole`], if it is too long or not UTF-8.
    pub fn text_of(bytes: Vec<u8>) -> Result<String, Error> {
        Self::check_length(bytes.len() as u64)?;
        String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to() + 1;
            Error::Whole(format!("not UTF-8 at byte {at}"))
        })
    }

    /// Refuses a page that is too long, before it is read.
    ///
    /// # Errors
    /// [`Error::Whole`], if it is longer than [`limits::PAGE_BYTES`].
    pub fn check_length(bytes: u64) -> Result<(), Error> {
        if bytes <= limits::PAGE_BYTES {
            return Ok(());
        }
        Err(Error::Whole(format!(
            "{bytes} bytes, longer than {}, the most a page may have",
            limits::PAGE_BYTES
        )))
    }
}

/// Reads a page. `Ok(Err(...))` says why it is left out: it has no words, or states another language than
/// `language`, where one is given. With the document comes the language that the page states.
///
/// # Errors
/// [`Error::Whole`], if it is too long, or its front matter cannot be read and fields are asked for;
/// [`Error::Limit`].
pub fn read(
    page: &Page<'_>,
    language: Option<&str>,
    wanted: &mut Wanted<'_>,
) -> Result<Result<(Found, Option<String>), String>, Error> {
    Page::check_length(page.text.len() as u64)?;
    let text = page.text.trim_start_matches('\u{feff}');
    let mut fields = Fields::new();
    let mut stated = None;
    let (title, parts) = match page.format {
        PageFormat::Markdown => {
            markdown::read(text, |metadata| front_matter::read(metadata, wanted, &mut fields))?
        }
        PageFormat::Html => {
            let html = html::Page::parse(text)?;
            stated = html.language().and_then(primary);
            if let (Some(asked), Some(other)) = (language, html.language())
                && is_other(other, asked)
            {
                return Ok(Err(format!("it is in {} as it says, not in {asked}", shown(other))));
            }
            html.add_fields(wanted, &mut fields)?;
            html.read()
        }
        PageFormat::Plain => (String::new(), plain::read(text)),
    };
    if parts.is_empty() {
        return Ok(Err("it has no words".into()));
    }
    if let Some(changed) = page.changed {
        wanted.add(&mut fields, "lastmod", changed);
    }
    let title = if title.is_empty() { name(page.place) } else { title };
    Ok(Ok((Found { id: address(page.place), title, parts, fields }, stated)))
}

/// A place as part of an address: what else would end its path, or lead elsewhere, is escaped.
pub fn address(place: &str) -> String {
    place.replace('%', "%25").replace('#', "%23").replace('?', "%3F").replace('\\', "%5C")
}

/// Whether a page's language, as it states it, is another than the one asked for; regions and scripts do
/// not count.
fn is_other(stated: &str, asked: &str) -> bool {
    primary(stated).is_some_and(|stated| Some(stated) != primary(asked))
}

/// The language of a tag without its region and script; `None` where it names none or several.
pub fn primary(tag: &str) -> Option<String> {
    let name = tag.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    match &*name {
        "" | "und" | "mul" => None,
        // Tagalog, as Filipino.
        "fil" => Some("tl".to_owned()),
        _ => Some(name),
    }
}

/// The file's or, of an address that ends with a slash, the folder's name without its ending.
pub fn name(place: &str) -> String {
    let place = place.trim_end_matches('/');
    let name = place.rsplit('/').next().unwrap_or(place);
    name.rsplit_once('.').map_or(name, |(name, _)| name).to_owned()
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
    fn every_ending_of_a_page_has_a_format() {
        for ending in ENDINGS {
            assert!(
                PageFormat::of(&format!("a.b.{}", ending.to_uppercase())).is_some(),
                "{ending}"
            );
        }
        assert_eq!(PageFormat::of("a.png").or(PageFormat::of("md")), None);
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

    #[test]
    fn a_page_is_as_long_as_the_limit() {
        for (bytes, is_read) in [
            (limits::PAGE_BYTES - 1, true),
            (limits::PAGE_BYTES, true),
            (limits::PAGE_BYTES + 1, false),
        ] {
            let text = "a".repeat(bytes as usize);
            let page =
                Page { place: "a.txt", format: PageFormat::Plain, text: &text, changed: None };
            assert_eq!(read(&page, Some("fr"), &mut Wanted::new(&[])).is_ok(), is_read, "{bytes}");
            assert_eq!(Page::text_of(text.into_bytes()).is_ok(), is_read, "{bytes}");
        }
    }
}
