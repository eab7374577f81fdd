//! The files of a folder's pages: Markdown, HTML and plain text.

use std::fs;
use std::path::{Path, PathBuf};

use smooth_clir_documents::{Page, PageFormat};

use super::Pages;
use crate::error::Error;
use crate::files;

/// The file of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFile {
    /// The page's address, seen from the folder: its document's id.
    pub place: String,
    /// The file.
    pub path: PathBuf,
    /// When the page changed, where a sitemap says.
    pub changed: Option<String>,
}

impl PageFile {
    /// The page with the bytes of its file. A file that is not a page's by its name is plain text.
    pub fn with_bytes<'a>(&'a self, bytes: &'a [u8]) -> Page<'a> {
        let format = PageFormat::of(&self.path.to_string_lossy()).unwrap_or(PageFormat::Plain);
        Page { place: &self.place, format, bytes, changed: self.changed.as_deref() }
    }
}

/// The pages of a folder, and of those within it, in the order of their places. Hidden files are left
/// out.
///
/// # Errors
/// If the folder cannot be read.
pub fn pages(folder: &Path) -> Result<Pages, Error> {
    let files::Places { files, left_out } = files::places(folder, &is_page)?;
    let page = |place| PageFile { path: folder.join(&place), place, changed: None };
    Ok(Pages { pages: files.into_iter().map(page).collect(), left_out })
}

/// Whether a file's name is that of a page.
pub fn is_page(name: &str) -> bool {
    PageFormat::of(name).is_some()
}

/// The bytes of a page or a sitemap.
///
/// # Errors
/// If it cannot be read, or is too long.
pub fn bytes_of(path: &Path) -> Result<Vec<u8>, Error> {
    let length = fs::metadata(path).map_or(0, |about| about.len());
    Page::check_length(length).map_err(|error| Error::documents(path, error))?;
    files::read(path)
}
