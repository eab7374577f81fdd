//! Settings chosen on the validation queries: as many tries for one method as for another.

use smooth_clir::random::Random;
use smooth_clir::similarity::reach;

use super::run::{Outcome, Run};
use super::study::Study;
use crate::error::Error;
use crate::train::{EncoderName, LossName, Plan};

/// A method and the settings that the paper gives it.
#[derive(Debug, Clone)]
pub struct Method {
    /// Its name in tables.
    pub name: String,
    /// What its first try is.
    pub plan: Plan,
}

/// A method with the settings that were best on the validation queries.
#[derive(Debug, Clone)]
pub struct Tuned {
    /// Its name in tables.
    pub name: String,
    /// How it trains.
    pub plan: Plan,
    /// What the settings were chosen by.
    pub selected: f64,
    /// How many settings were tried.
    pub tries: usize,
}

/// Tries `tries` settings of each method, the first the paper's own, the others drawn at random,
/// the same draws for all, and keeps the best on the validation queries.
pub fn tune(
    study: &Study,
    methods: &[Method],
    tries: usize,
    run: impl Fn(Plan) -> Run,
) -> Result<Vec<Tuned>, Error> {
    let plans: Vec<Vec<Plan>> = methods.iter().map(|method| settings(method, tries)).collect();
    let runs: Vec<Run> = plans.iter().flatten().cloned().map(run).collect();
    let outcomes = study.outcomes("tuning", &runs)?;
    let mut outcomes = outcomes.into_iter();
    let tuned = methods.iter().zip(plans).map(|(method, plans)| {
        let tried: Vec<(Plan, Outcome)> = plans.into_iter().zip(outcomes.by_ref()).collect();
        best(&method.name, tried)
    });
    tuned.collect()
}

/// The try that did best; of equal ones the first.
pub fn best(name: &str, tried: Vec<(Plan, Outcome)>) -> Result<Tuned, Error> {
    let tries = tried.len();
    let mut best: Option<(Plan, f64)> = None;
    for (plan, outcome) in tried {
        if best.as_ref().is_none_or(|(_, so_far)| outcome.selected > *so_far) {
            best = Some((plan, outcome.selected));
        }
    }
    let (plan, selected) =
        best.ok_or_else(|| Error::Usage(format!("{name}: no settings to try")))?;
    Ok(Tuned { name: name.into(), plan, selected, tries })
}

/// The method's own settings and others near them.
fn settings(method: &Method, tries: usize) -> Vec<Plan> {
    // One stream for every method: they try the same step sizes and parts of the reach.
    let mut random = Random::new(1, "settings");
    let mut plans = vec![within_reach(&method.plan)];
    while plans.len() < tries {
        plans.extend(drawn(&method.plan, &mut random));
    }
    plans
}

/// Where the paper's thresholds are out of reach, they are brought within it in proportion.
fn within_reach(plan: &Plan) -> Plan {
    let (name, mut thresholds, scale) = LossName::parts(&plan.loss);
    let reach = reach(plan.dimension, plan.epsilon);
    thresholds.iter_mut().for_each(|t| *t = two_decimals(f64::from(*t * reach)));
    let nearer = name.build(&thresholds, scale).ok().map(|loss| Plan { loss, ..plan.clone() });
    match (plan.check(), nearer) {
        (Err(_), Some(nearer)) => nearer,
        _ => plan.clone(),
    }
}

/// Settings drawn at random; `None` where they make no sense.
fn drawn(plan: &Plan, random: &mut Random) -> Option<Plan> {
    let mut unit = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    // From a quarter of the paper's to four times it, as likely in one octave as in another.
    let factor = libm::pow(16.0, unit() - 0.5);
    let learning_rate = two_digits(f64::from(plan.learning_rate) * factor);
    let low = -0.2 + 0.9 * unit();
    let high = low + 0.05 + (0.9 - low) * unit();
    let highest = high + (1.1 - high) * unit();
    // From 2 to 100, in the same way.
    let drawn_scale = two_digits(2.0 * libm::pow(50.0, unit()));
    // From a hundredth of the authors' to theirs, in the same way.
    let shorter = libm::pow(100.0, -unit());
    let dropout = match plan.encoder {
        EncoderName::Average => plan.dropout,
        _ => two_decimals(0.4 * unit()),
    };
    let (name, thresholds, scale) = LossName::parts(&plan.loss);
    let reach = f64::from(reach(plan.dimension, plan.epsilon));
    let [low, high, highest] = [low, high, highest].map(|t| two_decimals(t * reach));
    let two_thresholds = thresholds.len() == 2 || thresholds[1] == thresholds[2];
    let loss = match plan.encoder {
        EncoderName::Average if two_thresholds => name.build(&[low, high], drawn_scale).ok()?,
        EncoderName::Average => name.build(&[low, high, highest], drawn_scale).ok()?,
        // Encoders are compared at one loss.
        _ => name.build(&thresholds, scale).ok()?,
    };
    let clip = plan.clip.map(|clip| two_digits(f64::from(clip) * shorter));
    let plan = Plan { loss, learning_rate, clip, dropout, ..plan.clone() };
    plan.check().is_ok().then_some(plan)
}

/// Rounded so that it can be typed again.
pub fn two_decimals(x: f64) -> f32 {
    format!("{x:.2}").parse().unwrap_or(x as f32)
}

fn two_digits(x: f64) -> f32 {
    format!("{x:.1e}").parse().unwrap_or(x as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::compare::losses;
    use crate::train::Select;

    fn plan(epsilon: f32) -> Plan {
        Plan {
            encoder: EncoderName::Average,
            epsilon,
            loss: LossName::Sosl.build(&[0.2, 0.7], 1.0).unwrap(),
            dimension: 64,
            epochs: 1,
            batch_size: 128,
            learning_rate: 0.01,
            decay: 1.0,
            clip: None,
            dropout: 0.0,
            seed: 1,
            init_deviation: 0.2,
            select: Select::Ndcg,
        }
    }

    #[test]
    fn the_first_try_is_the_papers_and_all_tries_make_sense() {
        for method in losses(&plan(1.0)) {
            let tries = settings(&method, 20);
            assert_eq!(tries[0], method.plan, "{}", method.name);
            for plan in &tries {
                assert!(plan.check().is_ok());
                assert!((0.0025..=0.04).contains(&plan.learning_rate));
                let (name, thresholds, scale) = LossName::parts(&plan.loss);
                assert_eq!(name, LossName::parts(&method.plan.loss).0);
                assert!(thresholds.windows(2).all(|pair| pair[0] <= pair[1]));
                assert!((1.0..=100.0).contains(&scale));
            }
        }
    }

    #[test]
    fn every_method_tries_the_same_step_sizes_and_as_many() {
        let rates = |method: &Method| -> Vec<f32> {
            settings(method, 8).iter().map(|plan| plan.learning_rate).collect()
        };
        let methods = losses(&plan(1.0));
        let sosl = rates(&methods[0]);
        assert_eq!(sosl.len(), 8);
        for method in methods.iter().filter(|m| m.plan.epsilon == 1.0 && m.name != "three-part L2")
        {
            assert_eq!(rates(method), sosl, "{}", method.name);
        }
    }

    #[test]
    fn where_the_papers_thresholds_are_out_of_reach_they_are_brought_within_it() {
        // At epsilon 2 no score exceeds .64.
        let method = Method { name: "SOSL".into(), plan: plan(2.0) };
        assert!(method.plan.check().is_err());
        let first = settings(&method, 1).remove(0);
        assert!(first.check().is_ok());
        assert_eq!(LossName::parts(&first.loss).1, [0.13, 0.45]);
    }
}
