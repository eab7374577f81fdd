//! `sweep`: what epsilon (paper 1, Figure 4) or the number of sampled negatives (Figure 5) does.

use serde_json::{Value, json};
use smooth_clir::math::similarity::reach;

use super::common::Sweep;
use super::explosion;
use super::plot;
use super::run::Run;
use super::study::{Study, pretty};
use super::table::{Ranked, Row, Table};
use super::tuning::{Tuned, best, trained, two_decimals};
use crate::corpus::Drawing;
use crate::error::Error;
use crate::train::{EpsilonRule, LossName, Plan};

/// What is varied, and its values.
#[derive(Debug, Clone, PartialEq)]
pub enum Over {
    /// Epsilon, with thresholds found by grid search on the validation queries for each.
    Epsilon {
        /// The values.
        values: Vec<f32>,
        /// Whether epsilons that change in training stand beside them.
        changing: bool,
    },
    /// The standard deviation of the initial weights, for cosine and SCS, with and without clipping.
    Initial {
        /// The values.
        values: Vec<f32>,
        /// The step size of plain descent, in place of Adam.
        descent: Option<f32>,
    },
    /// How many negatives are sampled for each query.
    Negatives(Vec<usize>),
}

/// The parts of the reach at which the grid has its thresholds.
const LOW: [f32; 3] = [-0.1, 0.05, 0.2];
const HIGH: [f32; 3] = [0.8, 0.9, 0.97];
/// Where learned epsilons begin.
const LEARNED_FROM: f32 = 0.25;
/// From where to where epsilon is annealed.
const ANNEALED: [f32; 2] = [1.0, 0.05];

/// Trains, and writes `sweep.json`, `sweep.md` and `sweep.svg`.
pub fn sweep(study: &Study, over: &Over, sweep: &Sweep<'_>) -> Result<(), Error> {
    let (what, does, points) = match over {
        Over::Epsilon { values, changing } => {
            ("epsilon", "epsilon does", by_epsilon(study, values, *changing, sweep)?)
        }
        Over::Negatives(counts) => {
            ("sampled negatives", "sampled negatives do", by_negatives(study, counts, sweep)?)
        }
        Over::Initial { values, descent } => {
            return explosion::explosion(study, values, *descent, sweep);
        }
    };
    let title = format!("What {does}, en-{}", study.language());
    let rows: Vec<&Row> = points.iter().map(|point| &point.row).collect();
    let mut report = format!("{}\n{}", study.head(&title), settings(&points, what));
    let mut tables = Vec::new();
    let mut panels = Vec::new();
    // Values of one number have a place on the axis.
    let at: Vec<f64> = points.iter().filter_map(|point| point.at).collect();
    let placed: Vec<&Row> =
        points.iter().filter(|point| point.at.is_some()).map(|point| &point.row).collect();
    for ranked in [Ranked::All, Ranked::Sampled] {
        let table = Table::new(&rows, ranked, true);
        report.push_str(&format!("\n## {}\n\n{}", ranked.name(), table.to_report(what)));
        tables.push(table.to_json());
        panels.push(Table::new(&placed, ranked, false));
    }
    let described = points.iter().map(Point::to_json);
    let described: Vec<Value> = described.collect();
    study.write("sweep.json", &pretty(&json!({ "points": described, "tables": tables })))?;
    study.write("sweep.svg", &plot::lines_of_metrics(&title, what, &at, &panels)?)?;
    study.write("sweep.md", &report)
}

/// A value of what is varied.
struct Point {
    /// Its place on the axis, if it has one.
    at: Option<f64>,
    tuned: Tuned,
    negatives: usize,
    row: Row,
}

impl Point {
    fn to_json(&self) -> Value {
        json!({
            "at": self.at,
            "epsilons": self.row.outcomes.iter().map(|outcome| outcome.epsilons).collect::<Vec<_>>(),
            "name": self.row.name,
            "negatives": self.negatives,
            "selected": self.tuned.selected,
            "settings": self.tuned.plan.describe(),
            "tries": self.tuned.trials,
            "undefined": self.row.outcomes.iter().map(|outcome| outcome.undefined).sum::<u64>(),
        })
    }
}

fn by_epsilon(
    study: &Study,
    values: &[f32],
    changing: bool,
    sweep: &Sweep<'_>,
) -> Result<Vec<Point>, Error> {
    // The name, the place on the axis, the epsilon that thresholds fit, and how it changes.
    let fixed = |&epsilon: &f32| {
        (epsilon.to_string(), Some(f64::from(epsilon)), epsilon, EpsilonRule::Fixed)
    };
    let mut all: Vec<_> = values.iter().map(fixed).collect();
    if changing {
        let name = |text: &str| text.to_owned();
        let [from, to] = ANNEALED;
        all.extend([
            (format!("learned from {LEARNED_FROM}"), None, LEARNED_FROM, EpsilonRule::Learned),
            (name("learned for each norm"), None, LEARNED_FROM, EpsilonRule::LearnedSides),
            (format!("annealed from {from} to {to}"), None, to, EpsilonRule::Annealed(from)),
        ]);
    }
    let grids = all.iter().map(|&(_, _, epsilon, rule)| {
        let mut plan = sweep.plan.clone();
        plan.variant.epsilon = rule;
        grid(&plan, epsilon)
    });
    let grids: Vec<Vec<Plan>> = grids.collect::<Result<_, _>>()?;
    let short = |plan: Plan| Plan { epochs: sweep.tuning_epochs, ..plan };
    let runs = grids.iter().flatten().cloned().map(short).map(sweep.run(false));
    let runs: Vec<Run> = runs.collect();
    let mut outcomes = study.outcomes("tuning", &runs)?.into_iter();
    let mut tuned = Vec::new();
    for ((name, ..), plans) in all.iter().zip(grids) {
        let tried = plans.into_iter().zip(outcomes.by_ref()).collect();
        tuned.push(best(name, tried)?);
    }
    let rows = trained(study, &tuned, sweep.seeds, sweep.run(true))?;
    let points = all.into_iter().zip(tuned).zip(rows);
    let negatives = sweep.drawing.negatives;
    Ok(points.map(|(((_, at, ..), tuned), row)| Point { at, tuned, negatives, row }).collect())
}

