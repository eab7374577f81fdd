//! The documents that a query ranks: its graded ones, and irrelevant ones beside them.

use std::collections::HashSet;
use std::path::Path;

use smooth_clir::random::Random;

use super::collection::{Collection, Judged, parse_grade};
use super::tsv::{self, shown};
use crate::error::Error;

/// For each query of a collection the documents to rank with their grades, in the order of the
/// documents' file; `None` for a query that is not ranked.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidates(pub Vec<Option<Vec<Judged>>>);

impl Candidates {
    /// Each query's graded documents and `negatives` irrelevant ones, drawn once by the seed and
    /// the query's id, without repeats, never a graded document or an exact copy of one.
    pub fn sampled(
        collection: &Collection,
        negatives: usize,
        seed: u64,
        wanted: impl Fn(usize) -> bool,
    ) -> Result<Self, Error> {
        let copies = collection.first_copies();
        let mut sizes = vec![0; copies.len()];
        for &first in &copies {
            sizes[first as usize] += 1;
        }
        let mut lists = Vec::with_capacity(collection.queries.len());
        for (place, (query, judged)) in
            collection.queries.iter().zip(&collection.judged).enumerate()
        {
            if judged.is_empty() || !wanted(place) {
                lists.push(None);
                continue;
            }
            let excluded: HashSet<u32> =
                judged.iter().map(|judged| copies[judged.document as usize]).collect();
            let taken: usize = excluded.iter().map(|&first| sizes[first as usize]).sum();
            let free = copies.len() - taken;
            if free < negatives {
                return Err(Error::data(
                    &collection.path,
                    format!(
                        "query `{}` needs {negatives} irrelevant documents, but of {} only {free} are neither graded nor copies of graded ones",
                        shown(&query.id),
                        copies.len()
                    ),
                ));
            }
            let mut random = Random::new(seed, &query.id);
            let mut drawn = HashSet::with_capacity(negatives);
            // Where few are free, drawing at random would not end: choose among them instead.
            if free < 4 * negatives {
                let is_free = |document: &u32| !excluded.contains(&copies[*document as usize]);
                let mut all: Vec<u32> = (0..copies.len() as u32).filter(is_free).collect();
                random.shuffle(&mut all);
                drawn.extend(all.into_iter().take(negatives));
            }
            while drawn.len() < negatives {
                let document = random.below(copies.len()) as u32;
                if !excluded.contains(&copies[document as usize]) {
                    drawn.insert(document);
                }
            }
            let mut list = judged.clone();
            list.extend(drawn.into_iter().map(|document| Judged { document, grade: 0 }));
            list.sort_unstable_by_key(|judged| judged.document);
            lists.push(Some(list));
        }
        Ok(Self(lists))
    }

    /// Every document for every query. Exact copies of a document share its grade.
    pub fn all(collection: &Collection, wanted: impl Fn(usize) -> bool) -> Self {
        let copies = collection.first_copies();
        let list = |query: usize| {
            let ranked = !collection.judged[query].is_empty() && wanted(query);
            ranked.then(|| Self::all_of(collection, &copies, query))
        };
        Self((0..collection.queries.len()).map(list).collect())
    }

    /// Every document for one query; `copies` are the collection's
    /// [`first_copies`](Collection::first_copies).
    pub fn all_of(collection: &Collection, copies: &[u32], query: usize) -> Vec<Judged> {
        let mut grades = vec![0; copies.len()];
        for judged in &collection.judged[query] {
            let grade: &mut u8 = &mut grades[copies[judged.document as usize] as usize];
            *grade = judged.grade.max(*grade);
        }
        let graded = copies.iter().zip(0..);
        graded
            .map(|(&first, document)| Judged { document, grade: grades[first as usize] })
            .collect()
    }

    /// Reads lists that [`write`](Self::write) wrote: query id, document id, and a grade below
    /// `grades`.
    pub fn read(path: &Path, collection: &Collection, grades: usize) -> Result<Self, Error> {
        let queries = collection.queries.iter().enumerate();
        let queries: std::collections::HashMap<&str, usize> =
            queries.map(|(place, query)| (query.id.as_str(), place)).collect();
        let documents = collection.documents.iter().zip(0u32..);
        let documents: std::collections::HashMap<&str, u32> =
            documents.map(|(document, place)| (document.id.as_str(), place)).collect();
        let mut lists: Vec<Option<Vec<Judged>>> = vec![None; collection.queries.len()];
        let mut seen = HashSet::new();
        tsv::read(path, ["query id", "document id", "grade"], |_, [query, document, grade]| {
            let unknown = |what, id| format!("unknown {what} id `{}`", shown(id));
            let place = *queries.get(query).ok_or_else(|| unknown("query", query))?;
            let document = *documents.get(document).ok_or_else(|| unknown("document", document))?;
            let grade = parse_grade(grade, grades)?;
            if !seen.insert((place, document)) {
                return Err(format!("query `{}` has this document twice", shown(query)));
            }
            lists[place].get_or_insert_default().push(Judged { document, grade });
            Ok(())
        })?;
        for list in lists.iter_mut().flatten() {
            list.sort_unstable_by_key(|judged| judged.document);
        }
        Ok(Self(lists))
    }

    /// The lists as lines of query id, document id and grade.
    pub fn write(&self, collection: &Collection) -> String {
        let mut lines = String::new();
        for (query, list) in collection.queries.iter().zip(&self.0) {
            for judged in list.iter().flatten() {
                let document = &collection.documents[judged.document as usize];
                lines.push_str(&format!("{}\t{}\t{}\n", query.id, document.id, judged.grade));
            }
        }
        lines
    }
}
