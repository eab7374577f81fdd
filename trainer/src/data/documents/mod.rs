//! Documents to search: the files that a path leads to, read by the crate of readers.

mod pages;
mod sitemap;

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use smooth_clir_documents as documents;
use smooth_clir_documents::{Collection, PageFormat, RecordFormat, lines};
pub use smooth_clir_documents::{Document, English, Read, Reading, Report};

use super::{layout, tsv};
use crate::error::Error;
use crate::files::{LeftOut, Within};
use crate::terminal::phase::Phase;
use pages::{PageFile, Pages};

/// Documents that were found, and not yet read.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    kind: SourceKind,
}

#[derive(Debug)]
enum SourceKind {
    /// A file of documents.
    File(PathBuf),
    /// The pages of a folder or a sitemap.
    Pages(Pages),
}

/// What becomes of a page that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrong {
    /// It is left out and reported.
    IsLeftOut,
    /// It ends the reading.
    IsRefused,
}

impl Source {
    /// What is at a path: a file of documents, a page, a folder with a file of documents or with pages, or a sitemap with
    /// its pages. A folder's file of documents may be named after one of the `languages`.
    ///
    /// # Errors
    /// If a folder or a sitemap cannot be read.
    pub fn find(path: &Path, languages: &[String]) -> Result<Self, Error> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let kind = if path.is_dir() {
            match languages.iter().find_map(|language| layout::documents(path, language)) {
                Some(file) => {
                    let within = Within::new(path)?;
                    if let Some(problem) = within.refusal(&file) {
                        let problem = format!("{problem}: name the file itself");
                        return Err(Error::data(&file, problem));
                    }
                    SourceKind::File(file)
                }
                None => SourceKind::Pages(pages::pages(path)?),
            }
        } else if is_sitemap(path) {
            SourceKind::Pages(sitemap::pages(path)?)
        } else if is_single_page(&name, path) {
            let page = PageFile { place: name.into_owned(), path: path.into(), changed: None };
            SourceKind::Pages(Pages { pages: vec![page], left_out: Vec::new() })
        } else if let Some(problem) = refusal(&name) {
            return Err(Error::data(path, problem));
        } else {
            SourceKind::File(path.to_owned())
        };
        Ok(Self { path: path.to_owned(), kind })
    }

    /// The files that are read.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let (file, pages) = match &self.kind {
            SourceKind::File(file) => (file, &[][..]),
            SourceKind::Pages(Pages { pages, .. }) => (&self.path, &pages[..]),
        };
        std::iter::once(&**file).chain(pages.iter().map(|page| &*page.path))
    }

    /// Reads all documents: see [`each`](Self::each).
    ///
    /// # Errors
    /// As [`each`](Self::each).
    pub fn read(&self, reading: Reading<'_>, wrong: Wrong) -> Result<Read, Error> {
        let mut documents = Vec::new();
        let report = self.each(reading, wrong, &mut |document| {
            documents.push(document);
            Ok(())
        })?;
        Ok(Read { documents, report })
    }

    /// Calls `take` with each document, each file read by its name's ending (JSON Lines, CSV, a
    /// page's, else tab-separated); it says what is wrong with one. Longer ones are cut into passages. Returns what was left
    /// out.
    ///
    /// # Errors
    /// What is wrong, and in which file and line.
    pub fn each(
        &self,
        reading: Reading<'_>,
        wrong: Wrong,
        take: &mut dyn FnMut(Document) -> Result<(), String>,
    ) -> Result<Report, Error> {
        let mut collection = Collection::new(reading);
        // A page that was named is asked for.
        let wrong =
            if self.path.is_dir() || is_sitemap(&self.path) { wrong } else { Wrong::IsRefused };
        let refused = |error| Error::documents(&self.path, error);
        match &self.kind {
            SourceKind::File(file) => {
                let format = RecordFormat::of(&file.to_string_lossy());
                collection
                    .each_record_by(
                        &|all, tell| all.par_iter_mut().for_each(tell),
                        format,
                        tsv::open(file)?,
                        take,
                    )
                    .map_err(|error| Error::documents(file, error))?;
            }
            SourceKind::Pages(Pages { pages, left_out }) => {
                for LeftOut { path, reason, is_wrong } in left_out {
                    if *is_wrong && wrong == Wrong::IsRefused {
                        return Err(Error::data(path, reason));
                    }
                    collection.leave_out(&path.display().to_string(), reason, *is_wrong);
                }
                let phase = Phase::new("reading", pages.len(), "pages");
                for page in pages {
                    add_page(page, wrong, &mut collection)?;
                    phase.step(1);
                }
            }
        }
        let Read { documents, report } = collection.finish().map_err(refused)?;
        let wrong_file = report.left_out.iter().find(|file| file.is_wrong);
        if let (Some(file), Wrong::IsRefused) = (wrong_file, wrong) {
            return Err(Error::data(Path::new(&file.place), &file.reason));
        }
        documents
            .into_iter()
            .try_for_each(take)
            .map_err(|problem| Error::data(&self.path, problem))?;
        match report.indexed() {
            0 => Err(self.without_documents(reading, report)),
            _ => Ok(report),
        }
    }

    fn without_documents(&self, reading: Reading<'_>, report: Report) -> Error {
        eprint!("{report}");
        let languages = reading.language.map_or(reading.languages.join(", "), str::to_owned);
        if !self.path.is_dir() || !report.left_out.is_empty() || !report.languages.is_empty() {
            return Error::data(&self.path, format!("no documents in {languages}"));
        }
        let pages = format!("pages with words in them ({})", documents::ENDINGS.join(", "));
        let language = reading.language.or(reading.languages.first().map(String::as_str));
        layout::no_documents(&self.path, language.unwrap_or("xx"), &pages)
    }
}

