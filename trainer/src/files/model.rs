//! The files of a model: one, or a folder of one for each encoder.

use std::fs;
use std::path::{Path, PathBuf};

use smooth_clir::encoder::Precision;
use smooth_clir::model::Model;

use super::paths::{make_folder, names_folder};
use super::whole::read;
use crate::error::Error;

/// The files of a model: one, or where `out` names a folder, which is made, one for each encoder.
pub fn of_model(
    out: &Path,
    model: &Model,
    precision: Precision,
) -> Result<Vec<(PathBuf, Vec<u8>)>, Error> {
    if !names_folder(out) {
        return Ok(vec![(out.into(), model.write(precision))]);
    }
    make_folder(out)?;
    let parts = model.write_parts(precision).into_iter();
    Ok(parts.map(|(name, bytes)| (out.join(name), bytes)).collect())
}

/// Reads a model: a file, or a folder of the files of one.
pub fn read_model(path: &Path) -> Result<Model, Error> {
    if !path.is_dir() {
        let bytes = read(path)?;
        return Model::read(&bytes).map_err(|source| Error::File { path: path.into(), source });
    }
    let mut model: Option<Model> = None;
    for part in model_files(path)? {
        let bytes = read(&part)?;
        let refused = |source| Error::File { path: part.clone(), source };
        let read = Model::read(&bytes).map_err(refused)?;
        match &mut model {
            None => model = Some(read),
            Some(model) => model.join(read).map_err(refused)?,
        }
    }
    model.ok_or_else(|| {
        Error::data(path, "no query.safetensors or document.*.safetensors in this folder")
    })
}

/// Whether a folder has files of a model.
pub fn has_model(folder: &Path) -> bool {
    model_files(folder).is_ok_and(|files| !files.is_empty())
}

/// The files of a model in a folder, sorted.
pub fn model_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |source| Error::Read { path: folder.into(), source };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_part = name == "query.safetensors"
            || name == "deep.safetensors"
            || name.starts_with("document.");
        if is_part && name.ends_with(".safetensors") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
