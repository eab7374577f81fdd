//! The order in which an epoch sees its pairs, and the batches that it cuts them into.

use std::ops::Range;

use smooth_clir::training::corpus::{Example, shuffle};

/// The pairs of a training, shuffled again for each epoch: each by itself, or a query's together.
pub struct Order {
    /// The pairs of each query, where they stay together.
    queries: Option<Vec<Vec<Example>>>,
    examples: Vec<Example>,
    batch_size: usize,
    batches: Vec<Range<usize>>,
}

impl Order {
    /// Cuts pairs into batches of a size. Where `whole_queries`, examples of one query must stand
    /// together, and a batch takes whole queries until it has so many pairs or more.
    pub fn new(examples: &[Example], batch_size: usize, whole_queries: bool) -> Self {
        let queries = whole_queries.then(|| {
            let same =
                |a: &Example, b: &Example| (a.collection, a.query) == (b.collection, b.query);
            examples.chunk_by(same).map(<[Example]>::to_vec).collect()
        });
        Self { queries, examples: examples.to_vec(), batch_size, batches: Vec::new() }
    }

    /// Shuffles the order of the epoch before once more.
    pub fn begin(&mut self, seed: u64, epoch: u64) {
        self.batches.clear();
        let Self { queries, examples, batch_size, batches } = self;
        match queries {
            None => {
                shuffle(examples, seed, epoch);
                let starts = (0..examples.len()).step_by(*batch_size);
                batches.extend(starts.map(|at| at..examples.len().min(at + *batch_size)));
            }
            Some(queries) => {
                shuffle(queries, seed, epoch);
                examples.clear();
                let mut start = 0;
                for query in queries.iter() {
                    examples.extend(query);
                    if examples.len() - start >= *batch_size {
                        batches.push(start..examples.len());
                        start = examples.len();
                    }
                }
                if start < examples.len() {
                    batches.push(start..examples.len());
                }
            }
        }
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.examples.len()
    }

    /// The batches of the epoch.
    pub fn batches(&self) -> impl Iterator<Item = &[Example]> {
        self.batches.iter().map(|batch| &self.examples[batch.clone()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four queries with 3, 1, 5 and 2 pairs.
    fn examples() -> Vec<Example> {
        let counts = [3, 1, 5, 2].into_iter().zip(0..);
        let example = |query, document| Example { collection: 0, query, document, grade: 0 };
        counts.flat_map(|(count, query)| (0..count).map(move |d| example(query, d))).collect()
    }

    fn sorted(order: &Order) -> Vec<(u32, u32)> {
        let mut all: Vec<(u32, u32)> =
            order.batches().flatten().map(|example| (example.query, example.document)).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn an_epoch_has_every_pair_once_in_batches_of_the_size() {
        let expected: Vec<(u32, u32)> = examples().iter().map(|e| (e.query, e.document)).collect();
        for whole in [false, true] {
            let mut order = Order::new(&examples(), 4, whole);
            for epoch in 1..4 {
                order.begin(1, epoch);
                assert_eq!(sorted(&order), expected);
            }
            let sizes: Vec<usize> = order.batches().map(<[Example]>::len).collect();
            if !whole {
                assert_eq!(sizes, [4, 4, 3]);
            }
        }
    }

    #[test]
    fn a_querys_pairs_stay_in_one_batch_where_that_is_asked_for() {
        let mut order = Order::new(&examples(), 4, true);
        for epoch in 1..9 {
            order.begin(3, epoch);
            let counts: Vec<usize> = (0..4)
                .map(|query| {
                    order.batches().filter(|batch| batch.iter().any(|e| e.query == query)).count()
                })
                .collect();
            assert_eq!(counts, [1; 4]);
        }
    }
}
