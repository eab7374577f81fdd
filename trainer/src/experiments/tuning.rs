//! Settings chosen on the validation queries: as many trials for one method as for another.

use smooth_clir::math::random::Random;
use smooth_clir::math::similarity::reach;

use super::run::{Outcome, Run};
use super::study::Study;
use super::table::Row;
use crate::error::Error;
use crate::train::{LossName, Plan};

/// Draws for a trial, at most: some make no sense.
const MOST_DRAWS_FOR_TRIAL: usize = 100;
/// A threshold lies below 1.
const HIGHEST: f32 = 0.99;

/// A method and the settings that the paper gives it.
#[derive(Debug, Clone)]
pub struct Method {
    /// Its name in tables.
    pub name: String,
    /// The plan of its first trial.
    pub plan: Plan,
    /// Whether trials differ in the loss's thresholds and scale: not where encoders are compared,
    /// which have one loss.
    pub tunes_loss: bool,
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
    pub trials: usize,
}

/// Tries `trials` settings of each method, the first the paper's own, the others drawn at random,
/// the same draws for all, and keeps the best on the validation queries.
pub fn tune(
    study: &Study,
    methods: &[Method],
    trials: usize,
    run: impl Fn(Plan) -> Run,
) -> Result<Vec<Tuned>, Error> {
    let plans = methods.iter().map(|method| settings(method, trials));
    let plans: Vec<Vec<Plan>> = plans.collect::<Result<_, _>>()?;
    let runs: Vec<Run> = plans.iter().flatten().cloned().map(run).collect();
    let outcomes = study.outcomes("tuning", &runs)?;
    let mut outcomes = outcomes.into_iter();
    let tuned = methods.iter().zip(plans).map(|(method, plans)| {
        let tried: Vec<(Plan, Outcome)> = plans.into_iter().zip(outcomes.by_ref()).collect();
        best(&method.name, tried)
    });
    tuned.collect()
}

/// The best trial; of equal ones the first.
pub fn best(name: &str, tried: Vec<(Plan, Outcome)>) -> Result<Tuned, Error> {
    let trials = tried.len();
    let mut best: Option<(Plan, f64)> = None;
    for (plan, outcome) in tried {
        if best.as_ref().is_none_or(|(_, so_far)| outcome.selected > *so_far) {
            best = Some((plan, outcome.selected));
        }
    }
    let (plan, selected) =
        best.ok_or_else(|| Error::Usage(format!("{name}: no settings for a trial")))?;
    Ok(Tuned { name: name.into(), plan, selected, trials })
}

/// The method's own settings and others near them.
fn settings(method: &Method, trials: usize) -> Result<Vec<Plan>, Error> {
    let first = first_trial(&method.plan);
    first.check()?;
    // One stream for every method: they try the same step sizes and parts of the reach.
    let mut random = Random::new(1, "settings");
    let mut plans = vec![first];
    for _ in 1..MOST_DRAWS_FOR_TRIAL * trials {
        if plans.len() == trials {
            return Ok(plans);
        }
        plans.extend(drawn(&plans[0], method.tunes_loss, &mut random));
    }
    match plans.len() == trials {
        true => Ok(plans),
        false => Err(Error::Usage(format!(
            "{}: too few valid settings: with dimension {} and epsilon {} no score exceeds {}",
            method.name,
            method.plan.dimension,
            method.plan.epsilon,
            reach(method.plan.dimension, method.plan.epsilon)
        ))),
    }
}

/// The paper's thresholds are for epsilon 1 and 64 dimensions; elsewhere they are the same parts of
/// the reach.
fn first_trial(plan: &Plan) -> Plan {
    let (name, mut thresholds, scale) = LossName::parts(&plan.loss);
    let factor = reach(plan.dimension, plan.epsilon) / reach(64, 1.0);
    thresholds.iter_mut().for_each(|t| *t = two_decimals(f64::from(*t * factor)).min(HIGHEST));
    match name.build(&thresholds, scale) {
        Ok(loss) => Plan { loss, ..plan.clone() },
        Err(_) => plan.clone(),
    }
}

