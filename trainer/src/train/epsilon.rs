//! Epsilon as it changes in training: learned by gradient, or annealed.

use smooth_clir::storage::container::{Reader, Writer};
use smooth_clir::training::step::{Adam, Judged, Measured};

use super::plan::Plan;
use super::variant::EpsilonRule;

/// The smallest epsilon that is learned.
const LEAST: f32 = 1e-6;

/// Epsilon of the query's and of the document's norm, and Adam's moments of their logarithms.
#[derive(Debug, Clone)]
pub struct ChangingEpsilon {
    rule: EpsilonRule,
    /// That of the last epoch, where it is annealed.
    last: f32,
    /// The largest with which a score can exceed all thresholds.
    most: f32,
    values: [f32; 2],
    first: [f32; 2],
    second: [f32; 2],
    adam: Adam,
}

impl ChangingEpsilon {
    /// The epsilon that a plan begins with.
    pub fn new(plan: &Plan) -> Self {
        let thresholds = plan.loss.thresholds();
        let highest = thresholds.inner().last().copied().unwrap_or_default();
        // The largest score is (sqrt p / (sqrt p + epsilon))^2.
        let most = match highest > 0.0 {
            true => 0.999 * (plan.dimension as f32).sqrt() * (1.0 / highest.sqrt() - 1.0),
            false => f32::MAX,
        };
        Self {
            rule: plan.variant.epsilon,
            last: plan.epsilon,
            most,
            values: [plan.epsilon; 2],
            first: [0.0; 2],
            second: [0.0; 2],
            adam: Adam::after(0),
        }
    }

    /// Those of the query and of the document.
    pub fn values(&self) -> [f32; 2] {
        self.values
    }

    /// Sets an annealed one to that of an epoch, from 1 to `epochs`.
    pub fn begin(&mut self, epoch: u64, epochs: u64) {
        if let EpsilonRule::Annealed(from) = self.rule {
            let done = (epoch - 1) as f64 / epochs.saturating_sub(1).max(1) as f64;
            let [from, last] = [from, self.last].map(f64::from);
            self.values = [(from * libm::pow(last / from, done)) as f32; 2];
        }
    }

    /// Takes a step of Adam in the logarithms, if they are learned.
    pub fn learn(&mut self, learning_rate: f32, measured: &[Measured], judged: &[Judged]) {
        let gradient = match self.rule {
            EpsilonRule::Learned => [gradient(self.values, measured, judged).iter().sum(); 2],
            EpsilonRule::LearnedSides => gradient(self.values, measured, judged),
            EpsilonRule::Fixed | EpsilonRule::Annealed(_) => return,
        };
        let step_size = self.adam.advance(learning_rate);
        let mut logarithms = self.values.map(libm::logf);
        let gradient = gradient.map(|x| x as f32);
        let Self { first, second, .. } = self;
        Adam::update(step_size, &gradient, &mut logarithms, first, second);
        self.values = logarithms.map(|x| libm::expf(x).clamp(LEAST, self.most));
    }

    /// Adds its state to a file.
    pub fn save(&self, writer: &mut Writer) {
        let all = [self.values, self.first, self.second].concat();
        writer.f32("learner.epsilon", &[all.len()], &all);
        let steps = self.adam.steps();
        writer.u32("learner.epsilon.steps", &[steps as u32, (steps >> 32) as u32]);
    }

    /// Takes it back.
    pub fn restore(&mut self, reader: &mut Reader<'_>) -> Result<(), smooth_clir::Error> {
        let all = reader.numbers("learner.epsilon", Some(6))?;
        for (own, saved) in
            [&mut self.values, &mut self.first, &mut self.second].into_iter().zip(all.chunks(2))
        {
            own.copy_from_slice(saved);
        }
        let steps = reader.u32("learner.epsilon.steps")?;
        let steps = steps.iter().rev().fold(0, |steps, &part| steps << 32 | u64::from(part));
        self.adam = Adam::after(steps);
        Ok(())
    }
}

/// The derivative of the batch's loss with respect to the logarithm of each epsilon: of
/// `r = q.d / ((|q| + e)(|d| + f))` it is `-r e / (|q| + e)` in `log e`.
fn gradient(epsilons: [f32; 2], measured: &[Measured], judged: &[Judged]) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for (measured, judged) in measured.iter().zip(judged).filter(|(_, j)| j.slope != 0.0) {
        let norms = [measured.query_norm, measured.document_norm];
        for ((sum, norm), epsilon) in sums.iter_mut().zip(norms).zip(epsilons) {
            let share = f64::from(epsilon) / (f64::from(norm) + f64::from(epsilon));
            *sum -= f64::from(judged.slope) * f64::from(measured.score) * share;
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `q.d` and the norms of some pairs, and the slope of the loss at each score.
    const PAIRS: [([f64; 3], f64); 3] =
        [([0.5, 1.0, 0.75], -0.5), ([-0.2, 0.1, 2.0], 0.25), ([3.0, 2.0, 2.0], 1.0)];

    fn score([dot, query, document]: [f64; 3], epsilons: [f64; 2]) -> f64 {
        dot / ((query + epsilons[0]) * (document + epsilons[1]))
    }

    #[test]
    fn the_derivative_in_the_logarithm_is_the_finite_difference() {
        let epsilons = [0.3, 0.05];
        let measured: Vec<Measured> = PAIRS
            .iter()
            .map(|&(parts, _)| Measured {
                score: score(parts, epsilons) as f32,
                query_norm: parts[1] as f32,
                document_norm: parts[2] as f32,
            })
            .collect();
        let judged: Vec<Judged> =
            PAIRS.iter().map(|pair| Judged { loss: 0.0, slope: pair.1 as f32 }).collect();
        let found = gradient(epsilons.map(|x| x as f32), &measured, &judged);
        // A loss that is linear in every score.
        let loss =
            |epsilons| PAIRS.iter().map(|(p, slope)| slope * score(*p, epsilons)).sum::<f64>();
        for side in 0..2 {
            let moved = |by: f64| {
                let mut epsilons = epsilons;
                epsilons[side] *= libm::exp(by);
                loss(epsilons)
            };
            let expected = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            assert!((found[side] - expected).abs() < 1e-6, "{found:?} {expected}");
        }
    }
}
