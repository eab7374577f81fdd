//! Losses of all candidates of a query together: the listwise and pairwise rivals of SOSL.
//!
//! Each has a value and a slope for each score, from the scores and the grades of one query's
//! candidates. Scores of smooth cosine similarity end at 1, so all but RankCosine, which does not
//! depend on it, multiply them by a scale first.

use serde_json::{Value, json};

use super::json_number::number;
use crate::terminal::values::name_of;

/// A loss of a query's candidates together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListLoss {
    /// Which.
    pub kind: ListKind,
    /// The factor of the scores.
    pub scale: f32,
}

/// The kind of a [`ListLoss`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum ListKind {
    /// ListNet's top-one cross-entropy (Cao et al., 2007), of the grades' softmax
    ListNet,
    /// ListMLE (Xia et al., 2008), the likelihood of the grades' order; ties by Breslow's
    /// approximation, and grade 0 has no order
    ListMle,
    /// RankNet (Burges et al., 2005): the logistic loss of all pairs of different grades
    RankNet,
    /// LambdaRank (Burges et al., 2006): RankNet with pairs weighted by what their exchange changes
    /// in NDCG
    LambdaRank,
    /// RankCosine (Qin et al., 2008): the cosine of the scores and the grades
    RankCosine,
    /// InfoNCE (van den Oord et al., 2018): the cross-entropy of the relevant among all candidates
    InfoNce,
}

impl ListKind {
    /// Its name in tables.
    pub fn title(self) -> &'static str {
        match self {
            Self::ListNet => "ListNet",
            Self::ListMle => "ListMLE",
            Self::RankNet => "RankNet",
            Self::LambdaRank => "LambdaRank",
            Self::RankCosine => "RankCosine",
            Self::InfoNce => "InfoNCE",
        }
    }

    /// Whether the scale matters.
    pub fn has_scale(self) -> bool {
        self != Self::RankCosine
    }
}

impl ListLoss {
    /// What fixes it, for provenance and reports.
    pub fn describe(&self) -> Value {
        match self.kind.has_scale() {
            true => json!({ "loss": name_of(self.kind), "scale": number(self.scale) }),
            false => json!({ "loss": name_of(self.kind) }),
        }
    }

    /// The loss of a query's candidates, and its derivative with respect to each score. 0 where
    /// the grades say nothing: all alike, or for InfoNCE none above 1.
    pub fn of(&self, scores: &[f32], grades: &[u8]) -> (f64, Vec<f64>) {
        let scale = if self.kind.has_scale() { f64::from(self.scale) } else { 1.0 };
        let scores: Vec<f64> = scores.iter().map(|&score| scale * f64::from(score)).collect();
        let (value, mut slopes) = match self.kind {
            ListKind::ListNet => {
                let gains: Vec<f64> = grades.iter().map(|&grade| f64::from(grade)).collect();
                cross_entropy(&scores, &softmax(&gains))
            }
            ListKind::ListMle => list_mle(&scores, grades),
            ListKind::RankNet => pairs(&scores, grades, |_, _| 1.0),
            ListKind::LambdaRank => {
                let weights = Exchanges::new(&scores, grades);
                pairs(&scores, grades, |high, low| weights.change(high, low))
            }
            ListKind::RankCosine => rank_cosine(&scores, grades),
            ListKind::InfoNce => {
                let relevant = grades.iter().filter(|&&grade| grade >= 2).count().max(1);
                let share = |&grade: &u8| f64::from(u8::from(grade >= 2)) / relevant as f64;
                let target: Vec<f64> = grades.iter().map(share).collect();
                cross_entropy(&scores, &target)
            }
        };
        slopes.iter_mut().for_each(|slope| *slope *= scale);
        (value, slopes)
    }
}

fn softmax(values: &[f64]) -> Vec<f64> {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = values.iter().map(|value| libm::exp(value - most)).collect();
    let sum: f64 = powers.iter().sum();
    powers.iter().map(|power| power / sum).collect()
}

/// `log(sum of e^value)`.
fn log_sum(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = values.clone().fold(f64::NEG_INFINITY, f64::max);
    most + libm::log(values.map(|value| libm::exp(value - most)).sum())
}

