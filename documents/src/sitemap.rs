//! A sitemap: the addresses of a site's pages, or of more sitemaps.

use percent_encoding::percent_decode_str;
use roxmltree::Document;

use crate::error::Error;

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
    /// Reads a sitemap.
    ///
    /// # Errors
    /// [`Error::Whole`], if it is not XML, not a sitemap, or an entry has no address of http or https.
    pub fn parse(text: &str) -> Result<Self, Error> {
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
