//! The files that `evaluate` writes.

use super::options::Evaluate;
use super::outcome::Outcome;
use crate::data::{Collection, Pool, trec};
use crate::error::Error;
use crate::evaluation::per_query::per_query;
use crate::files;

/// Writes the files that are asked for.
pub fn write(
    arguments: &Evaluate,
    collection: &Collection,
    (candidates, names): (&Pool, &[&str]),
    outcomes: &[Outcome],
) -> Result<(), Error> {
    // All that could be refused comes before the first file is written.
    let mut contents = Vec::new();
    if let Some(path) = &arguments.write_candidates {
        contents.push((path, candidates.write(collection)));
    }
    let query_id = |query: usize| &collection.queries[query].id;
    let document_id = |document: u32| &collection.documents[document as usize].id;
    if let Some(path) = &arguments.per_query {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let queries =
            outcomes.iter().map(|outcome| (&**query_id(outcome.query), &*outcome.metrics));
        contents.push((path, per_query(&names, queries)));
    }
    if let Some(path) = &arguments.run {
        let mut lines = String::new();
        for outcome in outcomes {
            let query = query_id(outcome.query);
            trec::check_id(path, query)?;
            let mut ranked = Vec::with_capacity(outcome.ranked.len());
            for scored in &outcome.ranked {
                let document = document_id(scored.judged.document).clone();
                trec::check_id(path, &document)?;
                ranked.push(trec::Ranked { document, score: scored.score });
            }
            lines.push_str(&trec::run_lines(query, &ranked));
        }
        contents.push((path, lines));
    }
    if let Some(path) = &arguments.qrels {
        let mut lines = String::new();
        for outcome in outcomes {
            let query = query_id(outcome.query);
            trec::check_id(path, query)?;
            let judged = candidates.of(collection, outcome.query);
            let judged = judged.iter().flat_map(|list| list.iter());
            for judged in judged.filter(|judged| judged.grade > 0) {
                let document = document_id(judged.document);
                trec::check_id(path, document)?;
                lines.push_str(&trec::qrels_line(query, document, judged.grade));
            }
        }
        contents.push((path, lines));
    }
    for (path, content) in contents {
        files::write(path, content.as_bytes())?;
    }
    Ok(())
}
