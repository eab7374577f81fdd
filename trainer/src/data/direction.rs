//! The other direction: documents ask, and queries answer.

use clap::ValueEnum;

use smooth_clir::training::corpus::Graded;

use super::collection::{Collection, Document, Query};
use super::split::Split;

/// The direction of a ranking: the queries and the ranked texts of a collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Direction {
    /// English queries rank documents
    Forward,
    /// Documents rank English queries. A document belongs to the split of the query that it is
    /// relevant to; of several splits, to the first of train, validation and test
    Back,
}

/// A collection as it is asked in a direction, and the split of each query; none for one that is only
/// trained on.
pub fn directed(
    collection: Collection,
    direction: Direction,
    split_of: impl Fn(&Query) -> Split,
) -> (Collection, Vec<Option<Split>>) {
    match direction {
        Direction::Forward => {
            let split = |query: &Query| query.belongs_to.is_none().then(|| split_of(query));
            let splits = collection.queries.iter().map(split).collect();
            (collection, splits)
        }
        Direction::Back => transposed(collection, split_of),
    }
}

/// A collection's documents as queries over its queries, without those only trained on; and the
/// split of each new query.
///
/// A document belongs to the split of the query that it is relevant to (grade 2 or more). Where
/// several queries of different splits share it, to the first of train, validation and test: what
/// was trained on is no test. Where there is no such query, to none.
fn transposed(
    collection: Collection,
    split_of: impl Fn(&Query) -> Split,
) -> (Collection, Vec<Option<Split>>) {
    let Collection { path, language, queries, documents, judged } = collection;
    let mut answers = Vec::new();
    let mut transposed = vec![Vec::new(); documents.len()];
    let mut splits: Vec<Option<Split>> = vec![None; documents.len()];
    let asked = queries.into_iter().zip(judged).filter(|(query, _)| query.belongs_to.is_none());
    for ((query, judged), place) in asked.zip(0u32..) {
        let split = split_of(&query);
        for Graded { document, grade } in judged {
            let document = document as usize;
            transposed[document].push(Graded { document: place, grade });
            if grade >= 2 {
                splits[document] = Some(splits[document].map_or(split, |other| other.min(split)));
            }
        }
        answers.push(Document { id: query.id, title: query.title, text: query.text });
    }
    let query = |Document { id, title, text }| Query { id, title, text, belongs_to: None };
    let queries = documents.into_iter().map(query).collect();
    (Collection { path, language, queries, documents: answers, judged: transposed }, splits)
}
