//! What reads dumps and collections, for the fuzz target.

use std::path::Path;
use std::sync::Arc;

use super::progress::Progress;
use super::{compressed, pages, sentence, sql, tmx, topics, wikitext};
use crate::error::{Error, refused};

/// Words that are taken of a page.
const WORDS: usize = 20;

fn progress() -> Arc<Progress> {
    Arc::new(Progress::new("input", 0))
}

/// A table of a dump.
pub fn table(path: &Path) -> bool {
    refused(read_table(path))
}

pub(crate) fn read_table(path: &Path) -> Result<(), Error> {
    let columns = ["ll_from", "ll_lang", "ll_title"];
    let take = |values: &[sql::Value]| {
        values[0].number()?;
        values[1].text()?;
        values[2].text().map(drop)
    };
    sql::read_rows(path, &progress(), "langlinks", &columns, take)
}

/// The pages of a dump, and what is made of them.
pub fn pages(path: &Path) -> bool {
    refused(read_pages(path))
}

pub(crate) fn read_pages(path: &Path) -> Result<(), Error> {
    let read = |reader| {
        pages::read_pages(path, reader, "xxwiki", &|_| true, &mut |site, page| {
            plain(&page.title, &page.text, &site.dropped);
            Ok(())
        })
    };
    compressed::open(path, &progress()).and_then(read)
}

/// A page's text, as it stands between the tags of a dump.
///
/// # Panics
/// If what is left of it is longer than it was.
pub fn text(text: &str) {
    let most = text.len();
    let plain = plain("Rain", text, &["file".to_owned(), "category".to_owned()]);
    assert!(plain <= most, "{most} bytes became {plain}");
}

/// Makes a query and a document of a page. How many bytes its plain text has.
fn plain(title: &str, text: &str, dropped: &[String]) -> usize {
    wikitext::is_disambiguation(text, &[]);
    let plain = wikitext::plain(text, dropped);
    sentence::without_title(&sentence::first(&plain), title);
    sentence::first_words(&plain, WORDS);
    plain.len()
}

/// A translation memory.
pub fn memory(path: &Path) -> bool {
    refused(read_memory(path))
}

pub(crate) fn read_memory(path: &Path) -> Result<(), Error> {
    tmx::read(path, &progress(), ["en", "fr"], &mut |_, _| Ok(()))
}

/// Topics of TREC and CLEF.
pub fn topics(path: &Path) -> bool {
    refused(topics::read(path))
}
