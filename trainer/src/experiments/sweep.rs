//! `sweep`: what epsilon (paper 1, Figure 4) or the number of sampled negatives (Figure 5) does.

use serde_json::{Value, json};
use smooth_clir::math::similarity::reach;

use super::plot;
use super::run::{Run, Start};
use super::study::{Study, pretty};
use super::table::{Ranked, Row, Table};
use super::tuning::{Tuned, best, trained, two_decimals};
use crate::corpus::Drawing;
use crate::error::Error;
use crate::train::{LossName, Plan};

/// What is varied, and its values.
#[derive(Debug, Clone, PartialEq)]
pub enum Over {
    /// Epsilon, with thresholds found by grid search on the validation queries for each.
    Epsilon(Vec<f32>),
    /// How many negatives are sampled for each query.
    Negatives(Vec<usize>),
}

/// The parts of the reach at which the grid has its thresholds.
const LOW: [f32; 3] = [-0.1, 0.05, 0.2];
const HIGH: [f32; 3] = [0.8, 0.9, 0.97];

/// Trains, and writes `sweep.json`, `sweep.md` and `sweep.svg`.
pub fn sweep(
    study: &Study,
    over: &Over,
    plan: &Plan,
    drawing: &Drawing,
    start: &Start,
    seeds: u64,
) -> Result<(), Error> {
    let (what, does, points) = match over {
        Over::Epsilon(values) => {
            ("epsilon", "epsilon does", by_epsilon(study, values, plan, drawing, start, seeds)?)
        }
        Over::Negatives(counts) => (
            "sampled negatives",
            "sampled negatives do",
            by_negatives(study, counts, plan, drawing, start, seeds)?,
        ),
    };
    let title = format!("What {does}, en-{}", study.language());
    let rows: Vec<&Row> = points.iter().map(|point| &point.row).collect();
    let mut report = format!("# {title}\n\n{}", settings(&points, what));
    let mut tables = Vec::new();
    let mut panels = Vec::new();
    for ranked in [Ranked::Sampled, Ranked::All] {
        let table = Table::new(&rows, ranked, false);
        report.push_str(&format!(
            "\n## {}\n\n{} test queries, means ± standard deviations over {} seeds.\n\n{}",
            ranked.name(),
            table.queries,
            table.seeds,
            table.to_markdown(what)
        ));
        tables.push(table.to_json());
        panels.push(table);
    }
    let described = points.iter().map(Point::to_json);
    let described: Vec<Value> = described.collect();
    study.write("sweep.json", &pretty(&json!({ "points": described, "tables": tables })))?;
    let at: Vec<f64> = points.iter().map(|point| point.at).collect();
    study.write("sweep.svg", &plot::lines_of_metrics(&title, what, &at, &panels)?)?;
    study.write("sweep.md", &report)
}

/// A value of what is varied.
struct Point {
    at: f64,
    tuned: Tuned,
    negatives: usize,
    row: Row,
}

impl Point {
    fn to_json(&self) -> Value {
        json!({
            "at": self.at,
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
    plan: &Plan,
    drawing: &Drawing,
    start: &Start,
    seeds: u64,
) -> Result<Vec<Point>, Error> {
    let run = |test| move |plan| Run { plan, drawing: *drawing, start: start.clone(), test };
    let grids: Vec<Vec<Plan>> =
        values.iter().map(|&epsilon| grid(plan, epsilon)).collect::<Result<_, _>>()?;
    let runs: Vec<Run> = grids.iter().flatten().cloned().map(run(false)).collect();
    let mut outcomes = study.outcomes("tuning", &runs)?.into_iter();
    let mut tuned = Vec::new();
    for (epsilon, plans) in values.iter().zip(grids) {
        let tried = plans.into_iter().zip(outcomes.by_ref()).collect();
        tuned.push(best(&epsilon.to_string(), tried)?);
    }
    let rows = trained(study, &tuned, seeds, run(true))?;
    let points = values.iter().zip(tuned).zip(rows);
    let negatives = drawing.negatives;
    Ok(points
        .map(|((&at, tuned), row)| Point { at: f64::from(at), tuned, negatives, row })
        .collect())
}

fn by_negatives(
    study: &Study,
    counts: &[usize],
    plan: &Plan,
    drawing: &Drawing,
    start: &Start,
    seeds: u64,
) -> Result<Vec<Point>, Error> {
    let runs: Vec<Run> = counts
        .iter()
        .flat_map(|&negatives| (1..=seeds).map(move |seed| (negatives, seed)))
        .map(|(negatives, seed)| Run {
            plan: Plan { seed, ..plan.clone() },
            drawing: Drawing { negatives, ..*drawing },
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
        Point { at: negatives as f64, tuned, negatives, row }
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
        "| {what} | thresholds | step size | trials | best epochs | undefined gradients |\n|---|---|---|---|---|---|\n"
    );
    for point in points {
        let (_, thresholds, _) = LossName::parts(&point.tuned.plan.loss);
        let thresholds: Vec<String> = thresholds.iter().map(f32::to_string).collect();
        let outcomes = &point.row.outcomes;
        let epochs: Vec<String> = outcomes.iter().map(|o| o.epoch.to_string()).collect();
        text.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} of {} |\n",
            point.at,
            thresholds.join(", "),
            point.tuned.plan.learning_rate,
            point.tuned.trials,
            epochs.join(", "),
            outcomes.iter().map(|outcome| outcome.undefined).sum::<u64>(),
            outcomes.iter().map(|outcome| outcome.pairs).sum::<u64>(),
        ));
    }
    text
}
