//! What methods learn from, and what they are judged by.

use crate::corpus::Drawing;
use crate::data::Direction;
use crate::data::direction::directed;
use crate::data::{Candidates, Collection, Pool, Split};
use crate::error::Error;

use super::lexicon::Lexicon;

/// A collection, how it is split, and what else there is to learn from.
#[derive(Debug)]
pub struct Task {
    /// What it is called.
    pub name: String,
    /// Queries, documents and grades.
    pub collection: Collection,
    /// How queries are split and negatives sampled.
    pub drawing: Drawing,
    /// For each query the sentences of it and of its document; empty where these are not known.
    pub sentences: Vec<Vec<[String; 2]>>,
    /// Words and their translations.
    pub lexicon: Option<Lexicon>,
    /// Whether documents have no grade but 2 and 0, as comparable ones have.
    pub is_comparable: bool,
}

/// The queries of a split, and the documents that each ranks.
pub struct RankingTask {
    /// Queries, documents and grades, in its direction.
    pub collection: Collection,
    /// The documents that each query ranks.
    pub pool: Pool,
    /// Which side of the collection the queries are.
    pub direction: Direction,
}

impl Task {
    /// The training pairs of the highest grade, as places of queries and documents.
    pub fn training_places(&self) -> Vec<[usize; 2]> {
        let judged = self.collection.judged.iter().enumerate();
        let training = judged
            .filter(|&(query, _)| self.drawing.split(&self.collection, query) == Split::Train);
        let mates = training.flat_map(|(query, list)| {
            list.iter()
                .filter(|graded| graded.grade >= 2)
                .map(move |graded| [query, graded.document as usize])
        });
        mates.collect()
    }

    /// The texts of these pairs: the queries', and the documents'.
    ///
    /// # Errors
    /// If there are fewer than two pairs.
    pub fn training_texts(&self) -> Result<[Vec<&str>; 2], Error> {
        let places = self.training_places();
        if places.len() < 2 {
            let problem = format!(
                "{} pair(s) of a query and a relevant document to train on, expected at least 2",
                places.len()
            );
            return Err(Error::data(&self.collection.path, problem));
        }
        let Collection { queries, documents, .. } = &self.collection;
        Ok([
            places.iter().map(|&[query, _]| &queries[query].text[..]).collect(),
            places.iter().map(|&[_, document]| &documents[document].text[..]).collect(),
        ])
    }

    /// The sentences of the training pairs, or these pairs themselves where sentences are not known.
    pub fn training_sentences(&self) -> Vec<[&str; 2]> {
        let Collection { queries, documents, .. } = &self.collection;
        let of_pair = |[query, document]: [usize; 2]| -> Vec<[&str; 2]> {
            match self.sentences.get(query) {
                Some(sentences) => sentences.iter().map(|[a, b]| [&a[..], &b[..]]).collect(),
                None => vec![[&queries[query].text, &documents[document].text]],
            }
        };
        self.training_places().into_iter().flat_map(of_pair).collect()
    }

    /// The queries of a split with all documents, in a direction.
    pub fn all(&self, split: Split, direction: Direction) -> RankingTask {
        let split_of = |query: &_| Split::of(query, self.drawing.by, self.drawing.seed);
        let (collection, splits) = directed(self.collection.clone(), direction, split_of);
        let pool = Pool::all(&collection, |query| splits[query] == Some(split));
        RankingTask { collection, pool, direction }
    }

    /// The queries of a split with their graded documents and sampled negatives.
    ///
    /// # Errors
    /// If there are too few documents.
    pub fn sampled(&self, split: Split) -> Result<RankingTask, Error> {
        let Self { collection, drawing, .. } = self;
        let wanted = |query: usize| {
            collection.queries[query].belongs_to.is_none()
                && drawing.split(collection, query) == split
        };
        let lists = Candidates::sampled(collection, drawing.negatives, drawing.seed, wanted)?;
        let pool = Pool::Lists(lists);
        Ok(RankingTask { collection: collection.clone(), pool, direction: Direction::Forward })
    }
}
