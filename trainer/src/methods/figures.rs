//! How a trained method ranks: the metrics of a split's queries.

use rayon::prelude::*;
use smooth_clir::math::metrics::Metrics;

use super::task::{RankingTask, Task};
use super::trained::Trained;
use crate::data::Direction;
use crate::data::Split;
use crate::error::Error;
use crate::evaluation::Summary;
use crate::evaluation::ranking::{MOST_RANKED, Scored, first, metrics};
use smooth_clir::training::corpus::Graded;

/// How a split's queries rank.
#[derive(Debug, Clone, Copy)]
pub struct Figures {
    /// Each English query among all documents.
    pub there: Summary,
    /// Each document among all English queries.
    pub back: Summary,
    /// Each English query among its graded documents and those drawn for it, where there are grades
    /// between.
    pub sampled: Option<Summary>,
}

impl Figures {
    /// Ranks for the queries of a split.
    ///
    /// # Errors
    /// If there are too few documents, or no query of the split has a relevant one.
    pub fn of(trained: &Trained, task: &Task, split: Split) -> Result<Self, Error> {
        let all = |direction| summary(trained, &task.all(split, direction));
        Ok(Self {
            there: all(Direction::Forward)?,
            back: all(Direction::Back)?,
            sampled: match task.is_comparable {
                true => None,
                false => Some(summary(trained, &task.sampled(split)?)?),
            },
        })
    }

    /// The mean reciprocal rank of the relevant document among all, over both directions.
    pub fn mrr(&self) -> f64 {
        (self.there.metrics.mrr_mr + self.back.metrics.mrr_mr) / 2.0
    }

    /// What settings are chosen by.
    pub fn merit(&self) -> f64 {
        self.sampled.map_or(self.mrr(), |sampled| sampled.metrics.ndcg_5)
    }
}

fn summary(trained: &Trained, ranking_task: &RankingTask) -> Result<Summary, Error> {
    let RankingTask { collection, pool, direction } = ranking_task;
    let wanted: Vec<usize> =
        (0..collection.queries.len()).filter(|&query| pool.asks(query)).collect();
    let queries: Vec<&str> =
        wanted.iter().map(|&query| &collection.queries[query].text[..]).collect();
    let documents: Vec<&str> =
        collection.documents.iter().map(|document| &document.text[..]).collect();
    let scorer = trained.scorer((&collection.language, *direction), [&queries, &documents])?;
    let of_query = |(place, &query): (usize, &usize)| {
        let candidates = pool.of(collection, query)?;
        let scores = scorer(place);
        let scored = |&judged: &Graded| Scored { judged, score: scores[judged.document as usize] };
        let ranked = first(candidates.iter().map(scored).collect(), MOST_RANKED);
        metrics(&ranked, &candidates)
    };
    let found: Vec<Metrics> = wanted.par_iter().enumerate().filter_map(of_query).collect();
    match found.is_empty() {
        true => Err(Error::data(
            &collection.path,
            "too few queries: none of a split has a document of grade 2",
        )),
        false => Ok(Summary::of(&found)),
    }
}
