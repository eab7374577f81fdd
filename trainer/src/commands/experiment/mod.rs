//! `compare`, `sweep`, `figures`: the experiments of paper 1.

mod curves;
mod method_options;
mod methods;
mod options;
mod rows;

use std::path::Path;

use serde_json::json;

use crate::corpus::Drawing;
use crate::data::{Collection, builtin};
use crate::error::Error;
use crate::experiments::compare::{self, Comparison, Over};
use crate::experiments::{Start, Study, figures, sweep};
use crate::files;
use crate::terminal::values::name_of;
use crate::train::{DeviceName, EncoderName, Init, LossName, Plan};
pub use options::{Compare, Figures, Sweep};
use options::{Experiment, Range, one_number_of_negatives, one_split};

/// Losses or encoders, side by side.
pub fn compare(arguments: &Compare) -> Result<(), Error> {
    if !arguments.methods.is_empty() {
        return methods::compare(arguments);
    }
    let common = &arguments.common;
    one_number_of_negatives(common)?;
    let plan = plan(common, arguments.epsilon)?;
    let encoders = match &arguments.encoders[..] {
        [] => &EncoderName::ALL,
        _ if arguments.over == Over::Losses => {
            return Err(Error::Usage("--encoders: only --over encoders compares them".into()));
        }
        named => named,
    };
    let networks = encoders.iter().any(|encoder| *encoder != EncoderName::Average);
    if arguments.over == Over::Encoders && networks && cfg!(not(feature = "neural")) {
        let problem = "--over encoders: built without networks: rebuild with --features neural, or choose --encoders average";
        return Err(Error::Usage(problem.into()));
    }
    let (methods, what) = match arguments.over {
        Over::Losses => (compare::losses(&plan), "Losses"),
        Over::Encoders => (compare::encoders(&plan, encoders, common.epochs), "Encoders"),
    };
    let collection = collection(common)?;
    let title = format!("{what}, en-{}", collection.language);
    let start = start(common, &collection)?;
    let mut options = options(common, &plan, &start);
    options["over"] = json!(name_of(arguments.over));
    options["tries"] = json!(arguments.trials);
    options["seeds"] = json!(arguments.seeds);
    if arguments.over == Over::Encoders {
        let names: Vec<String> = encoders.iter().map(|&name| name_of(name)).collect();
        options["encoders"] = json!(names);
    }
    let study = Study::open(out(common)?, &options, collection)?;
    let drawings = common.split_by.iter().map(|&by| Drawing { by, ..drawing(common) }).collect();
    let (trials, seeds) = (arguments.trials as usize, arguments.seeds);
    compare::compare(
        &study,
        &Comparison {
            over: arguments.over,
            methods,
            start,
            drawings,
            trials,
            seeds,
            title: &title,
        },
    )
}

/// One setting varied.
pub fn sweep(arguments: &Sweep) -> Result<(), Error> {
    let common = &arguments.common;
    one_split(common)?;
    let values =
        |range: Range, step| range.values(arguments.step.unwrap_or(step)).map_err(Error::Usage);
    let over = match (arguments.epsilon, common.negatives.only()) {
        (Some(range), Ok(_)) => sweep::Over::Epsilon(values(range, 0.25)?),
        (None, Err(_)) => {
            let counts = values(common.negatives, 10.0)?;
            if let Some(count) = counts.iter().find(|count| count.fract() != 0.0) {
                let problem = format!("--negatives, --step: {count} is not a whole number");
                return Err(Error::Usage(problem));
            }
            sweep::Over::Negatives(counts.iter().map(|&count| count as usize).collect())
        }
        _ => {
            let problem = "expected one of --epsilon 0..2 and --negatives 20..100";
            return Err(Error::Usage(problem.into()));
        }
    };
    let plan = plan(common, 1.0)?;
    if matches!(over, sweep::Over::Negatives(_)) {
        plan.check()?;
    }
    let collection = collection(common)?;
    let start = start(common, &collection)?;
    let mut options = options(common, &plan, &start);
    options["seeds"] = json!(arguments.seeds);
    options["over"] = match &over {
        sweep::Over::Epsilon(values) => {
            json!({ "epsilon": values.iter().map(f32::to_string).collect::<Vec<_>>() })
        }
        sweep::Over::Negatives(counts) => json!({ "negatives": counts }),
    };
    let study = Study::open(out(common)?, &options, collection)?;
    sweep::sweep(&study, &over, &plan, &drawing(common), &start, arguments.seeds)
}

