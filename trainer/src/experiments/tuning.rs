//! Settings chosen on the validation queries: as many trials for one method as for another.

use smooth_clir::math::random::Random;
use smooth_clir::math::similarity::reach;

use super::run::{Outcome, Run};
use super::study::Study;
use super::table::Row;
use crate::error::Error;
use crate::train::{LossName, Plan};

/// A threshold lies below 1.
const HIGHEST: f32 = 0.99;
/// The steps by which a threshold that is too high is lowered.
const LOWER: f32 = 0.01;

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
    /// The values of epsilon that it tries first, each with the paper's other settings.
    pub epsilons: Vec<f32>,
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

/// Tries the paper's settings of each method at every epsilon that it may have, then at the best of
/// them other settings drawn at random, the same draws for all, and keeps the best on the validation
/// queries. A method with fewer values of epsilon has as many more draws: the most values of any
/// method, and `trials - 1` draws, are the trials of each.
pub fn tune(
    study: &Study,
    methods: &[Method],
    trials: usize,
    run: impl Fn(Plan) -> Run,
) -> Result<Vec<Tuned>, Error> {
    let most = methods.iter().map(|method| method.epsilons.len()).max().unwrap_or(1);
    let firsts: Vec<Vec<Plan>> = methods.iter().map(first_trials).collect::<Result<_, _>>()?;
    let outcomes = outcomes(study, "tuning epsilon", &firsts, &run)?;
    let mut all = Vec::new();
    for ((method, plans), outcomes) in methods.iter().zip(firsts).zip(outcomes) {
        let tried: Vec<(Plan, Outcome)> = plans.into_iter().zip(outcomes).collect();
        let at = best(&method.name, tried.clone())?.plan;
        let draws = most - tried.len() + trials - 1;
        all.push((tried, drawn_trials(method, &at, draws)?));
    }
    let (tried, drawn): (Vec<_>, Vec<Vec<Plan>>) = all.into_iter().unzip();
    let outcomes = self::outcomes(study, "tuning", &drawn, &run)?;
    let further = drawn.into_iter().zip(outcomes);
    let tuned = methods.iter().zip(tried).zip(further).map(|((method, tried), (plans, more))| {
        best(&method.name, tried.into_iter().chain(plans.into_iter().zip(more)).collect())
    });
    tuned.collect()
}

