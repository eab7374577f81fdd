//! `theory --study`: gap, stability and their bounds at several settings.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::corpus::Prepared;
use crate::data::Collection;
use crate::error::Error;
use crate::files;
use crate::terminal::output;
use crate::terminal::values::{epsilon, name_of, positive};
use crate::theory::{Constants, Point, Setting, Study, decimal, study_figure, study_table};
use crate::train::{self, LossName, Plan};

const STUDY: &str = "A study, instead of one run";

/// What a study varies: every combination of these.
#[derive(Debug, Args)]
pub struct StudyOptions {
    /// A folder for the outcome of every setting, a table (study.md) and a figure (study.svg) of all
    #[arg(long, value_name = "FOLDER", help_heading = STUDY)]
    pub study: Option<PathBuf>,
    /// n: training pairs, drawn at random
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [100, 300, 1000, 3000], requires = "study",
        value_parser = clap::value_parser!(u64).range(2..=1_000_000_000), allow_negative_numbers = true, help_heading = STUDY)]
    pub pairs: Vec<u64>,
    /// T / n: passes over the pairs
    #[arg(long, value_name = "COUNT", value_delimiter = ',', default_values_t = [1, 10], requires = "study",
        value_parser = clap::value_parser!(u64).range(1..=1_000_000), allow_negative_numbers = true, help_heading = STUDY)]
    pub passes: Vec<u64>,
    /// Epsilons [default: the model's]
    #[arg(long, value_name = "EPSILON", value_delimiter = ',', requires = "study", value_parser = epsilon,
        allow_negative_numbers = true, help_heading = STUDY)]
    pub epsilons: Vec<f32>,
    /// c of plain SGD's step sizes c/t [default: half of 1/gamma at each epsilon]
    #[arg(long, value_name = "C", value_delimiter = ',', requires = "study", value_parser = positive,
        allow_negative_numbers = true, help_heading = STUDY)]
    pub step_constants: Vec<f32>,
    /// Trainings of each setting, with seeds from 1
    #[arg(long, value_name = "COUNT", default_value_t = 10, requires = "study",
        value_parser = clap::value_parser!(u64).range(2..=1000), allow_negative_numbers = true, help_heading = STUDY)]
    pub seeds: u64,
}

/// Runs what the folder does not have, and writes the table and the figure.
pub fn run(
    options: &StudyOptions,
    (replacements, delta, as_json): (u64, f64, bool),
    (plan, collections, prepared): (&Plan, &[Collection], &Prepared),
) -> Result<(), Error> {
    let Some(folder) = &options.study else { return Ok(()) };
    files::make_folder(folder)?;
    let digests: Vec<String> = collections.iter().map(Collection::digest).collect();
    let study = Study { plan, prepared, seeds: options.seeds, replacements, delta };
    let mut points = Vec::new();
    for setting in settings(options, plan, prepared)? {
        let Setting { epsilon, step_constant, pairs, steps } = setting;
        let identity = train::identity(
            &json!({
                "plan": plan.describe(), "epsilon": decimal(epsilon), "step constant": step_constant, "pairs": pairs,
                "steps": steps, "seeds": options.seeds, "replacements": replacements, "delta": delta,
            }),
            &digests,
        );
        let path = folder.join(format!("{epsilon}-{step_constant}-{pairs}-{steps}.json"));
        let point = if path.exists() {
            let stored =
                train::read_of(&path, "/identity", &identity, "delete it to run it again")?;
            Point { setting, json: stored["point"].clone() }
        } else {
            let point = study.point(setting);
            let stored = json!({ "identity": identity, "point": point.json });
            files::write(&path, stored.to_string().as_bytes())?;
            point
        };
        points.push(point);
    }
    let table = study_table(&points);
    let title = title(&study, collections);
    files::write(&folder.join("study.md"), format!("{title}\n{table}").as_bytes())?;
    files::write(&folder.join("study.svg"), study_figure(&points)?.as_bytes())?;
    match as_json {
        true => {
            let points: Vec<Value> = points.into_iter().map(|point| point.json).collect();
            output::json(&json!({ "points": points }));
        }
        false => print!("{table}"),
    }
    Ok(())
}

/// The head of the report: of what the table is.
fn title(study: &Study, collections: &[Collection]) -> String {
    let Study { plan, prepared, seeds, replacements, delta } = study;
    let (loss, thresholds, _) = LossName::parts(&plan.loss);
    let thresholds: Vec<String> = thresholds.iter().map(f32::to_string).collect();
    let languages: Vec<String> =
        collections.iter().map(|collection| format!("en-{}", collection.language)).collect();
    format!(
        "# Plain SGD and the theory's bounds, {}\n\nLoss {} with thresholds {}, {} dimensions. n pairs are drawn from {} training pairs; T steps of size c/t take one pair each. Means over {seeds} seeds, with the 95 % interval of the gap by Student's distribution; changes over {replacements} replaced pairs of the first seed, weighted to stand for all places of the pair in the order. Bounds with probability {}, counting n independent pairs; vacuous where no loss can exceed them.\n",
        languages.join(", "),
        name_of(loss),
        thresholds.join(" and "),
        plan.dimension,
        prepared.training.len(),
        1.0 - delta,
    )
}

/// Every combination, by epsilon, c, passes and then n.
fn settings(
    options: &StudyOptions,
    plan: &Plan,
    prepared: &Prepared,
) -> Result<Vec<Setting>, Error> {
    let most = prepared.training.len();
    if let Some(pairs) = options.pairs.iter().find(|&&pairs| pairs > most as u64) {
        return Err(Error::Usage(format!("--pairs {pairs}: there are {most} training pairs")));
    }
    let epsilons = match &options.epsilons[..] {
        [] => vec![plan.epsilon],
        named => named.to_vec(),
    };
    let mut settings = Vec::new();
    for epsilon in epsilons {
        let constants = Constants::of(&plan.loss, epsilon);
        if !constants.exist() {
            let problem = "--epsilons 0: there are no constants at epsilon 0, and no bound";
            return Err(Error::Usage(problem.into()));
        }
        Plan { epsilon, ..plan.clone() }.check()?;
        let given = match &options.step_constants[..] {
            [] => vec![0.5 / constants.weights.smoothness],
            named => named.iter().map(|&c| decimal(c)).collect(),
        };
        for step_constant in given {
            for passes in &options.passes {
                let setting = |&pairs: &u64| Setting {
                    epsilon,
                    step_constant,
                    pairs: pairs as usize,
                    steps: pairs * passes,
                };
                settings.extend(options.pairs.iter().map(setting));
            }
        }
    }
    Ok(settings)
}
