//! Losses of a score at a grade: smooth ordinal search loss (SOSL) and its rivals.
//!
//! Thresholds `-1 = t_0 < t_1 < ... < t_K = 1` cut the scores into an interval for each grade.
//! Grades here are `g = y - 1`, from 0. Every loss is convex in the score.

use crate::Error;
use crate::math::kernels::logistic;

/// The thresholds of the scores between grades.
#[derive(Debug, Clone, PartialEq)]
pub struct Thresholds {
    /// `t_0 = -1` to `t_K = 1`, rising.
    edges: Vec<f32>,
}

impl Thresholds {
    /// Creates thresholds from the inner ones, `t_1 < ... < t_{K-1}` for K grades.
    ///
    /// # Errors
    /// [`Error::Thresholds`] unless they rise strictly between -1 and 1.
    pub fn new(inner: &[f32]) -> Result<Self, Error> {
        let edges: Vec<f32> = [&[-1.0], inner, &[1.0]].concat();
        let rising = edges.windows(2).all(|pair| pair[0] < pair[1]);
        // NaN has no order; a grade is a byte, which limits the number of grades.
        if !rising || inner.is_empty() || inner.len() > usize::from(u8::MAX) {
            return Err(Error::Thresholds { found: inner.to_vec() });
        }
        Ok(Self { edges })
    }

    /// K, the number of grades.
    pub fn grades(&self) -> usize {
        self.edges.len() - 1
    }

    /// The thresholds between the grades.
    pub fn inner(&self) -> &[f32] {
        &self.edges[1..self.edges.len() - 1]
    }

    /// The interval of scores of a grade below [`grades`](Self::grades).
    pub fn interval(&self, grade: u8) -> (f32, f32) {
        let grade = usize::from(grade);
        (self.edges[grade], self.edges[grade + 1])
    }

    /// The grade that a score predicts: the number of thresholds strictly below it.
    pub fn predicted_grade(&self, score: f32) -> u8 {
        self.inner().iter().filter(|&&threshold| threshold < score).count() as u8
    }
}

/// The loss of a graded pair, which training minimises.
#[derive(Debug, Clone, PartialEq)]
pub enum Loss {
    /// Smooth ordinal search loss (paper 1, eq. 2): the squared distance of a score from its
    /// grade's interval.
    Sosl(Thresholds),
    /// Three-part L2 (Nigam et al., 2019), for three grades: the squared excess of grade 0 above
    /// the first threshold, of grade 1 above the second, and the squared shortfall of grade 2 below
    /// the third.
    ThreePart([f32; 3]),
    /// MSE: the squared distance from the middle of the grade's interval.
    MeanSquare(Thresholds),
    /// Proportional odds as the paper's authors released it:
    /// `-log s(t_y - r) - log s(r - t_{y-1})`, s the logistic function, ends at -1 and 1.
    ProportionalOddsPaper(Thresholds),
    /// Proportional odds (McCullagh, 1980): the negative log-likelihood of the grade's interval,
    /// `-log(s(c (t_y - r)) - s(c (t_{y-1} - r)))`, at scale c, with free outer ends.
    ProportionalOdds {
        /// The thresholds of the scores between grades.
        thresholds: Thresholds,
        /// The scale c, above 0.
        scale: f32,
    },
}

/// A kind of loss, before its thresholds are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LossKind {
    /// [`Loss::Sosl`].
    Sosl,
    /// [`Loss::ThreePart`].
    ThreePart,
    /// [`Loss::MeanSquare`].
    MeanSquare,
    /// [`Loss::ProportionalOddsPaper`].
    ProportionalOddsPaper,
    /// [`Loss::ProportionalOdds`].
    ProportionalOdds,
}

impl LossKind {
    /// The kind by the name that the trainer's `--loss` has.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "sosl" => Self::Sosl,
            "three-part" => Self::ThreePart,
            "mse" => Self::MeanSquare,
            "proportional-odds-paper" => Self::ProportionalOddsPaper,
            "proportional-odds" => Self::ProportionalOdds,
            _ => return None,
        })
    }

    /// The loss of this kind with these thresholds; only proportional odds has a scale.
    ///
    /// # Errors
    /// [`Error::Thresholds`], [`Error::ThreePart`], [`Error::Scale`].
    pub fn build(self, thresholds: &[f32], scale: f32) -> Result<Loss, Error> {
        let inner = || Thresholds::new(thresholds);
        Ok(match self {
            Self::Sosl => Loss::Sosl(inner()?),
            Self::ThreePart => Loss::three_part(thresholds)?,
            Self::MeanSquare => Loss::MeanSquare(inner()?),
            Self::ProportionalOddsPaper => Loss::ProportionalOddsPaper(inner()?),
            Self::ProportionalOdds => Loss::proportional_odds(inner()?, scale)?,
        })
    }
}

