//! The theory of a model as a table for people and as JSON for programs.

use serde_json::{Value, json};
use smooth_clir::math::loss::Loss;

use super::bound::{least_pairs, power_below, product_below};
use super::{Constants, Met, Outcome, decimal};
use crate::terminal::values::name_of;
use crate::train::{LossName, Plan};

/// All that `theory` tells.
pub struct Report<'a> {
    /// How the model was trained.
    pub plan: &'a Plan,
    /// Of its loss.
    pub constants: Constants,
    /// Training pairs, and the queries they are of.
    pub counts: [usize; 2],
    /// What its vectors show.
    pub met: Met,
    /// What plain SGD shows; none where no step size was given and there is no gamma to choose by.
    pub sgd: Option<Sgd>,
}

/// Plain SGD beside its bounds.
pub struct Sgd {
    /// c.
    pub step_constant: f64,
    /// T.
    pub steps: u64,
    /// How probable it may be that the bound on the gap fails.
    pub delta: f64,
    /// What it came to.
    pub outcome: Outcome,
    /// With n the number of pairs, and that of queries; none at epsilon 0.
    pub bounds: Option<[Bound; 2]>,
}

/// What the theory allows plain SGD.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bound {
    /// Of its stability.
    pub stability: f64,
    /// Of the test loss less the training loss.
    pub gap: f64,
    /// k, where it took `n^k` steps.
    pub power: f64,
}

/// The names of the two ways to count n.
const COUNTED: [&str; 2] = ["pairs", "queries"];

