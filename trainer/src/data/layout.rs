//! What the files of a folder are called: as here, or as in the large-scale CLIR Wikipedia set.

use std::fs;
use std::path::{Path, PathBuf};

use super::tsv::shown;
use crate::error::Error;

/// How many names an error lists.
const MOST_SHOWN: usize = 12;

/// The files of queries, documents of a language, and grades: `queries.tsv`, `documents.tsv` and
/// `relevance.tsv`; without a `queries.tsv`, `wiki_en.queries`, `wiki_xx.documents` and
/// `en2xx.rel` for language xx.
pub fn collection(folder: &Path, language: &str) -> Result<[PathBuf; 3], Error> {
    let wikipedia = [
        "wiki_en.queries".into(),
        format!("wiki_{language}.documents"),
        format!("en2{language}.rel"),
    ];
    let own = ["queries.tsv", "documents.tsv", "relevance.tsv"].map(str::to_owned);
    choose(folder, own, wikipedia)
}

/// The file of documents of a language, where there is one: `documents.tsv`, or else
/// `wiki_xx.documents`.
pub fn documents(folder: &Path, language: &str) -> Option<PathBuf> {
    document_names(language).map(|name| folder.join(name)).into_iter().find(|path| path.exists())
}

/// That a folder has neither a file of documents nor `what` else could be read.
pub fn no_documents(folder: &Path, language: &str, what: &str) -> Error {
    let [own, wikipedia] = document_names(language);
    match names(folder) {
        Ok(found) => {
            Error::data(folder, format!("expected {own}, or {wikipedia}, or {what}; found {found}"))
        }
        Err(error) => error,
    }
}

fn document_names(language: &str) -> [String; 2] {
    ["documents.tsv".into(), format!("wiki_{language}.documents")]
}

/// The first layout where its first file is there, else the second; refused if not all of it is.
fn choose<const FILES: usize>(
    folder: &Path,
    own: [String; FILES],
    wikipedia: [String; FILES],
) -> Result<[PathBuf; FILES], Error> {
    let layout = if folder.join(&own[0]).exists() { &own } else { &wikipedia };
    let paths = layout.each_ref().map(|name| folder.join(name));
    if paths.iter().all(|path| path.exists()) {
        return Ok(paths);
    }
    let problem = format!(
        "expected {}, or {}; found {}",
        own.join(", "),
        wikipedia.join(", "),
        names(folder)?
    );
    Err(Error::data(folder, problem))
}

/// The names in a folder, sorted; the first of them where they are many.
fn names(folder: &Path) -> Result<String, Error> {
    let failed = |source| Error::Read { path: folder.into(), source };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        names.push(shown(&entry.map_err(failed)?.file_name().to_string_lossy()));
    }
    names.sort();
    if names.is_empty() {
        return Ok("nothing".into());
    }
    let more = names.len().saturating_sub(MOST_SHOWN);
    names.truncate(MOST_SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    Ok(names.join(", ") + &more)
}
