//! Cross-lingual latent semantic indexing (Landauer and Littman, 1990): words that occur in the
//! same pairs of query and document begin with similar rows.
//!
//! A matrix with a row for each word of every side and a column for each training pair of the
//! highest grade is taken apart, A = U S V'; a word's row is made of its row of U.

use std::collections::BTreeMap;

use rayon::ThreadPoolBuilder;
use single_svdlib::irlba::{self, IrlbaConfig};
use single_svdlib::sprs::TriMatI;
use single_svdlib::{SvdMat, SvdRec};
use smooth_clir::encoder::Table;

use super::plan::Plan;
use crate::corpus::{Example, Prepared};
use crate::error::Error;

/// Singular values below this share of the largest are rounding errors.
const LEAST_SHARE: f64 = 1e-6;
/// How exact the decomposition is, as a share of the largest singular value.
const TOLERANCE: f64 = 1e-8;
/// Vectors beyond the rank that the iteration works with: more of them converge in fewer rounds.
const SPARE: usize = 30;

/// Fills the rows of all words that occur in the pairs. Where there are fewer singular values than
/// a row has numbers, the rest stay as they are.
///
/// A count n weighs (1 + ln n) ln(1 + pairs / pairs with the word). A word's row has the direction
/// of its row of U sqrt(S) and the length that a random row has: common and rare words alike, as
/// the mean over a text leaves their weights to training.
///
/// # Errors
/// [`Error::Decomposition`] where the iteration does not converge.
pub fn fill(plan: &Plan, prepared: &Prepared, tables: &mut [Table]) -> Result<(), Error> {
    let words = tables.iter().map(Table::len).sum();
    let matrix = matrix(words, &columns(plan, prepared, tables));
    let smaller = words.min(matrix.cols());
    if smaller == 0 {
        return Ok(());
    }
    // The iteration needs room for one vector more than it finds.
    let rank = plan.dimension.min((smaller - 1).max(1));
    let svd = decompose(&matrix, rank, plan.seed)?;
    let significant = svd.s.iter().take_while(|&&s| s > svd.s[0] * LEAST_SHARE).count();
    if significant == 0 {
        return Ok(());
    }
    let roots: Vec<f64> = svd.s.iter().take(significant).map(|s| s.sqrt()).collect();
    let length = f64::from(plan.init_deviation) * (significant as f64).sqrt();
    let rows = svd.u.rows().into_iter();
    let mut views: Vec<_> = tables.iter_mut().map(Table::view_mut).collect();
    for (row, own) in views.iter_mut().flat_map(|view| view.rows_mut()).zip(rows) {
        let direction: Vec<f64> = own.iter().zip(&roots).map(|(u, root)| u * root).collect();
        let norm = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
        // A word without a pair has the zero vector, but for rounding.
        if norm > roots[0] * LEAST_SHARE {
            for (value, x) in row.into_iter().zip(direction) {
                *value = (x / norm * length) as f32;
            }
        }
    }
    Ok(())
}

/// The weight of each word in each pair, given as counts.
fn matrix(words: usize, columns: &[BTreeMap<usize, u32>]) -> SvdMat<f64> {
    let mut pairs = vec![0u32; words];
    for &word in columns.iter().flat_map(BTreeMap::keys) {
        pairs[word] += 1;
    }
    let mut triplets = TriMatI::<f64, u32>::new((words, columns.len()));
    for (number, column) in columns.iter().enumerate() {
        for (&word, &count) in column {
            let often = 1.0 + libm::log(f64::from(count));
            let rare = libm::log(1.0 + columns.len() as f64 / f64::from(pairs[word]));
            triplets.add_triplet(word, number, often * rare);
        }
    }
    triplets.to_csr::<u64>()
}

/// The words of each pair and how often they occur; all sides' words are numbered in one row.
fn columns(plan: &Plan, prepared: &Prepared, tables: &[Table]) -> Vec<BTreeMap<usize, u32>> {
    let starts: Vec<usize> = tables
        .iter()
        .scan(0, |start, table| {
            let own = *start;
            *start += table.len();
            Some(own)
        })
        .collect();
    let highest = plan.loss.grades() - 1;
    let pairs = prepared.training.iter().filter(|pair| usize::from(pair.grade) == highest);
    let column = |pair: &Example| {
        let texts = &prepared.corpus.collections[pair.collection as usize];
        let sides = [
            (0, &texts.queries[pair.query as usize]),
            (starts[texts.language + 1], &texts.documents[pair.document as usize]),
        ];
        let mut counts = BTreeMap::new();
        for (start, rows) in sides {
            for &row in rows {
                *counts.entry(start + row as usize).or_default() += 1;
            }
        }
        counts
    };
    pairs.map(column).collect()
}

/// The largest singular values and their vectors, on one thread: the library adds up in an order
/// that depends on how many there are.
fn decompose(matrix: &SvdMat<f64>, rank: usize, seed: u64) -> Result<SvdRec<f64>, Error> {
    let failed = |problem: String| Error::Decomposition { problem };
    let work = (rank + SPARE).min(matrix.rows()).min(matrix.cols());
    let config = IrlbaConfig::new(rank).work(work).tol(TOLERANCE).seed(seed);
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| failed(error.to_string()))?;
    pool.install(|| irlba::svd_with(matrix, &config, None))
        .map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_weighs_more_the_oftener_it_is_in_a_pair_and_the_fewer_pairs_have_it() {
        let columns = [BTreeMap::from([(0, 1), (1, 3)]), BTreeMap::from([(0, 1)])];
        let matrix = matrix(3, &columns);
        assert_eq!((matrix.rows(), matrix.cols()), (3, 2));
        // (1 + ln count) ln(1 + pairs / pairs with the word)
        let (three, two) = (libm::log(3.0), std::f64::consts::LN_2);
        let expected = [[Some(two), Some(two)], [Some((1.0 + three) * three), None], [None, None]];
        for (word, row) in expected.iter().enumerate() {
            for (pair, expected) in row.iter().enumerate() {
                let found = matrix.get(word, pair).copied();
                let close = found.zip(*expected).is_none_or(|(a, b)| (a - b).abs() < 1e-12);
                assert!(close && found.is_some() == expected.is_some(), "{word} {pair}: {found:?}");
            }
        }
    }
}
