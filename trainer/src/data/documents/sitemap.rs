//! A sitemap: which pages a site has, and the local files they are made of.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;
use roxmltree::Document;

use super::pages::{self, Page};
use crate::error::Error;
use crate::files::Within;

/// The most sitemaps that an index of sitemaps may lead to.
const MOST_SITEMAPS: usize = 1000;
/// The deepest that a site may lie below its host's root and still be found.
const MOST_FOLDERS: usize = 32;

/// The pages of a sitemap, or of those that an index of sitemaps lists, in their order. Files lie
/// beside the sitemap, as the site has them, `a/` and `a` in `a/index.html` or `a.html`; where the site
/// is not at its host's root, its own folder may be missing before them. A page's place is its
/// address, seen from the sitemap's folder. Those that a link leads to outside that folder are left out. The
/// second list is of those that have no file.
///
/// # Errors
/// If a sitemap cannot be read, or none of its pages is there.
pub fn pages(path: &Path) -> Result<(Vec<Page>, Vec<String>), Error> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let within = Within::new(folder)?;
    let addresses = addresses(path, &within)?;
    // How many folders of the host are not here: as many as most pages are found with.
    let depth = addresses.iter().map(|(address, _)| address.len()).max().unwrap_or(0);
    let most = depth.min(MOST_FOLDERS + 1);
    let found_without = |folders: usize| {
        let known =
            addresses.iter().filter(|(address, _)| file(folder, address, folders).is_some());
        (known.count(), std::cmp::Reverse(folders))
    };
    let folders = (0..most).max_by_key(|&folders| found_without(folders)).unwrap_or(0);
    let mut known = HashSet::new();
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    for (address, changed) in &addresses {
        let Some(file) = file(folder, address, folders) else {
            missing.push(address.join("/"));
            continue;
        };
        let path = folder.join(&file);
        if known.insert(file) {
            if within.leads_out(&path) {
                eprintln!("{}: left out, {}", path.display(), within.told());
                continue;
            }
            let place = match address[folders..].join("/") {
                home if home.is_empty() => "./".into(),
                place => place,
            };
            found.push(Page { place, path, changed: changed.clone() });
        }
    }
    match found.is_empty() {
        true => Err(Error::data(path, "none of its pages has a file beside it")),
        false => Ok((found, missing)),
    }
}

/// The parts of an address's path, decoded, and when the page changed.
type Address = (Vec<String>, Option<String>);

fn addresses(path: &Path, within: &Within<'_>) -> Result<Vec<Address>, Error> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let (mut sitemaps, mut all) = (vec![path.to_owned()], Vec::new());
    let mut next = 0;
    while next < sitemaps.len() {
        let path = sitemaps[next].clone();
        next += 1;
        let refused = |problem: String| Error::data(&path, problem);
        let text = pages::text_of(&path)?;
        let page = Document::parse(&text).map_err(|error| refused(format!("not XML: {error}")))?;
        let kind = page.root_element().tag_name().name();
        let item = match kind {
            "urlset" => "url",
            "sitemapindex" => "sitemap",
            _ => {
                return Err(refused(format!(
                    "a `{kind}`, not a sitemap's `urlset` or `sitemapindex`"
                )));
            }
        };
        for item in page.root_element().children().filter(|node| node.has_tag_name_of(item)) {
            let text = |name: &str| {
                let node = item.children().find(|node| node.has_tag_name_of(name))?;
                Some(node.text()?.trim().to_owned())
            };
            let Some(parts) = text("loc").and_then(|address| parts(&address)) else {
                return Err(refused(format!(
                    "line {}: expected a `loc` with an address of http or https",
                    page.text_pos_at(item.range().start).row
                )));
            };
            if kind == "urlset" {
                all.push((parts, text("lastmod")));
                continue;
            }
            // Its own folder may be missing, as for pages; a sitemap is known by its name.
            let name = parts.last().cloned().unwrap_or_default();
            let own = [file_of(folder, &parts), file_of(folder, &[name])];
            let Some(own) = own.into_iter().flatten().next() else {
                return Err(refused(format!("{} is not beside it", parts.join("/"))));
            };
            let own = folder.join(own);
            if within.leads_out(&own) {
                eprintln!("{}: left out, {}", own.display(), within.told());
                continue;
            }
            if !sitemaps.contains(&own) {
                sitemaps.push(own);
            }
            if sitemaps.len() > MOST_SITEMAPS {
                return Err(refused(format!("more than {MOST_SITEMAPS} sitemaps")));
            }
        }
    }
    Ok(all)
}

trait Named {
    /// Whether it is an element of this name, in whatever namespace.
    fn has_tag_name_of(&self, name: &str) -> bool;
}

impl Named for roxmltree::Node<'_, '_> {
    fn has_tag_name_of(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

/// The parts between the slashes of an address's path; the last is empty for a folder.
fn parts(address: &str) -> Option<Vec<String>> {
    let (scheme, rest) = address.split_once("://")?;
    if !scheme.eq_ignore_ascii_case("https") && !scheme.eq_ignore_ascii_case("http") {
        return None;
    }
    let path = rest.split(['?', '#']).next().unwrap_or_default();
    let path = path.split_once('/').map_or("", |(_, path)| path);
    let decoded = |part: &str| percent_decode_str(part).decode_utf8_lossy().into_owned();
    Some(path.split('/').map(decoded).collect())
}

/// The file of an address without its first folders, seen from the sitemap's folder.
fn file(folder: &Path, address: &[String], folders: usize) -> Option<PathBuf> {
    let (last, before) = address.split_last()?;
    let before = before.get(folders.min(address.len())..)?;
    let names = match &last[..] {
        "" => vec!["index.html".to_owned(), "index.htm".into()],
        last => vec![last.to_owned(), format!("{last}.html"), format!("{last}/index.html")],
    };
    names.into_iter().find_map(|name| {
        let parts: Vec<String> =
            before.iter().cloned().chain(name.split('/').map(str::to_owned)).collect();
        file_of(folder, &parts).filter(|file| pages::is_page(&file.to_string_lossy()))
    })
}

/// A file below a folder, if it is there.
fn file_of(folder: &Path, parts: &[String]) -> Option<PathBuf> {
    let leads_out = |part: &String| {
        part.is_empty() || part == "." || part == ".." || part.contains(['/', '\\', ':', '\0'])
    };
    let file: PathBuf = parts.iter().collect();
    (!parts.iter().any(leads_out) && folder.join(&file).is_file()).then_some(file)
}
