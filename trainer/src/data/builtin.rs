//! The built-in corpus: a small encyclopaedia written for this project.
//!
//! An entry's query is its English text without the words of its title; its text in another
//! language, title first, is the relevant document; entries that link to each other are partially
//! relevant. Its English title is a query too, but only to train on: people type names.

use std::collections::HashSet;
use std::path::PathBuf;

use smooth_clir::text::tokens;

use crate::error::Error;

use smooth_clir::training::corpus::Graded;

use super::collection::{Collection, Document, Query};
/// The languages of its documents.
pub const LANGUAGES: [&str; 4] = ["fr", "it", "sw", "tl"];
/// Irrelevant, partially relevant, relevant.
pub const GRADES: usize = 3;
/// What it is and who may use it.
pub const SOURCE: &str = "smooth-clir's built-in corpus, CC0-1.0";

const ENTRIES: &str = include_str!("../../corpus/entries.tsv");
const ENGLISH: &str = include_str!("../../corpus/en.tsv");
const FRENCH: &str = include_str!("../../corpus/fr.tsv");
const ITALIAN: &str = include_str!("../../corpus/it.tsv");
const SWAHILI: &str = include_str!("../../corpus/sw.tsv");
const TAGALOG: &str = include_str!("../../corpus/tl.tsv");
const QUERIES: &str = include_str!("../../corpus/queries.tsv");

/// An entry's frame: what it is filed under, and where else to look.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its name.
    pub id: &'static str,
    /// What it is filed under.
    pub category: &'static str,
    /// The names of related entries.
    pub see_also: Vec<&'static str>,
}

/// All entries.
pub fn entries() -> Vec<Entry> {
    let entry = |[id, category, links]: [&'static str; 3]| Entry {
        id,
        category,
        see_also: links.split(',').filter(|link| !link.is_empty()).collect(),
    };
    lines(ENTRIES).map(entry).collect()
}

/// Id, title and text of every entry in a language: `en`, or one of [`LANGUAGES`].
pub fn texts(language: &str) -> Vec<[&'static str; 3]> {
    let file = match language {
        "en" => ENGLISH,
        "fr" => FRENCH,
        "it" => ITALIAN,
        "sw" => SWAHILI,
        "tl" => TAGALOG,
        _ => "",
    };
    lines(file).collect()
}

/// Entry, language and text of queries as people type them, to train on.
pub fn typed_queries() -> impl Iterator<Item = [&'static str; 3]> {
    lines(QUERIES)
}

fn lines(file: &'static str) -> impl Iterator<Item = [&'static str; 3]> {
    file.lines().map(|line| {
        let mut columns = line.split('\t');
        [(); 3].map(|()| columns.next().unwrap_or(""))
    })
}

/// The corpus for each language asked for, to be used with so many grades.
///
/// # Errors
/// [`Error::Usage`] if a language is not among [`LANGUAGES`], or the grades are fewer than the
/// corpus's three.
pub fn collections(languages: &[String], grades: usize) -> Result<Vec<Collection>, Error> {
    if grades < GRADES {
        return Err(Error::Usage(format!(
            "the built-in corpus has {GRADES} grades, which {} threshold(s) cannot tell apart",
            grades - 1
        )));
    }
    if let Some(other) = languages.iter().find(|l| !LANGUAGES.contains(&l.as_str())) {
        let known = LANGUAGES.join(", ");
        return Err(Error::Usage(format!(
            "the built-in corpus has documents in {known}, not in {other}: name a folder"
        )));
    }
    Ok(languages.iter().map(|language| collection(language)).collect())
}

/// The corpus for one language of its documents.
fn collection(language: &str) -> Collection {
    let entries = entries();
    let place = |id: &str| entries.iter().position(|entry| entry.id == id);
    // A link counts both ways.
    let links: HashSet<(usize, usize)> = entries
        .iter()
        .enumerate()
        .flat_map(|(from, entry)| {
            entry.see_also.iter().filter_map(move |to| Some((from, place(to)?)))
        })
        .flat_map(|(from, to)| [(from, to), (to, from)])
        .collect();
    let grade = |query: usize, document: usize| match query == document {
        true => 2,
        false => u8::from(links.contains(&(query, document))),
    };
    let judged = |query: usize| -> Vec<Graded> {
        let graded = (0..entries.len()).map(|document| (document as u32, grade(query, document)));
        let graded = graded.filter(|&(_, grade)| grade > 0);
        graded.map(|(document, grade)| Graded { document, grade }).collect()
    };

    let described = texts("en").into_iter().map(|[id, title, text]| Query {
        id: id.into(),
        title: title.into(),
        text: without_title(title, text),
        belongs_to: None,
    });
    let named = texts("en").into_iter().map(|[id, title, _]| Query {
        id: format!("{id}.name"),
        title: title.into(),
        text: title.into(),
        belongs_to: Some(id.into()),
    });
    Collection {
        path: PathBuf::from("the built-in corpus"),
        language: language.into(),
        queries: described.chain(named).collect(),
        documents: documents_in(language),
        judged: (0..entries.len()).chain(0..entries.len()).map(judged).collect(),
    }
}

/// The documents in each of some languages: `en`, or one of [`LANGUAGES`].
pub fn documents(languages: &[String]) -> Vec<(String, Vec<Document>)> {
    languages.iter().map(|language| (language.clone(), documents_in(language))).collect()
}

fn documents_in(language: &str) -> Vec<Document> {
    let document = |[id, title, text]: [&str; 3]| Document {
        id: format!("{id}.{language}"),
        title: title.into(),
        text: format!("{title}. {text}"),
    };
    texts(language).into_iter().map(document).collect()
}

fn without_title(title: &str, text: &str) -> String {
    let named: HashSet<String> = tokens(title).into_iter().collect();
    let kept: Vec<String> = tokens(text).into_iter().filter(|word| !named.contains(word)).collect();
    kept.join(" ")
}
