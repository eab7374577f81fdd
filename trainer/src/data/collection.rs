//! Queries, documents of one language, and which answers which.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use smooth_clir::math::random::Random;
use smooth_clir::storage::container::sha256_hex;
use smooth_clir::training::corpus::{self, Graded};
use smooth_clir_documents as documents;
use smooth_clir_documents::tsv::Line;

use super::layout;
use super::tsv::{self, shown};
use crate::error::Error;

/// A query.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// Its name, unique in its collection.
    pub id: String,
    /// Its title: the group it is split by where that is asked for; never encoded.
    pub title: String,
    /// Its text.
    pub text: String,
    /// Whether it is only trained on. It then follows the split of the query it belongs to.
    pub belongs_to: Option<String>,
}

/// A document.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Its name, unique in its collection.
    pub id: String,
    /// Its title: shown, never encoded.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// Queries, documents of one language, and the grades between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Collection {
    /// Where it was read from, for errors.
    pub path: PathBuf,
    /// The documents' language.
    pub language: String,
    /// The queries.
    pub queries: Vec<Query>,
    /// The documents.
    pub documents: Vec<Document>,
    /// For each query its graded documents, in the order of the file.
    pub judged: Vec<Vec<Graded>>,
}

#[cfg(test)]
impl Collection {
    /// A small collection: query `n` has the document `n` with grade 2; further documents have no query.
    /// A title is that of one query and its document.
    pub fn of_texts(queries: &[String], documents: &[String]) -> Self {
        let query = |(place, text): (usize, &String)| Query {
            id: format!("g{place}"),
            title: format!("g{place}"),
            text: text.clone(),
            belongs_to: None,
        };
        let document = |(place, text): (usize, &String)| Document {
            id: format!("g{place}"),
            title: format!("g{place}"),
            text: text.clone(),
        };
        let judged = (0..queries.len() as u32).map(|document| vec![Graded { document, grade: 2 }]);
        Self {
            path: "toy".into(),
            language: "xx".into(),
            queries: queries.iter().enumerate().map(query).collect(),
            documents: documents.iter().enumerate().map(document).collect(),
            judged: judged.collect(),
        }
    }
}

impl Collection {
    /// Reads `queries.tsv`, `documents.tsv` and `relevance.tsv` of a folder; or the files of the
    /// large-scale CLIR Wikipedia set, which have the same columns (see [`layout`]).
    pub fn read(folder: &Path, language: &str, grades: usize) -> Result<Self, Error> {
        if !folder.is_dir() {
            let problem =
                "not a folder; expected one with queries.tsv, documents.tsv and relevance.tsv";
            return Err(Error::data(folder, problem));
        }
        let [queries, documents, relevance] = layout::collection(folder, language)?;
        let (queries, query_places) = read_queries(&queries)?;
        let (documents, document_places) = read_documents(&documents)?;
        let mut judged = vec![Vec::new(); queries.len()];
        let mut seen = std::collections::HashSet::new();
        tsv::read(
            &relevance,
            ["query id", "document id", "grade"],
            |_, [query, document, grade]| {
                let unknown = |what, id| format!("unknown {what} id `{}`", shown(id));
                let query_place =
                    *query_places.get(query).ok_or_else(|| unknown("query", query))?;
                let place =
                    *document_places.get(document).ok_or_else(|| unknown("document", document))?;
                let grade = parse_grade(grade, grades)?;
                if !seen.insert((query_place, place)) {
                    let (query, document) = (shown(query), shown(document));
                    return Err(format!(
                        "query `{query}` and document `{document}` are graded twice"
                    ));
                }
                judged[query_place as usize].push(Graded { document: place, grade });
                Ok(())
            },
        )?;
        if judged.iter().flatten().all(|judged| judged.grade == 0) {
            let problem = "no relevant pair: no line has a grade above 0";
            return Err(Error::data(&relevance, problem));
        }
        let (path, language) = (folder.into(), language.into());
        Ok(Self { path, language, queries, documents, judged })
    }

    /// Keeps so many of the queries, drawn at random, in their order; documents all stay.
    pub fn draw(&mut self, queries: usize, seed: u64) {
        let mut places: Vec<usize> = (0..self.queries.len()).collect();
        Random::new(seed, "queries").shuffle(&mut places);
        places.truncate(queries);
        let drawn: HashSet<usize> = places.into_iter().collect();
        self.keep(|place| drawn.contains(&place));
    }

    /// Keeps only some queries, by their places.
    pub fn keep(&mut self, is_kept: impl Fn(usize) -> bool) {
        let mut place = 0;
        self.judged.retain(|_| {
            place += 1;
            is_kept(place - 1)
        });
        let mut place = 0;
        self.queries.retain(|_| {
            place += 1;
            is_kept(place - 1)
        });
    }