/// `-sum target log softmax(scores)`.
fn cross_entropy(scores: &[f64], target: &[f64]) -> (f64, Vec<f64>) {
    let whole: f64 = target.iter().sum();
    let total = log_sum(scores.iter().copied());
    let value = target.iter().zip(scores).map(|(share, score)| share * (total - score)).sum();
    let slope = |(score, share): (&f64, &f64)| whole * libm::exp(score - total) - share;
    (value, scores.iter().zip(target).map(slope).collect())
}

/// For each document of a grade above 0, its cross-entropy among those that rank no higher.
fn list_mle(scores: &[f64], grades: &[u8]) -> (f64, Vec<f64>) {
    let mut value = 0.0;
    let mut slopes = vec![0.0; scores.len()];
    let most = grades.iter().copied().max().unwrap_or(0);
    for level in 1..=most {
        let tied = grades.iter().filter(|&&grade| grade == level).count() as f64;
        let below = || grades.iter().zip(scores).filter(|(grade, _)| **grade <= level);
        if tied == 0.0 {
            continue;
        }
        let total = log_sum(below().map(|(_, &score)| score));
        for ((slope, &grade), &score) in slopes.iter_mut().zip(grades).zip(scores) {
            if grade == level {
                value += total - score;
                *slope -= 1.0;
            }
            if grade <= level {
                *slope += tied * libm::exp(score - total);
            }
        }
    }
    (value, slopes)
}

/// The weighted mean over pairs of different grades of `log(1 + e^(low - high))`.
fn pairs(scores: &[f64], grades: &[u8], weight: impl Fn(usize, usize) -> f64) -> (f64, Vec<f64>) {
    let (mut value, mut count) = (0.0, 0.0);
    let mut slopes = vec![0.0; scores.len()];
    for high in (0..scores.len()).filter(|&high| grades[high] > 0) {
        for low in (0..scores.len()).filter(|&low| grades[low] < grades[high]) {
            let (weight, behind) = (weight(high, low), scores[low] - scores[high]);
            let slope = weight / (1.0 + libm::exp(-behind));
            value += weight * (behind.max(0.0) + libm::log1p(libm::exp(-behind.abs())));
            slopes[high] -= slope;
            slopes[low] += slope;
            count += 1.0;
        }
    }
    if count > 0.0 {
        slopes.iter_mut().for_each(|slope| *slope /= count);
        value /= count;
    }
    (value, slopes)
}

/// What the exchange of two documents changes in the NDCG of a whole ranking, the gain being the
/// grade.
struct Exchanges<'a> {
    grades: &'a [u8],
    /// The discount of each document's place.
    discounts: Vec<f64>,
    /// The largest discounted gain.
    ideal: f64,
}

impl<'a> Exchanges<'a> {
    fn new(scores: &[f64], grades: &'a [u8]) -> Self {
        let discount = |place: usize| 1.0 / libm::log2((place + 2) as f64);
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let mut discounts = vec![0.0; scores.len()];
        for (place, document) in order.into_iter().enumerate() {
            discounts[document] = discount(place);
        }
        let mut best = grades.to_vec();
        best.sort_unstable_by(|a, b| b.cmp(a));
        let gains = best.iter().enumerate();
        let ideal = gains.map(|(place, &grade)| f64::from(grade) * discount(place)).sum();
        Self { grades, discounts, ideal }
    }

    fn change(&self, a: usize, b: usize) -> f64 {
        let gain = f64::from(self.grades[a]) - f64::from(self.grades[b]);
        (gain * (self.discounts[a] - self.discounts[b])).abs() / self.ideal
    }
}

