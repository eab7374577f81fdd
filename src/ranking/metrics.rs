//! Metrics by name, with any cut-off: those of `trec_eval`, under its names, those of `ir_measures`
//! and those of the first paper.
//!
//! Values are `trec_eval`'s (`tests/reference/named_metrics.py`); a query without a relevant
//! document has 0 in each.

use std::cmp::Ordering;
use std::str::FromStr;

use crate::math::metrics::discounted_gain;
use crate::text::spelling;

/// A metric of one query's ranking, such as `ndcg@10`, `P_5` or `success(rel=2)@3`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Metric {
    name: String,
    kind: Kind,
    /// Only so many documents are looked at; all where it is `None`.
    cut: Option<usize>,
    /// The least grade of a relevant document.
    least: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Precision,
    /// The number of relevant documents: [`Kind::Precision`] times the cut-off.
    Hits,
    Recall,
    Success,
    Ndcg,
    AveragePrecision,
    ReciprocalRank,
    RPrecision,
}

/// Whether a metric has a cut-off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cut {
    Always,
    Maybe,
    Never,
}

/// A metric's names without cut-off, in small letters.
struct Family {
    kind: Kind,
    names: &'static [&'static str],
    cut: Cut,
    /// The least grade of a relevant document where the name does not say it.
    least: u8,
}

const fn family(kind: Kind, cut: Cut, least: u8, names: &'static [&'static str]) -> Family {
    Family { kind, names, cut, least }
}

/// The metrics by all their names; the first paper's are those with `_r` and `_mr`.
const FAMILIES: [Family; 10] = [
    family(Kind::Ndcg, Cut::Maybe, 1, &["ndcg", "ndcg_cut"]),
    family(Kind::AveragePrecision, Cut::Maybe, 1, &["map", "ap", "map_cut"]),
    family(Kind::ReciprocalRank, Cut::Maybe, 1, &["mrr", "rr", "recip_rank", "mrr_r"]),
    family(Kind::Success, Cut::Always, 1, &["success"]),
    family(Kind::Precision, Cut::Always, 1, &["p", "precision", "p_r"]),
    family(Kind::Recall, Cut::Always, 1, &["recall", "r"]),
    family(Kind::RPrecision, Cut::Never, 1, &["rprec"]),
    family(Kind::ReciprocalRank, Cut::Maybe, 2, &["mrr_mr"]),
    family(Kind::Hits, Cut::Always, 2, &["p_mr"]),
    family(Kind::Hits, Cut::Always, 1, &["hits"]),
];

/// The names as a message lists them.
const KNOWN: &str = "ndcg@K, map, mrr@K, success@K, hits@K, P@K, recall@K, Rprec, and those of trec_eval \
                     (ndcg_cut_K, map_cut_K, recip_rank, success_K, P_K, recall_K)";

/// A name that is no metric's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MetricError {
    /// No metric is called so.
    #[error(
        "unknown metric `{name}`{}; known: {KNOWN}",
        nearest.as_ref().map(|nearest| format!(" (did you mean `{nearest}`?)")).unwrap_or_default()
    )]
    Unknown {
        /// The name.
        name: String,
        /// The nearest known one, with the cut-off.
        nearest: Option<String>,
    },
    /// The metric is known, but not with this cut-off or grade.
    #[error("metric `{name}`: {problem}")]
    Form {
        /// The name.
        name: String,
        /// What was found and what was expected.
        problem: String,
    },
}

impl MetricError {
    /// A stable name of the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "unknown-metric",
            Self::Form { .. } => "metric-form",
        }
    }
}

impl FromStr for Metric {
    type Err = MetricError;

    /// Reads a name: that of a metric in small or large letters, `(rel=GRADE)` for the least grade of a relevant
    /// document (1 without it), and a cut-off after `@`, or as `trec_eval` writes it (`P_5`, `P.5`).
    fn from_str(name: &str) -> Result<Self, MetricError> {
        let wrong = |problem: String| MetricError::Form { name: name.into(), problem };
        let (stem, least, cut) = parts(name).map_err(wrong)?;
        let known = FAMILIES.iter().find(|family| family.names.contains(&&*stem));
        let Some(family) = known else {
            let nearest = nearest(&stem).map(|found| {
                let shown = if found == "p" { "P" } else { found };
                cut.map_or_else(|| shown.to_owned(), |cut| format!("{shown}@{cut}"))
            });
            return Err(MetricError::Unknown { name: name.into(), nearest });
        };
        match (family.cut, cut) {
            (Cut::Always, None) => {
                return Err(wrong(format!("needs a cut-off, as in `{}@10`", name.trim())));
            }
            (Cut::Never, Some(_)) => return Err(wrong("has no cut-off".into())),
            _ if family.kind == Kind::Ndcg && least.is_some() => {
                return Err(wrong("has no `rel`: its gains are the grades".into()));
            }
            _ => {}
        }
        let least = least.unwrap_or(family.least);
        Ok(Self { name: name.trim().into(), kind: family.kind, cut, least })
    }
}

