//! The report and the figures of `compare --methods`: every method over the share of the pairs.

use serde_json::Value;

use super::rows::Row;
use crate::error::Error;
use crate::experiments::plot::{self, Line, Panel};
use crate::statistics::bootstrap::Interval;

/// The rows of a task at one share of its pairs.
pub struct Outcome {
    /// What it is called.
    pub task: String,
    /// Of a hundred training queries so many.
    pub percent: u8,
    /// How many pairs that are, by seed 1.
    pub pairs: usize,
    /// A row for each method.
    pub rows: Vec<Row>,
}

impl Outcome {
    /// What its figures are; the first is the one that settings are chosen by.
    fn figures(&self) -> Vec<&str> {
        let figures = self.rows.first().and_then(|row| row.json["figures"].as_array());
        figures.into_iter().flatten().filter_map(|figure| figure["name"].as_str()).collect()
    }

    /// How many queries its figures are of: English ones where documents are graded, else those of both directions.
    fn queries(&self) -> String {
        let row = self.rows.first().map_or(&Value::Null, |row| &row.json);
        let [there, back] =
            ["en-xx", "xx-en"].map(|side| row[side]["queries"].as_u64().unwrap_or(0));
        match row["sampled"].is_object() {
            true => format!("{there} test queries"),
            false => format!("{} test queries of both directions together", there + back),
        }
    }

    /// What pictures show.
    fn first_figure(&self) -> &str {
        self.figures().first().copied().unwrap_or_default()
    }

    /// The mean of a row's first figure and its interval.
    fn point(row: &Row) -> Option<(f64, Interval)> {
        let figure = &row.json["figures"][0];
        let [mean, low, high] = ["mean", "low", "high"].map(|name| figure[name].as_f64());
        Some((mean?, Interval { low: low?, high: high? }))
    }
}

/// The outcomes of each task, in order.
fn by_task(outcomes: &[Outcome]) -> impl Iterator<Item = &[Outcome]> {
    outcomes.chunk_by(|a, b| a.task == b.task)
}

/// Tables in Markdown.
pub fn report(outcomes: &[Outcome]) -> String {
    let mut text = String::from("# Methods side by side\n");
    for shares in by_task(outcomes) {
        let first = &shares[0];
        text += &format!(
            "\n## {}\n\n{}. Means over seeds; in brackets the 95 % interval, from a bootstrap that resamples groups; ± the \
             standard deviation over seeds, where there are several.\n",
            first.task,
            first.queries(),
        );
        for (number, name) in first.figures().iter().enumerate() {
            text += &format!("\n{name}:\n\n");
            text += &table(shares, |_, row| figure(&row.json["figures"][number]));
            if let Some(first) = first.rows.first().and_then(|row| row.json["method"].as_str()) {
                text += &format!("\n{name}, less that of `{first}` at the same share:\n\n");
                text += &table(shares, |outcome, row| {
                    let first = outcome.rows.first();
                    let difference = first.and_then(|first| row.difference(first, number));
                    signed(&difference.unwrap_or_default())
                });
            }
        }
        text += &format!(
            "\nGain of the chosen epsilon over cosine in {}; the epsilon of each seed as a share of the median length:\n\n",
            first.first_figure()
        );
        text += &table(shares, |_, row| epsilon(&row.json));
        text += "\nSettings:\n\n";
        text += &table(shares, |_, row| {
            let setting = row.json["setting"].as_str().unwrap_or_default();
            let seconds = row.json["seconds"].as_f64().unwrap_or_default();
            let megabytes = row.json["bytes"].as_f64().unwrap_or_default() / 1e6;
            let tried = &row.json["settings tried"];
            format!("{setting} ({tried} tried; {seconds:.1} s; {megabytes:.2} MB)")
        });
    }
    text
}

/// Methods down, shares across.
fn table(shares: &[Outcome], cell: impl Fn(&Outcome, &Row) -> String) -> String {
    let heads: String =
        shares.iter().map(|of| format!(" {} %, {} pairs |", of.percent, of.pairs)).collect();
    let mut text = format!("| method |{heads}\n|---|{}\n", "---|".repeat(shares.len()));
    for (at, row) in shares[0].rows.iter().enumerate() {
        let cells =
            shares.iter().map(|of| of.rows.get(at).map_or(String::new(), |row| cell(of, row)));
        let cells: Vec<String> = cells.collect();
        let method = row.json["method"].as_str().unwrap_or_default();
        text += &format!("| `{method}` | {} |\n", cells.join(" | "));
    }
    text
}

fn figure(figure: &Value) -> String {
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    let deviation = figure["deviation"].as_f64().map(|x| format!(" ± {x:.3}")).unwrap_or_default();
    let [mean, low, high] = ["mean", "low", "high"].map(|name| number(&figure[name]));
    format!("{mean:.3} [{low:.3}, {high:.3}]{deviation}")
}

fn signed(difference: &Value) -> String {
    let [mean, low, high] = ["mean", "low", "high"].map(|name| difference[name].as_f64());
    match (mean, low, high) {
        (Some(mean), Some(low), Some(high)) => format!("{mean:+.3} [{low:+.3}, {high:+.3}]"),
        _ => "-".into(),
    }
}

fn epsilon(row: &Value) -> String {
    let Some(shares) = row["epsilon"]["shares"].as_array() else { return "-".into() };
    let shares: Vec<String> = shares.iter().map(Value::to_string).collect();
    format!("{} at {}", signed(&row["epsilon"]["gain"]), shares.join(", "))
}