/// Upper bounds of a loss for scores from -1 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The bound of the slope's magnitude: the loss is Lipschitz with this constant.
    pub slope: f32,
    /// The bound of the slope's rate of change: the slope is Lipschitz with this constant.
    pub curvature: f32,
    /// The bound of the value.
    pub value: f32,
}

impl Loss {
    /// Creates three-part L2 with three thresholds, or with two: (t_1, t_2, t_2), which is SOSL
    /// without the term that raises grade 1 above t_1.
    ///
    /// # Errors
    /// [`Error::ThreePart`] unless they are two or three, between -1 and 1, the first below the
    /// second and the third not below that.
    pub fn three_part(thresholds: &[f32]) -> Result<Self, Error> {
        let (a, b, c) = match *thresholds {
            [a, b] => (a, b, b),
            [a, b, c] => (a, b, c),
            _ => return Err(Error::ThreePart { found: thresholds.to_vec() }),
        };
        if -1.0 < a && a < b && b <= c && c < 1.0 {
            Ok(Self::ThreePart([a, b, c]))
        } else {
            Err(Error::ThreePart { found: thresholds.to_vec() })
        }
    }

    /// Creates proportional odds at a scale.
    ///
    /// # Errors
    /// [`Error::Scale`] unless the scale is a finite number above 0.
    pub fn proportional_odds(thresholds: Thresholds, scale: f32) -> Result<Self, Error> {
        if scale.is_finite() && scale > 0.0 {
            Ok(Self::ProportionalOdds { thresholds, scale })
        } else {
            Err(Error::Scale { found: scale })
        }
    }

    /// The thresholds by which a score predicts a grade. Between grades 1 and 2 of three-part L2
    /// that is halfway from the second to the third threshold, where the losses of the two grades
    /// are equal.
    pub fn thresholds(&self) -> Thresholds {
        match self {
            Self::Sosl(thresholds)
            | Self::MeanSquare(thresholds)
            | Self::ProportionalOddsPaper(thresholds)
            | Self::ProportionalOdds { thresholds, .. } => thresholds.clone(),
            Self::ThreePart([a, b, c]) => {
                let halfway = if b == c { *b } else { 0.5 * (b + c) };
                Thresholds { edges: vec![-1.0, *a, halfway, 1.0] }
            }
        }
    }

    /// K, the number of grades.
    pub fn grades(&self) -> usize {
        match self {
            Self::Sosl(thresholds)
            | Self::MeanSquare(thresholds)
            | Self::ProportionalOddsPaper(thresholds)
            | Self::ProportionalOdds { thresholds, .. } => thresholds.grades(),
            Self::ThreePart(_) => 3,
        }
    }

    /// The interval of scores with zero loss at a grade below [`grades`](Self::grades), if the loss
    /// is the squared distance from it; `None` for proportional odds.
    pub fn target(&self, grade: u8) -> Option<(f32, f32)> {
        match self {
            Self::Sosl(thresholds) => Some(thresholds.interval(grade)),
            Self::ThreePart(thresholds) => Some(three_part(thresholds, grade)),
            Self::MeanSquare(thresholds) => {
                let middle = middle(thresholds.interval(grade));
                Some((middle, middle))
            }
            Self::ProportionalOddsPaper(_) | Self::ProportionalOdds { .. } => None,
        }
    }

    /// The loss of a score at a grade below [`grades`](Self::grades).
    pub fn value(&self, score: f32, grade: u8) -> f32 {
        match self {
            Self::Sosl(thresholds) => square(outside(score, thresholds.interval(grade))),
            Self::ThreePart(thresholds) => square(outside(score, three_part(thresholds, grade))),
            Self::MeanSquare(thresholds) => square(score - middle(thresholds.interval(grade))),
            Self::ProportionalOddsPaper(thresholds) => {
                let (low, high) = thresholds.interval(grade);
                softplus(score - high) + softplus(low - score)
            }
            Self::ProportionalOdds { thresholds, scale } => {
                let (low, high) = free_ends(thresholds, grade);
                let ends = softplus(scale * (score - high)) + softplus(scale * (low - score));
                // The probability of an interval is a product with this as its third factor.
                ends - libm::logf(-libm::expm1f(scale * (low - high)))
            }
        }
    }

