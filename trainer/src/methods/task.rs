//! What methods learn from, and what they are judged by.

use std::collections::HashSet;

use smooth_clir::math::random::Random;

use crate::corpus::Drawing;
use crate::data::Direction;
use crate::data::direction::directed;
use crate::data::{Candidates, Collection, Pool, Split};
use crate::error::Error;

use super::lexicon::Lexicon;

/// The share of the training pairs that methods learn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Of a hundred training queries so many, with their pairs.
    pub percent: u8,
    /// Which ones. A larger share of one seed has all pairs of a smaller one.
    pub seed: u64,
}

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
    /// The training pairs that methods learn from.
    pub part: Part,
    /// Texts of each language, without translations, that are in no pair.
    pub unlabelled: [Vec<String>; 2],
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
    /// The queries of the training split that methods learn from: those of its part.
    fn taught(&self) -> HashSet<usize> {
        let mut queries: Vec<usize> = (0..self.collection.queries.len())
            .filter(|&query| self.drawing.split(&self.collection, query) == Split::Train)
            .collect();
        if self.part.percent < 100 {
            Random::new(self.part.seed, "part of the pairs").shuffle(&mut queries);
            queries.truncate((queries.len() * usize::from(self.part.percent)).div_ceil(100));
        }
        queries.into_iter().collect()
    }

    /// The training pairs of the highest grade, as places of queries and documents: those that methods
    /// learn from.
    pub fn training_places(&self) -> Vec<[usize; 2]> {
        let taught = self.taught();
        self.places(|query| taught.contains(&query))
    }

    fn places(&self, wanted: impl Fn(usize) -> bool) -> Vec<[usize; 2]> {
        let judged = self.collection.judged.iter().enumerate();
        let mates = judged.filter(|&(query, _)| wanted(query)).flat_map(|(query, list)| {
            list.iter()
                .filter(|graded| graded.grade >= 2)
                .map(move |graded| [query, graded.document as usize])
        });
        mates.collect()
    }

    /// The collection without the training queries that methods do not learn from.
    pub fn taught_collection(&self) -> Collection {
        let taught = self.taught();
        let mut collection = self.collection.clone();
        collection.keep(|query| {
            self.drawing.split(&self.collection, query) != Split::Train || taught.contains(&query)
        });
        collection
    }

    /// The texts of each language that are known without their translations: both sides of all training
    /// pairs, also of those that methods do not learn from as pairs, and the unlabelled texts.
    pub fn texts_of_languages(&self) -> [Vec<&str>; 2] {
        let Collection { queries, documents, .. } = &self.collection;
        let all = self.places(|query| self.drawing.split(&self.collection, query) == Split::Train);
        let mut texts: [Vec<&str>; 2] = [
            all.iter().map(|&[query, _]| &queries[query].text[..]).collect(),
            all.iter().map(|&[_, document]| &documents[document].text[..]).collect(),
        ];
        for (texts, more) in texts.iter_mut().zip(&self.unlabelled) {
            texts.extend(more.iter().map(String::as_str));
            // A text of several pairs is one text.
            let mut seen = HashSet::new();
            texts.retain(|text| seen.insert(*text));
        }
        texts
    }

    /// The texts of each language that methods are validated or tested on, and their sentences.
    pub fn held_out_texts(&self) -> [Vec<&str>; 2] {
        let Collection { queries, documents, judged, .. } = &self.collection;
        let mut texts = [Vec::new(), Vec::new()];
        for query in 0..queries.len() {
            if self.drawing.split(&self.collection, query) == Split::Train {
                continue;
            }
            texts[0].push(&queries[query].text[..]);
            let relevant = judged[query].iter().filter(|graded| graded.grade > 0);
            texts[1].extend(relevant.map(|graded| &documents[graded.document as usize].text[..]));
            for sentence in self.sentences.get(query).into_iter().flatten() {
                texts.iter_mut().zip(sentence).for_each(|(texts, text)| texts.push(text));
            }
        }
        texts
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

#[cfg(test)]
impl Task {
    /// All pairs of a small collection, whose groups are single queries.
    pub fn of(collection: Collection) -> Self {
        Self {
            name: "toy".into(),
            collection,
            drawing: Drawing::of_all(1, crate::data::SplitBy::Query, 1),
            sentences: Vec::new(),
            lexicon: None,
            is_comparable: true,
            part: Part { percent: 100, seed: 1 },
            unlabelled: [Vec::new(), Vec::new()],
        }
    }
}

#[cfg(test)]
mod tests {
    use smooth_clir::training::corpus::Graded;

    use super::*;

    fn task(percent: u8, seed: u64) -> Task {
        let texts = |letter: char| (0..200).map(|n| format!("{letter}{n}")).collect::<Vec<_>>();
        Task {
            part: Part { percent, seed },
            unlabelled: [vec!["w1".into(), "more".into(), "more".into()], Vec::new()],
            ..Task::of(Collection::of_texts(&texts('w'), &texts('m')))
        }
    }

    #[test]
    fn a_share_has_its_part_of_the_training_pairs_and_a_larger_one_all_of_a_smaller_one() {
        let all = task(100, 1).training_places();
        let mut smaller: Vec<[usize; 2]> = Vec::new();
        for percent in [10, 25, 50, 100] {
            let places = task(percent, 3).training_places();
            assert_eq!(places.len(), (all.len() * usize::from(percent)).div_ceil(100));
            assert!(places.iter().all(|place| all.contains(place)));
            assert!(smaller.iter().all(|place| places.contains(place)));
            smaller = places;
        }
        assert_ne!(task(10, 1).training_places(), task(10, 2).training_places());
    }

    #[test]
    fn the_collection_that_is_taught_keeps_every_query_that_is_no_training_query() {
        let task = task(10, 1);
        let kept = task.taught_collection();
        let trained = |collection: &Collection| {
            (0..collection.queries.len())
                .filter(|&query| task.drawing.split(collection, query) == Split::Train)
                .count()
        };
        assert_eq!(trained(&kept), task.training_places().len());
        let left = |collection: &Collection| collection.queries.len() - trained(collection);
        assert_eq!(left(&kept), left(&task.collection));
        assert_eq!(kept.documents, task.collection.documents);
        let mate = |place: usize| kept.judged[place][0].document as usize;
        assert!(
            (0..kept.queries.len()).all(|at| kept.queries[at].id == kept.documents[mate(at)].id)
        );
    }

    #[test]
    fn held_out_texts_are_the_queries_that_no_method_learns_from_and_all_that_is_relevant_to_them()
    {
        let mut task = task(100, 1);
        let held: Vec<usize> = (0..task.collection.queries.len())
            .filter(|&query| task.drawing.split(&task.collection, query) != Split::Train)
            .collect();
        // Beside its own document, each judges one of a training pair irrelevant and one partially relevant.
        let [irrelevant, partial] = [0, 1].map(|at| task.training_places()[at][1] as u32);
        for &query in &held {
            let judged = &mut task.collection.judged[query];
            judged.push(Graded { document: irrelevant, grade: 0 });
            judged.push(Graded { document: partial, grade: 1 });
        }
        let [queries, documents] = task.held_out_texts();
        let expected = held.iter().map(|query| format!("w{query}"));
        assert_eq!(queries, expected.collect::<Vec<String>>());
        let expected = held.iter().flat_map(|query| [format!("m{query}"), format!("m{partial}")]);
        assert_eq!(documents, expected.collect::<Vec<String>>());
    }

    #[test]
    fn sampled_candidates_are_those_of_the_queries_of_a_split_and_of_no_other() {
        let task = task(100, 1);
        for split in [Split::Validation, Split::Test] {
            let Pool::Lists(Candidates(lists)) = task.sampled(split).unwrap().pool else {
                panic!("no lists");
            };
            for (query, list) in lists.iter().enumerate() {
                let wanted = task.drawing.split(&task.collection, query) == split;
                // Its own document and a negative.
                assert_eq!(list.as_ref().map(Vec::len), wanted.then_some(2), "{query}");
            }
        }
    }

    #[test]
    fn texts_of_a_language_are_those_of_all_training_pairs_and_the_unlabelled_ones_but_no_held_out_one()
     {
        let (part, all) = (task(10, 1), task(100, 1));
        let texts = part.texts_of_languages();
        let trained = all.training_places();
        // "w1" is of a training pair or not; "more" is there once.
        let known = trained.iter().any(|place| place[0] == 1);
        assert_eq!(texts[0].len(), trained.len() + if known { 1 } else { 2 });
        assert_eq!(texts[1].len(), trained.len());
        let held_out = part.held_out_texts();
        assert_eq!(held_out[0].len() + trained.len(), 200);
        assert!(texts[1].iter().all(|text| !held_out[1].contains(text)));
    }
}
