//! Collections -> the pairs to train on, to choose the epoch by, and to test on.

use smooth_clir::training::corpus::Example;

use super::judgements::Judgements;
use super::rows::Corpus;
use crate::data::{Candidates, Collection, Split, SplitBy};
use crate::error::Error;

/// How queries are split and negatives sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawing {
    /// Fixes the split and the sampled negatives.
    pub seed: u64,
    /// What stays together in a split.
    pub by: SplitBy,
    /// Sampled negatives for each query.
    pub negatives: usize,
}

/// Texts as rows, and the pairs of each split.
pub struct Prepared {
    /// Vocabularies and texts.
    pub corpus: Corpus,
    /// The pairs trained on.
    pub training: Vec<Example>,
    /// The pairs whose ranking chooses the epoch.
    pub validation: Vec<Example>,
    /// The pairs looked at last.
    pub test: Vec<Example>,
    /// The grades of each collection, to rank all of its documents by.
    pub judged: Vec<Judgements>,
}

impl Drawing {
    /// The part of a query of a collection.
    pub fn split(&self, collection: &Collection, query: usize) -> Split {
        Split::of(&collection.queries[query], self.by, self.seed)
    }
}

impl Prepared {
    /// Splits the queries and samples their negatives.
    pub fn new(collections: &[Collection], drawing: &Drawing) -> Result<Self, Error> {
        let examples_of = |split: Split| {
            examples(collections, drawing, |collection, query| {
                let evaluated = collection.queries[query].belongs_to.is_none();
                drawing.split(collection, query) == split && (evaluated || split == Split::Train)
            })
        };
        let (training, validation, test) = (
            examples_of(Split::Train)?,
            examples_of(Split::Validation)?,
            examples_of(Split::Test)?,
        );
        for (name, examples) in
            [("training", &training), ("validation", &validation), ("test", &test)]
        {
            if examples.is_empty() {
                let problem =
                    format!("too few queries: the {name} split has none with a graded document");
                return Err(Error::data(&collections[0].path, problem));
            }
        }
        let corpus = Corpus::new(collections, |collection, query| {
            drawing.split(&collections[collection], query) == Split::Train
        })?;
        Ok(Self { corpus, training, validation, test, judged: judged(collections) })
    }

    /// All queries as training pairs, for a model whose metrics are known from elsewhere.
    pub fn all(collections: &[Collection], drawing: &Drawing) -> Result<Self, Error> {
        let corpus = Corpus::new(collections, |_, _| true)?;
        let training = examples(collections, drawing, |_, _| true)?;
        let (validation, test) = (Vec::new(), Vec::new());
        Ok(Self { corpus, training, validation, test, judged: judged(collections) })
    }
}

fn judged(collections: &[Collection]) -> Vec<Judgements> {
    collections.iter().map(Judgements::of).collect()
}

/// The graded documents and the sampled negatives of the wanted queries.
fn examples(
    collections: &[Collection],
    drawing: &Drawing,
    wanted: impl Fn(&Collection, usize) -> bool,
) -> Result<Vec<Example>, Error> {
    let mut examples = Vec::new();
    for (number, collection) in collections.iter().enumerate() {
        let candidates =
            Candidates::sampled(collection, drawing.negatives, drawing.seed, |query| {
                wanted(collection, query)
            })?;
        for (query, list) in candidates.0.iter().enumerate() {
            examples.extend(list.iter().flatten().map(|judged| Example {
                collection: number as u32,
                query: query as u32,
                document: judged.document,
                grade: judged.grade,
            }));
        }
    }
    Ok(examples)
}
