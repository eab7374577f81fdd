//! A study of plain SGD as a table and as a figure.

use serde_json::Value;

use super::report::figure as shown;
use super::study::Point;
use crate::error::Error;
use crate::experiments::plot::{self, Line, Panel};
use crate::statistics::bootstrap::Interval;

/// A row for each setting, in Markdown.
pub fn table(points: &[Point]) -> String {
    let heads = [
        "epsilon",
        "c",
        "gamma c",
        "n",
        "T",
        "training loss before",
        "after",
        "test loss",
        "gap, 95 % interval over seeds",
        "bound on the gap",
        "mean change by one replaced pair",
        "median",
        "90 %",
        "99 %",
        "largest",
        "bound on the change",
    ];
    let mut text = format!("| {} |\n|{}\n", heads.join(" | "), "---|".repeat(heads.len()));
    for Point { json, .. } in points {
        let number = |value: &Value| value.as_f64().map_or_else(|| "-".to_owned(), shown);
        let gap = &json["gap"];
        let mut cells: Vec<String> = ["epsilon", "step-constant", "gamma-c", "pairs", "steps"]
            .iter()
            .map(|name| number(&json[*name]))
            .collect();
        cells.extend(
            ["first-loss", "training-loss", "test-loss"].map(|name| number(&json[name]["mean"])),
        );
        cells.push(format!(
            "{} [{}, {}]",
            number(&gap["mean"]),
            number(&gap["low"]),
            number(&gap["high"])
        ));
        cells.push(bounded(&json["gap-bound"], &json["largest-loss"]));
        cells.extend(
            ["mean", "median", "90 %", "99 %", "largest"].map(|name| number(&json["change"][name])),
        );
        cells.push(bounded(&json["stability-bound"], &json["largest-loss"]));
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text
}

/// A bound; with a note where no loss can exceed it.
fn bounded(bound: &Value, largest: &Value) -> String {
    match (bound.as_f64(), largest.as_f64()) {
        (Some(bound), Some(largest)) if bound > largest => format!("{} (vacuous)", shown(bound)),
        (Some(bound), _) => shown(bound),
        _ => "-".into(),
    }
}

/// Each quantity over n, a line for each epsilon, c and number of passes.
pub fn figure(points: &[Point]) -> Result<String, Error> {
    let series = |point: &Point| {
        let setting = point.setting;
        let passes = setting.steps as f64 / setting.pairs as f64;
        format!(
            "epsilon {}, c {}, T = {} n",
            setting.epsilon,
            shown(setting.step_constant),
            shown(passes)
        )
    };
    let mut names: Vec<String> = Vec::new();
    for name in points.iter().map(series) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    type Read = fn(&Value) -> Option<(f64, Interval)>;
    let quantities: [(&str, Read); 6] = [
        ("training loss after, as a share of that before", |json| {
            let [before, after] =
                ["first-loss", "training-loss"].map(|name| json[name]["mean"].as_f64());
            Some(exactly(after? / before?))
        }),
        ("gap, with its interval over seeds", |json| {
            let gap = &json["gap"];
            let [mean, low, high] = ["mean", "low", "high"].map(|name| gap[name].as_f64());
            Some((mean?, Interval { low: low?, high: high? }))
        }),
        ("bound on the gap, log10", |json| logarithm(&json["gap-bound"])),
        ("mean change by one replaced pair, log10", |json| logarithm(&json["change"]["mean"])),
        ("largest change by one replaced pair, log10", |json| {
            logarithm(&json["change"]["largest"])
        }),
        ("bound on the change, log10", |json| logarithm(&json["stability-bound"])),
    ];
    let panel = |(title, read): &(&str, Read)| {
        let line = |name: &String| {
            let own = points.iter().filter(|point| series(point) == *name);
            let mut own: Vec<((f64, f64), Interval)> = own
                .filter_map(|point| {
                    let (y, interval) = read(&point.json)?;
                    Some(((libm::log10(point.setting.pairs as f64), y), interval))
                })
                .collect();
            own.sort_by(|a, b| a.0.0.total_cmp(&b.0.0));
            Line::new(name.clone(), own)
        };
        let lines: Vec<Line> = names.iter().map(line).collect();
        let ends = |of: fn(&(f64, f64)) -> f64| {
            let values = || lines.iter().flat_map(|line| &line.points).map(of);
            let (low, high) = (
                values().fold(f64::INFINITY, f64::min),
                values().fold(f64::NEG_INFINITY, f64::max),
            );
            let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
            let margin = (0.08 * (high - low)).max(1e-6);
            (low - margin, high + margin)
        };
        Panel {
            title: (*title).to_owned(),
            x: "log10 of n, the number of pairs".into(),
            y: String::new(),
            range: [ends(|point| point.0), ends(|point| point.1)],
            lines,
        }
    };
    let panels: Vec<Panel> = quantities.iter().map(panel).collect();
    plot::lines("Plain SGD and the theory's bounds", &panels, 2)
}

/// Of a number above 0.
fn logarithm(value: &Value) -> Option<(f64, Interval)> {
    value.as_f64().filter(|&x| x > 0.0).map(|x| exactly(libm::log10(x)))
}

/// A number without an interval.
fn exactly(x: f64) -> (f64, Interval) {
    (x, Interval { low: x, high: x })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_bound_is_vacuous_above_the_largest_loss_alone() {
        let told = |bound: Value| bounded(&bound, &json!(2.5));
        assert_eq!(told(json!(2.25)), "2.25");
        assert_eq!(told(json!(2.5)), "2.5");
        assert_eq!(told(json!(2.75)), "2.75 (vacuous)");
        assert_eq!(told(Value::Null), "-");
    }

    #[test]
    fn a_logarithm_is_that_of_a_number_above_zero() {
        let of =
            |value: Value| logarithm(&value).map(|(x, interval)| [x, interval.low, interval.high]);
        assert_eq!(of(json!(100)), Some([2.0; 3]));
        assert_eq!(of(json!(0)), None);
        assert_eq!(of(json!(-1)), None);
        assert_eq!(of(Value::Null), None);
    }
}
