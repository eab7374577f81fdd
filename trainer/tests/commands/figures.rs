//! What the figures of `compare`, `sweep` and `figures` show, read off their axes: the numbers of the
//! experiment's files, and the formulas of the paper.

use std::collections::BTreeMap;

use crate::svg::{Figure, Line, Panel, Pixel, read};
use crate::toy::*;
use serde_json::Value;

const SMALL: &str = "--language xx --dimension 8 --epochs 2 --negatives 5";

/// The thresholds that are there without a word are out of reach in 8 dimensions.
const MANY: &str = "--language xx --dimension 64 --epochs 2";

/// Half a pixel for the point, as much for each of the two ticks that it is read off.
const NEAR: f64 = 1.5;

fn drawn(place: &Place, name: &str) -> Figure {
    read(&place.read(name))
}

fn numbers(of: &Value) -> Vec<f64> {
    of.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn is_near(found: Pixel, expected: Pixel) -> bool {
    (found.0 - expected.0).abs() <= NEAR && (found.1 - expected.1).abs() <= NEAR
}

/// Lines of a colour, or thin ones: bars.
fn lines<'a>(panel: &'a Panel, colour: &str, bars: bool) -> Vec<&'a Line> {
    let is_one = |line: &&Line| line.colour == colour && (line.width == 1) == bars;
    panel.lines.iter().filter(is_one).collect()
}

/// Checks that lines go through points of the panel's axes, and through no other.
fn go_through(panel: &Panel, lines: &[&Line], expected: &[Vec<(f64, f64)>], what: &str) {
    let what = format!("{}: {what}", panel.title);
    assert_eq!(lines.len(), expected.len(), "{what}");
    for (line, expected) in lines.iter().zip(expected) {
        assert_eq!(line.points.len(), expected.len(), "{what}");
        for (&found, &expected) in line.points.iter().zip(expected) {
            let at = panel.pixel(expected);
            assert!(is_near(found, at), "{what}: {expected:?} lies at {at:?}, drawn at {found:?}");
        }
    }
}

#[test]
fn a_sweep_is_drawn_as_its_means_with_bars_of_their_intervals() {
    let place = Place::new();
    for (name, varied) in [("s", "--epsilon 0..1 --step 0.5"), ("n", "--negatives 4..8 --step 2")] {
        let small = if name == "n" { MANY } else { SMALL };
        place.run(&format!("sweep data {small} --seeds 2 {varied} --out {name}")).success();
        let swept: Value =
            serde_json::from_str(&place.read(&format!("{name}/sweep.json"))).unwrap();
        let at: Vec<f64> =
            swept["points"].as_array().unwrap().iter().map(|p| p["at"].as_f64().unwrap()).collect();
        assert_eq!(at.len(), 3);
        let figure = drawn(&place, &format!("{name}/sweep.svg"));
        assert_eq!(figure.panels.len(), 2);
        assert!(figure.legend.keys().map(String::as_str).eq(sorted(NAMES)));
        for (panel, table) in figure.panels.iter().zip(swept["tables"].as_array().unwrap()) {
            assert_eq!(panel.title, table["candidates"]);
            for (metric, colour) in &figure.legend {
                let of_metric = |name: &str| -> Vec<f64> {
                    let rows = table["rows"].as_array().unwrap().iter();
                    rows.map(|row| row["metrics"][metric][name].as_f64().unwrap()).collect()
                };
                let means = of_metric("mean");
                let rows = table["rows"].as_array().unwrap().iter();
                let intervals: Vec<Vec<f64>> =
                    rows.map(|row| numbers(&row["metrics"][metric]["interval"])).collect();
                let curve = at.iter().copied().zip(means.iter().copied()).collect();
                go_through(panel, &lines(panel, colour, false), &[curve], metric);
                // A bar ends where its axis does.
                let bar = |number: usize| {
                    let end = |y: &f64| (at[number], y.clamp(0.0, 1.0));
                    intervals[number].iter().map(end).collect()
                };
                let bars: Vec<_> = (0..at.len()).map(bar).collect();
                go_through(panel, &lines(panel, colour, true), &bars, metric);
            }
        }
    }
}

fn sorted(mut names: [&str; 7]) -> [&str; 7] {
    names.sort_unstable();
    names
}

