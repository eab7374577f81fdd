//! Preparation of collections for training: candidates with grades, vocabularies, rows, examples.
//!
//! The native trainer and training in a page share this code, so they take the same steps.

use std::collections::{HashMap, HashSet};

use super::sampling::Pool;
use super::step::Pair;
use crate::Error;
use crate::encoder::Table;
use crate::math::random::Random;
use crate::text::vocabulary::Vocabulary;
use crate::text::{Scratch, for_each_token};

/// A document's position in its collection, and its grade for a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Graded {
    /// The document's position.
    pub document: u32,
    /// 0 irrelevant, 1 partially relevant, 2 relevant.
    pub grade: u8,
}

/// For each document, the position of the first document with the same text.
pub fn first_copies<'a>(documents: impl Iterator<Item = &'a str>) -> Vec<u32> {
    let mut first = HashMap::new();
    (0..).zip(documents).map(|(place, text)| *first.entry(text).or_insert(place)).collect()
}

impl Pool {
    /// The candidates of a query in training, in the order of their positions: the graded
    /// documents, and `negatives` sampled ones of grade 0.
    ///
    /// # Errors
    /// As [`Pool::sample_negatives`]: the number of eligible documents, if they are fewer than requested.
    pub fn candidates(
        &self,
        seed: u64,
        query: &str,
        negatives: usize,
        graded: &[Graded],
    ) -> Result<Vec<Graded>, usize> {
        let places = graded.iter().map(|graded| graded.document);
        let sampled = self.sample_negatives(seed, query, negatives, places)?;
        let sampled = sampled.into_iter().map(|document| Graded { document, grade: 0 });
        let mut candidates: Vec<Graded> = graded.iter().copied().chain(sampled).collect();
        candidates.sort_by_key(|graded| (graded.document, graded.grade));
        Ok(candidates)
    }
}

/// The distinct words of texts, collected one text after the other.
#[derive(Debug, Default)]
pub struct Words {
    words: HashSet<String>,
    scratch: Scratch,
}

impl Words {
    /// Adds the words of a text.
    pub fn add(&mut self, text: &str) {
        let Self { words, scratch } = self;
        for_each_token(text, scratch, |token| {
            if !words.contains(token) {
                words.insert(token.to_owned());
            }
        });
    }

    /// Merges words that were collected separately.
    pub fn join(mut self, other: Self) -> Self {
        self.words.extend(other.words);
        self
    }

    /// The vocabulary of all words, sorted.
    ///
    /// # Errors
    /// As [`Vocabulary::from_tokens`].
    pub fn vocabulary(&self) -> Result<Vocabulary, Error> {
        Vocabulary::from_tokens(self.words.iter().map(String::as_str))
    }
}

/// The initial rows of a table: normally distributed, determined by seed and name. The name is
/// `query` or a document language.
pub fn random_rows(
    name: &str,
    words: usize,
    dimension: usize,
    standard_deviation: f32,
    seed: u64,
) -> Table {
    let mut random = Random::new(seed, &format!("weights {name}"));
    Table::new(dimension, random.normals(words * dimension, standard_deviation))
}

/// A query and a document of a collection, with the grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The collection's position.
    pub collection: u32,
    /// The query's position in the collection.
    pub query: u32,
    /// The document's position in the collection.
    pub document: u32,
    /// The grade.
    pub grade: u8,
}

/// Shuffles an epoch's examples, in an order that seed and epoch determine.
pub fn shuffle<T>(examples: &mut [T], seed: u64, epoch: u64) {
    Random::new(seed, &format!("order {epoch}")).shuffle(examples);
}

/// A collection's texts as row numbers.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    /// The position of the documents' language among the model's.
    pub language: usize,
    /// The rows of each query.
    pub queries: Vec<Vec<u32>>,
    /// The rows of each document.
    pub documents: Vec<Vec<u32>>,
}

/// A batch of examples as row numbers.
pub fn pairs<'a>(collections: &'a [Texts], batch: &[Example]) -> Vec<Pair<'a>> {
    let pair = |example: &Example| {
        let texts = &collections[example.collection as usize];
        Pair {
            query: &texts.queries[example.query as usize],
            document: &texts.documents[example.document as usize],
            language: texts.language,
            grade: example.grade,
        }
    };
    batch.iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_the_graded_documents_and_negatives_that_are_no_copies_of_them() {
        let copies = first_copies(["a", "b", "a", "c", "d"].into_iter());
        assert_eq!(copies, [0, 1, 0, 3, 4]);
        let pool = Pool::new(copies);
        let graded = [Graded { document: 4, grade: 1 }, Graded { document: 0, grade: 2 }];
        let places = |list: Vec<Graded>| -> Vec<(u32, u8)> {
            list.into_iter().map(|graded| (graded.document, graded.grade)).collect()
        };
        // Two documents are left: 2 is a copy of 0.
        let candidates = pool.candidates(1, "q", 2, &graded).unwrap();
        assert_eq!(places(candidates), [(0, 2), (1, 0), (3, 0), (4, 1)]);
        assert_eq!(pool.candidates(1, "q", 3, &graded), Err(2));
    }

    #[test]
    fn words_that_gather_apart_make_the_vocabulary_of_those_that_gather_together() {
        let [mut one, mut other, mut all] = [(); 3].map(|()| Words::default());
        one.add("The sea, the sky");
        other.add("the rain");
        all.add("The sea, the sky");
        all.add("the rain");
        let tokens = |words: &Words| -> Vec<String> {
            let vocabulary = words.vocabulary().unwrap();
            (0..vocabulary.len()).map(|row| vocabulary.token(row).to_owned()).collect()
        };
        assert_eq!(tokens(&all), ["rain", "sea", "sky", "the"]);
        assert_eq!(tokens(&one.join(other)), tokens(&all));
    }
}