    /// Gives all queries that share graded documents, directly or through other queries, one title:
    /// the id of the first of them.
    pub fn group_by_clusters(&mut self) {
        // Union-find over documents; each leads to another of its cluster, or to itself.
        fn leader(leads: &mut [u32], mut place: u32) -> u32 {
            while leads[place as usize] != place {
                let next = leads[place as usize];
                leads[place as usize] = leads[next as usize];
                place = next;
            }
            place
        }
        let mut leads: Vec<u32> = (0..self.documents.len() as u32).collect();
        for judged in &self.judged {
            for pair in judged.windows(2) {
                let [a, b] = [pair[0], pair[1]].map(|graded| leader(&mut leads, graded.document));
                leads[a as usize] = b;
            }
        }
        let mut titles: HashMap<u32, String> = HashMap::new();
        for (query, judged) in self.queries.iter_mut().zip(&self.judged) {
            let own = match judged.first() {
                Some(graded) => titles
                    .entry(leader(&mut leads, graded.document))
                    .or_insert_with(|| query.id.clone())
                    .clone(),
                None => query.id.clone(),
            };
            query.title = own;
        }
    }

    /// For each document the place of the first one with the same text.
    pub fn first_copies(&self) -> Vec<u32> {
        corpus::first_copies(self.documents.iter().map(|document| &*document.text))
    }

    /// A digest of all that is in it, whatever file it came from.
    pub fn digest(&self) -> String {
        let mut parts: Vec<&[u8]> = Vec::new();
        for query in &self.queries {
            let belongs_to = query.belongs_to.as_deref().unwrap_or("");
            for column in [&query.id, &query.title, &query.text, belongs_to] {
                parts.extend([column.as_bytes(), b"\t"]);
            }
        }
        for document in &self.documents {
            for column in [&document.id, &document.title, &document.text] {
                parts.extend([column.as_bytes(), b"\t"]);
            }
        }
        let grades: Vec<u8> = self
            .judged
            .iter()
            .flat_map(|judged| {
                let entries = judged.iter().flat_map(|entry| {
                    entry.document.to_le_bytes().into_iter().chain([entry.grade, b'\t'])
                });
                entries.chain([b'\n'])
            })
            .collect();
        parts.extend([self.language.as_bytes(), b"\t", &grades]);
        sha256_hex(&parts)
    }
}

/// A grade below `grades`, or what is wrong with it.
pub fn parse_grade(grade: &str, grades: usize) -> Result<u8, String> {
    match grade.parse::<u8>() {
        Ok(value) if usize::from(value) < grades => Ok(value),
        _ => Err(format!(
            "grade `{}`, expected a whole number from 0 to {}",
            shown(grade),
            grades - 1
        )),
    }
}

type Places = HashMap<String, u32>;

fn read_queries(path: &Path) -> Result<(Vec<Query>, Places), Error> {
    let (documents, places) = read_documents(path)?;
    let query = |Document { id, title, text }| Query { id, title, text, belongs_to: None };
    Ok((documents.into_iter().map(query).collect(), places))
}

/// Reads id, title and text of each line.
pub fn read_documents(path: &Path) -> Result<(Vec<Document>, Places), Error> {
    let mut documents = Vec::new();
    let places = each_document(path, &mut |document| {
        documents.push(document);
        Ok(())
    })?;
    Ok((documents, places))
}

/// Calls `take` with each line's document; it says what is wrong with it. Gives back their places.
pub fn each_document(
    path: &Path,
    take: &mut dyn FnMut(Document) -> Result<(), String>,
) -> Result<Places, Error> {
    let mut document = |Line { id, title, text, .. }| take(Document { id, title, text });
    documents::tsv::read(tsv::open(path)?, &mut document)
        .map_err(|error| Error::documents(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cluster_is_all_queries_that_share_documents_directly_or_through_others() {
        let query = |id: &str| Query {
            id: id.into(),
            title: "as it was".into(),
            text: String::new(),
            belongs_to: None,
        };
        let document = |place: usize| Document {
            id: place.to_string(),
            title: String::new(),
            text: String::new(),
        };
        let judged = |places: &[u32]| -> Vec<Graded> {
            places.iter().map(|&document| Graded { document, grade: 1 }).collect()
        };
        let mut collection = Collection {
            path: PathBuf::new(),
            language: "xx".into(),
            queries: ["a", "b", "c", "d", "e"].map(query).into(),
            documents: (0..7).map(document).collect(),
            // a and c meet in 4, c and d in 6; e has no document.
            judged: [&[0, 4][..], &[1, 2], &[6, 4], &[5, 6], &[]].map(judged).into(),
        };
        collection.group_by_clusters();
        let titles: Vec<&str> = collection.queries.iter().map(|query| &query.title[..]).collect();
        assert_eq!(titles, ["a", "b", "a", "a", "e"]);
    }
}
