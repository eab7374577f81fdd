//! The documents that a query ranks: its graded ones, and irrelevant ones beside them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::Path;

use smooth_clir::training::corpus::Graded;
use smooth_clir::training::sampling;

use super::collection::{Collection, parse_grade};
use super::tsv::{self, shown};
use crate::error::Error;

/// For each query of a collection the documents to rank with their grades, in the order of the
/// documents' file; `None` for a query that is not ranked.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidates(pub Vec<Option<Vec<Graded>>>);

impl Candidates {
    /// Each query's graded documents and `negatives` sampled ones, chosen once by the seed and
    /// the query's id, without repeats, never a graded document or an exact copy of one.
    pub fn sampled(
        collection: &Collection,
        negatives: usize,
        seed: u64,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Self, Error> {
        let documents = sampling::Pool::new(collection.first_copies());
        let mut lists = Vec::with_capacity(collection.queries.len());
        for (place, (query, judged)) in
            collection.queries.iter().zip(&collection.judged).enumerate()
        {
            if judged.is_empty() || !wanted(place) {
                lists.push(None);
                continue;
            }
            let candidates = documents.candidates(seed, &query.id, negatives, judged);
            let candidates = candidates.map_err(|free| {
                Error::data(
                    &collection.path,
                    format!(
                        "query `{}`: {negatives} negatives requested, only {free} of {} documents are eligible (neither graded nor copies of graded ones)",
                        shown(&query.id),
                        collection.documents.len()
                    ),
                )
            })?;
            lists.push(Some(candidates));
        }
        Ok(Self(lists))
    }

    /// Reads lists that [`Pool::write`] wrote: query id, document id, and a grade below
    /// `grades`.
    pub fn read(path: &Path, collection: &Collection, grades: usize) -> Result<Self, Error> {
        let queries = collection.queries.iter().enumerate();
        let queries: HashMap<&str, usize> =
            queries.map(|(place, query)| (query.id.as_str(), place)).collect();
        let documents = collection.documents.iter().zip(0u32..);
        let documents: HashMap<&str, u32> =
            documents.map(|(document, place)| (document.id.as_str(), place)).collect();
        let mut lists: Vec<Option<Vec<Graded>>> = vec![None; collection.queries.len()];
        let mut seen = HashSet::new();
        tsv::read(path, ["query id", "document id", "grade"], |_, [query, document, grade]| {
            let unknown = |what, id| format!("unknown {what} id `{}`", shown(id));
            let place = *queries.get(query).ok_or_else(|| unknown("query", query))?;
            let document = *documents.get(document).ok_or_else(|| unknown("document", document))?;
            let grade = parse_grade(grade, grades)?;
            if !seen.insert((place, document)) {
                return Err(format!("query `{}` has this document twice", shown(query)));
            }
            lists[place].get_or_insert_default().push(Graded { document, grade });
            Ok(())
        })?;
        for list in lists.iter_mut().flatten() {
            list.sort_unstable_by_key(|judged| judged.document);
        }
        Ok(Self(lists))
    }
}

/// What a query's candidates are taken from.
#[derive(Debug, Clone, PartialEq)]
pub enum Pool {
    /// Lists made before.
    Lists(Candidates),
    /// Every document, for the queries that are ranked. A list is made when it is asked for: all
    /// of them together are as many as queries times documents.
    All {
        /// For each document the first one with the same text.
        first_copies: Vec<u32>,
        /// For each query whether it is ranked.
        ranked: Vec<bool>,
    },
}

impl Pool {
    /// Every document, for the wanted queries that have a graded one.
    pub fn all(collection: &Collection, wanted: impl Fn(usize) -> bool) -> Self {
        let places = collection.judged.iter().enumerate();
        let ranked = places.map(|(place, judged)| !judged.is_empty() && wanted(place)).collect();
        Self::All { first_copies: collection.first_copies(), ranked }
    }

    /// The candidates of a query of the collection, as [`Candidates`] holds them. Where they are
    /// all documents, exact copies of one share its grade.
    pub fn of(&self, collection: &Collection, query: usize) -> Option<Cow<'_, [Graded]>> {
        match self {
            Self::Lists(lists) => lists.0[query].as_deref().map(Cow::Borrowed),
            Self::All { first_copies, ranked } => {
                ranked[query].then(|| all_documents(first_copies, &collection.judged[query]).into())
            }
        }
    }

    /// Whether a query ranks any document.
    pub fn asks(&self, query: usize) -> bool {
        match self {
            Self::Lists(lists) => lists.0[query].is_some(),
            Self::All { ranked, .. } => ranked[query],
        }
    }

    /// The lists as lines of query id, document id and grade.
    pub fn write(&self, collection: &Collection) -> String {
        let mut lines = String::new();
        for (place, query) in collection.queries.iter().enumerate() {
            for judged in self.of(collection, place).iter().flat_map(|list| list.iter()) {
                let document = &collection.documents[judged.document as usize];
                lines.push_str(&format!("{}\t{}\t{}\n", query.id, document.id, judged.grade));
            }
        }
        lines
    }
}

fn all_documents(first_copies: &[u32], judged: &[Graded]) -> Vec<Graded> {
    let mut grades: HashMap<u32, u8> = HashMap::new();
    for judged in judged {
        let grade = grades.entry(first_copies[judged.document as usize]).or_default();
        *grade = judged.grade.max(*grade);
    }
    let graded = |(first, document)| {
        let grade = grades.get(first).copied().unwrap_or(0);
        Graded { document, grade }
    };
    first_copies.iter().zip(0..).map(graded).collect()
}
