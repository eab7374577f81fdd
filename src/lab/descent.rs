//! Gradient descent on one query vector, the document fixed, to see what explodes.
//!
//! Cosine's gradient is at right angles to the query and as long as the query is short: under plain
//! descent from near zero there is one huge jump, and after it next to nothing. Smooth cosine's is
//! bounded.

use super::plane::{Point, read};
use crate::math::kernels::norm;
use crate::training::step::Adam;

/// How steps are taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Way {
    /// Along the gradient, times the rate.
    Plain,
    /// The same, with gradients longer than this shortened to it.
    Clipped(f32),
    /// Adam (Kingma and Ba, 2015).
    Adam,
}

/// A step that was taken.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Where it led.
    pub point: Point,
    /// How far.
    pub length: f32,
    /// The gradient's length before it.
    pub gradient: f32,
    /// The similarity after it.
    pub score: f32,
}

/// Makes 1 less the similarity small: at most `steps` steps, fewer where there is no gradient.
pub fn descend(
    way: Way,
    start: Point,
    document: Point,
    epsilon: f32,
    rate: f32,
    steps: usize,
) -> Vec<Step> {
    let mut adam = Adam::after(0);
    let (mut first, mut second) = ([0.0; 2], [0.0; 2]);
    let mut point = start;
    let mut taken = Vec::new();
    for _ in 0..steps {
        let reading = read(point, document, epsilon);
        if !reading.length.is_finite() {
            break;
        }
        let before = point;
        let slope = reading.gradient.map(|slope| -slope);
        let along = |factor: f32| [0, 1].map(|at| before[at] - rate * (factor * slope[at]));
        match way {
            Way::Plain => point = along(1.0),
            Way::Clipped(most) if reading.length > most => point = along(most / reading.length),
            Way::Clipped(_) => point = along(1.0),
            Way::Adam => {
                let step_size = adam.advance(rate);
                Adam::update(step_size, &slope, &mut point, &mut first, &mut second);
            }
        }
        taken.push(Step {
            point,
            length: norm(&[point[0] - before[0], point[1] - before[1]]),
            gradient: reading.length,
            score: read(point, document, epsilon).score,
        });
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From a norm of 1e-3, at right angles to a document of length 1.
    fn from_near_zero(way: Way, epsilon: f32) -> Vec<f32> {
        let steps = descend(way, [1e-3, 0.0], [0.0, 1.0], epsilon, 0.1, 5);
        steps.iter().map(|step| step.length).collect()
    }

    #[test]
    fn cosine_jumps_once_and_stalls() {
        let lengths = from_near_zero(Way::Plain, 0.0);
        assert!((lengths[0] - 100.0).abs() < 1e-3, "{lengths:?}");
        assert!(lengths[1..].iter().all(|&length| length < 1e-4), "{lengths:?}");
    }

    #[test]
    fn smooth_cosine_walks() {
        let lengths = from_near_zero(Way::Plain, 0.5);
        for (length, expected) in lengths.iter().zip([0.13, 0.08, 0.07]) {
            assert!((length - expected).abs() < 0.01, "{lengths:?}");
        }
    }

    #[test]
    fn clipping_bounds_the_jump() {
        let lengths = from_near_zero(Way::Clipped(5.0), 0.0);
        assert!((lengths[0] - 0.5).abs() < 1e-5, "{lengths:?}");
    }

    #[test]
    fn adam_hides_the_jump_and_pays_in_the_steps_after_it() {
        let lengths = from_near_zero(Way::Adam, 0.0);
        assert!((lengths[0] - 0.1).abs() < 1e-3, "{lengths:?}");
        // The second moment remembers the gradient of 1000: steps shrink, though slopes are left.
        assert!(lengths[4] < lengths[0], "{lengths:?}");
    }

    fn from_afar(way: Way) -> Vec<Step> {
        descend(way, [1.0, -0.5], [0.0, 1.0], 0.5, 0.1, 5)
    }

    #[test]
    fn every_way_leads_towards_the_document() {
        for way in [Way::Plain, Way::Clipped(0.05), Way::Adam] {
            let steps = from_afar(way);
            assert!(steps.is_sorted_by(|a, b| a.score < b.score), "{steps:?}");
        }
    }

    #[test]
    fn what_is_not_too_long_is_not_clipped() {
        let steps = from_afar(Way::Plain);
        let longest = steps.iter().fold(0.0, |most: f32, step| most.max(step.gradient));
        assert_eq!(from_afar(Way::Clipped(1.01 * longest)), steps);
    }

    #[test]
    fn without_a_gradient_there_is_no_step() {
        assert!(descend(Way::Plain, [0.0, 0.0], [0.0, 1.0], 0.0, 0.1, 5).is_empty());
    }
}