    /// The derivative of the loss with respect to the score.
    pub fn slope(&self, score: f32, grade: u8) -> f32 {
        match self {
            Self::Sosl(thresholds) => 2.0 * outside(score, thresholds.interval(grade)),
            Self::ThreePart(thresholds) => 2.0 * outside(score, three_part(thresholds, grade)),
            Self::MeanSquare(thresholds) => 2.0 * (score - middle(thresholds.interval(grade))),
            Self::ProportionalOddsPaper(thresholds) => {
                let (low, high) = thresholds.interval(grade);
                logistic(score - high) - logistic(low - score)
            }
            Self::ProportionalOdds { thresholds, scale } => {
                let (low, high) = free_ends(thresholds, grade);
                scale * (logistic(scale * (score - high)) - logistic(scale * (low - score)))
            }
        }
    }

    /// Upper bounds of the loss for scores from -1 to 1. Value and slope of a convex function are
    /// largest at an end, so these bounds are reached; the bound of the curvature of proportional
    /// odds is not.
    pub fn bounds(&self) -> Bounds {
        let ends = (0..self.grades()).flat_map(|grade| [(-1.0, grade as u8), (1.0, grade as u8)]);
        let largest = |quantity: fn(&Self, f32, u8) -> f32| {
            ends.clone()
                .map(|(score, grade)| quantity(self, score, grade).abs())
                .fold(0.0, f32::max)
        };
        let curvature = match self {
            Self::Sosl(_) | Self::ThreePart(_) | Self::MeanSquare(_) => 2.0,
            // Two terms, each at most a quarter of the scale squared.
            Self::ProportionalOddsPaper(_) => 0.5,
            Self::ProportionalOdds { scale, .. } => 0.5 * scale * scale,
        };
        Bounds { slope: largest(Self::slope), curvature, value: largest(Self::value) }
    }
}

/// The distance of a score from an interval: above 0 if it is too high, below 0 if too low, 0
/// inside.
fn outside(score: f32, (low, high): (f32, f32)) -> f32 {
    if score > high {
        score - high
    } else if score < low {
        score - low
    } else {
        0.0
    }
}

fn three_part([a, b, c]: &[f32; 3], grade: u8) -> (f32, f32) {
    match grade {
        0 => (-1.0, *a),
        1 => (-1.0, *b),
        _ => (*c, 1.0),
    }
}

/// The interval of a grade; the first and the last are unbounded on the outer side.
fn free_ends(thresholds: &Thresholds, grade: u8) -> (f32, f32) {
    let (low, high) = thresholds.interval(grade);
    let low = if grade == 0 { f32::NEG_INFINITY } else { low };
    let last = usize::from(grade) + 1 == thresholds.grades();
    (low, if last { f32::INFINITY } else { high })
}

fn middle((low, high): (f32, f32)) -> f32 {
    0.5 * (low + high)
}

fn square(x: f32) -> f32 {
    x * x
}

