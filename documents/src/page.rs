//! A page of any format: its text, its language, its address.

use std::borrow::Cow;

use percent_encoding::NON_ALPHANUMERIC;

use crate::charset;
use crate::document::Found;
use crate::error::Error;
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
    /// Its bytes, in the charset that it declares.
    pub bytes: &'a [u8],
    /// When it changed, as a sitemap says: its field `lastmod`.
    pub changed: Option<&'a str>,
}

impl Page<'_> {
    /// Its text, in the charset that it declares; of Markdown and plain text UTF-8, or UTF-16 with a byte order mark.
    fn text(&self) -> Result<Cow<'_, str>, Error> {
        Self::check_length(self.bytes.len() as u64)?;
        let is_html = self.format == PageFormat::Html;
        let declared = |head: &[u8]| is_html.then(|| charset::declared_in_html(head)).flatten();
        let text = charset::decode(self.bytes, declared)?;
        Self::check_length(text.len() as u64)?;
        Ok(text)
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

/// Reads a page. `None` if it has no words.
///
/// # Errors
/// [`Error::Whole`], if it is too long, not text, or its front matter cannot be read and fields are asked for;
/// [`Error::NotUtf8`]; [`Error::Limit`].
pub fn read(page: &Page<'_>, wanted: &mut Wanted<'_>) -> Result<Option<Found>, Error> {
    let text = page.text()?;
    let mut fields = Fields::new();
    let mut language = None;
    let (title, parts) = match page.format {
        PageFormat::Markdown => markdown::read(&text, |metadata| {
            let found = front_matter::read(metadata, wanted, &mut fields)?;
            language = found.language;
            Ok(found.title)
        })?,
        PageFormat::Html => {
            let html = html::Page::parse(&text)?;
            language = html.language().map(str::to_owned);
            html.add_fields(wanted, &mut fields)?;
            html.read()
        }
        PageFormat::Plain => (String::new(), plain::read(&text)),
    };
    if parts.is_empty() {
        return Ok(None);
    }
    if let Some(changed) = page.changed {
        wanted.add(&mut fields, "lastmod", changed);
    }
    let title = if title.is_empty() { name(page.place) } else { title };
    let language = language.as_deref().and_then(primary);
    Ok(Some(Found { id: address(page.place), title, parts, language, fields, line: 0 }))
}

/// A place as part of an address: what else would end its path, lead elsewhere, or seem to be the number of a passage, is
/// escaped.
pub fn address(place: &str) -> String {
    let escaped =
        place.replace('%', "%25").replace('#', "%23").replace('?', "%3F").replace('\\', "%5C");
    match link_of(&escaped).len() {
        length if length < escaped.len() => {
            format!("{}%20{}", &escaped[..length], &escaped[length + 1..])
        }
        _ => escaped,
    }
}

/// The address of a passage: its id without the number at its end. No address of a page ends like that.
pub fn link_of(id: &str) -> &str {
    let Some((address, number)) = id.strip_suffix(')').and_then(|id| id.rsplit_once(" (")) else {
        return id;
    };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { address } else { id }
}

/// An element's id as the fragment of an address, without spaces.
pub fn fragment(id: &str) -> String {
    let escape = |character: char| match character {
        '%' => "%25".to_owned(),
        character if character.is_whitespace() || character.is_control() => {
            percent_encoding::utf8_percent_encode(
                character.encode_utf8(&mut [0; 4]),
                NON_ALPHANUMERIC,
            )
            .to_string()
        }
        character => character.to_string(),
    };
    id.chars().map(escape).collect()
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
        for (stated, language) in [("fr-CA", "fr"), ("FR", "fr"), ("fil-PH", "tl"), ("en_fr", "en")]
        {
            assert_eq!(primary(stated).as_deref(), Some(language), "{stated}");
        }
        for stated in ["", "und", "mul"] {
            assert_eq!(primary(stated), None, "{stated}");
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
            let (format, bytes) = (PageFormat::Plain, text.as_bytes());
            let page = Page { place: "a.txt", format, bytes, changed: None };
            assert_eq!(read(&page, &mut Wanted::new(&[])).is_ok(), is_read, "{}", bytes.len());
        }
    }
}
