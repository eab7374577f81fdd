//! The light query encoder: the teacher's vectors of single words, centred, in the model's space, then distilled.

use std::sync::Arc;

use ndarray::Array2;
use smooth_clir::encoder::{Encoder, Network, Rows, Table};
use smooth_clir::lexical::bigrams::Bigrams;
use smooth_clir::math::kernels;
use smooth_clir::math::random::Random;
use smooth_clir::model::deep::Deep;
use smooth_clir::text::subwords::Spellings;
use smooth_clir::text::vocabulary::Vocabulary;

use super::distil::{Query, Sentences, distil};
use super::english::English;
use super::space::{mean, principal};
use super::teacher::OpenTeacher;
use crate::error::Error;

/// Passes over the words that fit the rows of n-grams, and the size of the first pass's steps.
const PASSES: usize = 20;
const STEP: f32 = 0.5;
/// A word seen this often takes half of a step.
const RARE: f32 = 5.0;

/// A query encoder in a teacher's space, and the map of documents' vectors into it.
#[derive(Debug)]
pub struct LightQuery {
    /// The encoder.
    pub encoder: Encoder,
    /// The map of the teacher's vectors.
    pub deep: Deep,
}

/// The words of queries, with what is known of them from training text.
#[derive(Debug, Clone, Copy)]
pub struct QueryWords<'a> {
    /// The words.
    pub vocabulary: &'a Vocabulary,
    /// How often each was seen.
    pub counts: &'a [u64],
    /// The weight of each in the mean of a text.
    pub weights: &'a [f32],
    /// The n-grams of each.
    pub spellings: &'a Spellings,
    /// The rows of n-grams.
    pub buckets: usize,
}

/// Makes the query encoder of some words. The space has the principal directions of the teacher's vectors of sentences,
/// and its origin at their mean. Words have a centre of their own, because a teacher's vectors of single words lie apart
/// from those of sentences: the mean weighted by count and weight, which is what texts without a subject would average to.
///
/// # Errors
/// If there are too few sentences for as many dimensions.
pub fn light_query(
    teacher: &OpenTeacher,
    english: &English,
    queries: QueryWords<'_>,
    (dimension, seed): (usize, u64),
) -> Result<LightQuery, Error> {
    let QueryWords { vocabulary, .. } = queries;
    let sample = english.sample();
    let sentences = teacher.encode(&sample, "sentences")?;
    let Some((centre, projection)) = principal(&sentences, dimension) else {
        return Err(Error::Usage(format!(
            "--dimension {dimension}: the pairs have {} English sentences, too few to estimate as many directions",
            sentences.nrows()
        )));
    };
    let all: Vec<&str> = (0..vocabulary.len()).map(|row| vocabulary.token(row)).collect();
    let vectors = teacher.encode(&all, "words")?;
    // As the map of documents, but from the words' own centre; nothing is glossed by it.
    let words_only = Deep::new(
        teacher.origin().to_owned(),
        centre_of(&vectors, queries),
        projection.clone(),
        Bigrams::default(),
    );
    let rows = vectors.rows().into_iter().flat_map(|row| words_only.project(&row.to_vec()));
    let mut words: Vec<f32> = rows.collect();
    let deep = Deep::new(teacher.origin().to_owned(), centre, projection, english.bigrams()?);
    let numbered: Vec<Vec<u32>> = sample.iter().map(|text| vocabulary.rows(text)).collect();
    let projected = sentences.rows().into_iter().flat_map(|row| deep.project(&row.to_vec()));
    let taught = Sentences { words: &numbered, vectors: &projected.collect::<Vec<f32>>() };
    distil(&mut words, dimension, queries.weights, (taught, Query::Drawn), seed);
    let subwords = fit_subwords(&words, dimension, queries, seed);
    let [words, subwords] =
        [words, subwords].map(|values| Rows::from(Table::new(dimension, values)));
    let encoder = Encoder {
        weights: Some(queries.weights.into()),
        subwords: (queries.buckets > 0).then(|| Arc::new(subwords)),
        ..Encoder::new(vocabulary.clone(), Network::Average(words))
    };
    Ok(LightQuery { encoder, deep })
}

/// The mean of the words' vectors, weighted by count times weight.
fn centre_of(vectors: &Array2<f32>, queries: QueryWords<'_>) -> Vec<f32> {
    let shares = queries.counts.iter().zip(queries.weights);
    let shares = shares.map(|(&count, &weight)| count as f64 * f64::from(weight));
    mean(vectors, shares).into_iter().map(|value| value as f32).collect()
}

