//! Which queries train, which choose the epoch, and which are kept for the test.

use smooth_clir::training::sampling;

use super::collection::Query;

/// A split of the queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Split {
    /// Three in five queries, for training.
    Train,
    /// One in five queries, to select the best epoch.
    Validation,
    /// One in five queries, for the final evaluation.
    Test,
}

/// The unit of a split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum SplitBy {
    /// Each query by itself.
    Query,
    /// Queries of one title: a chapter, or a cluster.
    Group,
}

impl Split {
    /// The part of a query, 3:1:1 by a hash of its id or title and the seed.
    pub fn of(query: &Query, by: SplitBy, seed: u64) -> Self {
        let key = match (by, &query.belongs_to) {
            (SplitBy::Group, _) => &query.title,
            (SplitBy::Query, Some(other)) => other,
            (SplitBy::Query, None) => &query.id,
        };
        match sampling::Split::of(key, seed) {
            sampling::Split::Train => Split::Train,
            sampling::Split::Validation => Split::Validation,
            sampling::Split::Test => Split::Test,
        }
    }
}
