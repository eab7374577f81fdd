//! The loss of a batch's scores, where it is not that of each pair by itself.

use smooth_clir::math::loss::Loss;
use smooth_clir::training::step::{Judged, Measured, Pair};

use super::variant::Variant;

/// The loss of a batch and its slopes: the mean over pairs, or over queries of a list loss.
pub fn judge(
    loss: &Loss,
    variant: &Variant,
    batch: &[Pair<'_>],
    measured: &[Measured],
) -> Vec<Judged> {
    let Some(list) = &variant.list else {
        let share = 1.0 / batch.len() as f32;
        let of_pair = |(pair, measured): (&Pair<'_>, &Measured)| {
            let [loss, slope] = match variant.all_thresholds {
                false => [loss.value(measured.score, pair.grade), loss.slope(measured.score, pair.grade)],
                true => all_thresholds(loss.thresholds().inner(), measured.score, pair.grade),
            };
            Judged { loss: loss * share, slope: slope * share }
        };
        return batch.iter().zip(measured).map(of_pair).collect();
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

/// The squared distances of a score from all thresholds on whose wrong side it is (the
/// all-threshold form of Rennie and Srebro, 2005), and the slope.
fn all_thresholds(inner: &[f32], score: f32, grade: u8) -> [f32; 2] {
    let mut sums = [0.0; 2];
    for (number, threshold) in inner.iter().enumerate() {
        let beyond = score - threshold;
        let is_wrong = if number < usize::from(grade) { beyond < 0.0 } else { beyond > 0.0 };
        if is_wrong {
            sums[0] += beyond * beyond;
            sums[1] += 2.0 * beyond;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use smooth_clir::math::loss::Thresholds;

    use super::*;
    use crate::train::lists::{ListKind, ListLoss};

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
            assert_eq!(all_thresholds(&[0.25, 0.75], score, grade), [value, slope], "{score} {grade}");
        }
    }

    #[test]
    fn with_two_grades_all_thresholds_are_those_of_the_interval() {
        let sosl = Loss::Sosl(Thresholds::new(&[0.3]).unwrap());
        for (grade, step) in [0, 1].iter().flat_map(|&g| (-100..=100).map(move |s| (g, s))) {
            let r = step as f32 * 0.01;
            let expected = [sosl.value(r, grade), sosl.slope(r, grade)];
            assert_eq!(all_thresholds(&[0.3], r, grade), expected);
        }
    }

    #[test]
    fn a_batch_of_two_queries_is_the_mean_of_their_lists() {
        let (one, other, document) = (vec![0, 1], vec![0, 1], vec![2]);
        let pair = |query, grade| Pair { query, document: &document, language: 0, grade };
        let batch = [pair(&one, 2), pair(&one, 0), pair(&other, 0), pair(&other, 1), pair(&other, 2)];
        let scores = [0.1f32, 0.3, -0.2, 0.5, 0.4];
        let measured = scores.map(|score| Measured { score, ..Measured::default() });
        let list = ListLoss { kind: ListKind::ListMle, scale: 3.0 };
        let variant = Variant { list: Some(list), ..Variant::default() };
        let loss = Loss::Sosl(Thresholds::new(&[0.2, 0.7]).unwrap());
        let judged = judge(&loss, &variant, &batch, &measured);
        let [first, second] =
            [list.of(&scores[..2], &[2, 0]), list.of(&scores[2..], &[0, 1, 2])];
        let total: f32 = judged.iter().map(|judged| judged.loss).sum();
        assert!((f64::from(total) - 0.5 * (first.0 + second.0)).abs() < 1e-6);
        for (judged, slope) in judged.iter().zip(first.1.iter().chain(&second.1)) {
            assert!((f64::from(judged.slope) - 0.5 * slope).abs() < 1e-6);
        }
    }
}