impl Report<'_> {
    /// What the paper prints for the slope of SOSL, for any thresholds.
    fn slope_in_paper(&self) -> Option<f64> {
        matches!(self.plan.loss, Loss::Sosl(_)).then_some(4.0)
    }

    fn frobenius(&self) -> f64 {
        (self.plan.dimension as f64 + 3.0).sqrt() * 0.5 * self.constants.score.smoothness
    }

    /// One object; what is infinite or unknown is null.
    pub fn to_json(&self) -> Value {
        let Constants { loss, largest, score, weights } = self.constants;
        let near_zero = self.met.near_zero.iter().map(|near| {
            json!({
                "length": near.length,
                "change": near.change,
                "rate": near.rate,
                "cosine-change": near.cosine_change,
            })
        });
        json!({
            "loss": name_of(LossName::parts(&self.plan.loss).0),
            "epsilon": decimal(self.plan.epsilon),
            "dimension": self.plan.dimension,
            "pairs": self.counts[0],
            "queries": self.counts[1],
            "constants": {
                "loss": {
                    "slope": loss.lipschitz,
                    "slope-in-paper": self.slope_in_paper(),
                    "curvature": loss.smoothness,
                    "value": largest,
                },
                "score": {
                    "gradient": score.lipschitz,
                    "gradient-in-paper": 2.0 * score.lipschitz,
                    "curvature": score.smoothness,
                    "frobenius": self.frobenius(),
                },
                "weights": { "gradient": weights.lipschitz, "curvature": weights.smoothness },
            },
            "met": {
                "value": self.met.loss,
                "slope": self.met.slope,
                "gradient": self.met.gradient,
                "curvature": self.met.curvature,
                "undefined-gradients": self.met.undefined,
                "near-zero": near_zero.collect::<Vec<Value>>(),
            },
            "sgd": self.sgd.as_ref().map(|sgd| self.sgd_json(sgd)),
        })
    }

    fn sgd_json(&self, sgd: &Sgd) -> Value {
        let outcome = &sgd.outcome;
        let changes = outcome.changes.iter();
        let changes = changes.map(|change| json!({ "step": change.step, "loss": change.loss }));
        let bounds = sgd.bounds.map(|bounds| {
            let entries = COUNTED.iter().zip(bounds).map(|(name, bound)| {
                let fields = json!({
                    "stability": bound.stability,
                    "gap": bound.gap,
                    "says-nothing": self.says_nothing(bound),
                    "power": bound.power,
                    "power-below": power_below(self.product(sgd)),
                    "converges": self.converges(sgd, bound),
                    "step-constant-below": self.step_constant_below(bound),
                });
                ((*name).to_owned(), fields)
            });
            Value::Object(entries.collect())
        });
        json!({
            "step-constant": sgd.step_constant,
            "steps": sgd.steps,
            "delta": sgd.delta,
            "gamma-c": self.product(sgd),
            "first-loss": outcome.first_loss,
            "training-loss": outcome.training_loss,
            "test-loss": outcome.test_loss,
            "gap": outcome.gap(),
            "undefined-gradients": outcome.undefined,
            "changes": changes.collect::<Vec<Value>>(),
            "mean-change": outcome.mean_change,
            "least-pairs": self.least_pairs(sgd),
            "bounds": bounds,
        })
    }

    fn product(&self, sgd: &Sgd) -> f64 {
        self.constants.weights.smoothness * sgd.step_constant
    }

    fn says_nothing(&self, bound: Bound) -> bool {
        bound.gap > self.constants.largest
    }

    /// With so many steps, the smallest number of pairs for which the bound is not vacuous.
    fn least_pairs(&self, sgd: &Sgd) -> Option<f64> {
        let Constants { weights, largest, .. } = self.constants;
        least_pairs(weights, largest, sgd.step_constant, sgd.steps as f64, sgd.delta)
    }

    fn converges(&self, sgd: &Sgd, bound: Bound) -> bool {
        bound.power < power_below(self.product(sgd))
    }

    fn step_constant_below(&self, bound: Bound) -> f64 {
        product_below(bound.power) / self.constants.weights.smoothness
    }

    /// Tables and sentences.
    pub fn to_text(&self) -> String {
        let Plan { epsilon, dimension, loss, .. } = self.plan;
        let name = name_of(LossName::parts(loss).0);
        let [pairs, queries] = self.counts;
        let mut text = format!(
            "{name}, epsilon {epsilon}, dimension {dimension}; {pairs} training pairs of {queries} queries\n\n"
        );
        text += &self.constants_text();
        text += &self.near_zero_text();
        match &self.sgd {
            Some(sgd) => text += &self.sgd_text(sgd),
            None => {
                text += "\nWithout gamma, plain SGD has no default step size: choose one with \
                         --step-constant.\n";
            }
        }
        text
    }

    fn constants_text(&self) -> String {
        let Constants { loss, largest, score, weights } = self.constants;
        let met = &self.met;
        let row = |name: &str, exact: f64, paper: Option<f64>, met: Option<f64>| {
            let [paper, met] = [paper, met].map(|x| x.map_or_else(String::new, figure));
            format!("{name:<40}{:>12}{paper:>12}{met:>12}\n", figure(exact))
        };
        let mut text = format!("{:<40}{:>12}{:>12}{:>12}\n", "at most", "exact", "paper", "met");
        let paper_curvature = self.slope_in_paper().map(|_| 2.0);
        text += &row("loss: value, M", largest, None, Some(met.loss));
        text +=
            &row("  slope in the score", loss.lipschitz, self.slope_in_paper(), Some(met.slope));
        text += &row("  change of the slope", loss.smoothness, paper_curvature, None);
        let twice = Some(2.0 * score.lipschitz);
        text +=
            &row("score: gradient in a text, 1/eps", score.lipschitz, twice, Some(met.gradient));
        let name = "  Hessian in a text, 2/eps^2";
        text += &row(name, score.smoothness, Some(score.smoothness), Some(met.curvature));
        text += &row("  its Frobenius norm", self.frobenius(), None, None);
        text += &row("loss in all weights: gradient, L", weights.lipschitz, None, None);
        text += &row("  change of the gradient, gamma", weights.smoothness, None, None);
        text += "The paper prints 2/eps and N(p)/eps^2 without N(p), which is 2.\n";
        if !self.constants.exist() {
            text += "At epsilon 0 there are no constants: toward a zero vector cosine's gradient \
                     grows without end.\n";
        }
        if met.undefined > 0 {
            text += &format!(
                "{} pairs have an undefined gradient, because one text's vector is zero.\n",
                met.undefined
            );
        }
        text
    }

    fn near_zero_text(&self) -> String {
        let mut text = String::from(
            "\nThe score's gradients at two vectors of one length, along a document and aside from it\n",
        );
        text += &format!(
            "{:<12}{:>14}{:>16}{:>14}{:>20}\n",
            "length", "largest change", "for unit length", "at most", "change at epsilon 0"
        );
        for near in &self.met.near_zero {
            text += &format!(
                "{:<12}{:>14}{:>16}{:>14}{:>20}\n",
                figure(near.length),
                figure(near.change),
                figure(near.rate),
                figure(self.constants.score.smoothness),
                figure(near.cosine_change)
            );
        }
        text
    }

    fn sgd_text(&self, sgd: &Sgd) -> String {
        let outcome = &sgd.outcome;
        let mut text = format!(
            "\nPlain SGD from random first weights: T = {} steps of c/t, c = {}, a pair each\n",
            sgd.steps,
            figure(sgd.step_constant),
        );
        text += &format!(
            "mean loss {} on training pairs before, {} after, {} on test pairs: a gap of {}\n",
            figure(outcome.first_loss),
            figure(outcome.training_loss),
            figure(outcome.test_loss),
            figure(outcome.gap())
        );
        if outcome.undefined > 0 {
            text += &format!("{} gradients were undefined and counted as 0\n", outcome.undefined);
        }
        if let Some(most) = outcome.largest_change() {
            text += &format!(
                "one pair replaced, {} times: a loss changed by {} at most (the pair of step {})\n",
                outcome.changes.len(),
                figure(most.loss),
                most.step
            );
        }
        text += &format!(
            "averaged over the replaced pair's place in the order: {}\n",
            figure(outcome.mean_change)
        );
        if let Some(bounds) = sgd.bounds {
            text += &self.bounds_text(sgd, bounds);
        }
        text + "The theorem is about plain SGD whose steps shrink as c/t, on average over its order. It \
                does not\ncover Adam at a constant rate, by which the model was trained.\n"
    }

    fn bounds_text(&self, sgd: &Sgd, bounds: [Bound; 2]) -> String {
        let row = |name: String, values: [String; 2]| {
            format!("{name:<40}{:>22}{:>22}\n", values[0], values[1])
        };
        let counts = [0, 1].map(|i| format!("n = {} {}", self.counts[i], COUNTED[i]));
        let mut text = format!("\n{}", row("bounds".into(), counts));
        text += &row("stability, beta".into(), bounds.map(|bound| figure(bound.stability)));
        let name = format!("gap, with probability {}", 1.0 - sgd.delta);
        text += &row(name, bounds.map(|bound| figure(bound.gap)));
        text += &row("steps T = n^k, k".into(), bounds.map(|bound| figure(bound.power)));
        let product = self.product(sgd);
        let name = format!("falls to 0 for k below, gamma c = {}", figure(product));
        text += &row(name, bounds.map(|_| figure(power_below(product))));
        let name = "or at this k for c below".into();
        let below = |bound| match self.step_constant_below(bound) {
            f64::INFINITY => "any".into(),
            c => figure(c),
        };
        text += &row(name, bounds.map(below));
        for (bound, counted) in bounds.into_iter().zip(COUNTED) {
            if self.says_nothing(bound) {
                text += &format!(
                    "Counting {counted}, the bound exceeds the largest possible loss, so it is vacuous.\n"
                );
            }
            if !self.converges(sgd, bound) {
                text += &format!(
                    "Counting {counted}, it would not fall to 0 with more data and T = n^k.\n"
                );
            }
        }
        if let Some(least) = self.least_pairs(sgd) {
            let steps = sgd.steps;
            text += &format!("With T = {steps} it is not vacuous from n = {} on.\n", figure(least));
        }
        text + "The theorem assumes n independent pairs; pairs of one query are not independent, hence the second column.\n"
    }
}

