//! How a trained method ranks: the metrics of a split's queries.

use rayon::prelude::*;
use smooth_clir::math::metrics::Metrics;
use smooth_clir::training::corpus::Graded;

use super::task::{RankingTask, Task};
use super::trained::Trained;
use crate::data::Direction;
use crate::data::Split;
use crate::error::Error;
use crate::evaluation::Summary;
use crate::evaluation::ranking::{MOST_RANKED, Scored, first, metrics};

/// How a split's queries rank.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// Each English query among all documents.
    pub there: Summary,
    /// Each document among all English queries.
    pub back: Summary,
    /// Each English query among its graded documents and those drawn for it, where there are grades
    /// between.
    pub sampled: Option<Summary>,
    /// What is reported with intervals. The first is what settings are chosen by: its mean is [`merit`](Self::merit).
    pub parts: Vec<OfQueries>,
}

/// A figure of each query.
#[derive(Debug, Clone, PartialEq)]
pub struct OfQueries {
    /// What it is.
    pub name: &'static str,
    /// Of each query the name of its group, and the number.
    pub values: Vec<(String, f64)>,
}

/// What is reported of comparable documents.
const OF_COMPARABLE: [&str; 1] = ["MRR over both directions"];
/// What is reported of graded ones.
const OF_GRADED: [&str; 4] = [
    "NDCG@5 on sampled candidates",
    "MAP on sampled candidates",
    "NDCG@5 among all documents",
    "MAP among all documents",
];

/// The metrics of a ranking's queries, each with the name of its group.
pub type Measured = Vec<(String, Metrics)>;

impl Figures {
    /// Ranks for the queries of a split.
    ///
    /// # Errors
    /// If there are too few documents, or no query of the split has a relevant one.
    pub fn of(trained: &Trained, task: &Task, split: Split) -> Result<Self, Error> {
        let each = rankings(task, split)?;
        let each: Vec<Measured> =
            each.iter().map(|ranking| by(trained, ranking)).collect::<Result<_, _>>()?;
        Ok(Self::from_measured(&each))
    }

    /// Of the rankings in the order of [`rankings`].
    pub fn from_measured(each: &[Measured]) -> Self {
        let summary = |at: usize| {
            let metrics = each.get(at).into_iter().flatten().map(|(_, metrics)| *metrics);
            Summary::of(&metrics.collect::<Vec<_>>())
        };
        let (there, back) = (summary(0), summary(1));
        let sampled = (each.len() > 2).then(|| summary(2));
        let parts = match each.get(2) {
            Some(sampled) => {
                let of = |own: &Measured, metric: fn(&Metrics) -> f64| {
                    let value =
                        |(group, metrics): &(String, Metrics)| (group.clone(), metric(metrics));
                    own.iter().map(value).collect()
                };
                let values = [
                    of(sampled, |metrics| metrics.ndcg_5),
                    of(sampled, |metrics| metrics.map),
                    of(&each[0], |metrics| metrics.ndcg_5),
                    of(&each[0], |metrics| metrics.map),
                ];
                let named = OF_GRADED.into_iter().zip(values);
                named.map(|(name, values)| OfQueries { name, values }).collect()
            }
            None => {
                let all = (there.queries + back.queries) as f64;
                // Both directions weigh the same, however many queries they have.
                let of = |own: &Measured| -> Vec<(String, f64)> {
                    let weight = all / (2.0 * own.len() as f64);
                    let value = |(group, metrics): &(String, Metrics)| {
                        (group.clone(), weight * metrics.mrr_mr)
                    };
                    own.iter().map(value).collect()
                };
                let [name] = OF_COMPARABLE;
                vec![OfQueries { name, values: each.iter().flat_map(of).collect() }]
            }
        };
        Self { there, back, sampled, parts }
    }

