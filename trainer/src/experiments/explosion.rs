//! `sweep --initial`: what small initial weights do to cosine, whose gradient has no bound, and to
//! smooth cosine similarity, with and without clipping.

use serde_json::{Value, json};
use smooth_clir::math::similarity::reach;

use super::common::Sweep;
use super::run::{Outcome, Run};
use super::study::{Study, pretty};
use super::table::{Ranked, Row, Table};
use super::tuning::two_decimals;
use crate::error::Error;
use crate::train::{LossName, Plan};

/// Epsilon of the rows with smooth cosine similarity.
const EPSILON: f32 = 0.25;
/// The similarities of a deviation's rows, each without and with clipping.
const SIMILARITIES: [(&str, f32); 2] = [("cosine", 0.0), ("SCS", EPSILON)];
/// The norm to which gradients are clipped, unless another is given.
const CLIP: f32 = 0.1;
/// The parts of the reach at which the thresholds are.
const THRESHOLDS: [f32; 2] = [0.2, 0.9];

/// Trains four rows for each standard deviation, and writes `sweep.json` and `sweep.md`.
pub fn explosion(
    study: &Study,
    deviations: &[f32],
    descent: Option<f32>,
    sweep: &Sweep<'_>,
) -> Result<(), Error> {
    let mut rows = Vec::new();
    for &deviation in deviations {
        for (similarity, epsilon) in SIMILARITIES {
            for clip in [None, Some(sweep.plan.clip.unwrap_or(CLIP))] {
                let clipped = if clip.is_some() { ", clipped" } else { "" };
                let name = format!("{similarity}{clipped}, {deviation}");
                rows.push((name, plan(sweep.plan, deviation, epsilon, clip, descent)?));
            }
        }
    }
    let runs: Vec<Run> = rows
        .iter()
        .flat_map(|(_, plan)| (1..=sweep.seeds).map(|seed| Plan { seed, ..plan.clone() }))
        .map(sweep.run(true))
        .collect();
    let mut outcomes = study.outcomes("training", &runs)?.into_iter();
    let row = |(name, _): &(String, Plan)| Row {
        name: name.clone(),
        outcomes: outcomes.by_ref().take(sweep.seeds as usize).collect(),
    };
    let results: Vec<Row> = rows.iter().map(row).collect();
    let optimiser = if descent.is_some() { "plain descent" } else { "Adam" };
    let title = format!("Small initial weights, {optimiser}, en-{}", study.language());
    let mut report = format!("{}\n{}", study.head(&title), behaviour(&results));
    let (mut tables, mut differences) = (Vec::new(), Vec::new());
    for ranked in [Ranked::All, Ranked::Sampled] {
        let table = Table::new(&results.iter().collect::<Vec<_>>(), ranked, false);
        report.push_str(&format!(
            "\n## {}\n\n{} test queries, means over {} seeds [95 % interval].\n\n{}",
            ranked.name(),
            table.queries,
            table.seeds,
            table.intervals("row")
        ));
        report.push_str(
            "\nEach less cosine without clipping, of the same deviation: mean [95 % interval], p after Holm's correction over these three.\n",
        );
        for of_deviation in results.chunks(SIMILARITIES.len() * 2) {
            let table = Table::new(&of_deviation.iter().collect::<Vec<_>>(), ranked, true);
            report.push_str(&format!("\n{}", table.differences("row")));
            differences.push(table.to_json());
        }
        tables.push(table.to_json());
    }
    let described: Vec<Value> = rows
        .iter()
        .zip(&results)
        .map(|((name, plan), row)| {
            let outcomes = row.outcomes.iter().map(|outcome| {
                json!({ "clipped": outcome.clipped, "diverged": diverged(outcome),
                    "longest": outcome.longest, "losses": outcome.losses,
                    "steps": outcome.steps, "undefined": outcome.undefined })
            });
            json!({ "name": name, "outcomes": outcomes.collect::<Vec<_>>(),
                "settings": plan.describe() })
        })
        .collect();
    study.write(
        "sweep.json",
        &pretty(&json!({ "differences": differences, "rows": described, "tables": tables })),
    )?;
    study.write("sweep.md", &report)
}