/// The outcomes of every method's plans.
fn outcomes(
    study: &Study,
    what: &str,
    plans: &[Vec<Plan>],
    run: impl Fn(Plan) -> Run,
) -> Result<Vec<Vec<Outcome>>, Error> {
    let runs: Vec<Run> = plans.iter().flatten().cloned().map(run).collect();
    let mut outcomes = study.outcomes(what, &runs)?.into_iter();
    Ok(plans.iter().map(|plans| outcomes.by_ref().take(plans.len()).collect()).collect())
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

/// The method's own settings at each epsilon.
fn first_trials(method: &Method) -> Result<Vec<Plan>, Error> {
    let at = |&epsilon: &f32| {
        let plan = first_trial(&Plan { epsilon, ..method.plan.clone() });
        plan.check().map(|()| plan)
    };
    method.epsilons.iter().map(at).collect()
}

/// Settings near those of a plan, drawn at random. The draws of a number are the same for every
/// method.
fn drawn_trials(method: &Method, plan: &Plan, draws: usize) -> Result<Vec<Plan>, Error> {
    let drawn = |number: usize| {
        let mut random = Random::new(1, &format!("settings {number}"));
        drawn(plan, method.tunes_loss, &mut random).ok_or_else(|| {
            Error::Usage(format!(
                "{}: too few valid settings: with dimension {} and epsilon {} no score exceeds {}",
                method.name,
                plan.dimension,
                plan.epsilon,
                reach(plan.dimension, plan.epsilon)
            ))
        })
    };
    (1..=draws).map(drawn).collect()
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

/// Settings drawn at random; `None` where two decimals cannot tell its thresholds apart.
fn drawn(plan: &Plan, tunes_loss: bool, random: &mut Random) -> Option<Plan> {
    let mut unit = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    // All are drawn for every method, though only some have them.
    // From a quarter of the paper's to four times it, as likely in one octave as in another.
    let factor = libm::pow(16.0, unit() - 0.5);
    let low = -0.2 + 0.9 * unit();
    let high = low + 0.05 + (0.9 - low) * unit();
    let highest = high + (1.1 - high) * unit();
    // From 2 to 100, in the same way.
    let drawn_scale = two_digits(2.0 * libm::pow(50.0, unit()));
    // From a thousandth of the authors' to theirs, in the same way.
    let shorter = libm::pow(1000.0, -unit());
    let drawn_dropout = two_decimals(0.4 * unit());
    let learning_rate = two_digits(f64::from(plan.learning_rate) * factor);
    let dropout = if plan.encoder.has_layers() { drawn_dropout } else { plan.dropout };
    let clip = plan.clip.map(|clip| two_digits(f64::from(clip) * shorter));
    let mut plan = Plan { learning_rate, clip, dropout, ..plan.clone() };
    if !tunes_loss {
        return plan.check().is_ok().then_some(plan);
    }
    if let Some(list) = &mut plan.variant.list {
        list.scale = drawn_scale;
        return Some(plan);
    }
    let (name, thresholds, _) = LossName::parts(&plan.loss);
    let reach = f64::from(reach(plan.dimension, plan.epsilon));
    let [low, high, highest] = [low, high, highest].map(|t| two_decimals(t * reach).min(HIGHEST));
    // Where the reach is short, two decimals may not tell them apart.
    let high = high.max(two_decimals(f64::from(low + LOWER)));
    let count = thresholds.len();
    let has_two = thresholds.len() == 2 || thresholds[1] == thresholds[2];
    let with = |highest: f32| {
        let thresholds = match (has_two, name) {
            (true, _) => vec![low, high],
            (false, LossName::ThreePart) => vec![low, high, highest],
            (false, _) => spread_out(low, high, count),
        };
        let loss = name.build(&thresholds, drawn_scale).ok()?;
        let plan = Plan { loss, ..plan.clone() };
        plan.check().is_ok().then_some(plan)
    };
    // A last threshold that is out of the model's reach is lowered, so that no draw is lost.
    let lowered = (0..100).map(|steps| two_decimals(f64::from(highest - LOWER * steps as f32)));
    lowered.take_while(|&highest| highest >= high).find_map(with)
}

/// So many thresholds from the lowest to the highest, equally far apart.
pub fn spread_out(low: f32, high: f32, count: usize) -> Vec<f32> {
    let part = |number: usize| {
        let part = number as f32 / (count - 1).max(1) as f32;
        two_decimals(f64::from(low + (high - low) * part))
    };
    (0..count).map(part).collect()
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
    use crate::train::EncoderName;

    fn plan(epsilon: f32) -> Plan {
        let loss = LossName::Sosl.build(&[0.2, 0.7], 1.0).unwrap();
        Plan { epsilon, ..Plan::of_paper(EncoderName::Average, loss) }
    }

    const EPSILONS: [f32; 3] = [0.05, 0.25, 1.0];

    fn method(name: &str, plan: Plan) -> Method {
        Method { name: name.into(), epsilons: vec![plan.epsilon], plan, tunes_loss: true }
    }

    #[test]
    fn the_first_tries_are_the_papers_and_all_tries_make_sense() {
        for method in losses(&plan(1.0), &EPSILONS) {
            let firsts = first_trials(&method).unwrap();
            let epsilons: Vec<f32> = firsts.iter().map(|plan| plan.epsilon).collect();
            assert_eq!(epsilons, method.epsilons);
            if let Some(first) = firsts.iter().find(|plan| plan.epsilon == 1.0) {
                assert_eq!(first, &method.plan, "{}", method.name);
            }
            for first in firsts {
                // Draws 135 and 172 have a last threshold beyond the reach, which is lowered.
                let plans = drawn_trials(&method, &first, 200).unwrap();
                assert_eq!(plans.len(), 200, "no draw is lost");
                for plan in plans {
                    assert!(plan.check().is_ok());
                    assert!((0.0025..=0.04).contains(&plan.learning_rate));
                    let (name, thresholds, scale) = LossName::parts(&plan.loss);
                    assert_eq!(name, LossName::parts(&method.plan.loss).0);
                    assert!(thresholds.windows(2).all(|pair| pair[0] <= pair[1]));
                    assert!((1.0..=100.0).contains(&scale));
                    assert_eq!(plan.epsilon, first.epsilon);
                }
            }
        }
    }

    #[test]
    fn every_method_tries_the_same_draws_at_any_epsilon() {
        let methods = losses(&plan(1.0), &EPSILONS);
        let rates =
            |plans: &[Plan]| -> Vec<f32> { plans.iter().map(|plan| plan.learning_rate).collect() };
        let sosl = rates(&drawn_trials(&methods[0], &plan(1.0), 20).unwrap());
        assert!(sosl.iter().any(|rate| *rate < 0.005) && sosl.iter().any(|rate| *rate > 0.03));
        for method in &methods {
            for first in first_trials(method).unwrap() {
                let plans = drawn_trials(method, &first, 20).unwrap();
                assert_eq!(rates(&plans), sosl, "{} at {}", method.name, first.epsilon);
                // Thresholds are the same parts of the reach.
                let first_part = |plan: &Plan| {
                    let (_, thresholds, _) = LossName::parts(&plan.loss);
                    thresholds[0] / reach(64, plan.epsilon)
                };
                if plans[0].variant.list.is_none() {
                    let expected = drawn_trials(&methods[0], &plan(1.0), 20).unwrap();
                    for (plan, expected) in plans.iter().zip(expected) {
                        let close = (first_part(plan) - first_part(&expected)).abs() < 0.02;
                        assert!(close, "{}", method.name);
                    }
                }
            }
        }
    }

    #[test]
    fn draws_fill_the_ranges_they_are_said_to_have() {
        let fills = |name: &str, values: Vec<f64>, from: f64, to: f64| {
            let [least, most] =
                [f64::min, f64::max].map(|of| values.iter().copied().reduce(of).unwrap());
            // Rounded to two digits; of 300 draws some lie near either end.
            assert!(least >= 0.94 * from && most <= 1.06 * to, "{name}: {least} to {most}");
            let near = if from > 0.0 { 1.15 * from } else { 0.05 * to };
            assert!(least <= near && most >= 0.9 * to, "{name}: {least} to {most}");
        };
        let network = encoders(&plan(1.0), &[EncoderName::Cnn], &[1.0], None).swap_remove(0);
        let clipped = Plan { clip: Some(5.0), ..network.plan.clone() };
        let plans = drawn_trials(&network, &clipped, 300).unwrap();
        let of = |read: fn(&Plan) -> f32| plans.iter().map(|plan| f64::from(read(plan))).collect();
        fills("step size", of(|plan| plan.learning_rate), 0.001 / 4.0, 0.001 * 4.0);
        fills("dropout", of(|plan| plan.dropout), 0.0, 0.4);
        fills("clip", of(|plan| plan.clip.unwrap()), 0.005, 5.0);
        // The scale of a loss that has one.
        let odds = LossName::ProportionalOdds.build(&[0.2, 0.7], 1.0).unwrap();
        let odds = Method {
            name: "proportional odds".into(),
            plan: Plan { loss: odds, ..plan(0.1) },
            tunes_loss: true,
            epsilons: vec![0.1],
        };
        let plans = drawn_trials(&odds, &odds.plan, 300).unwrap();
        let scale = |plan: &Plan| f64::from(LossName::parts(&plan.loss).2);
        fills("scale", plans.iter().map(scale).collect(), 2.0, 100.0);
    }

    #[test]
    fn encoders_are_compared_at_one_loss_with_the_same_step_sizes() {
        let kinds = [EncoderName::Average, EncoderName::Cnn, EncoderName::Lstm];
        let methods = encoders(&plan(1.0), &kinds, &[1.0], None);
        let factors = |method: &Method| -> Vec<i32> {
            let first = method.plan.learning_rate;
            let plans = drawn_trials(method, &method.plan, 6).unwrap();
            let factors = plans.iter().map(|plan| (10.0 * plan.learning_rate / first).round());
            factors.map(|factor| factor as i32).collect()
        };
        for method in &methods {
            assert_eq!(factors(method), factors(&methods[0]), "{}", method.name);
            for plan in drawn_trials(method, &method.plan, 6).unwrap() {
                assert_eq!(plan.loss, methods[0].plan.loss, "{}", method.name);
            }
        }
    }

    #[test]
    fn what_leaves_no_settings_to_try_is_refused() {
        let hopeless = Plan { dimension: 8, ..plan(100.0) };
        assert!(first_trials(&method("SOSL", hopeless.clone())).is_err());
        assert!(drawn_trials(&method("SOSL", hopeless.clone()), &hopeless, 8).is_err());
    }

    #[test]
    fn the_try_with_the_most_is_the_best_and_the_first_of_equals() {
        let outcome = |selected: f64| Outcome {
            run: serde_json::Value::Null,
            epoch: 1,
            selected,
            undefined: 0,
            epsilons: [1.0; 2],
            thresholds: None,
            longest: Vec::new(),
            losses: Vec::new(),
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
        let method = method("SOSL", plan(2.0));
        assert!(method.plan.check().is_err());
        let first = first_trials(&method).unwrap().remove(0);
        assert!(first.check().is_ok());
        // Times .64 over .79.
        assert_eq!(LossName::parts(&first.loss).1, [0.16, 0.57]);
        // And for cosine, whose scores reach 1.
        let method = Method { plan: plan(0.0), epsilons: vec![0.0], ..method };
        let first = first_trials(&method).unwrap().remove(0);
        assert_eq!(LossName::parts(&first.loss).1, [0.25, 0.89]);
    }
}
