//! A sitemap: the addresses of a site's pages, or of more sitemaps.

use percent_encoding::percent_decode_str;
use roxmltree::Document;

use crate::charset;
use crate::error::Error;
use crate::limits;
use crate::page::Page;

/// The parts between the slashes of an address's path, decoded; the last is empty for a folder.
pub type Address = Vec<String>;

/// A page that a sitemap lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its address.
    pub address: Address,
    /// When it changed, where the sitemap says.
    pub changed: Option<String>,
}

/// The entries of a sitemap, in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sitemap {
    /// A site's pages.
    Pages(Vec<Entry>),
    /// The addresses of further sitemaps.
    Sitemaps(Vec<Address>),
}

impl Sitemap {
    /// Reads the bytes of a sitemap.
    ///
    /// # Errors
    /// As [`parse`](Self::parse); if it is too long, or not of the charset that it declares.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        Page::check_length(bytes.len() as u64)?;
        Self::parse(&charset::decode(bytes, charset::declared_in_html)?)
    }

    /// Reads a sitemap.
    ///
    /// # Errors
    /// [`Error::Whole`], if it is not XML, not a sitemap, or an entry has no address of http or https;
    /// [`Error::Limit`].
    pub fn parse(text: &str) -> Result<Self, Error> {
        check(text)?;
        let page =
            Document::parse(text).map_err(|error| Error::Whole(format!("not XML: {error}")))?;
        let root = page.root_element();
        let kind = root.tag_name().name();
        let item = match kind {
            "urlset" => "url",
            "sitemapindex" => "sitemap",
            _ => {
                let problem = format!("a `{kind}`, not a sitemap's `urlset` or `sitemapindex`");
                return Err(Error::Whole(problem));
            }
        };
        let mut entries = Vec::new();
        for item in root.children().filter(|node| is_named(node, item)) {
            let text = |name: &str| {
                let node = item.children().find(|node| is_named(node, name))?;
                Some(node.text()?.trim().to_owned())
            };
            let Some(address) = text("loc").and_then(|address| path_of(&address)) else {
                return Err(Error::Whole(format!(
                    "line {}: expected a `loc` with an address of http or https",
                    page.text_pos_at(item.range().start).row
                )));
            };
            entries.push(Entry { address, changed: text("lastmod") });
        }
        if kind == "urlset" {
            return Ok(Self::Pages(entries));
        }
        Ok(Self::Sitemaps(entries.into_iter().map(|entry| entry.address).collect()))
    }
}

/// Refuses what would take the parser far longer than its length: many attributes of one element, deep elements,
/// many namespaces. It refuses a document type itself.
fn check(text: &str) -> Result<(), Error> {
    let limit = |what, most, remedy| Err(Error::Limit { what, most, remedy });
    let (mut depth, mut namespaces) = (0_u64, 0);
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        let ends = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")];
        let hidden = |(begins, end)| Some((rest.strip_prefix(begins)?, end));
        if let Some((content, end)) = ends.into_iter().find_map(hidden) {
            rest = content.find(end).map_or("", |place| &content[place..]);
            continue;
        }
        if rest.starts_with('/') {
            depth = depth.saturating_sub(1);
            continue;
        }
        let (mut attributes, mut quote, mut last) = (0, None, b' ');
        let mut length = 0;
        for &byte in rest.as_bytes() {
            match (quote, byte) {
                (Some(open), _) if byte == open => quote = None,
                (Some(_), _) => {}
                (None, b'"' | b'\'') => quote = Some(byte),
                (None, b'=') => attributes += 1,
                (None, b'>') => break,
                (None, _) => {}
            }
            length += 1;
            last = byte;
        }
        let tag = &rest[..length];
        rest = &rest[length..];
        namespaces += tag.matches("xmlns").count() as u64;
        depth += u64::from(last != b'/');
        if attributes > limits::SITEMAP_ATTRIBUTES {
            let what = "attributes of one element of a sitemap";
            return limit(what, limits::SITEMAP_ATTRIBUTES, "remove some");
        }
        if depth > limits::SITEMAP_DEPTH {
            return limit(
                "levels of elements of a sitemap",
                limits::SITEMAP_DEPTH,
                "nest them less",
            );
        }
        if namespaces > limits::SITEMAP_NAMESPACES {
            let remedy = "declare them on its root";
            return limit("namespaces of a sitemap", limits::SITEMAP_NAMESPACES, remedy);
        }
    }
    Ok(())
}

/// Whether a node is an element of this name, in whatever namespace.
fn is_named(node: &roxmltree::Node<'_, '_>, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

fn path_of(address: &str) -> Option<Address> {
    let (scheme, rest) = address.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return None;
    }
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let path = path.split_once('/').map_or("", |(_, path)| path);
    let decoded = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
    Some(path.split('/').map(decoded).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sitemap of one page with this tag in it, so often.
    fn read(tag: &str, count: u64, end: &str) -> Result<Sitemap, Error> {
        let page = "<url><loc>http://x.example/a</loc></url>";
        let (tags, ends) = (tag.repeat(count as usize), end.repeat(count as usize));
        Sitemap::parse(&format!("<urlset>{page}{tags}{ends}</urlset>"))
    }

    fn assert_limit(most: u64, read: impl Fn(u64) -> Result<Sitemap, Error>) {
        assert!(matches!(read(most - 1), Ok(Sitemap::Pages(pages)) if pages.len() == 1));
        assert!(read(most).is_ok());
        assert!(matches!(read(most + 1), Err(Error::Limit { .. })));
    }

    #[test]
    fn attributes_depth_and_namespaces_are_limited() {
        assert_limit(limits::SITEMAP_ATTRIBUTES, |count| {
            let attributes: String = (0..count).map(|name| format!(" a{name} = '=>'")).collect();
            read(&format!("<a{attributes}/>"), 1, "")
        });
        // The root is the first.
        assert_limit(limits::SITEMAP_DEPTH - 1, |count| read("<a>", count, "</a>"));
        assert_limit(limits::SITEMAP_NAMESPACES, |count| read("<a xmlns='b'/>", count, ""));
    }

    #[test]
    fn comments_and_character_data_have_no_elements() {
        let deep = "<a b='".repeat(100);
        for hidden in
            [format!("<!--{deep}-->"), format!("<![CDATA[{deep}]]>"), format!("<?a {deep}?>")]
        {
            assert!(read(&hidden, 1, "").is_ok(), "{hidden}");
        }
        let shown = format!("<!--> <![CDATA[ -->{}]]>", "<a>".repeat(100));
        assert!(matches!(read(&shown, 1, ""), Err(Error::Limit { .. })));
        assert!(read("<!--", 1, "").is_err());
    }
}