/// A number with four figures; "none" where it is infinite.
pub fn figure(x: f64) -> String {
    if !x.is_finite() {
        return "none".into();
    }
    if x != 0.0 && !(1e-3..1e6).contains(&x.abs()) {
        return format!("{x:.3e}");
    }
    let whole = libm::log10(x.abs().max(1.0)) as usize;
    let decimals = if x.abs() < 1.0 { 5 } else { 3usize.saturating_sub(whole) };
    let shown = format!("{x:.decimals$}");
    match shown.contains('.') {
        true => shown.trim_end_matches('0').trim_end_matches('.').into(),
        false => shown,
    }
}

#[cfg(test)]
mod tests {
    use smooth_clir::lab::theory::Smooth;

    use super::super::met::NearZero;
    use super::super::stability::Change;
    use super::*;
    use crate::train::EncoderName;

    /// gamma = 10 and c = 0.1, so that gamma c is 1: the bound falls to 0 for k below 1, at k = 1 for c
    /// below 1/10, at k = 1/2 for any.
    const CONSTANTS: Constants = Constants {
        loss: Smooth { lipschitz: 3.4, smoothness: 2.0 },
        largest: 2.0,
        score: Smooth { lipschitz: 4.0, smoothness: 32.0 },
        weights: Smooth { lipschitz: 3.5, smoothness: 10.0 },
    };

    fn plan(loss: LossName) -> Plan {
        let loss = loss.build(loss.default_thresholds(), 1.0).unwrap();
        Plan { epsilon: 0.25, dimension: 6, ..Plan::of_paper(EncoderName::Average, loss) }
    }

    fn met(undefined: usize) -> Met {
        let near = NearZero { length: 0.1, change: 0.5, rate: 2.5, cosine_change: 12_000_000.0 };
        let (loss, slope, gradient, curvature) = (1.25, 3.0, 0.75, 5.5);
        Met { loss, slope, gradient, curvature, undefined, near_zero: vec![near] }
    }

    fn sgd(undefined: u64) -> Sgd {
        let change = |step, loss| Change { step, loss, weight: 1.0 };
        let outcome = Outcome {
            first_loss: 0.5,
            training_loss: 0.25,
            test_loss: 0.375,
            undefined,
            changes: vec![change(3, 0.01), change(7, 0.02)],
            mean_change: 0.0015,
        };
        Sgd { step_constant: 0.1, steps: 1000, delta: 0.05, outcome, bounds: Some(BOUNDS) }
    }