/// The mean of the rows of a word's n-grams.
fn spelled(subwords: &[f32], dimension: usize, buckets: &[u32]) -> Vec<f32> {
    let mut sum = vec![0.0; dimension];
    if !buckets.is_empty() {
        kernels::sum_rows(subwords, dimension, buckets, &mut sum);
        let share = 1.0 / buckets.len() as f32;
        sum.iter_mut().for_each(|value| *value *= share);
    }
    sum
}

/// Rows of n-grams whose means are close to the rows of the words: least squares by gradient descent, word by word
/// (Kaczmarz, 1937), with steps that shrink to 0. Rare words, whose spellings are often those of names, take smaller steps.
fn fit_subwords(words: &[f32], dimension: usize, queries: QueryWords<'_>, seed: u64) -> Vec<f32> {
    let QueryWords { counts, spellings, buckets, .. } = queries;
    let mut subwords = vec![0.0; buckets * dimension];
    let mut order: Vec<u32> = (0..(words.len() / dimension) as u32).collect();
    for pass in 0..PASSES {
        Random::new(seed, &format!("n-grams {pass}")).shuffle(&mut order);
        let step = STEP * (1.0 - pass as f32 / PASSES as f32);
        for &word in &order {
            let own = spellings.of(word as usize);
            let target = &words[word as usize * dimension..][..dimension];
            let count = counts[word as usize] as f32;
            // A word that repeats an n-gram moves by more than each of its rows: the step is smaller by as much.
            let repeated =
                own.iter().map(|bucket| own.iter().filter(|other| *other == bucket).count());
            let step = step * (count / (count + RARE)) * own.len() as f32
                / repeated.sum::<usize>().max(1) as f32;
            let missing: Vec<f32> =
                target.iter().zip(spelled(&subwords, dimension, own)).map(|(x, y)| x - y).collect();
            for &bucket in own {
                let row = &mut subwords[bucket as usize * dimension..][..dimension];
                row.iter_mut().zip(&missing).for_each(|(value, missing)| *value += step * missing);
            }
        }
    }
    subwords
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that were seen often.
    fn queries<'a>(
        vocabulary: &'a Vocabulary,
        spellings: &'a Spellings,
        buckets: usize,
    ) -> QueryWords<'a> {
        QueryWords { vocabulary, counts: &[10_000; 3], weights: &[1.0; 3], spellings, buckets }
    }

    #[test]
    fn the_centre_is_the_mean_by_count_and_weight() {
        let vectors = Array2::from_shape_vec((2, 2), vec![1.0, 0.0, 3.0, 4.0]).unwrap();
        let (vocabulary, spellings) = Default::default();
        let queries = QueryWords {
            counts: &[6, 1],
            weights: &[0.5, 1.0],
            ..queries(&vocabulary, &spellings, 1)
        };
        assert_eq!(centre_of(&vectors, queries), [1.5, 1.0]);
    }

    #[test]
    fn a_word_that_repeats_its_n_grams_is_fitted_too() {
        let vocabulary = Vocabulary::from_tokens(["aaaaaaaaaaaaaaaaaaaaaaaa", "ab"]).unwrap();
        let spellings = Spellings::new(&vocabulary, 50);
        let subwords = fit_subwords(&[1.0, -2.0], 1, queries(&vocabulary, &spellings, 50), 1);
        for (row, target) in [1.0, -2.0].into_iter().enumerate() {
            let [found] = spelled(&subwords, 1, spellings.of(row))[..] else { panic!() };
            assert!((found - target).abs() < 0.01, "{row}: {found} and {target}");
        }
    }

    #[test]
    fn an_unseen_spelling_is_near_the_word_it_is_spelled_like() {
        let vocabulary = Vocabulary::from_tokens(["elephant", "mountain", "telephone"]).unwrap();
        let buckets = 500;
        let spellings = Spellings::new(&vocabulary, buckets);
        let words = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].concat();
        let subwords = fit_subwords(&words, 3, queries(&vocabulary, &spellings, buckets), 1);
        for (row, target) in words.chunks(3).enumerate() {
            let found = spelled(&subwords, 3, spellings.of(row));
            for (found, target) in found.iter().zip(target) {
                assert!((found - target).abs() < 0.01, "{row}: {found} and {target}");
            }
        }
        let misspelt = Vocabulary::from_tokens(["elefant"]).unwrap();
        let vector = spelled(&subwords, 3, Spellings::new(&misspelt, buckets).of(0));
        let row = vocabulary.row("elephant").unwrap() as usize;
        assert!(vector.iter().enumerate().all(|(at, value)| at == row || *value < vector[row]));
    }
}