fn is_sitemap(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml"))
}

/// Why a file is not read as tab-separated lines, if its name says that it is none.
fn refusal(name: &str) -> Option<String> {
    const OTHERS: [&str; 12] = [
        "pdf",
        "doc",
        "docx",
        "odt",
        "epub",
        "rtf",
        "zip",
        "gz",
        "xls",
        "xlsx",
        "ods",
        "safetensors",
    ];
    let (_, ending) = name.rsplit_once('.')?;
    OTHERS.iter().any(|other| ending.eq_ignore_ascii_case(other)).then(|| {
        let pages = documents::ENDINGS.join(", .");
        format!("not a file of documents: expected .jsonl, .csv, tab-separated lines, a page (.{pages}) or a sitemap (.xml)")
    })
}

/// Whether a file is a page by its name. Plain text may be tab-separated documents.
fn is_single_page(name: &str, path: &Path) -> bool {
    match PageFormat::of(name) {
        Some(PageFormat::Plain) => {
            let mut bytes = Vec::new();
            let Ok(mut file) = tsv::open(path) else { return false };
            let first = lines::read_line(&mut file, 1, &mut bytes);
            !first.is_ok_and(|line| line.is_some_and(|line| line.matches('\t').count() == 2))
        }
        format => format.is_some(),
    }
}

fn add_page(page: &PageFile, wrong: Wrong, collection: &mut Collection<'_>) -> Result<(), Error> {
    let bytes = match pages::bytes_of(&page.path) {
        Err(error) if wrong == Wrong::IsLeftOut => {
            let reason = match error {
                Error::Data { problem, .. } => problem,
                Error::Read { source, .. } => format!("it cannot be read: {source}"),
                error => error.to_string(),
            };
            collection.leave_out(&page.place, reason, true);
            return Ok(());
        }
        bytes => bytes?,
    };
    match collection.page(&page.with_bytes(&bytes)) {
        Err(error) if wrong == Wrong::IsRefused => Err(Error::documents(&page.path, error)),
        _ => Ok(()),
    }
}
