//! Outcomes -> a table: means and standard deviations over seeds, intervals, and which differences are more
//! than chance.

use serde_json::{Value, json};
use smooth_clir::math::metrics::NAMES;

use super::run::{Outcome, Tested};
use crate::statistics::bootstrap::Interval;
use crate::statistics::seeds::{average_over_seeds, spread};
use crate::statistics::{DRAWS, bootstrap, holm, randomisation};

/// Which documents a query ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ranked {
    /// Its graded ones and the negatives sampled for it.
    Sampled,
    /// All documents.
    All,
}

/// A row's outcomes, one for each seed.
pub struct Row {
    /// What it is called.
    pub name: String,
    /// One for each seed.
    pub outcomes: Vec<Outcome>,
}

/// A metric of a row.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Over seeds.
    pub mean: f64,
    /// Over seeds, where there are two or more.
    pub deviation: Option<f64>,
    /// Of the mean over queries, each averaged over seeds first.
    pub interval: Interval,
    /// Beside the first row; `None` in the first row.
    pub difference: Option<Difference>,
}

/// How a row differs from the first, query by query.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// This row less the first.
    pub mean: f64,
    /// Of that mean.
    pub interval: Interval,
    /// Of a paired randomisation test of whole groups, corrected by Holm's method for all of the table.
    pub p: f64,
}

/// Seven metrics of several rows.
pub struct Table {
    /// Which documents were ranked.
    pub ranked: Ranked,
    /// The rows' names.
    pub names: Vec<String>,
    /// For each row the metrics, in the order of [`NAMES`].
    pub cells: Vec<Vec<Cell>>,
    /// How many queries.
    pub queries: usize,
    /// How many seeds.
    pub seeds: usize,
}

impl Ranked {
    /// Its name in titles.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sampled => "sampled candidates",
            Self::All => "all documents",
        }
    }

    fn of(self, tested: &Tested) -> &[[f64; 7]] {
        match self {
            Self::Sampled => &tested.sampled,
            Self::All => &tested.all,
        }
    }
}

impl Table {
    /// The table of some rows; where `compared`, each is compared with the first.
    pub fn new(rows: &[&Row], ranked: Ranked, compared: bool) -> Self {
        let first = rows.first().copied();
        let of_row = |(number, row): (usize, &&Row)| {
            let reference = first.filter(|_| compared && number > 0);
            (0..NAMES.len()).filter_map(|metric| cell(row, reference, ranked, metric)).collect()
        };
        let mut cells: Vec<Vec<Cell>> = rows.iter().enumerate().map(of_row).collect();
        let differences = || cells.iter().flatten().filter_map(|cell| cell.difference.as_ref());
        let p: Vec<f64> = differences().map(|difference| difference.p).collect();
        let differences = cells.iter_mut().flatten().filter_map(|cell| cell.difference.as_mut());
        for (difference, p) in differences.zip(holm::adjusted(&p)) {
            difference.p = p;
        }
        let outcomes = first.map(|row| &row.outcomes[..]).unwrap_or_default();
        let tested = outcomes.first().and_then(|outcome| outcome.test.as_ref());
        Self {
            ranked,
            names: rows.iter().map(|row| row.name.clone()).collect(),
            cells,
            queries: tested.map_or(0, |tested| ranked.of(tested).len()),
            seeds: outcomes.len(),
        }
    }

    /// For people: all that a report says of the table.
    pub fn to_report(&self, first_column: &str) -> String {
        format!(
            "{} test queries, means ± standard deviations over {} seeds; * differs from the first row (p < 0.05).\n\n{}\nMeans over queries and seeds [95 % interval].\n\n{}\nEach less the first: mean [95 % interval], p after Holm's correction.\n\n{}",
            self.queries,
            self.seeds,
            self.to_markdown(first_column),
            self.intervals(first_column),
            self.differences(first_column),
        )
    }

    /// For people: the best of each metric is bold, and a star marks what differs from the first
    /// row by more than chance (p < 0.05).
    fn to_markdown(&self, first_column: &str) -> String {
        let mut text = format!("| {first_column} | {} |\n", NAMES.join(" | "));
        text.push_str(&format!("|---|{}\n", "---|".repeat(NAMES.len())));
        for (name, cells) in self.names.iter().zip(&self.cells) {
            text.push_str(&format!("| {name} |"));
            for (metric, cell) in cells.iter().enumerate() {
                let column = self.cells.iter().map(|cells| rounded(cells[metric].mean));
                let best = rounded(cell.mean) == column.fold(0.0, f64::max);
                let mean = format!("{:.3}", cell.mean);
                let mean = if best { format!("**{mean}**") } else { mean };
                let star = match &cell.difference {
                    Some(difference) if difference.p < 0.05 => "*",
                    _ => "",
                };
                let deviation = cell.deviation.map(|deviation| format!(" ± {deviation:.3}"));
                text.push_str(&format!(" {mean}{star}{} |", deviation.unwrap_or_default()));
            }
            text.push('\n');
        }
        text
    }

