//! The loss of a batch's scores, where it is not that of each pair by itself.

use smooth_clir::math::loss::Loss;
use smooth_clir::training::step::{Judged, Measured, Pair};

use super::variant::Variant;

/// The loss of a batch and its slopes: the mean over pairs, or over queries of a list loss.
/// `thresholds` are those in use; the gradient with respect to each is added to `to_thresholds`.
pub fn judge(
    loss: &Loss,
    variant: &Variant,
    batch: &[Pair<'_>],
    measured: &[Measured],
    thresholds: &[f32],
    to_thresholds: &mut [f64],
) -> Vec<Judged> {
    let Some(list) = &variant.list else {
        let share = 1.0 / batch.len() as f32;
        let margin = variant.learned_margin.unwrap_or(0.0);
        let is_own = variant.all_thresholds || variant.learned_margin.is_some();
        let mut of_pair = |(pair, measured): (&Pair<'_>, &Measured)| {
            let [loss, slope] = match is_own {
                false => {
                    let (score, grade) = (measured.score, pair.grade);
                    [loss.value(score, grade), loss.slope(score, grade)]
                }
                true => {
                    let hinges = Hinges { thresholds, margin, all: variant.all_thresholds };
                    hinges.of(measured.score, pair.grade, |number, slope| {
                        to_thresholds[number] -= f64::from(slope * share);
                    })
                }
            };
            Judged { loss: loss * share, slope: slope * share }
        };
        return batch.iter().zip(measured).map(&mut of_pair).collect();
    };
    // Pairs of one query share its rows.
    let lists: Vec<&[Pair<'_>]> = batch.chunk_by(|a, b| std::ptr::eq(a.query, b.query)).collect();
    let share = 1.0 / lists.len() as f64;
    let mut judged = Vec::with_capacity(batch.len());
    for pairs in lists {
        let own = &measured[judged.len()..][..pairs.len()];
        let scores: Vec<f32> = own.iter().map(|measured| measured.score).collect();
        let grades: Vec<u8> = pairs.iter().map(|pair| pair.grade).collect();
        let (value, slopes) = list.of(&scores, &grades);
        let part = (value * share / pairs.len() as f64) as f32;
        judged.extend(
            slopes.iter().map(|slope| Judged { loss: part, slope: (slope * share) as f32 }),
        );
    }
    judged
}

/// Squared hinges at thresholds: SOSL, in its own form at the thresholds of the grade's interval, and
/// in the all-threshold form of Rennie and Srebro (2005).
struct Hinges<'a> {
    thresholds: &'a [f32],
    /// What a score must be beyond a threshold to lose nothing.
    margin: f32,
    all: bool,
}

impl Hinges<'_> {
    /// The loss and its slope; `part` is told each threshold's part of the slope, which is less its
    /// own derivative.
    fn of(&self, score: f32, grade: u8, mut part: impl FnMut(usize, f32)) -> [f32; 2] {
        let grade = usize::from(grade);
        let mut sums = [0.0; 2];
        for (number, threshold) in self.thresholds.iter().enumerate() {
            let is_near = number == grade || number + 1 == grade;
            if !(self.all || is_near) {
                continue;
            }
            // Below 0 where a score is too low, above 0 where it is too high.
            let beyond = match number < grade {
                true => (score - threshold - self.margin).min(0.0),
                false => (score - threshold + self.margin).max(0.0),
            };
            if beyond != 0.0 {
                sums[0] += beyond * beyond;
                sums[1] += 2.0 * beyond;
                part(number, 2.0 * beyond);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use smooth_clir::math::loss::Thresholds;

    use super::*;
    use crate::train::lists::{ListKind, ListLoss};

    fn hinges(thresholds: &[f32], all: bool, score: f32, grade: u8) -> [f32; 2] {
        Hinges { thresholds, margin: 0.0, all }.of(score, grade, |_, _| {})
    }

    #[test]
    fn all_thresholds_by_hand() {
        // (score, grade, value, slope) at thresholds .25 and .75.
        for (score, grade, value, slope) in [
            (1.0, 0, 0.5625 + 0.0625, 1.5 + 0.5),
            (0.5, 0, 0.0625, 0.5),
            (0.0, 2, 0.0625 + 0.5625, -0.5 - 1.5),
            (0.5, 1, 0.0, 0.0),
            (1.0, 1, 0.0625, 0.5),
            (0.0, 1, 0.0625, -0.5),
            (0.25, 0, 0.0, 0.0),
        ] {
            assert_eq!(
                hinges(&[0.25, 0.75], true, score, grade),
                [value, slope],
                "{score} {grade}"
            );
        }
    }

    #[test]
    fn near_thresholds_are_sosl_and_with_two_grades_all_are_too() {
        for (inner, all) in [(&[0.3][..], true), (&[0.3], false), (&[-0.2, 0.1, 0.6], false)] {
            let sosl = Loss::Sosl(Thresholds::new(inner).unwrap());
            for (grade, step) in
                (0..sosl.grades() as u8).flat_map(|g| (-100..=100).map(move |s| (g, s)))
            {
                let r = step as f32 * 0.01;
                let expected = [sosl.value(r, grade), sosl.slope(r, grade)];
                assert_eq!(hinges(inner, all, r, grade), expected, "{inner:?} {r} {grade}");
            }
        }
    }

    #[test]
    fn gradients_of_thresholds_and_scores_are_finite_differences() {
        let document = vec![0];
        let batch: Vec<Pair<'_>> = [0, 3, 1, 2, 1, 0]
            .map(|grade| Pair { query: &document, document: &document, language: 0, grade })
            .into();
        let scores = [0.4f32, 0.1, -0.3, 0.7, 0.55, -0.9];
        let thresholds = [-0.1f32, 0.2, 0.5];
        let loss = Loss::Sosl(Thresholds::new(&thresholds).unwrap());
        for all_thresholds in [false, true] {
            let variant =
                Variant { all_thresholds, learned_margin: Some(0.05), ..Variant::default() };
            let run = |scores: [f32; 6], thresholds: [f32; 3]| {
                let measured = scores.map(|score| Measured { score, ..Measured::default() });
                let mut gradient = [0.0; 3];
                let judged = judge(&loss, &variant, &batch, &measured, &thresholds, &mut gradient);
                let value: f64 = judged.iter().map(|judged| f64::from(judged.loss)).sum();
                (value, judged, gradient)
            };
            let (_, judged, gradient) = run(scores, thresholds);
            let step = 1e-3;
            for at in 0..3 {
                let moved = |by: f32| {
                    let mut thresholds = thresholds;
                    thresholds[at] += by;
                    run(scores, thresholds).0
                };
                let expected = (moved(step) - moved(-step)) / f64::from(2.0 * step);
                assert!((gradient[at] - expected).abs() < 1e-4, "{at}: {gradient:?} {expected}");
            }
            for at in 0..6 {
                let moved = |by: f32| {
                    let mut scores = scores;
                    scores[at] += by;
                    run(scores, thresholds).0
                };
                let expected = (moved(step) - moved(-step)) / f64::from(2.0 * step);
                assert!((f64::from(judged[at].slope) - expected).abs() < 1e-4, "{at}: {expected}");
            }
        }
    }

    #[test]
    fn a_batch_of_two_queries_is_the_mean_of_their_lists() {
        let (one, other, document) = (vec![0, 1], vec![0, 1], vec![2]);
        let pair = |query, grade| Pair { query, document: &document, language: 0, grade };
        let batch =
            [pair(&one, 2), pair(&one, 0), pair(&other, 0), pair(&other, 1), pair(&other, 2)];
        let scores = [0.1f32, 0.3, -0.2, 0.5, 0.4];
        let measured = scores.map(|score| Measured { score, ..Measured::default() });
        let list = ListLoss { kind: ListKind::ListMle, scale: 3.0 };
        let variant = Variant { list: Some(list), ..Variant::default() };
        let loss = Loss::Sosl(Thresholds::new(&[0.2, 0.7]).unwrap());
        let judged = judge(&loss, &variant, &batch, &measured, &[], &mut []);
        let [first, second] = [list.of(&scores[..2], &[2, 0]), list.of(&scores[2..], &[0, 1, 2])];
        let total: f32 = judged.iter().map(|judged| judged.loss).sum();
        assert!((f64::from(total) - 0.5 * (first.0 + second.0)).abs() < 1e-6);
        for (judged, slope) in judged.iter().zip(first.1.iter().chain(&second.1)) {
            assert!((f64::from(judged.slope) - 0.5 * slope).abs() < 1e-6);
        }
    }
}