#[test]
fn a_comparison_is_drawn_as_its_means_with_bars_of_their_intervals() {
    let place = Place::new();
    place
        .run(&format!("compare data {SMALL} --seeds 2 --trials 1 --split-by query,group --out c"))
        .success();
    let compared: Value = serde_json::from_str(&place.read("c/compare.json")).unwrap();
    let figure = drawn(&place, "c/compare.svg");
    let mut panels = figure.panels.iter();
    for result in compared["results"].as_array().unwrap() {
        for table in result["tables"].as_array().unwrap() {
            let panel = panels.next().unwrap();
            let by = result["split-by"].as_str().unwrap();
            assert_eq!(
                panel.title,
                format!("split by {by}, {}", table["candidates"].as_str().unwrap())
            );
            let rows = table["rows"].as_array().unwrap();
            assert_eq!(figure.legend.len(), rows.len());
            let mut before = vec![f64::NEG_INFINITY; NAMES.len()];
            for row in rows {
                let colour = &figure.legend[row["name"].as_str().unwrap()];
                let dots: Vec<Pixel> =
                    panel.dots.iter().filter(|dot| dot.0 == *colour).map(|dot| dot.1).collect();
                let bars = lines(panel, colour, true);
                assert_eq!((dots.len(), bars.len()), (NAMES.len(), NAMES.len()));
                for ((metric, dot), bar) in NAMES.iter().zip(dots).zip(bars) {
                    let of = &row["metrics"][metric];
                    let what = format!("{}, {} {metric}", panel.title, row["name"]);
                    let mean = panel.y.pixel(of["mean"].as_f64().unwrap());
                    assert!((dot.1 - mean).abs() <= NEAR, "{what}: {mean} {dot:?}");
                    let ends = numbers(&of["interval"]).into_iter().map(|y| panel.y.pixel(y));
                    for (end, expected) in bar.points.iter().zip(ends) {
                        assert!(is_near(*end, (dot.0, expected)), "{what}: {expected} {end:?}");
                    }
                    // It stands over its metric's name, to the right of the row before it.
                    let away = |tick: &&(String, f64)| (tick.1 - dot.0).abs();
                    let nearest = panel.x.ticks.iter().filter(|tick| !tick.0.is_empty());
                    let nearest = nearest.min_by(|a, b| away(a).total_cmp(&away(b))).unwrap();
                    assert_eq!(nearest.0, *metric, "{what}");
                    let place = NAMES.iter().position(|name| name == metric).unwrap();
                    assert!(dot.0 > before[place], "{what}");
                    before[place] = dot.0;
                }
            }
        }
    }
    assert!(panels.next().is_none());
}

#[test]
fn densities_are_drawn_as_the_shares_of_the_scores_that_were_counted() {
    let place = Place::new();
    place.run(&format!("figures data {SMALL} --trials 1 --out f")).success();
    let counted: Value = serde_json::from_str(&place.read("f/densities.json")).unwrap();
    let bins = counted["bins"].as_u64().unwrap() as usize;
    let losses = counted["losses"].as_array().unwrap();
    let figure = drawn(&place, "f/densities.svg");
    assert_eq!(figure.panels.len(), losses.len());
    for (panel, loss) in figure.panels.iter().zip(losses) {
        assert_eq!(panel.title, loss["name"]);
        let grades = ["irrelevant", "partially relevant", "relevant"];
        assert_eq!(loss["training_scores"].as_array().unwrap().len(), grades.len());
        for (grade, counts) in grades.iter().zip(loss["training_scores"].as_array().unwrap()) {
            let counts = numbers(counts);
            assert_eq!(counts.len(), bins);
            let all: f64 = counts.iter().sum();
            assert!(all > 0.0);
            // Four bins are one point, over their middle; the area below all of them is 1.
            let width = 4.0 * 2.0 / bins as f64;
            let point = |(number, bins): (usize, &[f64])| {
                let middle = -1.0 + width * (number as f64 + 0.5);
                (middle, bins.iter().sum::<f64>() / all / width)
            };
            let curve = counts.chunks(4).enumerate().map(point).collect();
            go_through(panel, &lines(panel, &figure.legend[*grade], false), &[curve], grade);
        }
    }
}

/// Each loss of a score at a grade with thresholds 0 and 0.5, as the paper and its sources write it.
fn losses(r: f64, grade: usize) -> BTreeMap<&'static str, f64> {
    let (low, high) = [(-1.0, 0.0), (0.0, 0.5), (0.5, 1.0)][grade];
    let above = |t: f64| (r - t).max(0.0).powi(2);
    let below = |t: f64| (t - r).max(0.0).powi(2);
    let logistic = |x: f64| 1.0 / (1.0 + libm::exp(-x));
    // Of the ordinal variable's being in the grade's interval, at scale 10; the outer grades have one end.
    let up_to = |t: f64| logistic(10.0 * (t - r));
    let odds = [up_to(0.0), up_to(0.5) - up_to(0.0), 1.0 - up_to(0.5)][grade];
    BTreeMap::from([
        ("SOSL", above(high) + below(low)),
        ("three-part, (t1, t2, t2)", [above(0.0), above(0.5), below(0.5)][grade]),
        ("MSE", (r - [-0.5, 0.25, 0.75][grade]).powi(2)),
        ("odds, released", -libm::log(logistic(high - r)) - libm::log(logistic(r - low))),
        ("odds, scale 10", -libm::log(odds)),
    ])
}

