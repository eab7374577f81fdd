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
use crate::experiments::{self, Start, Study, figures, sweep};
use crate::files;
use crate::terminal::values::name_of;
use crate::train::{EncoderName, Init, LossName, Plan, Variant};
pub use options::{Compare, Figures, Sweep};
use options::{Experiment, Groups, ValidateOn, one_number_of_negatives, one_split};

/// Losses or encoders, side by side.
pub fn compare(arguments: &Compare) -> Result<(), Error> {
    if !arguments.methods.is_empty() {
        return methods::compare(arguments);
    }
    let common = &arguments.common;
    one_number_of_negatives(common)?;
    let plan = plan(common, arguments.epsilon.unwrap_or(1.0))?;
    let encoders = match &arguments.encoders[..] {
        [] => &EncoderName::ALL,
        _ if arguments.over != Over::Encoders => {
            return Err(Error::Usage("--encoders: only --over encoders compares them".into()));
        }
        named => named,
    };
    let networks = encoders.iter().any(|encoder| *encoder != EncoderName::Average);
    if arguments.over == Over::Encoders && networks && cfg!(not(feature = "neural")) {
        let problem = "--over encoders: built without networks: rebuild with --features neural, or choose --encoders average";
        return Err(Error::Usage(problem.into()));
    }
    let epsilons = arguments.epsilons();
    let (mut methods, what) = match arguments.over {
        Over::Losses => (compare::losses(&plan, &epsilons), "Losses"),
        Over::Grades => (compare::grades(&plan, &epsilons), "Grades"),
        Over::Encoders => {
            (compare::encoders(&plan, encoders, &epsilons, common.epochs), "Encoders")
        }
    };
    if !arguments.row.is_empty() {
        methods = compare::only(methods, &arguments.row)?;
    }
    let collection = collection(common)?;
    let title = format!("{what}, en-{}", collection.language);
    let start = start(common, &collection)?;
    let mut options = options(common, &plan, &start);
    options["over"] = json!(name_of(arguments.over));
    options["tries"] = json!(arguments.trials);
    options["seeds"] = json!(arguments.seeds);
    if let Some(epochs) = arguments.tuning_epochs {
        options["tuning-epochs"] = json!(epochs);
    }
    if !arguments.row.is_empty() {
        let names: Vec<&str> = methods.iter().map(|method| &method.name[..]).collect();
        options["rows"] = json!(names);
    }
    // A single one is in the plan.
    if epsilons != [plan.epsilon] {
        let epsilons: Vec<String> = epsilons.iter().map(f32::to_string).collect();
        options["epsilons"] = json!(epsilons);
    }
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
            tuning_epochs: arguments.tuning_epochs,
            seeds,
            title: &title,
        },
    )
}

/// One setting varied.
pub fn sweep(arguments: &Sweep) -> Result<(), Error> {
    let common = &arguments.common;
    one_split(common)?;
    let step = |usual: f32| arguments.step.unwrap_or(usual);
    let over = match (&arguments.epsilon, &arguments.initial, common.negatives.only()) {
        (Some(values), None, Ok(_)) => {
            let values = values.values(step(0.25)).map_err(Error::Usage)?;
            sweep::Over::Epsilon { values, changing: arguments.changing }
        }
        (None, Some(values), Ok(_)) => {
            let values = values.values(step(0.05)).map_err(Error::Usage)?;
            sweep::Over::Initial { values, descent: arguments.descent }
        }
        (None, None, Err(_)) => {
            let counts = common.negatives.values(step(10.0)).map_err(Error::Usage)?;
            if let Some(count) = counts.iter().find(|count| count.fract() != 0.0) {
                let problem = format!("--negatives, --step: {count} is not a whole number");
                return Err(Error::Usage(problem));
            }
            sweep::Over::Negatives(counts.iter().map(|&count| count as usize).collect())
        }
        _ => {
            let problem =
                "expected one of --epsilon 0..2, --initial 0.001,0.1 and --negatives 20..100";
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
        sweep::Over::Epsilon { values, changing } => {
            let values: Vec<String> = values.iter().map(f32::to_string).collect();
            match changing {
                false => json!({ "epsilon": values }),
                true => json!({ "epsilon": values, "changing": true }),
            }
        }
        sweep::Over::Initial { values, descent } => {
            let values: Vec<String> = values.iter().map(f32::to_string).collect();
            json!({ "initial": values, "descent": descent.map(|step_size| step_size.to_string()) })
        }
        sweep::Over::Negatives(counts) => json!({ "negatives": counts }),
    };
    if let Some(epochs) = arguments.tuning_epochs {
        options["tuning-epochs"] = json!(epochs);
    }
    let study = Study::open(out(common)?, &options, collection)?;
    let sweep = experiments::Sweep {
        plan: &plan,
        drawing: drawing(common),
        start: &start,
        tuning_epochs: arguments.tuning_epochs.unwrap_or(plan.epochs),
        seeds: arguments.seeds,
    };
    sweep::sweep(&study, &over, &sweep)
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
    let methods = compare::losses(&plan, &[plan.epsilon]);
    figures::densities(&study, &methods, arguments.trials as usize, &drawing(common), &start)
}

fn plan(common: &Experiment, epsilon: f32) -> Result<Plan, Error> {
    let loss = LossName::Sosl.build(LossName::Sosl.default_thresholds(), 1.0)?;
    let paper = Plan::of_paper(EncoderName::Average, loss);
    Ok(Plan {
        epsilon,
        dimension: common.dimension as usize,
        epochs: common.epochs.unwrap_or(paper.epochs),
        clip: common.clip,
        init_deviation: common.init_deviation,
        select: common.select,
        variant: Variant {
            validates_on_all: common.validate_on == ValidateOn::All,
            ..Variant::default()
        },
        ..paper
    })
}

/// Samples the first number of negatives that the command names: `sweep` goes through a range.
fn drawing(common: &Experiment) -> Drawing {
    let negatives = common.negatives.from as usize;
    let number = |most: Option<u64>| most.map(|most| most as usize);
    Drawing {
        seed: common.split_seed,
        by: common.split_by[0],
        negatives,
        most_queries: number(common.training_queries),
        most_validation_queries: number(common.validation_queries),
        grades: None,
    }
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
    if common.groups == Groups::Clusters {
        collection.group_by_clusters();
    }
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
    if common.groups == Groups::Clusters {
        options["groups"] = json!("clusters");
    }
    if let Some(queries) = common.training_queries {
        options["training-queries"] = json!(queries);
    }
    if let Some(queries) = common.validation_queries {
        options["validation-queries"] = json!(queries);
    }
    options["negatives"] = json!(common.negatives.from);
    options["queries"] = json!(common.queries);
    options["split-by"] = json!(by);
    options["split-seed"] = json!(common.split_seed);
    options
}
