//! `train --from MODEL`: what goes before and after a training that begins with a model.

use std::path::Path;

use smooth_clir::encoder::Precision;
use smooth_clir::model::Model;

use super::options::Train;
use crate::corpus::Example;
use crate::data::Collection;
use crate::error::Error;
use crate::files;
use crate::terminal::output;
use crate::train::EncoderName;
use crate::train::general::{self, General};

/// Reads the model, and refuses what does not go with it.
pub fn read(arguments: &Train, path: &Path) -> Result<General, Error> {
    let [language] = &arguments.languages[..] else {
        return Err(Error::Usage("--from: expected one --language and one folder".into()));
    };
    if arguments.encoder != EncoderName::Average {
        return Err(Error::Usage("--encoder: --from supports only the average encoder".into()));
    }
    let side = |folder: &Path| folder.join("query.safetensors");
    let read = if path.is_dir() { side(path) } else { path.into() };
    let written = match files::names_folder(&arguments.out) {
        true => side(&arguments.out),
        false => arguments.out.clone(),
    };
    files::check_distinct([&*written], [&*read])?;
    let general = General::new(files::read_model(path)?, language, path)?;
    let config = &general.model().config;
    let other = |option: &str, given: String, own: String| {
        Error::Usage(format!("{option} {given}: that of {} is {own}", path.display()))
    };
    if let Some(given) = arguments.dimension.filter(|&given| given != config.dimension as u64) {
        return Err(other("--dimension", given.to_string(), config.dimension.to_string()));
    }
    if let Some(given) = arguments.epsilon.filter(|&given| given != config.epsilon) {
        return Err(other("--epsilon", given.to_string(), config.epsilon.to_string()));
    }
    Ok(general)
}

/// Makes a model of the rows that were trained whole, and fits it to the validation pairs.
pub fn finish(
    general: &General,
    trained: &mut Model,
    (collection, validation): (&Collection, &[Example]),
    arguments: &Train,
) -> Result<(), Error> {
    general.complete(trained)?;
    // What is fitted are the numbers that the file will have.
    let precision: Precision = arguments.precision.into();
    *trained = Model::read(&trained.write(precision))?;
    general::fit(trained, collection, validation, arguments.thresholds.is_some())?;
    if let Some(calibration) = trained.config.calibration.get(&collection.language) {
        eprintln!("{}", output::weights(calibration));
    }
    let thresholds: Vec<String> =
        trained.config.thresholds.iter().map(|threshold| format!("{threshold:.3}")).collect();
    eprintln!("thresholds {}", thresholds.join(", "));
    Ok(())
}