/// A name's stem in small letters, its least grade and its cut-off; or what is wrong with one of these.
fn parts(name: &str) -> Result<(String, Option<u8>, Option<usize>), String> {
    let mut stem = name.trim().to_lowercase();
    let mut least = None;
    if let Some((before, rest)) = stem.split_once('(') {
        let Some((inner, after)) = rest.split_once(')') else {
            return Err("has a `(` without a `)`".into());
        };
        let grade = inner.strip_prefix("rel=").and_then(|grade| grade.parse().ok());
        let grade: Option<u8> = grade.filter(|&grade| grade > 0);
        least = Some(grade.ok_or("expected `(rel=GRADE)` with a grade from 1 to 255")?);
        stem = format!("{before}{after}");
    }
    let (head, cut) = if let Some((head, cut)) = stem.split_once('@') {
        (head, Some(cut))
    } else {
        match stem.rsplit_once(['_', '.']) {
            Some((head, cut)) if cut.starts_with(|first: char| first.is_ascii_digit()) => {
                (head, Some(cut))
            }
            _ => (&*stem, None),
        }
    };
    let number = |text: &str| {
        let number = text.parse().ok().filter(|&cut: &usize| cut > 0);
        number.ok_or_else(|| format!("its cut-off must be a positive integer, got `{text}`"))
    };
    let cut = cut.map(number).transpose()?;
    Ok((head.to_owned(), least, cut))
}

/// The known name that an unknown one is probably meant to be.
fn nearest(stem: &str) -> Option<&'static str> {
    let names = || FAMILIES.iter().flat_map(|family| family.names.iter().copied());
    let near = |name: &&str| {
        let edits = spelling::edits(name, stem);
        (2 * edits < name.chars().count() && edits <= 2).then_some(edits)
    };
    names()
        .filter_map(|name| Some((near(&name)?, name)))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, name)| name)
        .or_else(|| {
            names()
                .filter(|name| name.len() > 2)
                .find(|name| stem.starts_with(name) || stem.ends_with(name))
        })
}

impl Metric {
    /// The name that it was asked for by.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The value for a query, from the grades of its ranked documents, best first, and those of all its judged
    /// documents in any order. A document without a judgement has grade 0.
    pub fn of_ranking(&self, ranked: &[u8], judged: &[u8]) -> f64 {
        let is_relevant = |grade: &u8| *grade >= self.least;
        let relevant = judged.iter().filter(|grade| is_relevant(grade)).count();
        let depth = if self.kind == Kind::RPrecision { Some(relevant) } else { self.cut };
        let looked_at = &ranked[..depth.unwrap_or(ranked.len()).min(ranked.len())];
        let found = looked_at.iter().filter(|grade| is_relevant(grade)).count() as f64;
        let share = |count: f64, all: usize| if all > 0 { count / all as f64 } else { 0.0 };
        match self.kind {
            Kind::Hits => found,
            Kind::Precision => share(found, depth.unwrap_or(ranked.len())),
            Kind::Recall | Kind::RPrecision => share(found, relevant),
            Kind::Success => f64::from(u8::from(found > 0.0)),
            Kind::ReciprocalRank => {
                let first = looked_at.iter().position(is_relevant);
                first.map_or(0.0, |place| 1.0 / (place + 1) as f64)
            }
            Kind::AveragePrecision => {
                let (mut count, mut sum) = (0, 0.0);
                for (place, _) in
                    looked_at.iter().enumerate().filter(|(_, grade)| is_relevant(grade))
                {
                    count += 1;
                    sum += f64::from(count) / (place + 1) as f64;
                }
                share(sum, relevant)
            }
            Kind::Ndcg => {
                let mut best = judged.to_vec();
                best.sort_unstable_by(|a, b| b.cmp(a));
                let best = discounted_gain(&best[..depth.unwrap_or(best.len()).min(best.len())]);
                if best > 0.0 { discounted_gain(looked_at) / best } else { 0.0 }
            }
        }
    }
}

