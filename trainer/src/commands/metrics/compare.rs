//! Two runs on the same queries, by each metric.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use super::options::MetricsOptions;
use super::values::OfQuery;
use crate::error::Error;
use crate::evaluation::per_query::per_query;
use crate::files;
use crate::statistics::holm;
use crate::statistics::paired::{self, Paired};
use crate::terminal::output;

/// How often, and by which seed, the test draws.
#[derive(Debug, Clone, Copy)]
pub struct Drawn {
    pub draws: usize,
    pub seed: u64,
}

/// Prints the comparison of the second run with the first, and writes the metrics of each query where that is
/// asked for.
pub fn told(
    arguments: &MetricsOptions,
    names: &[&str],
    [first, second]: [&[OfQuery<'_>]; 2],
    drawn: Drawn,
) -> Result<(), Error> {
    let of_metric = |metric: usize| {
        let pairs = first.iter().zip(second);
        let pairs = pairs.map(|(a, b)| (a.query, [a.values[metric], b.values[metric]]));
        paired::compare(&pairs.collect::<Vec<_>>(), drawn.draws, drawn.seed)
    };
    let compared: Vec<Paired> = (0..names.len()).filter_map(of_metric).collect();
    let adjusted = holm::adjusted(&compared.iter().map(|paired| paired.p).collect::<Vec<_>>());
    if let Some(path) = &arguments.per_query {
        let columns = ["A", "B"].map(|run| names.iter().map(move |name| format!("{name} {run}")));
        let columns: Vec<String> = columns.into_iter().flatten().collect();
        let joined: Vec<Vec<f64>> =
            first.iter().zip(second).map(|(a, b)| [&a.values[..], &b.values].concat()).collect();
        let lines = first.iter().zip(&joined).map(|(query, values)| (query.query, &values[..]));
        files::write(path, per_query(&columns, lines).as_bytes())?;
    }
    let rows: Vec<Row<'_>> = names
        .iter()
        .zip(compared.iter().zip(adjusted))
        .map(|(name, (paired, adjusted))| Row { name, paired, adjusted })
        .collect();
    if arguments.json {
        let metrics: Map<String, Value> =
            rows.iter().map(|row| (row.name.to_owned(), row.to_json())).collect();
        let runs: Vec<_> = arguments.runs.iter().map(|path| path.display().to_string()).collect();
        output::json(&json!({
            "queries": first.len(), "runs": runs, "metrics": metrics,
            "draws": drawn.draws, "seed": drawn.seed,
        }));
        return Ok(());
    }
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    let width = longest.max(7) + 1;
    let mut table = String::new();
    for (letter, path) in ["A", "B"].iter().zip(&arguments.runs) {
        // Writing to a string does not fail.
        let _ = writeln!(table, "{letter:<width$}{}", path.display());
    }
    let _ = writeln!(table, "{:<width$}{}\n", "queries", first.len());
    let _ = writeln!(
        table,
        "{:<width$}{:>8}{:>8}{:>9}{:>20}{:>8}{:>9}{:>9}",
        "", "A", "B", "B - A", "95 % interval", "effect", "p", "Holm"
    );
    rows.iter().for_each(|row| row.write(width, &mut table));
    let _ = writeln!(
        table,
        "\np: paired randomisation test, two-sided, {} draws, seed {}; Holm: p adjusted for the number of metrics;\n\
         effect: B - A over the standard deviation of the queries' differences; interval: bootstrap over queries",
        drawn.draws, drawn.seed
    );
    print!("{table}");
    Ok(())
}

/// A metric's comparison.
struct Row<'a> {
    name: &'a str,
    paired: &'a Paired,
    adjusted: f64,
}

impl Row<'_> {
    fn to_json(&self) -> Value {
        let Paired { means, difference, interval, effect, p } = self.paired;
        json!({
            "means": means,
            "difference": difference,
            "interval": interval.map(|interval| [interval.low, interval.high]),
            "effect": effect,
            "p": p,
            "p_holm": self.adjusted,
        })
    }

    fn write(&self, width: usize, table: &mut String) {
        let Paired { means: [first, second], difference, interval, effect, p } = self.paired;
        let interval = interval.map_or("-".into(), |interval| {
            format!("{:+.4} to {:+.4}", interval.low, interval.high)
        });
        let effect = effect.map_or("-".into(), |effect| format!("{effect:+.2}"));
        // Writing to a string does not fail.
        let _ = writeln!(
            table,
            "{:<width$}{first:>8.4}{second:>8.4}{difference:>+9.4}{interval:>20}{effect:>8}{p:>9.4}{:>9.4}",
            self.name, self.adjusted
        );
    }
}