    /// For people: each row's means with their intervals.
    pub fn intervals(&self, first_column: &str) -> String {
        let mut text = format!("| {first_column} | {} |\n", NAMES.join(" | "));
        text.push_str(&format!("|---|{}\n", "---|".repeat(NAMES.len())));
        for (name, cells) in self.names.iter().zip(&self.cells) {
            text.push_str(&format!("| {name} |"));
            for Cell { mean, interval: Interval { low, high }, .. } in cells {
                text.push_str(&format!(" {mean:.3} [{low:.3}, {high:.3}] |"));
            }
            text.push('\n');
        }
        text
    }

    /// For people: each row less the first.
    pub fn differences(&self, first_column: &str) -> String {
        let mut text = format!("| {first_column} | {} |\n", NAMES.join(" | "));
        text.push_str(&format!("|---|{}\n", "---|".repeat(NAMES.len())));
        for (name, cells) in self.names.iter().zip(&self.cells).skip(1) {
            text.push_str(&format!("| {name} |"));
            for difference in cells.iter().filter_map(|cell| cell.difference.as_ref()) {
                let Interval { low, high } = difference.interval;
                text.push_str(&format!(
                    " {:+.3} [{low:+.3}, {high:+.3}] p {} |",
                    difference.mean,
                    shown(difference.p)
                ));
            }
            text.push('\n');
        }
        text
    }

    /// For programs.
    pub fn to_json(&self) -> Value {
        let rows = self.names.iter().zip(&self.cells).map(|(name, cells)| {
            let metrics = NAMES.iter().zip(cells).map(|(metric, cell)| {
                let mut value = json!({
                    "mean": cell.mean,
                    "deviation": cell.deviation,
                    "interval": [cell.interval.low, cell.interval.high],
                });
                if let Some(difference) = &cell.difference {
                    value["difference"] = json!({
                        "mean": difference.mean,
                        "interval": [difference.interval.low, difference.interval.high],
                        "p": difference.p,
                    });
                }
                ((*metric).to_owned(), value)
            });
            json!({ "name": name, "metrics": metrics.collect::<serde_json::Map<_, _>>() })
        });
        json!({
            "candidates": self.ranked.name(),
            "queries": self.queries,
            "rows": rows.collect::<Vec<_>>(),
            "seeds": self.seeds,
        })
    }
}

fn cell(row: &Row, reference: Option<&Row>, ranked: Ranked, metric: usize) -> Option<Cell> {
    let own = by_seed(row, ranked, metric);
    let means: Vec<f64> = own.iter().filter_map(|seed| Some(spread(seed)?.mean)).collect();
    let over_seeds = spread(&means)?;
    let groups = groups(row);
    let grouped = |values: &[f64]| -> Vec<(&str, f64)> {
        groups.iter().copied().zip(values.iter().copied()).collect()
    };
    let interval = |values: &[f64]| bootstrap::interval_of_mean(&grouped(values), DRAWS, 1);
    let averaged = average_over_seeds(&own)?;
    let difference = |reference: &Row| {
        let other = average_over_seeds(&by_seed(reference, ranked, metric))?;
        let differences: Vec<f64> = averaged.iter().zip(other).map(|(a, b)| a - b).collect();
        Some(Difference {
            mean: spread(&differences)?.mean,
            interval: interval(&differences)?,
            p: randomisation::paired_p_of_groups(&grouped(&differences), DRAWS, 1),
        })
    };
    Some(Cell {
        mean: over_seeds.mean,
        deviation: over_seeds.deviation,
        interval: interval(&averaged)?,
        difference: reference.and_then(difference),
    })
}

/// A metric: for each seed its value for each query.
fn by_seed(row: &Row, ranked: Ranked, metric: usize) -> Vec<Vec<f64>> {
    let tested = row.outcomes.iter().filter_map(|outcome| outcome.test.as_ref());
    tested.map(|t| ranked.of(t).iter().map(|values| values[metric]).collect()).collect()
}

fn groups(row: &Row) -> Vec<&str> {
    let tested = row.outcomes.iter().find_map(|outcome| outcome.test.as_ref());
    tested.map_or(Vec::new(), |tested| tested.groups.iter().map(String::as_str).collect())
}

fn rounded(x: f64) -> f64 {
    (x * 1000.0).round()
}