/// `log(1 + e^x)`, which is `-log s(-x)`.
fn softplus(x: f32) -> f32 {
    x.max(0.0) + libm::log1pf(libm::expf(-x.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thresholds(inner: &[f32]) -> Thresholds {
        Thresholds::new(inner).unwrap()
    }

    /// Every loss at these thresholds.
    fn losses(inner: &[f32]) -> Vec<Loss> {
        let t = || thresholds(inner);
        let mut losses = vec![
            Loss::Sosl(t()),
            Loss::MeanSquare(t()),
            Loss::ProportionalOddsPaper(t()),
            Loss::proportional_odds(t(), 1.0).unwrap(),
            Loss::proportional_odds(t(), 10.0).unwrap(),
        ];
        if inner.len() == 2 {
            losses.push(Loss::three_part(&[inner[0], inner[1], 0.9]).unwrap());
            losses.push(Loss::three_part(inner).unwrap());
        }
        losses
    }

    /// The formulas again, in f64 and by themselves.
    fn by_the_book(loss: &Loss, r: f64, grade: usize) -> f64 {
        let logistic = |x: f64| 1.0 / (1.0 + libm::exp(-x));
        let edge = |t: &Thresholds, i: usize| match i {
            0 => -1.0,
            i if i > t.inner().len() => 1.0,
            i => f64::from(t.inner()[i - 1]),
        };
        let violated = |x: f64| x.max(0.0) * x.max(0.0);
        match loss {
            Loss::Sosl(t) => violated(r - edge(t, grade + 1)) + violated(edge(t, grade) - r),
            Loss::ThreePart(t) => {
                let [a, b, c] = t.map(f64::from);
                match grade {
                    0 => violated(r - a),
                    1 => violated(r - b),
                    _ => violated(c - r),
                }
            }
            Loss::MeanSquare(t) => {
                let middle = (edge(t, grade) + edge(t, grade + 1)) / 2.0;
                (r - middle) * (r - middle)
            }
            Loss::ProportionalOddsPaper(t) => {
                -libm::log(logistic(edge(t, grade + 1) - r))
                    - libm::log(logistic(r - edge(t, grade)))
            }
            Loss::ProportionalOdds { thresholds: t, scale } => {
                let below = |i: usize| match i {
                    0 => 0.0,
                    i if i == t.grades() => 1.0,
                    i => logistic(f64::from(*scale) * (edge(t, i) - r)),
                };
                -libm::log(below(grade + 1) - below(grade))
            }
        }
    }

    #[test]
    fn sosl_by_hand() {
        let loss = Loss::Sosl(thresholds(&[0.25, 0.75]));
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
    fn values_are_the_formulas_and_slopes_their_finite_differences_for_two_to_five_grades() {
        for inner in [&[0.1][..], &[0.2, 0.7], &[-0.5, 0.0, 0.5], &[-0.6, -0.1, 0.3, 0.8]] {
            for loss in losses(inner) {
                for (grade, step) in
                    (0..loss.grades()).flat_map(|grade| (-99..100).map(move |s| (grade, s)))
                {
                    let r = f64::from(step) * 0.01 + 0.003;
                    let value = by_the_book(&loss, r, grade);
                    let found = f64::from(loss.value(r as f32, grade as u8));
                    assert!((found - value).abs() < 3e-6 * (1.0 + value), "{loss:?} {r} {grade}");
                    let difference = (by_the_book(&loss, r + 1e-4, grade)
                        - by_the_book(&loss, r - 1e-4, grade))
                        / 2e-4;
                    let slope = f64::from(loss.slope(r as f32, grade as u8));
                    assert!((slope - difference).abs() < 5e-5, "{loss:?} {r} {grade}");
                }
            }
        }
    }

    #[test]
    fn no_score_passes_the_bounds_and_value_and_slope_reach_them() {
        for loss in losses(&[0.2, 0.7]) {
            let bounds = loss.bounds();
            let (mut steepest, mut largest) = (0.0f32, 0.0f32);
            for (grade, step) in (0..3).flat_map(|g| (-1000..=1000).map(move |s| (g, s))) {
                let r = step as f32 * 0.001;
                steepest = steepest.max(loss.slope(r, grade).abs());
                largest = largest.max(loss.value(r, grade));
                let change = (loss.slope(r + 1e-3, grade) - loss.slope(r, grade)).abs();
                assert!(change <= bounds.curvature * 1e-3 * 1.001 + 1e-6, "{loss:?} {r}");
            }
            assert_eq!((steepest, largest), (bounds.slope, bounds.value), "{loss:?}");
        }
        // Proposition 1 with its misprint mended: 3.4, and the value 2.89, for 0.2 and 0.7.
        let sosl = Loss::Sosl(thresholds(&[0.2, 0.7])).bounds();
        assert!((sosl.slope - 3.4).abs() < 1e-6 && (sosl.value - 2.89).abs() < 1e-6);
        // Two logistic curves, whose slope is a quarter of the scale's square at most.
        let odds = Loss::proportional_odds(thresholds(&[0.2, 0.7]), 10.0).unwrap();
        assert_eq!(odds.bounds().curvature, 50.0);
    }

    #[test]
    fn the_loss_is_the_square_of_the_way_to_its_target() {
        let mut with_target = 0;
        for loss in losses(&[0.2, 0.7]) {
            for (grade, step) in (0..3).flat_map(|g| (-100..=100).map(move |s| (g, s))) {
                let r = step as f32 * 0.01;
                let Some((low, high)) = loss.target(grade) else { continue };
                let way = r - r.clamp(low, high);
                assert!((loss.value(r, grade) - way * way).abs() < 1e-6, "{loss:?} {r} {grade}");
                with_target += 1;
            }
        }
        // All but proportional odds.
        assert_eq!(with_target, 4 * 3 * 201);
    }

    #[test]
    fn mean_square_aims_at_the_middle_of_the_interval() {
        let loss = Loss::MeanSquare(thresholds(&[0.2, 0.7]));
        for (grade, middle) in [(0, -0.4f32), (1, 0.45), (2, 0.85)] {
            assert!(loss.value(middle, grade) < 1e-12);
        }
    }

    #[test]
    fn the_released_proportional_odds_has_its_minimum_at_the_middle_too() {
        let loss = Loss::ProportionalOddsPaper(thresholds(&[0.2, 0.7]));
        for (grade, middle) in [(0, -0.4f32), (1, 0.45), (2, 0.85)] {
            assert!(loss.slope(middle, grade).abs() < 1e-6);
        }
    }

    #[test]
    fn proportional_odds_is_a_distribution_over_the_grades() {
        for scale in [1.0, 10.0] {
            let loss = Loss::proportional_odds(thresholds(&[0.2, 0.7]), scale).unwrap();
            for r in [-0.9f32, 0.0, 0.45, 1.0] {
                let odds = (0..3).map(|grade| libm::exp(f64::from(-loss.value(r, grade))));
                assert!((odds.sum::<f64>() - 1.0).abs() < 1e-6);
            }
        }
        // At scale 1 the interval of grade 1 never has more than this probability.
        let loss = Loss::proportional_odds(thresholds(&[0.2, 0.7]), 1.0).unwrap();
        let most = (-100..=100).map(|r| libm::expf(-loss.value(r as f32 * 0.01, 1)));
        assert!(most.fold(0.0, f32::max) < 0.1245);
    }

    #[test]
    fn the_two_threshold_form_of_three_part_is_sosl_on_grades_0_and_2() {
        let (t, loss) = (thresholds(&[0.2, 0.7]), Loss::three_part(&[0.2, 0.7]).unwrap());
        let sosl = Loss::Sosl(t.clone());
        for (grade, step) in [0, 2].iter().flat_map(|&g| (-100..=100).map(move |s| (g, s))) {
            let r = step as f32 * 0.01;
            assert_eq!(loss.value(r, grade).to_bits(), sosl.value(r, grade).to_bits());
            assert_eq!(loss.slope(r, grade).to_bits(), sosl.slope(r, grade).to_bits());
        }
        // Grade 1 below the first threshold: SOSL pulls it up, three-part does not.
        assert!(sosl.slope(0.0, 1) < 0.0 && loss.slope(0.0, 1) == 0.0);
        assert_eq!(loss.thresholds(), t);
    }

    #[test]
    fn three_part_predicts_the_grade_that_loses_less() {
        let loss = Loss::three_part(&[0.2, 0.5, 0.75]).unwrap();
        assert_eq!(loss.thresholds().inner(), [0.2, 0.625]);
        assert_eq!(loss.value(0.625, 1), loss.value(0.625, 2));
    }

    #[test]
    fn a_score_on_a_threshold_has_the_grade_below_it() {
        let grades =
            [-1.0, 0.2, 0.21, 0.7, 0.71].map(|r| thresholds(&[0.2, 0.7]).predicted_grade(r));
        assert_eq!(grades, [0, 0, 1, 1, 2]);
    }

    #[test]
    fn thresholds_and_scales_out_of_order_or_range_are_refused() {
        for inner in [
            &[][..],
            &[0.7, 0.2],
            &[0.2, 0.2],
            &[-1.0],
            &[1.0],
            &[f32::NAN],
            &[0.2, f32::NAN, 0.7],
            &[f32::INFINITY],
        ] {
            assert!(Thresholds::new(inner).is_err(), "{inner:?}");
            assert!(Loss::three_part(inner).is_err(), "{inner:?}");
        }
        for inner in [&[0.2, 0.7, 0.6][..], &[-1.0, 0.7], &[0.2, 0.7, 1.0], &[0.1, 0.2, 0.3, 0.4]] {
            assert!(Loss::three_part(inner).is_err(), "{inner:?}");
        }
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(Loss::proportional_odds(thresholds(&[0.2]), scale).is_err());
        }
    }
}
