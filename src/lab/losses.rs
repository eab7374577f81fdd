//! Losses as functions of the score, and how scores are spread.

use crate::Error;
use crate::math::loss::{Loss, LossKind};

/// A loss by the name that the trainer's `--loss` has.
///
/// # Errors
/// [`Error::Thresholds`], [`Error::ThreePart`], [`Error::Scale`]; `None` for another name.
pub fn named(name: &str, thresholds: &[f32], scale: f32) -> Result<Option<Loss>, Error> {
    LossKind::named(name).map(|kind| kind.build(thresholds, scale)).transpose()
}

/// A loss's value at each score, then its slope at each: paper 1, Figure 2. None for a grade that it
/// does not have.
pub fn curve(loss: &Loss, grade: u8, scores: &[f32]) -> Vec<f32> {
    if usize::from(grade) >= loss.grades() {
        return Vec::new();
    }
    let values = scores.iter().map(|&score| loss.value(score, grade));
    values.chain(scores.iter().map(|&score| loss.slope(score, grade))).collect()
}

/// Beyond so many bandwidths a kernel is as good as nothing: e^-18.
const REACH: f32 = 6.0;

/// A Gaussian kernel's estimate of the density of scores at points that rise: paper 1, Figure 3.
/// Zeros where there are no scores or the bandwidth is not above 0.
pub fn density(scores: &[f32], bandwidth: f32, at: &[f32]) -> Vec<f32> {
    if scores.is_empty() || bandwidth.is_nan() || bandwidth <= 0.0 {
        return vec![0.0; at.len()];
    }
    let height = 1.0 / (scores.len() as f32 * bandwidth * libm::sqrtf(2.0 * std::f32::consts::PI));
    let mut density = vec![0.0; at.len()];
    for &score in scores {
        let first = at.partition_point(|&point| (point - score) / bandwidth <= -REACH);
        for (sum, &point) in density[first..].iter_mut().zip(&at[first..]) {
            let away = (point - score) / bandwidth;
            if away >= REACH {
                break;
            }
            *sum += libm::expf(-0.5 * away * away);
        }
    }
    density.iter_mut().for_each(|sum| *sum *= height);
    density
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sosl_is_nothing_inside_a_grades_interval_and_the_square_outside() {
        let loss = named("sosl", &[0.2, 0.7], 1.0).unwrap().unwrap();
        let [inside, below] = [curve(&loss, 1, &[0.5]), curve(&loss, 1, &[0.0])];
        assert_eq!(inside, [0.0, 0.0]);
        assert!((below[0] - 0.04).abs() < 1e-7 && (below[1] + 0.4).abs() < 1e-6);
        assert!(curve(&loss, 3, &[0.0]).is_empty());
    }

    #[test]
    fn only_known_names_are_losses() {
        assert_eq!(named("hinge", &[0.2], 1.0), Ok(None));
        for name in ["mse", "proportional-odds-paper", "proportional-odds"] {
            assert_eq!(named(name, &[0.2, 0.7], 10.0).unwrap().unwrap().grades(), 3);
        }
        assert!(named("three-part", &[0.7, 0.2], 1.0).is_err());
    }

    #[test]
    fn a_density_integrates_to_one_and_is_highest_where_scores_are() {
        let scores = [-0.2, 0.5, 0.5, 0.52];
        let at: Vec<f32> = (-200..=200).map(|x| x as f32 / 100.0).collect();
        let density = density(&scores, 0.05, &at);
        let area: f32 = density.iter().sum::<f32>() / 100.0;
        assert!((area - 1.0).abs() < 1e-3, "{area}");
        let most = density.iter().copied().fold(0.0, f32::max);
        let place = density.iter().position(|&x| x == most).unwrap();
        assert!((at[place] - 0.5).abs() < 0.02);
    }

    #[test]
    fn without_scores_there_is_no_density() {
        assert_eq!(density(&[], 0.1, &[0.0, 1.0]), [0.0, 0.0]);
        assert_eq!(density(&[0.5], 0.0, &[0.0]), [0.0]);
    }
}