/// `(1 - cos(scores, grades)) / 2`.
fn rank_cosine(scores: &[f64], grades: &[u8]) -> (f64, Vec<f64>) {
    let grades: Vec<f64> = grades.iter().map(|&grade| f64::from(grade)).collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (length, gains) = (dot(scores, scores).sqrt(), dot(&grades, &grades).sqrt());
    if length == 0.0 || gains == 0.0 {
        return (0.5, vec![0.0; scores.len()]);
    }
    let cosine = dot(scores, &grades) / (length * gains);
    let slope =
        |(score, grade): (&f64, &f64)| -0.5 * (grade / gains - cosine * score / length) / length;
    (0.5 * (1.0 - cosine), scores.iter().zip(&grades).map(slope).collect())
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;
    use smooth_clir::math::random::Random;

    use super::*;

    const GRADES: [u8; 7] = [0, 2, 1, 0, 1, 0, 2];

    fn random_scores(seed: u64) -> Vec<f32> {
        Random::new(seed, "scores").uniforms(GRADES.len(), 0.9)
    }

    #[test]
    fn values_and_slopes_are_those_of_autograd() {
        // For each kind: scale, scores, grades, value, slopes; see tests/reference/lists.py.
        let mut checked = 0;
        for line in include_str!("../../../tests/reference/lists.tsv").lines() {
            let field: Vec<&str> = line.split('\t').collect();
            let numbers = |text: &str| -> Vec<f64> {
                text.split(',').map(|number| number.parse().unwrap()).collect()
            };
            let kind = ListKind::from_str(field[0], false).unwrap();
            let loss = ListLoss { kind, scale: numbers(field[1])[0] as f32 };
            let scores: Vec<f32> = numbers(field[2]).iter().map(|&x| x as f32).collect();
            let grades: Vec<u8> = numbers(field[3]).iter().map(|&x| x as u8).collect();
            let (value, slopes) = loss.of(&scores, &grades);
            assert!((value - numbers(field[4])[0]).abs() < 1e-6, "{line}: {value}");
            for (found, expected) in slopes.iter().zip(numbers(field[5])) {
                assert!((found - expected).abs() < 1e-5, "{line}: {slopes:?}");
            }
            checked += 1;
        }
        assert_eq!(checked, 6 * 4, "every kind");
    }

    #[test]
    fn slopes_are_finite_differences_of_values() {
        for kind in ListKind::value_variants() {
            // LambdaRank's weights count as constants, so its slope is no derivative of its value.
            if *kind == ListKind::LambdaRank {
                continue;
            }
            let loss = ListLoss { kind: *kind, scale: 7.0 };
            for seed in 0..5 {
                let scores = random_scores(seed);
                let (_, slopes) = loss.of(&scores, &GRADES);
                for (at, slope) in slopes.iter().enumerate() {
                    let moved = |by: f32| {
                        let mut scores = scores.clone();
                        scores[at] += by;
                        (f64::from(scores[at]), loss.of(&scores, &GRADES).0)
                    };
                    let [(left, low), (right, high)] = [moved(-1e-3), moved(1e-3)];
                    let difference = (high - low) / (right - left);
                    assert!((slope - difference).abs() < 2e-4, "{kind:?}: {slope} {difference}");
                }
            }
        }
    }

    #[test]
    fn grades_in_order_lose_less_than_grades_in_reverse() {
        let rising = |sign: f32| -> Vec<f32> {
            GRADES.iter().map(|&grade| sign * 0.4 * f32::from(grade)).collect()
        };
        for kind in ListKind::value_variants() {
            let loss = ListLoss { kind: *kind, scale: 5.0 };
            let [right, wrong] = [1.0, -1.0].map(|sign| loss.of(&rising(sign), &GRADES).0);
            assert!(right < wrong, "{kind:?}: {right} {wrong}");
        }
    }

    #[test]
    fn grades_that_are_all_alike_say_nothing_and_no_score_is_lost_in_a_large_scale() {
        for kind in ListKind::value_variants() {
            let loss = ListLoss { kind: *kind, scale: 1e4 };
            let (value, slopes) = loss.of(&[0.9, -0.9, 0.1], &[0, 0, 0]);
            let moves = *kind != ListKind::ListNet && slopes.iter().any(|slope| *slope != 0.0);
            assert!(!moves && value.is_finite(), "{kind:?}");
            let (value, slopes) = loss.of(&[-0.9, 0.9, 0.1], &[2, 0, 1]);
            assert!(value.is_finite() && slopes.iter().all(|x| x.is_finite()), "{kind:?}");
        }
    }
}
