//! Plain SGD at several settings, from several seeds: what it learns, how far the test loss exceeds the training loss,
//! how much one replaced pair changes, and the bounds on both.

use serde_json::{Value, json};
use smooth_clir::lab::theory::{Constants, bound};
use smooth_clir::math::random::Random;

use super::stability::{Descent, Outcome};
use crate::corpus::{Example, Prepared};
use crate::statistics::seeds::{interval, spread};
use crate::train::{Plan, Progress, random_words};

/// The mean loss of test pairs is that of so many, drawn once.
const TEST_PAIRS: usize = 20_000;

/// What is common to all settings.
pub struct Study<'a> {
    /// Loss, thresholds and dimension.
    pub plan: &'a Plan,
    /// The pairs.
    pub prepared: &'a Prepared,
    /// How many seeds: each draws pairs, their order and first weights of its own.
    pub seeds: u64,
    /// By the first seed, how often it is run again with one pair replaced.
    pub replacements: u64,
    /// How probable it may be that the bound on the gap fails.
    pub delta: f64,
}

/// One setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// Epsilon of smooth cosine similarity.
    pub epsilon: f32,
    /// c.
    pub step_constant: f64,
    /// n.
    pub pairs: usize,
    /// T.
    pub steps: u64,
}

/// What a setting came to.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// The setting.
    pub setting: Setting,
    /// Figures; see [`Study::point`].
    pub json: Value,
}

impl Study<'_> {
    /// Runs a setting.
    pub fn point(&self, setting: Setting) -> Point {
        let Setting { epsilon, step_constant, pairs, steps } = setting;
        let mut test = self.prepared.test.clone();
        Random::new(0, "test pairs").shuffle(&mut test);
        test.truncate(TEST_PAIRS);
        let outcomes: Vec<Outcome> = (1..=self.seeds)
            .map(|seed| {
                let plan = Plan { epsilon, seed, ..self.plan.clone() };
                let descent = Descent {
                    plan: &plan,
                    corpus: &self.prepared.corpus,
                    training: &self.drawn(pairs, seed),
                    test: &test,
                    words: &random_words(&plan, &self.prepared.corpus),
                    step_constant,
                    steps,
                    replacements: if seed == 1 { self.replacements } else { 0 },
                    seed,
                };
                descent.run(&Progress::silent())
            })
            .collect();
        let constants = Constants::of(&self.plan.loss, epsilon);
        Point { setting, json: self.figures(setting, &constants, &outcomes) }
    }

    /// Pairs drawn at random: few of them are of one query.
    fn drawn(&self, pairs: usize, seed: u64) -> Vec<Example> {
        let mut drawn = self.prepared.training.clone();
        Random::new(seed, "study").shuffle(&mut drawn);
        drawn.truncate(pairs);
        drawn
    }

    fn figures(&self, setting: Setting, constants: &Constants, outcomes: &[Outcome]) -> Value {
        let Setting { epsilon, step_constant, pairs, steps } = setting;
        let of = |value: fn(&Outcome) -> f64| {
            let values: Vec<f64> = outcomes.iter().map(value).collect();
            let interval = interval(&values);
            json!({
                "mean": spread(&values).map(|spread| spread.mean),
                "low": interval.map(|interval| interval.low),
                "high": interval.map(|interval| interval.high),
            })
        };
        let (n, t, largest) = (pairs as f64, steps as f64, constants.largest);
        let stability = bound::stability(constants.weights, largest, step_constant, n, t);
        let first = &outcomes[0];
        json!({
            "epsilon": super::decimal(epsilon),
            "step-constant": step_constant,
            "gamma-c": constants.weights.smoothness * step_constant,
            "pairs": pairs,
            "steps": steps,
            "seeds": outcomes.len(),
            "largest-loss": largest,
            "first-loss": of(|outcome| outcome.first_loss),
            "training-loss": of(|outcome| outcome.training_loss),
            "test-loss": of(|outcome| outcome.test_loss),
            "gap": of(Outcome::gap),
            "gap-bound": bound::gap(stability, largest, n, self.delta),
            "replacements": first.changes.len(),
            "change": {
                "mean": (!first.changes.is_empty()).then_some(first.mean_change),
                "median": first.quantile(0.5),
                "90 %": first.quantile(0.9),
                "99 %": first.quantile(0.99),
                "largest": first.largest_change().map(|change| change.loss),
            },
            "stability-bound": stability,
        })
    }
}
