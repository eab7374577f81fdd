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

use super::{Plan, Prepared};
use crate::error::Error;

/// Singular values below this share of the largest are rounding errors.
const LEAST_SHARE: f64 = 1e-6;
/// How exact the decomposition is, as a share of the largest singular value.
const TOLERANCE: f64 = 1e-8;
/// Vectors beyond the rank that the iteration works with: more of them converge in fewer rounds.
const SPARE: usize = 30;

/// Fills the rows of all words that occur in the pairs, scaled to the deviation of random rows.
/// Where there are fewer singular values than columns, the rest stay as they are.
pub fn fill(plan: &Plan, prepared: &Prepared, tables: &mut [Table]) -> Result<(), Error> {
    let columns = columns(plan, prepared, tables);
    let words: usize = tables.iter().map(Table::len).sum();
    let mut pairs = vec![0u32; words];
    for column in &columns {
        column.keys().for_each(|&word| pairs[word] += 1);
    }
    let weight = |word: usize, count: u32| {
        let inverse = columns.len() as f64 / f64::from(pairs[word].max(1));
        (1.0 + libm::log(f64::from(count))) * libm::log(1.0 + inverse)
    };
    let mut triplets = TriMatI::<f64, u32>::new((words, columns.len()));
    for (number, column) in columns.iter().enumerate() {
        for (&word, &count) in column {
            triplets.add_triplet(word, number, weight(word, count));
        }
    }
    let matrix: SvdMat<f64> = triplets.to_csr::<u64>();
    let rank = plan.dimension.min(words).min(columns.len());
    if rank == 0 {
        return Ok(());
    }
    let svd = decompose(&matrix, rank, plan.seed)?;
    let variant: String = std::env::var("CLIR_LSI").unwrap_or("u-sqrt".into());
    let significant = svd.s.iter().take_while(|&&s| s > svd.s[0] * LEAST_SHARE).count();
    let mut squares = 0.0;
    let mut filled = 0;
    let mut values = vec![vec![]; words];
    for word in 0..words {
        if pairs[word] == 0 {
            continue;
        }
        let mut row: Vec<f64> = (0..significant)
            .map(|i| {
                svd.u[[word, i]]
                    * if variant.contains("sqrt") {
                        svd.s[i].sqrt()
                    } else if variant.contains("full") {
                        svd.s[i]
                    } else {
                        1.0
                    }
            })
            .collect();
        if variant.contains("idf") {
            let w = weight(word, 1);
            row.iter_mut().for_each(|x| *x *= w);
        }
        if variant.contains("norm") {
            let n = row.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-30);
            row.iter_mut().for_each(|x| *x /= n);
        }
        if variant.contains("pow") {
            let n = row.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-30).sqrt();
            row.iter_mut().for_each(|x| *x /= n);
        }
        squares += row.iter().map(|x| x * x).sum::<f64>();
        filled += significant;
        values[word] = row;
    }
    let scale = f64::from(plan.init_deviation) / (squares / filled as f64).sqrt();
    let mut word = 0;
    for table in tables {
        for row in table.values_mut().chunks_exact_mut(plan.dimension) {
            for (x, v) in row.iter_mut().zip(&values[word]) {
                *x = (v * scale) as f32;
            }
            word += 1;
        }
    }
    Ok(())
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
    let column = |pair: &super::Example| {
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
    let failed = |problem: String| Error::Usage(format!("--init lsi: {problem}"));
    let (rows, columns) = (matrix.rows(), matrix.cols());
    let work = (rank + SPARE).min(rows).min(columns);
    let config = IrlbaConfig::new(rank).work(work).tol(TOLERANCE).seed(seed);
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|error| failed(error.to_string()))?;
    pool.install(|| irlba::svd_with(matrix, &config, None))
        .map_err(|error| failed(error.to_string()))
}
