//! The files of a folder's pages: Markdown, HTML and plain text.

use std::fs;
use std::path::{Path, PathBuf};

use smooth_clir_documents::{Page, PageFormat};

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
    /// The page with the text of its file. A file that is not a page's by its name is plain text.
    pub fn with_text<'a>(&'a self, text: &'a str) -> Page<'a> {
        let format = PageFormat::of(&self.path.to_string_lossy()).unwrap_or(PageFormat::Plain);
        Page { place: &self.place, format, text, changed: self.changed.as_deref() }
    }
}

/// The pages of a folder, and of those within it, in the order of their places. Hidden files are left
/// out.
///
/// # Errors
/// If a folder cannot be read, or a page's name is not UTF-8.
pub fn pages(folder: &Path) -> Result<Vec<PageFile>, Error> {
    let places = files::places(folder, &is_page)?.into_iter();
    let page = |place| PageFile { path: folder.join(&place), place, changed: None };
    Ok(places.map(page).collect())
}

/// Whether a file's name is that of a page.
pub fn is_page(name: &str) -> bool {
    PageFormat::of(name).is_some()
}

/// The text of a page or a sitemap.
///
/// # Errors
/// If it cannot be read, is too long, or is not UTF-8.
pub fn text_of(path: &Path) -> Result<String, Error> {
    let length = fs::metadata(path).map_or(0, |about| about.len());
    let refused = |error| Error::documents(path, error);
    Page::check_length(length).map_err(refused)?;
    Page::text_of(files::read(path)?).map_err(refused)
}