/// Settings drawn at random; `None` where they make no sense.
fn drawn(plan: &Plan, tunes_loss: bool, random: &mut Random) -> Option<Plan> {
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
    // Drawn for all, though only some have it: so the next draws are the same for all.
    let drawn_dropout = two_decimals(0.4 * unit());
    let dropout = if plan.encoder.has_dropout() { drawn_dropout } else { plan.dropout };
    let (name, thresholds, scale) = LossName::parts(&plan.loss);
    let reach = f64::from(reach(plan.dimension, plan.epsilon));
    let [low, high, highest] = [low, high, highest].map(|t| two_decimals(t * reach));
    let two_thresholds = thresholds.len() == 2 || thresholds[1] == thresholds[2];
    let loss = match (tunes_loss, two_thresholds) {
        (true, true) => name.build(&[low, high], drawn_scale).ok()?,
        (true, false) => name.build(&[low, high, highest], drawn_scale).ok()?,
        (false, _) => name.build(&thresholds, scale).ok()?,
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

/// Trains every method with its settings, once for each seed.
pub fn trained(
    study: &Study,
    tuned: &[Tuned],
    seeds: u64,
    run: impl Fn(Plan) -> Run,
) -> Result<Vec<Row>, Error> {
    let runs: Vec<Run> = tuned
        .iter()
        .flat_map(|tuned| (1..=seeds).map(|seed| Plan { seed, ..tuned.plan.clone() }))
        .map(run)
        .collect();
    let mut outcomes = study.outcomes("training", &runs)?.into_iter();
    let row = |tuned: &Tuned| Row {
        name: tuned.name.clone(),
        outcomes: outcomes.by_ref().take(seeds as usize).collect(),
    };
    Ok(tuned.iter().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::compare::{encoders, losses};
    use crate::train::{DeviceName, EncoderName, Select};

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
            device: DeviceName::Cpu,
        }
    }

    #[test]
    fn the_first_try_is_the_papers_and_all_tries_make_sense() {
        for method in losses(&plan(1.0)) {
            let trials = settings(&method, 20).unwrap();
            if method.plan.epsilon == 1.0 {
                assert_eq!(trials[0], method.plan, "{}", method.name);
            }
            for plan in &trials {
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
            settings(method, 8).unwrap().iter().map(|plan| plan.learning_rate).collect()
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
    fn encoders_are_compared_at_one_loss_with_the_same_step_sizes() {
        let kinds = [EncoderName::Average, EncoderName::Cnn, EncoderName::Lstm];
        let methods = encoders(&plan(1.0), &kinds, None);
        let factors = |method: &Method| -> Vec<i32> {
            let trials = settings(method, 6).unwrap();
            let first = trials[0].learning_rate;
            let factors = trials.iter().map(|plan| (10.0 * plan.learning_rate / first).round());
            factors.map(|factor| factor as i32).collect()
        };
        for method in &methods {
            assert_eq!(factors(method), factors(&methods[0]), "{}", method.name);
            for plan in settings(method, 6).unwrap() {
                assert_eq!(plan.loss, methods[0].plan.loss, "{}", method.name);
            }
        }
    }

    #[test]
    fn what_leaves_no_settings_to_try_is_refused() {
        let hopeless = Plan { dimension: 8, ..plan(100.0) };
        let method = Method { name: "SOSL".into(), plan: hopeless, tunes_loss: true };
        assert!(settings(&method, 8).is_err());
    }

    #[test]
    fn the_try_with_the_most_is_the_best_and_the_first_of_equals() {
        let outcome = |selected: f64| Outcome {
            run: serde_json::Value::Null,
            epoch: 1,
            selected,
            undefined: 0,
            clipped: 0,
            steps: 0,
            pairs: 0,
            test: None,
        };
        let tried = [0.2, 0.5, 0.5, 0.1]
            .iter()
            .zip(1..)
            .map(|(&selected, seed)| (Plan { seed, ..plan(1.0) }, outcome(selected)));
        let best = best("SOSL", tried.collect()).unwrap();
        assert_eq!((best.plan.seed, best.selected, best.trials), (2, 0.5, 4));
    }

    #[test]
    fn where_the_papers_thresholds_are_out_of_reach_they_are_brought_within_it() {
        // At epsilon 2 no score exceeds .64.
        let method = Method { name: "SOSL".into(), plan: plan(2.0), tunes_loss: true };
        assert!(method.plan.check().is_err());
        let first = settings(&method, 1).unwrap().remove(0);
        assert!(first.check().is_ok());
        // Times .64 over .79.
        assert_eq!(LossName::parts(&first.loss).1, [0.16, 0.57]);
        // And for cosine, whose scores reach 1.
        let method = Method { plan: plan(0.0), ..method };
        let first = settings(&method, 1).unwrap().remove(0);
        assert_eq!(LossName::parts(&first.loss).1, [0.25, 0.89]);
    }
}
