//! Bytes of a page -> text, in the charset that it declares.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use scraper::Selector;

use crate::error::Error;
use crate::tree::{self, Spending};

/// Bytes at the head of a page in which it may declare its charset. The HTML standard has 1,024.
const HEAD: usize = 4096;

/// The text of a page: by a byte order mark, or else by the charset that `declared` finds, or else of UTF-8.
///
/// # Errors
/// [`Error::Whole`], if it is a PDF or binary, or not of its charset; [`Error::NotUtf8`].
pub fn decode(
    bytes: &[u8],
    declared: impl FnOnce(&[u8]) -> Option<&'static Encoding>,
) -> Result<Cow<'_, str>, Error> {
    if bytes.starts_with(b"%PDF-") {
        return Err(Error::Whole("a PDF, not a page: convert it to HTML or text".into()));
    }
    let marked = Encoding::for_bom(bytes);
    let body = marked.map_or(bytes, |(_, length)| &bytes[length..]);
    let charset = marked.map(|(charset, _)| charset).or_else(|| utf_16(bytes));
    let charset = charset.or_else(|| declared(&bytes[..bytes.len().min(HEAD)]));
    let text = match charset {
        Some(charset) if charset != UTF_8 => {
            charset.decode_without_bom_handling_and_without_replacement(body).ok_or_else(|| {
                Error::Whole(format!("not {}, the charset that it declares", charset.name()))
            })?
        }
        _ => Cow::Borrowed(std::str::from_utf8(body).map_err(|error| {
            let valid = &body[..error.valid_up_to()];
            let line = valid.iter().filter(|&&byte| byte == b'\n').count() as u64 + 1;
            let byte = (bytes.len() - body.len() + valid.len() + 1) as u64;
            Error::NotUtf8 { byte, line }
        })?),
    };
    match text.contains('\0') {
        true => Err(Error::Whole("not text: it has zero bytes".into())),
        false => Ok(text),
    }
}

/// UTF-16 without a byte order mark, as a page of HTML begins in it.
fn utf_16(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'<', 0, ..] => Some(UTF_16LE),
        [0, b'<', ..] => Some(UTF_16BE),
        _ => None,
    }
}

/// The charset that a page of HTML declares: in an XML declaration, `<meta charset>` or `<meta http-equiv>`. `None`
/// where there is none, or none that is known.
pub fn declared_in_html(head: &[u8]) -> Option<&'static Encoding> {
    // Every charset that can be declared so has ASCII in its place.
    let head: String = head.iter().map(|&byte| char::from(byte)).collect();
    let in_xml = head.trim_start().strip_prefix("<?xml").and_then(|rest| {
        let (declaration, _) = rest.split_once("?>")?;
        let value = declaration.split_once("encoding")?.1.trim_start().strip_prefix('=')?;
        let value = value.trim_start();
        let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        Some(value[1..].split_once(quote)?.0.to_owned())
    });
    let charset = in_xml.or_else(|| in_meta(&head))?;
    match Encoding::for_label(charset.as_bytes())? {
        // It was read as ASCII, which these are not.
        charset if charset == UTF_16LE || charset == UTF_16BE => Some(UTF_8),
        charset if charset == X_USER_DEFINED => Some(WINDOWS_1252),
        charset => Some(charset),
    }
}

fn in_meta(head: &str) -> Option<String> {
    let tree = tree::document(head, &Spending::new()).ok()?;
    let selector = Selector::parse("meta").ok()?;
    tree.select(&selector).find_map(|meta| {
        if let Some(charset) = meta.attr("charset") {
            return Some(charset.to_owned());
        }
        meta.attr("http-equiv").filter(|name| name.eq_ignore_ascii_case("content-type"))?;
        let content = meta.attr("content")?.to_ascii_lowercase();
        let value = content.split_once("charset")?.1.trim_start().strip_prefix('=')?.trim_start();
        let end = |character: char| character == ';' || character.is_whitespace();
        Some(value.split(end).next()?.trim_matches(['"', '\'']).to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::shown;

    fn html(bytes: &[u8]) -> Result<String, String> {
        let text = decode(bytes, declared_in_html);
        text.map(Cow::into_owned).map_err(|error| shown(&error.to_string()))
    }

    /// A page in Latin-1 with this in its head.
    fn latin_1(head: &str) -> Vec<u8> {
        [head.as_bytes(), b"<p>caf\xe9"].concat()
    }

    #[test]
    fn a_page_is_of_the_charset_that_it_declares() {
        for head in [
            "<meta charset=iso-8859-1>",
            "<!doctype html><html><head><meta charset='ISO-8859-1'/>",
            "<meta http-equiv=Content-Type content='text/html; charset=latin1'>",
            "<META HTTP-EQUIV=\"content-type\" CONTENT=\"text/html;CHARSET = windows-1252 ; x\">",
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><html>",
            "<?xml version='1.0' encoding = 'iso-8859-15' standalone='no'?><html>",
        ] {
            let text = html(&latin_1(head));
            assert_eq!(text.as_deref(), Ok(&*format!("{head}<p>café")), "{head}");
        }
        for head in
            ["", "<!-- <meta charset=latin1> -->", "<meta charset=utf-8>", "<meta charset=klingon>"]
        {
            let refused = html(&latin_1(head)).unwrap_err();
            assert!(refused.starts_with("not UTF-8 at byte"), "{head}: {refused}");
        }
    }

    #[test]
    fn utf_16_is_read_with_and_without_its_mark() {
        let page = "<meta charset=utf-16><p>été 🌧";
        let units = |mark: bool| {
            [&[0xfeff][..usize::from(mark)], &page.encode_utf16().collect::<Vec<_>>()].concat()
        };
        for mark in [true, false] {
            let little: Vec<u8> = units(mark).iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = units(mark).iter().flat_map(|unit| unit.to_be_bytes()).collect();
            assert_eq!(html(&little).as_deref(), Ok(page));
            assert_eq!(html(&big).as_deref(), Ok(page));
        }
        // A mark counts more than what is declared.
        assert_eq!(
            html("\u{feff}<meta charset=latin1>é".as_bytes()).as_deref(),
            Ok("<meta charset=latin1>é")
        );
        // Declared in ASCII, which UTF-16 is not.
        assert_eq!(
            html("<meta charset=utf-16>é".as_bytes()).as_deref(),
            Ok("<meta charset=utf-16>é")
        );
    }

    #[test]
    fn bytes_that_are_no_text_are_refused() {
        for (bytes, problem) in [
            (&b"%PDF-1.7\n<p>a"[..], "a PDF, not a page"),
            (b"<p>a\0b", "not text"),
            (b"\xff\xfe\x00\xd8\x41\x00", "not UTF-16LE, the charset that it declares"),
            (b"ab\ncaf\xe9", "not UTF-8 at byte 7"),
            (b"<meta charset=euc-jp>\xff\xff", "not EUC-JP, the charset that it declares"),
        ] {
            let refused = html(bytes).unwrap_err();
            assert!(refused.starts_with(problem), "{refused}");
        }
    }
}