fn shown(p: f64) -> String {
    if p < 0.001 { "< .001".into() } else { format!("{p:.3}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row whose queries all have the same value of every metric, by seed.
    fn row(name: &str, seeds: &[f64]) -> Row {
        let outcome = |&value: &f64| Outcome {
            test: Some(Tested {
                groups: (0..40).map(|query| format!("chapter {}", query / 4)).collect(),
                sampled: vec![[value; 7]; 40],
                all: vec![[0.5; 7]; 40],
                ..Tested::default()
            }),
            ..Outcome::default()
        };
        Row { name: name.into(), outcomes: seeds.iter().map(outcome).collect() }
    }

    #[test]
    fn means_deviations_and_differences_by_hand() {
        let rows = [row("first", &[0.4, 0.6]), row("second", &[0.7, 0.7])];
        let rows: Vec<&Row> = rows.iter().collect();
        let table = Table::new(&rows, Ranked::Sampled, true);
        assert_eq!((table.queries, table.seeds), (40, 2));
        let [first, second] = [&table.cells[0][4], &table.cells[1][4]];
        assert!((first.mean - 0.5).abs() < 1e-12);
        // The sample deviation of .4 and .6.
        assert!((first.deviation.unwrap() - 0.02f64.sqrt()).abs() < 1e-12);
        assert_eq!(first.difference, None);
        let difference = second.difference.as_ref().unwrap();
        assert!((difference.mean - 0.2).abs() < 1e-12);
        assert!((difference.interval.low - 0.2).abs() < 1e-12);
        // Of the signs of ten chapters, 2 choices in 1,024 are as far from 0; times seven comparisons.
        assert!((difference.p - 14.0 / 1024.0).abs() < 0.012, "{}", difference.p);
    }

    #[test]
    fn text_has_each_mean_with_its_interval_and_each_difference_with_its_p() {
        let cell = |mean: f64, p: Option<f64>| {
            let interval = Interval { low: mean - 0.0104, high: mean + 0.0204 };
            let less = Interval { low: -0.25, high: 0.0625 };
            let difference = p.map(|p| Difference { mean: -0.125, interval: less, p });
            Cell { mean, deviation: None, interval, difference }
        };
        let table = Table {
            ranked: Ranked::All,
            names: ["first", "second", "third"].map(String::from).into(),
            cells: vec![
                vec![cell(0.5001, None); 7],
                vec![cell(0.5004, Some(0.05)); 7],
                vec![cell(0.25, Some(0.0499)); 7],
            ],
            queries: 10,
            seeds: 1,
        };
        let lines = |text: String| -> Vec<String> {
            text.lines()
                .map(|line| line.split(" | ").take(2).collect::<Vec<_>>().join(" | "))
                .collect()
        };
        let intervals = lines(table.intervals("loss"));
        assert_eq!(intervals[0], "| loss | P_mr@1");
        assert_eq!(intervals[2], "| first | 0.500 [0.490, 0.520]");
        assert_eq!(intervals[4], "| third | 0.250 [0.240, 0.270]");
        // No line for the first, which all are compared with.
        let differences = lines(table.differences("loss"));
        assert_eq!(differences.len(), 4);
        assert_eq!(differences[2], "| second | -0.125 [-0.250, +0.062] p 0.050");
        // Those that are the best when rounded are all bold.
        let markdown = lines(table.to_markdown("loss"));
        assert_eq!(
            markdown[2..],
            ["| first | **0.500**", "| second | **0.500**", "| third | 0.250*"]
        );
    }

    #[test]
    fn a_small_p_is_told_as_below_a_thousandth() {
        assert_eq!([0.000_99, 0.001, 0.25].map(shown), ["< .001", "0.001", "0.250"]);
    }

    #[test]
    fn the_best_is_bold_and_a_star_marks_what_is_more_than_chance() {
        let two = |value| [value, value];
        let rows = [row("first", &two(0.5)), row("same", &two(0.5)), row("worse", &two(0.25))];
        let rows: Vec<&Row> = rows.iter().collect();
        let markdown = Table::new(&rows, Ranked::Sampled, true).to_markdown("loss");
        let lines: Vec<&str> = markdown.lines().collect();
        assert!(lines[0].starts_with("| loss | P_mr@1 |"));
        assert!(lines[2].starts_with("| first | **0.500** ± 0.000 |"));
        assert!(lines[3].starts_with("| same | **0.500** ± 0.000 |"));
        assert!(lines[4].starts_with("| worse | 0.250* ± 0.000 |"));
        // Among all documents they do not differ.
        let markdown = Table::new(&rows, Ranked::All, true).to_markdown("loss");
        assert!(markdown.contains("**0.500** ±") && !markdown.contains("***"));
    }
}
