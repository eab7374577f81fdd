//! Adam on the rows that a batch touches.

use crate::Error;
use crate::math::kernels;
use crate::storage::container::{Reader, Writer};

const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;

/// Lazy Adam (Kingma and Ba, 2015): rows that a batch does not touch keep their moments.
#[derive(Debug, Clone)]
pub struct Adam {
    steps: u64,
    first_power: f64,
    second_power: f64,
}

impl Adam {
    /// Creates Adam's state after the given number of steps.
    pub fn after(steps: u64) -> Self {
        let mut adam = Self { steps: 0, first_power: 1.0, second_power: 1.0 };
        for _ in 0..steps {
            let before = (adam.first_power, adam.second_power);
            adam.count();
            // After 740,000 steps the powers are too close to 0 to change.
            if before == (adam.first_power, adam.second_power) {
                break;
            }
        }
        Self { steps, ..adam }
    }

    /// The number of steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    fn count(&mut self) {
        self.steps = self.steps.saturating_add(1);
        self.first_power *= f64::from(FIRST_DECAY);
        self.second_power *= f64::from(SECOND_DECAY);
    }

    /// Counts a step and returns its size, with the correction for moments that start at 0.
    pub fn advance(&mut self, learning_rate: f32) -> f32 {
        self.count();
        let correction = (1.0 - self.second_power).sqrt() / (1.0 - self.first_power);
        (f64::from(learning_rate) * correction) as f32
    }

    /// Updates weights by a step of a size from [`advance`](Self::advance), and their two moments
    /// towards the gradient and its square. All slices have one length.
    pub fn update(
        step_size: f32,
        gradient: &[f32],
        weights: &mut [f32],
        first: &mut [f32],
        second: &mut [f32],
    ) {
        let rates = [1.0 - FIRST_DECAY, 1.0 - SECOND_DECAY];
        kernels::adam(step_size, rates, EPSILON, gradient, weights, first, second);
    }

    /// Writes the number of steps to a file.
    pub fn save(&self, writer: &mut Writer) {
        writer.u32("learner.steps", &[self.steps as u32, (self.steps >> 32) as u32]);
    }

    /// Reads the state that [`save`](Self::save) wrote.
    ///
    /// # Errors
    /// For a missing tensor, or one of another type or shape.
    pub fn restore(reader: &mut Reader<'_>) -> Result<Self, Error> {
        let steps = reader.u32("learner.steps")?;
        match steps[..] {
            [low, high] => Ok(Self::after(u64::from(low) | u64::from(high) << 32)),
            _ => Err(Error::TensorShape {
                name: "learner.steps".into(),
                found: vec![steps.len()],
                expected: "[2]".into(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_count_of_steps_is_read_back() {
        for steps in [0, 7, (5 << 32) | (1 << 31) | 7, u64::MAX] {
            let mut writer = Writer::new("test");
            Adam::after(steps).save(&mut writer);
            let bytes = writer.into_bytes();
            let read = Adam::restore(&mut Reader::open(&bytes, "test").unwrap()).unwrap();
            assert_eq!(read.steps(), steps);
        }
    }

    #[test]
    fn after_any_count_of_steps_the_next_has_the_size_of_one_that_took_them() {
        let mut taken = Adam::after(0);
        for steps in 0..1_000_000 {
            if steps % 99_999 == 0 || steps < 3 {
                assert_eq!(Adam::after(steps).advance(0.1), taken.clone().advance(0.1), "{steps}");
            }
            taken.advance(0.1);
        }
    }
}