fn plan(
    plan: &Plan,
    deviation: f32,
    epsilon: f32,
    clip: Option<f32>,
    descent: Option<f32>,
) -> Result<Plan, Error> {
    let reach = reach(plan.dimension, epsilon);
    let thresholds = THRESHOLDS.map(|part| two_decimals(f64::from(part * reach)));
    let loss = LossName::Sosl.build(&thresholds, 1.0)?;
    let mut variant = plan.variant.clone();
    variant.descent = descent.is_some();
    let learning_rate = descent.unwrap_or(plan.learning_rate);
    let init_deviation = deviation;
    let plan = Plan { loss, epsilon, init_deviation, clip, learning_rate, variant, ..plan.clone() };
    plan.check()?;
    Ok(plan)
}

/// Whether a loss was not finite, or the last epoch's is above the first's.
fn diverged(outcome: &Outcome) -> bool {
    let ends = outcome.losses.first().zip(outcome.losses.last());
    let rose = ends.is_some_and(|(first, last)| last > first);
    rose || outcome.losses.iter().any(Option::is_none)
}

/// For each row how long its gradients were and what became of its loss, over all seeds.
fn behaviour(rows: &[Row]) -> String {
    let mut text = String::from(
        "| row | longest gradient of the score | in the first epoch | undefined gradients | clipped steps | diverged | loss of the first epoch | of the last |\n|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let outcomes = || row.outcomes.iter();
        let sum = |count: fn(&Outcome) -> u64| outcomes().map(count).sum::<u64>();
        let longest = outcomes().flat_map(|outcome| &outcome.longest).copied().fold(0.0, f32::max);
        let first = outcomes().filter_map(|outcome| outcome.longest.first().copied());
        let loss = |of: fn(&Outcome) -> Option<f64>| -> String {
            let all: Option<Vec<f64>> = outcomes().map(of).collect();
            let mean = |all: Vec<f64>| all.iter().sum::<f64>() / all.len() as f64;
            all.map(mean).map_or("not finite".into(), |mean| format!("{mean:.4}"))
        };
        text.push_str(&format!(
            "| {} | {longest:.3} | {:.3} | {} of {} | {} of {} | {} of {} | {} | {} |\n",
            row.name,
            first.fold(0.0, f32::max),
            sum(|outcome| outcome.undefined),
            sum(|outcome| outcome.pairs),
            sum(|outcome| outcome.clipped),
            sum(|outcome| outcome.steps),
            outcomes().filter(|outcome| diverged(outcome)).count(),
            row.outcomes.len(),
            loss(|outcome| outcome.losses.first().copied().flatten()),
            loss(|outcome| outcome.losses.last().copied().flatten()),
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(losses: &[Option<f64>], longest: &[f32], clipped: u64, undefined: u64) -> Outcome {
        let (losses, longest) = (losses.to_vec(), longest.to_vec());
        let (steps, pairs) = (10, 100);
        Outcome { losses, longest, undefined, clipped, steps, pairs, ..Outcome::default() }
    }

    #[test]
    fn a_training_diverged_if_its_loss_rose_from_end_to_end_or_was_not_finite() {
        for (losses, expected) in [
            (&[Some(1.0), Some(0.5)][..], false),
            (&[Some(1.0), Some(2.0), Some(1.0)], false),
            (&[Some(1.0), Some(0.9), Some(1.1)], true),
            (&[Some(1.0), None, Some(0.5)], true),
            (&[], false),
        ] {
            assert_eq!(diverged(&outcome(losses, &[], 0, 0)), expected, "{losses:?}");
        }
    }

    #[test]
    fn a_row_tells_the_longest_gradient_sums_of_counts_and_mean_losses_over_its_seeds() {
        let row = |name: &str, outcomes| Row { name: name.into(), outcomes };
        let learned = outcome(&[Some(0.25), Some(0.125)], &[2.0, 1.0], 3, 0);
        let rose = outcome(&[Some(0.75), Some(0.875)], &[0.5, 4.0], 1, 7);
        let lost = outcome(&[Some(0.5), None], &[], 0, 0);
        let text =
            behaviour(&[row("cosine, 0.2", vec![learned, rose]), row("SCS, 0.2", vec![lost])]);
        let lines: Vec<&str> = text.lines().skip(2).collect();
        let expected = [
            "| cosine, 0.2 | 4.000 | 2.000 | 7 of 200 | 4 of 20 | 1 of 2 | 0.5000 | 0.5000 |",
            "| SCS, 0.2 | 0.000 | 0.000 | 0 of 100 | 0 of 10 | 1 of 1 | 0.5000 | not finite |",
        ];
        assert_eq!(lines, expected);
    }
}
