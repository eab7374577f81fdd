//! The local files of a sitemap's pages.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use smooth_clir_documents::sitemap::{Address, Entry, Sitemap};

use super::Pages;
use super::pages::{self, PageFile};
use crate::error::Error;
use crate::files::{LeftOut, Within};
use crate::limits::{SITE_FOLDERS, SITEMAPS};

/// The pages of a sitemap, or of those that an index of sitemaps lists, in their order. Files lie
/// beside the sitemap, as the site has them, `a/` and `a` in `a/index.html` or `a.html`; where the site
/// is not at its host's root, its own folder may be missing before them. A page's place is its
/// address, seen from the sitemap's folder. Those that have no file, and those that a link leads to outside that folder, are
/// left out.
///
/// # Errors
/// If a sitemap cannot be read, or none of its pages is there.
pub fn pages(path: &Path) -> Result<Pages, Error> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let within = Within::new(folder)?;
    let entries = entries(path, &within)?;
    // How many folders of the host are not here: as many as most pages are found with.
    let depth = entries.iter().map(|entry| entry.address.len()).max().unwrap_or(0);
    let most = depth.min(SITE_FOLDERS + 1);
    let found_without = |folders: usize| {
        let known = entries.iter().filter(|entry| file(folder, &entry.address, folders).is_some());
        (known.count(), std::cmp::Reverse(folders))
    };
    let folders = (0..most).max_by_key(|&folders| found_without(folders)).unwrap_or(0);
    let mut known = HashSet::new();
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    for Entry { address, changed } in &entries {
        let Some(file) = file(folder, address, folders) else {
            let (path, reason) =
                (address.join("/").into(), "it has no file beside the sitemap".into());
            left_out.push(LeftOut { path, reason, is_wrong: false });
            continue;
        };
        let path = folder.join(&file);
        if known.insert(file) {
            if let Some(problem) = within.refusal(&path) {
                left_out.push(LeftOut { path, reason: problem, is_wrong: false });
                continue;
            }
            let place = match address[folders..].join("/") {
                home if home.is_empty() => "./".into(),
                place => place,
            };
            found.push(PageFile { place, path, changed: changed.clone() });
        }
    }
    match found.is_empty() {
        true => Err(Error::data(path, "none of its pages has a file beside it")),
        false => Ok(Pages { pages: found, left_out }),
    }
}

/// The pages of a sitemap and of all sitemaps that it leads to.
fn entries(path: &Path, within: &Within<'_>) -> Result<Vec<Entry>, Error> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let (mut sitemaps, mut all) = (vec![path.to_owned()], Vec::new());
    let mut next = 0;
    while next < sitemaps.len() {
        let path = sitemaps[next].clone();
        next += 1;
        let bytes = pages::bytes_of(&path)?;
        let sitemap = Sitemap::read(&bytes).map_err(|error| Error::documents(&path, error))?;
        let further = match sitemap {
            Sitemap::Pages(entries) => {
                all.extend(entries);
                continue;
            }
            Sitemap::Sitemaps(further) => further,
        };
        for address in further {
            let Some(found) = sitemap_file(folder, &address) else {
                return Err(Error::data(&path, format!("{} is not beside it", address.join("/"))));
            };
            if let Some(problem) = within.refusal(&found) {
                eprintln!("{}: left out, {problem}", found.display());
                continue;
            }
            if !sitemaps.contains(&found) {
                sitemaps.push(found);
            }
            if sitemaps.len() > SITEMAPS {
                return Err(Error::data(&path, format!("more than {SITEMAPS} sitemaps")));
            }
        }
    }
    Ok(all)
}

/// The file of a further sitemap. Its own folder may be missing, as for pages; a sitemap is known by its
/// name.
fn sitemap_file(folder: &Path, address: &Address) -> Option<PathBuf> {
    let name = address.last().cloned().unwrap_or_default();
    let file = file_of(folder, address).or_else(|| file_of(folder, &[name]))?;
    Some(folder.join(file))
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
