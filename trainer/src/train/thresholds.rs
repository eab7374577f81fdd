//! Thresholds that are learned by gradient, rising as they must.

use smooth_clir::math::similarity::reach;
use smooth_clir::storage::container::{Reader, Writer};
use smooth_clir::training::step::Adam;

use super::plan::Plan;

/// The least distance of two thresholds, and of the outer ones from the ends of scores.
const LEAST: f32 = 0.01;

/// The thresholds in use, with Adam's moments of each where they are learned.
#[derive(Debug, Clone)]
pub struct LearnedThresholds {
    /// The largest that the last may be.
    most: f32,
    values: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
    adam: Adam,
}

impl LearnedThresholds {
    /// The thresholds that a plan begins with.
    pub fn new(plan: &Plan) -> Self {
        let values = plan.loss.thresholds().inner().to_vec();
        let zeros = vec![0.0; values.len()];
        // At the smallest epsilon that is learned the reach is 1.
        let most = reach(plan.dimension, plan.epsilon).min(1.0) - LEAST;
        Self { most, values, first: zeros.clone(), second: zeros, adam: Adam::after(0) }
    }

    /// The thresholds as they are now.
    pub fn values(&self) -> &[f32] {
        &self.values
    }

    /// Takes a step of Adam; thresholds that would meet are moved apart.
    pub fn learn(&mut self, learning_rate: f32, gradient: &[f64]) {
        let step_size = self.adam.advance(learning_rate);
        let gradient: Vec<f32> = gradient.iter().map(|&x| x as f32).collect();
        let Self { values, first, second, most, .. } = self;
        Adam::update(step_size, &gradient, values, first, second);
        let mut least = -1.0 + LEAST;
        for value in values.iter_mut() {
            *value = value.max(least);
            least = *value + LEAST;
        }
        let mut highest = *most;
        for value in values.iter_mut().rev() {
            *value = value.min(highest);
            highest = *value - LEAST;
        }
    }

    /// Adds its state to a file.
    pub fn save(&self, writer: &mut Writer) {
        let all = [&self.values[..], &self.first, &self.second].concat();
        writer.f32("learner.thresholds", &[all.len()], &all);
        let steps = self.adam.steps();
        writer.u32("learner.thresholds.steps", &[steps as u32, (steps >> 32) as u32]);
    }

    /// Takes it back.
    pub fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), smooth_clir::Error> {
        let count = self.values.len();
        let all = reader.numbers("learner.thresholds", Some(3 * count))?;
        for (own, saved) in
            [&mut self.values, &mut self.first, &mut self.second].into_iter().zip(all.chunks(count))
        {
            own.copy_from_slice(saved);
        }
        let steps = reader.u32("learner.thresholds.steps")?;
        let steps = steps.iter().rev().fold(0, |steps, &part| steps << 32 | u64::from(part));
        self.adam = Adam::after(steps);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thresholds before their first step, where no score exceeds 0.81.
    fn begun(values: &[f32]) -> LearnedThresholds {
        let zeros = vec![0.0; values.len()];
        LearnedThresholds {
            most: 0.8,
            values: values.to_vec(),
            first: zeros.clone(),
            second: zeros,
            adam: Adam::after(0),
        }
    }

    #[test]
    fn thresholds_stay_apart_and_within_reach_wherever_gradients_pull_them() {
        let pulls: [[f64; 3]; 4] =
            [[1.0, 0.0, -1.0], [-1.0, -1.0, -1.0], [1.0, 1.0, 1.0], [-1.0, 0.5, 1.0]];
        for pull in pulls {
            let mut thresholds = begun(&[0.1, 0.2, 0.5]);
            for _ in 0..200 {
                thresholds.learn(0.05, &pull);
                let values = thresholds.values();
                assert!(values.windows(2).all(|pair| pair[1] - pair[0] > 0.009), "{values:?}");
                assert!(values[0] >= -0.991 && values[2] <= 0.801, "{values:?}");
            }
        }
    }

    #[test]
    fn thresholds_go_against_their_gradients_until_the_ends_or_another_stops_them() {
        for (pull, expected) in [
            ([0.0, 0.0, 0.0], [0.1, 0.2, 0.5]),
            ([1.0, 0.0, -1.0], [-0.99, 0.2, 0.8]),
            ([1.0, 1.0, 1.0], [-0.99, -0.98, -0.97]),
            ([-1.0, -1.0, -1.0], [0.78, 0.79, 0.8]),
        ] {
            let mut thresholds = begun(&[0.1, 0.2, 0.5]);
            (0..200).for_each(|_| thresholds.learn(0.05, &pull));
            let values = thresholds.values();
            let close = values.iter().zip(expected).all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-5);
            assert!(close, "{values:?}, not {expected:?}");
        }
    }

    #[test]
    fn what_is_saved_goes_on_as_if_it_had_not_been() {
        let new = || begun(&[0.1, 0.5]);
        let mut whole = new();
        whole.learn(0.01, &[0.3, -0.1]);
        let mut writer = Writer::new("test");
        whole.save(&mut writer);
        let bytes = writer.into_bytes();
        let mut again = new();
        again.restore(&mut Reader::open(&bytes, "test").unwrap()).unwrap();
        whole.learn(0.01, &[0.2, 0.4]);
        again.learn(0.01, &[0.2, 0.4]);
        assert_eq!(whole.values(), again.values());
    }
}