fn by_negatives(study: &Study, counts: &[usize], sweep: &Sweep<'_>) -> Result<Vec<Point>, Error> {
    let Sweep { plan, drawing, start, seeds, .. } = *sweep;
    let runs: Vec<Run> = counts
        .iter()
        .flat_map(|&negatives| (1..=seeds).map(move |seed| (negatives, seed)))
        .map(|(negatives, seed)| Run {
            plan: Plan { seed, ..plan.clone() },
            drawing: Drawing { negatives, ..drawing },
            start: start.clone(),
            test: true,
        })
        .collect();
    let mut outcomes = study.outcomes("training", &runs)?.into_iter();
    let point = |&negatives: &usize| {
        let name = negatives.to_string();
        let outcomes = outcomes.by_ref().take(seeds as usize).collect();
        let row = Row { name: name.clone(), outcomes };
        let tuned = Tuned { name, plan: plan.clone(), selected: f64::NAN, trials: 0 };
        Point { at: Some(negatives as f64), tuned, negatives, row }
    };
    Ok(counts.iter().map(point).collect())
}

/// The plan at this epsilon with every pair of thresholds of the grid, which lies within reach.
fn grid(plan: &Plan, epsilon: f32) -> Result<Vec<Plan>, Error> {
    let reach = reach(plan.dimension, epsilon);
    let (name, _, scale) = LossName::parts(&plan.loss);
    let pairs = LOW.iter().flat_map(|low| HIGH.iter().map(move |high| [low, high]));
    let plans: Vec<Plan> = pairs
        .filter_map(|pair| {
            let thresholds = pair.map(|part| two_decimals(f64::from(part * reach)));
            let loss = name.build(&thresholds, scale).ok()?;
            let plan = Plan { epsilon, loss, ..plan.clone() };
            plan.check().is_ok().then_some(plan)
        })
        .collect();
    match plans.is_empty() {
        false => Ok(plans),
        true => Err(Error::Usage(format!(
            "--epsilon {epsilon}: with dimension {} no score exceeds {reach}, and the grid has no valid thresholds below that",
            plan.dimension
        ))),
    }
}

fn settings(points: &[Point], what: &str) -> String {
    let mut text = format!(
        "| {what} | thresholds | step size | trials | epsilon of query and document | best epochs | undefined gradients |\n|---|---|---|---|---|---|---|\n"
    );
    for point in points {
        let (_, thresholds, _) = LossName::parts(&point.tuned.plan.loss);
        let thresholds: Vec<String> = thresholds.iter().map(f32::to_string).collect();
        let outcomes = &point.row.outcomes;
        let epochs: Vec<String> = outcomes.iter().map(|o| o.epoch.to_string()).collect();
        let last = outcomes.iter().map(|outcome| match outcome.epsilons {
            [query, document] if query == document => format!("{query:.3}"),
            [query, document] => format!("{query:.3} and {document:.3}"),
        });
        let last: Vec<String> = last.collect();
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} | {} of {} |\n",
            point.row.name,
            thresholds.join(", "),
            point.tuned.plan.learning_rate,
            point.tuned.trials,
            last.join(", "),
            epochs.join(", "),
            outcomes.iter().map(|outcome| outcome.undefined).sum::<u64>(),
            outcomes.iter().map(|outcome| outcome.pairs).sum::<u64>(),
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::run::Outcome;
    use super::*;
    use crate::train::EncoderName;

    #[test]
    fn settings_tell_one_epsilon_where_both_sides_have_the_same_and_counts_over_all_seeds() {
        let outcome = |epsilons: [f32; 2], epoch: u64, undefined: u64| Outcome {
            epoch,
            undefined,
            epsilons,
            pairs: 100,
            ..Outcome::default()
        };
        let loss = LossName::Sosl.build(&[0.2, 0.7], 1.0).unwrap();
        let plan = Plan { learning_rate: 0.02, ..Plan::of_paper(EncoderName::Average, loss) };
        let point = Point {
            at: Some(0.25),
            negatives: 40,
            tuned: Tuned { name: "0.25".into(), plan, selected: 0.5, trials: 9 },
            row: Row {
                name: "learned".into(),
                outcomes: vec![outcome([0.25; 2], 4, 1), outcome([0.125, 0.5], 6, 2)],
            },
        };
        let text = settings(&[point], "epsilon");
        assert!(text.starts_with("| epsilon | thresholds | step size |"), "{text}");
        let expected =
            "| learned | 0.2, 0.7 | 0.02 | 9 | 0.250, 0.125 and 0.500 | 4, 6 | 3 of 200 |";
        assert_eq!(text.lines().nth(2), Some(expected));
    }
}
