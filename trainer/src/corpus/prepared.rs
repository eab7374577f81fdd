//! Collections -> the pairs to train on, to choose the epoch by, and to test on.

use std::collections::HashSet;

use rayon::prelude::*;
use smooth_clir::math::random::Random;
use smooth_clir::training::corpus::{Example, Graded};
use smooth_clir::training::grades::Links;

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
    /// The most queries of all collections to train on; test queries are not limited.
    pub most_queries: Option<usize>,
    /// The most queries to validate on; `None` for a third of [`most_queries`](Self::most_queries).
    pub most_validation_queries: Option<usize>,
    /// The grades of training pairs, by the distance of documents over links; `None` for the
    /// collection's own.
    pub grades: Option<usize>,
}

impl Drawing {
    /// Of all queries, with the collection's own grades.
    pub fn of_all(seed: u64, by: SplitBy, negatives: usize) -> Self {
        Self {
            seed,
            by,
            negatives,
            most_queries: None,
            most_validation_queries: None,
            grades: None,
        }
    }
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
        let regraded = drawing.grades.map(|grades| regraded(collections, drawing, grades));
        let training_of = |collections: &[Collection]| {
            examples(collections, drawing, |collection, query| {
                drawing.split(collection, query) == Split::Train
            })
        };
        let limited = |split: Split, most: Option<usize>| {
            let all = match (split, &regraded) {
                (Split::Train, Some(collections)) => training_of(collections)?,
                _ => examples_of(split)?,
            };
            Ok::<_, Error>(drawn(all, most, drawing.seed))
        };
        let third = drawing.most_queries.map(|most| (most / 3).max(1));
        let training = limited(Split::Train, drawing.most_queries)?;
        let validation = limited(Split::Validation, drawing.most_validation_queries.or(third))?;
        let test = examples_of(Split::Test)?;
        for (name, examples) in
            [("training", &training), ("validation", &validation), ("test", &test)]
        {
            if examples.is_empty() {
                let problem =
                    format!("too few queries: the {name} split has none with a graded document");
                return Err(Error::data(&collections[0].path, problem));
            }
        }
        let trains: HashSet<(u32, u32)> = match drawing.most_queries {
            Some(_) => training.iter().map(|pair| (pair.collection, pair.query)).collect(),
            None => HashSet::new(),
        };
        let corpus = Corpus::new(collections, |collection, query| match drawing.most_queries {
            Some(_) => trains.contains(&(collection as u32, query as u32)),
            None => drawing.split(&collections[collection], query) == Split::Train,
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

/// The collections with more grades for the queries that train.
fn regraded(collections: &[Collection], drawing: &Drawing, grades: usize) -> Vec<Collection> {
    let of_collection = |collection: &Collection| {
        let links = Links::new(collection.first_copies(), &collection.judged);
        let of_query = |(query, judged): (usize, &Vec<Graded>)| {
            if drawing.split(collection, query) != Split::Train || judged.is_empty() {
                return judged.clone();
            }
            let all = links.grades(judged, grades).into_iter().zip(0..);
            let graded = all.map(|(grade, document)| Graded { document, grade });
            graded.filter(|graded| graded.grade > 0).collect()
        };
        let judged = collection.judged.par_iter().enumerate().map(of_query).collect();
        Collection { judged, ..collection.clone() }
    };
    collections.iter().map(of_collection).collect()
}

/// The examples of at most so many queries, drawn at random, in their order.
fn drawn(examples: Vec<Example>, most: Option<usize>, seed: u64) -> Vec<Example> {
    let Some(most) = most else { return examples };
    let same = |a: &Example, b: &Example| (a.collection, a.query) == (b.collection, b.query);
    let queries: Vec<&[Example]> = examples.chunk_by(same).collect();
    let mut places: Vec<usize> = (0..queries.len()).collect();
    Random::new(seed, "training queries").shuffle(&mut places);
    places.truncate(most);
    places.sort_unstable();
    places.into_iter().flat_map(|place| queries[place].to_vec()).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validation_queries_are_a_third_of_a_limited_training_or_as_many_as_told_and_tests_all() {
        let texts = |name: &str| (0..100).map(|n| format!("{name} {n}")).collect::<Vec<_>>();
        let collection = Collection::of_texts(&texts("query"), &texts("text"));
        let counts = |most_queries, most_validation_queries| {
            let drawing = Drawing {
                seed: 1,
                by: SplitBy::Query,
                negatives: 2,
                most_queries,
                most_validation_queries,
                grades: None,
            };
            let prepared = Prepared::new(std::slice::from_ref(&collection), &drawing).unwrap();
            let count = |examples: &[Example]| examples.chunk_by(|a, b| a.query == b.query).count();
            [&prepared.training, &prepared.validation, &prepared.test].map(|all| count(all))
        };
        let [training, validation, test] = counts(None, None);
        assert_eq!(training + validation + test, 100);
        assert!(validation > 5 && training > 9);
        assert_eq!(counts(Some(9), None), [9, 3, test]);
        assert_eq!(counts(Some(9), Some(5)), [9, 5, test]);
        assert_eq!(counts(None, Some(5)), [training, 5, test]);
    }

    #[test]
    fn queries_are_drawn_whole_and_in_their_order_as_the_seed_says() {
        let example = |query, document| Example { collection: 0, query, document, grade: 0 };
        let all: Vec<Example> = (0..10)
            .flat_map(|query| (0..3).map(move |document| example(query, document)))
            .collect();
        let some = drawn(all.clone(), Some(4), 1);
        let queries: Vec<u32> =
            some.chunk_by(|a, b| a.query == b.query).map(|l| l[0].query).collect();
        assert_eq!((some.len(), queries.len()), (12, 4));
        assert!(queries.is_sorted() && some.iter().all(|example| all.contains(example)));
        assert_eq!(drawn(all.clone(), Some(4), 1), some);
        assert_ne!(drawn(all.clone(), Some(4), 2), some);
        assert_eq!(drawn(all.clone(), Some(11), 1), all);
        assert_eq!(drawn(all.clone(), None, 1), all);
    }
}