    /// What the figures with intervals of a task are.
    pub fn names(task: &Task) -> &'static [&'static str] {
        if task.is_comparable { &OF_COMPARABLE } else { &OF_GRADED }
    }

    /// The means over several trainings, of the same queries each.
    pub fn mean(of: &[Self]) -> Option<Self> {
        let first = of.first()?;
        let mean = |each: Vec<Summary>| {
            let metrics: Vec<Metrics> = each.iter().map(|summary| summary.metrics).collect();
            Summary { queries: each[0].queries, metrics: Metrics::mean(&metrics) }
        };
        let sampled: Option<Vec<Summary>> = of.iter().map(|figures| figures.sampled).collect();
        let part = |(number, OfQueries { name, values }): (usize, &OfQueries)| {
            let value = |(at, (group, _)): (usize, &(String, f64))| {
                let same = of.iter().filter_map(|figures| figures.parts[number].values.get(at));
                (group.clone(), same.fold(0.0, |sum, (_, x)| sum + x) / of.len() as f64)
            };
            OfQueries { name, values: values.iter().enumerate().map(value).collect() }
        };
        Some(Self {
            there: mean(of.iter().map(|figures| figures.there).collect()),
            back: mean(of.iter().map(|figures| figures.back).collect()),
            sampled: sampled.map(mean),
            parts: first.parts.iter().enumerate().map(part).collect(),
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

/// The rankings of a split: English queries among all documents, documents among all English queries,
/// and, where there are grades between, English queries among their candidates.
///
/// # Errors
/// If there are too few documents.
pub fn rankings(task: &Task, split: Split) -> Result<Vec<RankingTask>, Error> {
    let mut each = vec![task.all(split, Direction::Forward), task.all(split, Direction::Back)];
    if !task.is_comparable {
        each.push(task.sampled(split)?);
    }
    Ok(each)
}

/// The places of the queries of a ranking.
pub fn wanted(ranking: &RankingTask) -> Vec<usize> {
    let RankingTask { collection, pool, .. } = ranking;
    (0..collection.queries.len()).filter(|&query| pool.asks(query)).collect()
}

/// The metrics of a ranking's queries by the scores of all documents, for each of [`wanted`].
///
/// # Errors
/// If no query has a relevant document.
pub fn measured(
    ranking: &RankingTask,
    wanted: &[usize],
    scores: impl Fn(usize) -> Vec<f32> + Sync,
) -> Result<Measured, Error> {
    let RankingTask { collection, pool, .. } = ranking;
    let of_query = |(place, &query): (usize, &usize)| {
        let candidates = pool.of(collection, query)?;
        let scores = scores(place);
        let scored = |&judged: &Graded| Scored { judged, score: scores[judged.document as usize] };
        let ranked = first(candidates.iter().map(scored).collect(), MOST_RANKED);
        Some((collection.queries[query].title.clone(), metrics(&ranked, &candidates)?))
    };
    let found: Measured = wanted.par_iter().enumerate().filter_map(of_query).collect();
    match found.is_empty() {
        true => Err(Error::data(
            &collection.path,
            "too few queries: none of a split has a document of grade 2",
        )),
        false => Ok(found),
    }
}

fn by(trained: &Trained, ranking: &RankingTask) -> Result<Measured, Error> {
    let RankingTask { collection, direction, .. } = ranking;
    let wanted = wanted(ranking);
    let queries: Vec<&str> =
        wanted.iter().map(|&query| &collection.queries[query].text[..]).collect();
    let documents: Vec<&str> =
        collection.documents.iter().map(|document| &document.text[..]).collect();
    let scorer = trained.scorer((&collection.language, *direction), [&queries, &documents])?;
    measured(ranking, &wanted, scorer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(values: &[(&str, f64)]) -> Measured {
        let metrics = |mrr_mr: f64| Metrics { mrr_mr, ndcg_5: mrr_mr / 2.0, ..Metrics::default() };
        values.iter().map(|&(group, x)| (group.to_owned(), metrics(x))).collect()
    }

    #[test]
    fn the_first_figure_has_the_merit_as_its_mean_and_trainings_are_averaged_query_by_query() {
        let there = measured(&[("a", 1.0), ("b", 0.5), ("c", 0.0)]);
        let back = measured(&[("a", 0.25)]);
        let values = |figures: &Figures, part: usize| {
            figures.parts[part].values.iter().map(|(_, x)| *x).collect::<Vec<f64>>()
        };
        let mean = |figures: &Figures| {
            values(figures, 0).iter().sum::<f64>() / values(figures, 0).len() as f64
        };
        let both = Figures::from_measured(&[there.clone(), back.clone()]);
        // Means 1/2 and 1/4.
        assert_eq!((both.merit(), both.mrr(), mean(&both)), (0.375, 0.375, 0.375));
        let graded = Figures::from_measured(&[there.clone(), back.clone(), there.clone()]);
        assert_eq!((graded.merit(), graded.mrr(), mean(&graded)), (0.25, 0.375, 0.25));
        assert_eq!(graded.parts[0].values[1], ("b".to_owned(), 0.25));
        let other = measured(&[("a", 0.5), ("b", 0.5), ("c", 1.0)]);
        let other = Figures::from_measured(&[there, back, other]);
        let names: Vec<&str> = other.parts.iter().map(|part| part.name).collect();
        assert_eq!(names[0], "NDCG@5 on sampled candidates");
        assert_eq!(names[2], "NDCG@5 among all documents");
        // Sampled, and among all documents.
        assert_eq!(
            [values(&other, 0), values(&other, 2)],
            [vec![0.25, 0.25, 0.5], vec![0.5, 0.25, 0.0]]
        );
        let together = Figures::mean(&[graded, other]).unwrap();
        assert_eq!(values(&together, 0), [0.375, 0.25, 0.25]);
        assert!((together.merit() - (0.25 + 1.0 / 3.0) / 2.0).abs() < 1e-12);
        assert_eq!(Figures::mean(&[]), None);
    }
}