/// Each method's figure over the share of the pairs, with its interval.
pub fn shares(outcomes: &[Outcome]) -> Result<String, Error> {
    let panel = |shares: &[Outcome]| {
        let line = |(at, first): (usize, &Row)| {
            let own = shares.iter().filter_map(|of| {
                let (mean, interval) = Outcome::point(of.rows.get(at)?)?;
                Some(((f64::from(of.percent), mean), interval))
            });
            Line::new(first.json["method"].as_str().unwrap_or_default().to_owned(), own)
        };
        Panel {
            title: shares[0].task.clone(),
            x: "per cent of the training pairs".into(),
            y: shares[0].first_figure().into(),
            range: [(0.0, 100.0), (0.0, 1.0)],
            lines: shares[0].rows.iter().enumerate().map(line).collect(),
        }
    };
    let panels: Vec<Panel> = by_task(outcomes).map(panel).collect();
    plot::lines("Methods over the share of the pairs", &panels, 2)
}

/// Paper 2, Figure 1: each method's figure at the largest share, side by side in the order of the legend.
pub fn methods(outcomes: &[Outcome]) -> Result<String, Error> {
    let panel = |shares: &[Outcome]| {
        let largest = shares.iter().reduce(|a, b| if b.percent > a.percent { b } else { a })?;
        let line = |(at, row): (usize, &Row)| {
            let (mean, interval) = Outcome::point(row)?;
            let middle = at as f64 + 1.0;
            let name = row.json["method"].as_str().unwrap_or_default().to_owned();
            let none = Interval { low: mean, high: mean };
            let point = |(aside, interval)| ((middle + aside, mean), interval);
            Some(Line::new(name, [(-0.3, none), (0.0, interval), (0.3, none)].map(point)))
        };
        Some(Panel {
            title: format!("{}, {} % of the pairs", largest.task, largest.percent),
            x: "methods in the order of the legend".into(),
            y: largest.first_figure().into(),
            range: [(0.0, largest.rows.len() as f64 + 1.0), (0.0, 1.0)],
            lines: largest.rows.iter().enumerate().filter_map(line).collect(),
        })
    };
    let panels: Vec<Panel> = by_task(outcomes).filter_map(panel).collect();
    plot::lines("Methods (paper 2, Figure 1)", &panels, 2)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(name: &str, values: &[f64]) -> Row {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let groups = ["a", "b", "c"].iter().map(|group| (*group).to_owned());
        Row {
            json: json!({
                "method": name,
                "setting": "-",
                "settings tried": 1,
                "bytes": 1_500_000,
                "figures": [
                    { "name": "MRR", "mean": mean, "low": mean - 0.1, "high": mean + 0.2, "deviation": 0.0125 },
                    { "name": "MAP", "mean": 0.125, "low": 0.0, "high": 0.25, "deviation": null },
                ],
                "en-xx": { "queries": 2 },
                "xx-en": { "queries": 1 },
                "epsilon": { "shares": [0.5, 0.0], "gain": { "mean": 0.01, "low": -0.02, "high": 0.03 } },
            }),
            values: vec![groups.zip(values.iter().copied()).collect(), vec![("a".into(), 0.125)]],
        }
    }

    fn outcome(percent: u8, rows: Vec<Row>) -> Outcome {
        Outcome { task: "comparable en-xx".into(), percent, pairs: 7, rows }
    }

    #[test]
    fn the_report_has_figures_differences_epsilons_and_settings_with_their_intervals() {
        let rows =
            |x: f64| vec![row("cdl", &[x, x, x]), row("lsi", &[x + 0.25, x + 0.25, x + 0.25])];
        let outcomes = [outcome(10, rows(0.25)), outcome(100, rows(0.5))];
        let report = report(&outcomes);
        for expected in [
            "\n3 test queries of both directions together. Means",
            "| method | 10 %, 7 pairs | 100 %, 7 pairs |",
            "| `cdl` | 0.250 [0.150, 0.450] ± 0.013 | 0.500 [0.400, 0.700] ± 0.013 |",
            "\nMRR, less that of `cdl` at the same share:\n",
            "| `lsi` | +0.250 [+0.250, +0.250] | +0.250 [+0.250, +0.250] |",
            "\nMAP:\n",
            "| `lsi` | 0.125 [0.000, 0.250] | 0.125 [0.000, 0.250] |",
            "| `cdl` | +0.010 [-0.020, +0.030] at 0.5, 0.0 |",
            "| `cdl` | - (1 tried; 0.0 s; 1.50 MB) |",
        ] {
            assert!(report.contains(expected), "no {expected:?} in {report}");
        }
        let shares = shares(&outcomes).unwrap();
        assert!(shares.contains("comparable en-xx") && shares.contains("lsi"));
        assert!(methods(&outcomes).unwrap().contains("100 % of the pairs"));
    }

    #[test]
    fn graded_documents_are_searched_in_english_alone() {
        let mut graded = row("cdl", &[0.5]);
        graded.json["sampled"] = json!({ "queries": 2 });
        let report = report(&[outcome(100, vec![graded])]);
        assert!(report.contains("\n2 test queries. Means"), "{report}");
    }

    #[test]
    fn rows_of_other_queries_have_no_difference() {
        assert_eq!(row("a", &[0.5]).difference(&row("b", &[0.5, 0.5]), 0), None);
        let stored = row("a", &[0.5, 0.25]);
        assert_eq!(Row::from_json(&stored.to_json()), stored);
    }
}