/// Figures 1 to 3.
pub fn figures(arguments: &Figures) -> Result<(), Error> {
    let common = &arguments.common;
    one_split(common)?;
    one_number_of_negatives(common)?;
    let plan = plan(common, arguments.epsilon)?;
    let collection = collection(common)?;
    let start = start(common, &collection)?;
    let mut options = options(common, &plan, &start);
    options["tries"] = json!(arguments.trials);
    let study = Study::open(out(common)?, &options, collection)?;
    study.write("gradients.svg", &figures::gradient_maps()?)?;
    study.write("losses.svg", &figures::loss_curves()?)?;
    let methods = compare::losses(&plan);
    figures::densities(&study, &methods, arguments.trials as usize, &drawing(common), &start)
}

fn plan(common: &Experiment, epsilon: f32) -> Result<Plan, Error> {
    let (learning_rate, decay, batch_size, epochs) = EncoderName::Average.defaults();
    let thresholds = LossName::Sosl.default_thresholds();
    Ok(Plan {
        encoder: EncoderName::Average,
        epsilon,
        loss: LossName::Sosl.build(thresholds, 1.0)?,
        dimension: common.dimension as usize,
        epochs: common.epochs.unwrap_or(epochs),
        batch_size: batch_size as usize,
        learning_rate,
        decay,
        clip: common.clip,
        dropout: Plan::DROPOUT,
        seed: 1,
        init_deviation: common.init_deviation,
        select: common.select,
        device: DeviceName::Cpu,
    })
}

/// Samples the first number of negatives that the command names: `sweep` goes through a range.
fn drawing(common: &Experiment) -> Drawing {
    let negatives = common.negatives.from as usize;
    Drawing { seed: common.split_seed, by: common.split_by[0], negatives }
}

/// The folder of an experiment.
fn out(common: &Experiment) -> Result<&Path, Error> {
    let missing = || Error::Usage("name a folder for the outcomes with --out FOLDER".into());
    common.out.as_deref().ok_or_else(missing)
}

fn collection(common: &Experiment) -> Result<Collection, Error> {
    files::check_writable(&out(common)?.join(""))?;
    let mut collection = match &common.data {
        Some(folder) => {
            let language = common.language.as_deref().ok_or_else(|| {
                Error::Usage("name the documents' language with --language".into())
            })?;
            Collection::read(folder, language, 3)?
        }
        None => {
            let language = common.language.as_deref().unwrap_or(builtin::LANGUAGES[0]);
            builtin::collections(&[language.to_owned()], builtin::GRADES)?.remove(0)
        }
    };
    if let Some(queries) = common.queries {
        let all = collection.queries.len();
        if queries as usize > all {
            eprintln!("note: all {all} queries are used, fewer than the {queries} requested");
        }
        collection.draw(queries as usize, common.split_seed);
    }
    Ok(collection)
}

fn start(common: &Experiment, collection: &Collection) -> Result<Start, Error> {
    let init = Init::new(&common.init, std::iter::once(&collection.language[..]))?;
    let description = init.describe()?;
    Ok(Start { init, description })
}

fn options(common: &Experiment, plan: &Plan, start: &Start) -> serde_json::Value {
    let mut options = plan.describe();
    if let Some(start) = &start.description {
        options["init"] = start.clone();
    }
    let by: Vec<String> = common.split_by.iter().map(|&by| name_of(by)).collect();
    options["negatives"] = json!(common.negatives.from);
    options["queries"] = json!(common.queries);
    options["split-by"] = json!(by);
    options["split-seed"] = json!(common.split_seed);
    options
}