#[test]
fn losses_are_drawn_as_their_formulas_give_them() {
    let place = Place::new();
    place.run(&format!("figures data {SMALL} --trials 1 --out f")).success();
    let figure = drawn(&place, "f/losses.svg");
    assert_eq!(figure.panels.len(), 3);
    assert!(figure.legend.keys().map(String::as_str).eq(losses(0.0, 0).into_keys()));
    for (grade, panel) in figure.panels.iter().enumerate() {
        assert_eq!(panel.title, format!("grade {grade}, thresholds 0 and 0.5"));
        let top = panel.y.largest();
        assert_eq!(top, 3.0);
        for (name, colour) in &figure.legend {
            let curve: Vec<(f64, f64)> = (-100..=100)
                .map(|step| f64::from(step) / 100.0)
                .map(|r| (r, losses(r, grade)[&**name]))
                .collect();
            // Above the top nothing is drawn.
            let parts = curve.split(|point| point.1 > top).filter(|part| !part.is_empty());
            let parts: Vec<_> = parts.map(<[_]>::to_vec).collect();
            go_through(panel, &lines(panel, colour, false), &parts, name);
        }
    }
}

/// The partial derivative in x1 of the smooth cosine similarity of a vector and (1, 1), by differences.
fn slope((x1, x2): (f64, f64), epsilon: f64) -> f64 {
    let similarity = |x1: f64| (x1 + x2) / ((x1.hypot(x2) + epsilon) * (2f64.sqrt() + epsilon));
    const STEP: f64 = 1e-5;
    (similarity(x1 + STEP) - similarity(x1 - STEP)) / (2.0 * STEP)
}

#[test]
fn the_gradients_are_shaded_as_the_key_beside_them_says() {
    let place = Place::new();
    place.run(&format!("figures data {SMALL} --trials 1 --out f")).success();
    let figure = drawn(&place, "f/gradients.svg");
    assert_eq!(figure.panels.len(), 8, "four maps, each with its key");
    for (panels, epsilon) in figure.panels.chunks(2).zip([0.0, 0.05, 0.2, 0.5]) {
        let [map, key] = panels else { panic!("a map without a key") };
        // At the origin, where it is largest.
        let most = 1.0 / ((2f64.sqrt() + epsilon) * epsilon);
        let end = most.min(3.0);
        let told = match epsilon {
            0.0 => "epsilon 0: no bound; shades end at ±3".to_owned(),
            _ => format!("epsilon {epsilon}: at most {most:.2}; shades end at ±{end:.2}"),
        };
        assert_eq!((&*map.title, &*key.title), (&*told, ""));
        // The slopes that a shade stands for; the last ones also for all beyond them.
        let stands_for = |colour: &str| {
            let shade = key.cells.iter().find(|cell| cell.colour == colour).unwrap();
            let [low, high] = [shade.to.1, shade.from.1].map(|y| key.y.value(y));
            let part = end / 16.5;
            let low = if low < -end + part { f64::NEG_INFINITY } else { low };
            let high = if high > end - part { f64::INFINITY } else { high };
            (low, high)
        };
        for (row, column) in (0..40).flat_map(|row| (0..40).map(move |column| (row, column))) {
            let at = [column, row].map(|step| -1.95 + 0.1 * f64::from(step));
            let (low, high) = stands_for(map.colour_at(map.pixel(at.into())));
            // Slopes within a cell's width; a pixel of the key is a hundredth of its height.
            let around = (-2..=2).flat_map(|a| (-2..=2).map(move |b| (a, b)));
            let around = around.map(|(a, b)| {
                let [x1, x2] =
                    [(at[0], a), (at[1], b)].map(|(x, step)| x + 0.025 * f64::from(step));
                slope((x1, x2), epsilon)
            });
            let (least, most) = around
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), x| {
                    (least.min(x), most.max(x))
                });
            let pixel = end / 150.0;
            assert!(
                least <= high + pixel && most >= low - pixel,
                "{}: {least} to {most} at {at:?}, drawn as {low} to {high}",
                map.title
            );
        }
        // Where cosine has no gradient.
        let origin = map.colour_at(map.pixel((0.0, 0.0)));
        assert_eq!(origin == "#000000", epsilon == 0.0, "{}: {origin}", map.title);
    }
}