/// The order of a run's documents, each with its score: falling scores, and of equal scores falling ids, as
/// `trec_eval` has it, which compares scores in 32 bits.
pub fn trec_order(a: (&str, f32), b: (&str, f32)) -> Ordering {
    // Adding 0 makes -0 the 0 that it equals.
    (b.1 + 0.0).total_cmp(&(a.1 + 0.0)).then_with(|| b.0.cmp(a.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(name: &str) -> Metric {
        name.parse().unwrap_or_else(|error| panic!("{error}"))
    }

    fn message(name: &str) -> String {
        name.parse::<Metric>().unwrap_err().to_string()
    }

    #[test]
    fn values_are_those_of_trec_eval_and_ir_measures_by_their_names() {
        let mut lines = include_str!("../../tests/reference/named_metrics.tsv").lines();
        let names: Vec<&str> = lines.next().unwrap().split('\t').skip(2).collect();
        let mut checked = 0;
        for line in lines {
            let columns: Vec<&str> = line.split('\t').collect();
            let grades = |column: &str| column.bytes().map(|b| b - b'0').collect::<Vec<u8>>();
            let ranked = grades(columns[0]);
            let judged = [ranked.clone(), grades(columns[1])].concat();
            for (name, expected) in names.iter().zip(&columns[2..]) {
                let expected: f64 = expected.parse().unwrap();
                let found = metric(name).of_ranking(&ranked, &judged);
                assert!((found - expected).abs() < 1e-9, "{name} of {line}: {found}");
            }
            checked += 1;
        }
        assert_eq!((checked, names.len()), (300, 28));
    }

    #[test]
    fn each_metric_is_known_by_several_names() {
        let (ranked, judged) = ([0, 1, 2, 0, 1], [0, 1, 2, 0, 1, 2, 1]);
        for names in [
            &["ndcg@3", "NDCG@3", "nDCG@3", "ndcg_cut_3", "ndcg_cut.3"][..],
            &["map", "MAP", "AP", "ap"],
            &["mrr", "RR", "recip_rank", "MRR_r"],
            &["mrr@2", "RR@2"],
            &["MRR_mr", "rr(rel=2)", "mrr(rel=2)"],
            &["success@3", "success_3", "Success@3", "success.3"],
            &["P@5", "P_5", "p@5", "precision@5", "P_r@5"],
            &["P_mr@5", "hits(rel=2)@5"],
            &["recall@100", "R@100", "recall_100"],
            &["Rprec", "rprec"],
        ] {
            let values = names.iter().map(|name| metric(name).of_ranking(&ranked, &judged));
            let values: Vec<f64> = values.collect();
            assert!(values.iter().all(|value| *value == values[0] && *value > 0.0), "{names:?}");
        }
    }

    #[test]
    fn an_unknown_name_is_told_with_the_nearest_one() {
        let nearest = |name: &str| match name.parse::<Metric>() {
            Err(MetricError::Unknown { nearest, .. }) => nearest,
            other => panic!("{other:?}"),
        };
        for (name, expected) in [
            ("ncdg@10", Some("ndcg@10")),
            ("sucess@3", Some("success@3")),
            ("recal_100", Some("recall@100")),
            ("reciprank", Some("recip_rank")),
            ("mrr_10_full", Some("mrr")),
            ("precison@5", Some("precision@5")),
            ("gm_map", Some("map")),
            ("f1", None),
            ("", None),
        ] {
            assert_eq!(nearest(name).as_deref(), expected, "{name}");
        }
        assert_eq!(
            message("ncdg@10"),
            "unknown metric `ncdg@10` (did you mean `ndcg@10`?); known: ndcg@K, map, mrr@K, success@K, hits@K, P@K, recall@K, \
             Rprec, and those of trec_eval (ndcg_cut_K, map_cut_K, recip_rank, success_K, P_K, recall_K)"
        );
    }

    #[test]
    fn a_wrong_cut_off_or_grade_is_told() {
        for (name, expected) in [
            ("success", "metric `success`: needs a cut-off, as in `success@10`"),
            ("P@0", "metric `P@0`: its cut-off must be a positive integer, got `0`"),
            ("P@ten", "metric `P@ten`: its cut-off must be a positive integer, got `ten`"),
            ("P@-1", "metric `P@-1`: its cut-off must be a positive integer, got `-1`"),
            ("P_5x", "metric `P_5x`: its cut-off must be a positive integer, got `5x`"),
            ("Rprec@5", "metric `Rprec@5`: has no cut-off"),
            ("ndcg(rel=2)@5", "metric `ndcg(rel=2)@5`: has no `rel`: its gains are the grades"),
            (
                "P(rel=0)@5",
                "metric `P(rel=0)@5`: expected `(rel=GRADE)` with a grade from 1 to 255",
            ),
            ("P(rel=2@5", "metric `P(rel=2@5`: has a `(` without a `)`"),
        ] {
            assert_eq!(message(name), expected);
        }
    }

    #[test]
    fn a_query_without_a_relevant_document_has_0_in_each() {
        for name in ["ndcg", "ndcg@5", "map", "mrr", "success@1", "P@5", "recall@5", "Rprec"] {
            for ranked in [&[][..], &[0, 0]] {
                assert_eq!(metric(name).of_ranking(ranked, &[0, 0]), 0.0, "{name}");
                assert_eq!(metric(name).of_ranking(ranked, &[]), 0.0, "{name}");
            }
        }
    }

    #[test]
    fn of_scores_that_are_equal_in_32_bits_the_last_id_is_first() {
        // trec_eval ranks b first of a: 1.000000001, b: 1.
        let mut run = [("a", 1.000_000_001_f64), ("c", 0.5), ("b", 1.0), ("z", -0.0), ("y", 0.0)];
        run.sort_by(|a, b| trec_order((a.0, a.1 as f32), (b.0, b.1 as f32)));
        assert_eq!(run.map(|(id, _)| id), ["b", "a", "c", "z", "y"]);
    }
}