    /// As large as the largest loss, and larger; k of 1/2 and of 1.
    const BOUNDS: [Bound; 2] = [
        Bound { stability: 0.001, gap: 2.0, power: 0.5 },
        Bound { stability: 0.02, gap: 3.0, power: 1.0 },
    ];

    /// Of a model that met so many undefined gradients, and of SGD that did.
    fn report(plan: &Plan, met_undefined: usize, sgd_undefined: u64) -> Report<'_> {
        let (met, sgd) = (met(met_undefined), Some(sgd(sgd_undefined)));
        Report { plan, constants: CONSTANTS, counts: [1000, 50], met, sgd }
    }

    #[test]
    fn the_text_has_every_constant_what_is_met_of_it_and_what_the_bounds_say() {
        let plan = plan(LossName::Sosl);
        let report = report(&plan, 2, 4);
        let text = report.to_text();
        let expected = "\
sosl, epsilon 0.25, dimension 6; 1000 training pairs of 50 queries

at most                                        exact       paper         met
loss: value, M                                     2                    1.25
  slope in the score                             3.4           4           3
  change of the slope                              2           2            
score: gradient in a text, 1/eps                   4           8        0.75
  Hessian in a text, 2/eps^2                      32          32         5.5
  its Frobenius norm                              48                        
loss in all weights: gradient, L                 3.5                        
  change of the gradient, gamma                   10                        
The paper prints 2/eps and N(p)/eps^2 without N(p), which is 2.
2 pairs have an undefined gradient, because one text's vector is zero.

The score's gradients at two vectors of one length, along a document and aside from it
length      largest change for unit length       at most change at epsilon 0
0.1                    0.5             2.5            32             1.200e7

Plain SGD from random first weights: T = 1000 steps of c/t, c = 0.1, a pair each
mean loss 0.5 on training pairs before, 0.25 after, 0.375 on test pairs: a gap of 0.125
4 gradients were undefined and counted as 0
one pair replaced, 2 times: a loss changed by 0.02 at most (the pair of step 7)
averaged over the replaced pair's place in the order: 0.0015

bounds                                          n = 1000 pairs        n = 50 queries
stability, beta                                          0.001                  0.02
gap, with probability 0.95                                   2                     3
steps T = n^k, k                                           0.5                     1
falls to 0 for k below, gamma c = 1                          1                     1
or at this k for c below                                   any                   0.1
Counting queries, the bound exceeds the largest possible loss, so it is vacuous.
Counting queries, it would not fall to 0 with more data and T = n^k.
";
        assert!(text.starts_with(expected), "{text}");
        // How many pairs that takes has tests of its own.
        assert!(text[expected.len()..].starts_with("With T = 1000 it is not vacuous from n = "));
    }

    #[test]
    fn the_text_is_silent_about_what_did_not_happen() {
        let plan = plan(LossName::Mse);
        let report = report(&plan, 0, 0);
        let text = report.to_text();
        assert!(!text.contains("undefined") && !text.contains("At epsilon 0 there"), "{text}");
        // The paper prints constants of SOSL alone.
        let slope =
            "  slope in the score                             3.4                       3\n";
        assert!(text.contains(slope), "{text}");
    }

    #[test]
    fn an_object_says_of_each_count_whether_its_bound_holds_anything() {
        let plan = plan(LossName::Sosl);
        let report = report(&plan, 0, 0);
        let told = report.to_json();
        assert_eq!(told["constants"]["loss"]["slope-in-paper"], 4.0);
        assert_eq!(told["constants"]["score"]["frobenius"], 48.0);
        let bounds = &told["sgd"]["bounds"];
        for (counted, says_nothing, converges, below) in
            [("pairs", false, true, Value::Null), ("queries", true, false, json!(0.1))]
        {
            assert_eq!(bounds[counted]["says-nothing"], says_nothing, "{counted}");
            assert_eq!(bounds[counted]["converges"], converges, "{counted}");
            assert_eq!(bounds[counted]["step-constant-below"], below, "{counted}");
        }
    }

    #[test]
    fn numbers_have_few_figures() {
        let numbers =
            [0.0, 1.0, 3.4, 11.417_32, -0.004_321, 0.95, 12_345.6, 88_000_000.0, 1.2e-5, 1.0 / 0.0];
        let shown: Vec<String> = numbers.iter().map(|&x| figure(x)).collect();
        let expected =
            ["0", "1", "3.4", "11.42", "-0.00432", "0.95", "12346", "8.800e7", "1.200e-5", "none"];
        assert_eq!(shown, expected);
    }
}
