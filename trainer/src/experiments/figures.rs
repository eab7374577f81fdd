//! `figures`: the gradient's heat maps (paper 1, Figure 1), the losses against the score (Figure 2)
//! and the density of the scores by grade for each loss (Figure 3).

use serde_json::json;
use smooth_clir::lab::plane::{self, Quantity};
use smooth_clir::math::loss::Loss;

use super::plot::{self, Line, Map, Panel};
use super::run::{BINS, Run, Start};
use super::study::{Study, pretty};
use super::table::Row;
use super::tuning::{Method, trained, tune};
use crate::corpus::Drawing;
use crate::error::Error;
use crate::train::LossName;

/// As many numbers as a heat map has beside each other: odd, so that one is the origin.
const MAP_SIZE: usize = 81;
const EXTENT: f32 = 2.0;
/// The paper's three, and the case without smoothing.
const EPSILONS: [f32; 4] = [0.0, 0.05, 0.2, 0.5];
/// Where Figure 2 cuts the grades.
const FIGURE_2_THRESHOLDS: [f32; 2] = [0.0, 0.5];
/// Neighbouring bins are drawn together: a smoother curve.
const BINS_IN_POINT: usize = 4;

/// Figure 1: the partial derivative in x1 of the similarity of (x1, x2) and (1, 1).
pub fn gradient_maps() -> Result<String, Error> {
    let map = |&epsilon: &f32| {
        let values = plane::map(Quantity::AlongX1, [1.0, 1.0], MAP_SIZE, EXTENT, epsilon);
        let most = values.iter().filter(|x| !x.is_nan()).fold(0.0f32, |most, x| most.max(x.abs()));
        let title = match epsilon {
            0.0 => "epsilon 0: no bound; shades end at ±3".to_owned(),
            _ => {
                format!("epsilon {epsilon}: at most {most:.2}; shades end at ±{:.2}", most.min(3.0))
            }
        };
        Map { title, extent: f64::from(EXTENT), values, most: most.min(3.0) }
    };
    let maps: Vec<Map> = EPSILONS.iter().map(map).collect();
    plot::maps("The gradient of smooth cosine similarity", &maps)
}

/// Figure 2: every loss against the score, a panel for each grade.
pub fn loss_curves() -> Result<String, Error> {
    let losses: Vec<(&str, Loss)> = [
        ("SOSL", LossName::Sosl, 1.0),
        ("three-part, (t1, t2, t2)", LossName::ThreePart, 1.0),
        ("MSE", LossName::Mse, 1.0),
        ("odds, released", LossName::ProportionalOddsPaper, 1.0),
        ("odds, scale 10", LossName::ProportionalOdds, 10.0),
    ]
    .into_iter()
    .filter_map(|(name, loss, scale)| Some((name, loss.build(&FIGURE_2_THRESHOLDS, scale).ok()?)))
    .collect();
    let panel = |grade: u8| {
        let line = |(name, loss): &(&str, Loss)| {
            let point = |step: i32| {
                let score = step as f32 * 0.01;
                (f64::from(score), f64::from(loss.value(score, grade)))
            };
            let points = (-100..=100).map(point).collect();
            Line { name: (*name).to_owned(), points, intervals: Vec::new() }
        };
        Panel {
            title: format!("grade {grade}, thresholds 0 and 0.5"),
            x: "score r".into(),
            y: "loss".into(),
            range: [(-1.0, 1.0), (0.0, 3.0)],
            lines: losses.iter().map(line).collect(),
        }
    };
    let panels: Vec<Panel> = (0..3).map(panel).collect();
    plot::lines("The losses against the score", &panels, 3)
}

/// Figure 3: how the training pairs' scores lie, by grade, for each loss, its settings chosen as
/// `compare` does; writes `densities.json` and `densities.svg`.
pub fn densities(
    study: &Study,
    methods: &[Method],
    trials: usize,
    drawing: &Drawing,
    start: &Start,
) -> Result<(), Error> {
    let run = |test| move |plan| Run { plan, drawing: *drawing, start: start.clone(), test };
    let tuned = tune(study, methods, trials, run(false))?;
    let rows = trained(study, &tuned, 1, run(true))?;
    let counts = tuned.iter().zip(&rows).map(|(tuned, row)| {
        let tested = row.outcomes.first().and_then(|outcome| outcome.test.as_ref());
        let counts = tested.map(|tested| &tested.training_scores);
        json!({ "name": tuned.name, "settings": tuned.plan.describe(), "training_scores": counts })
    });
    let counts: Vec<_> = counts.collect();
    study.write("densities.json", &pretty(&json!({ "bins": BINS, "losses": counts })))?;
    study.write("densities.svg", &density_curves(&rows)?)
}

/// Figure 3 of rows that are trained already, each by its first seed.
pub fn density_curves(rows: &[Row]) -> Result<String, Error> {
    let panels: Vec<Panel> = rows.iter().filter_map(density).collect();
    plot::lines("The scores of the training pairs", &panels, 2)
}

fn density(row: &Row) -> Option<Panel> {
    let counts = &row.outcomes.first()?.test.as_ref()?.training_scores;
    let width = 2.0 / (BINS / BINS_IN_POINT) as f64;
    let names = ["irrelevant", "partially relevant", "relevant"];
    let lines = counts.iter().enumerate().map(|(grade, counts)| {
        let all = counts.iter().sum::<u64>().max(1) as f64;
        let points = counts.chunks(BINS_IN_POINT).enumerate().map(|(place, bins)| {
            let share = bins.iter().sum::<u64>() as f64 / all;
            (-1.0 + width * (place as f64 + 0.5), share / width)
        });
        let name = names.get(grade).map_or_else(|| format!("grade {grade}"), |&n| n.to_owned());
        Line { name, points: points.collect(), intervals: Vec::new() }
    });
    let lines: Vec<Line> = lines.collect();
    let highest = lines.iter().flat_map(|line| &line.points).fold(0.0f64, |most, p| most.max(p.1));
    Some(Panel {
        title: row.name.clone(),
        x: "score r".into(),
        y: "density".into(),
        range: [(-1.0, 1.0), (0.0, 1.05 * highest.max(1e-6))],
        lines,
    })
}
