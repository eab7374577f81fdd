//! Score and grade -> loss: smooth ordinal search loss (SOSL) for any number of grades.
//!
//! Paper 1, eq. (2), with `-1 = t_0 < t_1 < ... < t_K = 1`: `(r - t_y)^2` above the grade's
//! interval, `(t_{y-1} - r)^2` below it, 0 inside. Grades here are `g = y - 1`, from 0.

use crate::Error;

/// SOSL with its thresholds.
#[derive(Debug, Clone, PartialEq)]
pub struct Sosl {
    /// `t_0 = -1` to `t_K = 1`.
    edges: Vec<f32>,
}

impl Sosl {
    /// SOSL with inner thresholds `t_1 < ... < t_{K-1}`, for K grades.
    ///
    /// # Errors
    /// [`Error::Thresholds`] unless they rise strictly between -1 and 1.
    pub fn new(thresholds: &[f32]) -> Result<Self, Error> {
        let edges: Vec<f32> = [&[-1.0], thresholds, &[1.0]].concat();
        let rising = edges.windows(2).all(|pair| pair[0] < pair[1]);
        // A not-a-number is in no order; more grades than a byte counts are none.
        if !rising || thresholds.is_empty() || thresholds.len() > usize::from(u8::MAX) {
            return Err(Error::Thresholds { found: thresholds.to_vec() });
        }
        Ok(Self { edges })
    }

    /// K, how many grades there are.
    pub fn grades(&self) -> usize {
        self.edges.len() - 1
    }

    /// The thresholds between the grades.
    pub fn thresholds(&self) -> &[f32] {
        &self.edges[1..self.edges.len() - 1]
    }

    /// How far a score lies outside the interval of a grade below [`grades`](Self::grades): above
    /// 0 if it is too high, below 0 if too low, 0 inside.
    fn violation(&self, score: f32, grade: u8) -> f32 {
        let grade = usize::from(grade);
        let (low, high) = (self.edges[grade], self.edges[grade + 1]);
        if score > high {
            score - high
        } else if score < low {
            score - low
        } else {
            0.0
        }
    }

    /// The loss (paper 1, eq. 2).
    pub fn value(&self, score: f32, grade: u8) -> f32 {
        let violation = self.violation(score, grade);
        violation * violation
    }

    /// The loss's derivative in the score.
    pub fn slope(&self, score: f32, grade: u8) -> f32 {
        2.0 * self.violation(score, grade)
    }

    /// The grade that a score predicts: the number of thresholds strictly below it.
    pub fn predicted_grade(&self, score: f32) -> u8 {
        self.thresholds().iter().filter(|&&threshold| threshold < score).count() as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_slopes_by_hand() {
        let loss = Sosl::new(&[0.25, 0.75]).unwrap();
        assert_eq!(loss.grades(), 3);
        // (score, grade, value, slope)
        for (score, grade, value, slope) in [
            (0.0, 0, 0.0, 0.0),
            (0.5, 0, 0.0625, 0.5),
            (0.5, 1, 0.0, 0.0),
            (1.0, 1, 0.0625, 0.5),
            (0.0, 1, 0.0625, -0.5),
            (0.5, 2, 0.0625, -0.5),
            (-1.0, 2, 3.0625, -3.5),
            (0.25, 0, 0.0, 0.0),
            (0.25, 1, 0.0, 0.0),
        ] {
            assert_eq!(loss.value(score, grade), value, "value of {score} at grade {grade}");
            assert_eq!(loss.slope(score, grade), slope, "slope of {score} at grade {grade}");
        }
    }

    #[test]
    fn the_slope_is_the_finite_difference_for_two_to_five_grades() {
        for thresholds in [&[0.1][..], &[0.2, 0.7], &[-0.5, 0.0, 0.5], &[-0.6, -0.1, 0.3, 0.8]] {
            let loss = Sosl::new(thresholds).unwrap();
            // Eq. (2) again, in f64 and by itself.
            let edge = |i: usize| match i {
                0 => -1.0,
                i if i > thresholds.len() => 1.0,
                i => f64::from(thresholds[i - 1]),
            };
            let value = |r: f64, y: usize| {
                (edge(y) - r).powi(2) * f64::from(u8::from(r > edge(y)))
                    + (r - edge(y - 1)).powi(2) * f64::from(u8::from(r < edge(y - 1)))
            };
            for grade in 0..=thresholds.len() {
                for step in -99..100 {
                    let r = f64::from(step) * 0.01 + 0.003;
                    let difference =
                        (value(r + 1e-6, grade + 1) - value(r - 1e-6, grade + 1)) / 2e-6;
                    let slope = loss.slope(r as f32, grade as u8);
                    assert!((f64::from(slope) - difference).abs() < 1e-5);
                    let close = f64::from(loss.value(r as f32, grade as u8)) - value(r, grade + 1);
                    assert!(close.abs() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn a_score_on_a_threshold_has_the_grade_below_it() {
        let loss = Sosl::new(&[0.2, 0.7]).unwrap();
        let grades = [-1.0, 0.2, 0.21, 0.7, 0.71].map(|score| loss.predicted_grade(score));
        assert_eq!(grades, [0, 0, 1, 1, 2]);
    }

    #[test]
    fn thresholds_out_of_order_or_range_are_refused() {
        for thresholds in [
            &[][..],
            &[0.7, 0.2],
            &[0.2, 0.2],
            &[-1.0],
            &[1.0],
            &[f32::NAN],
            &[0.2, f32::NAN, 0.7],
            &[f32::INFINITY],
        ] {
            assert!(Sosl::new(thresholds).is_err(), "{thresholds:?}");
        }
    }
}
