//! The split of the queries and the sampled negatives of each, both determined by a seed.

use std::collections::HashSet;

use crate::math::random::Random;

/// A split of the queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Split {
    /// Three in five queries, for training.
    Train,
    /// One in five queries, to select the best epoch.
    Validation,
    /// One in five queries, for the final evaluation.
    Test,
}

impl Split {
    /// The split of a key, 3:1:1 by a hash of the key and the seed.
    pub fn of(key: &str, seed: u64) -> Self {
        match Random::new(seed, key).below(5) {
            0..=2 => Self::Train,
            3 => Self::Validation,
            _ => Self::Test,
        }
    }
}

/// The documents that negatives are sampled from.
#[derive(Debug, Clone)]
pub struct Pool {
    copies: Vec<u32>,
    /// The number of copies of each document, including itself; 0 for a document that is a copy.
    sizes: Vec<usize>,
}

impl Pool {
    /// Creates a pool from the position, for each document, of the first document with the same
    /// text.
    pub fn new(copies: Vec<u32>) -> Self {
        let mut sizes = vec![0; copies.len()];
        for &first in &copies {
            sizes[first as usize] += 1;
        }
        Self { copies, sizes }
    }

    /// Samples `count` negatives of a query without replacement, the same for the same id and seed.
    /// Never samples a graded document or a copy of one. `Err(n)` if only `n` documents are
    /// eligible.
    pub fn sample_negatives(
        &self,
        seed: u64,
        query: &str,
        count: usize,
        graded: impl Iterator<Item = u32>,
    ) -> Result<HashSet<u32>, usize> {
        let excluded: HashSet<u32> = graded.map(|at| self.copies[at as usize]).collect();
        let excluded_count: usize = excluded.iter().map(|&first| self.sizes[first as usize]).sum();
        let eligible = self.copies.len() - excluded_count;
        if eligible < count {
            return Err(eligible);
        }
        let is_eligible = |document: &u32| !excluded.contains(&self.copies[*document as usize]);
        // A separate stream: the stream of the id alone decides the split.
        let mut random = Random::new(seed, &format!("negatives {query}"));
        let mut sampled = HashSet::with_capacity(count);
        // With few eligible documents, rejection sampling might not end: shuffle them instead.
        if eligible < 4 * count {
            let mut all: Vec<u32> = (0..self.copies.len() as u32).filter(is_eligible).collect();
            random.shuffle(&mut all);
            sampled.extend(all.into_iter().take(count));
        }
        while sampled.len() < count {
            let document = random.below(self.copies.len()) as u32;
            if is_eligible(&document) {
                sampled.insert(document);
            }
        }
        Ok(sampled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn graded_documents_and_their_copies_are_never_sampled() {
        // Document 3 is a copy of 1, which is graded.
        let pool = Pool::new(vec![0, 1, 2, 1, 4, 5]);
        for query in ["a", "b", "c"] {
            let sampled = pool.sample_negatives(7, query, 4, [1].into_iter()).unwrap();
            assert_eq!(sampled, HashSet::from([0, 2, 4, 5]));
        }
        assert_eq!(pool.sample_negatives(7, "a", 5, [1].into_iter()), Err(4));
    }

    #[test]
    fn three_in_five_train() {
        let parts = (0..5000).map(|id| Split::of(&id.to_string(), 1));
        let train = parts.filter(|&part| part == Split::Train).count();
        assert!((2900..3100).contains(&train), "{train}");
    }
}
