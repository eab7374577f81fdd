//! Files of models and indexes.

use std::fs;
use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use serde_json::Value;
use smooth_clir::index::{BlockFile, Index, VECTORS_FILE, texts_file};
use smooth_clir::model::Model;

use crate::error::Error;

/// A path, or several.
#[derive(Debug, FromPyObject)]
pub enum Paths {
    /// One.
    #[pyo3(transparent)]
    One(PathBuf),
    /// Several.
    #[pyo3(transparent)]
    Several(Vec<PathBuf>),
}

impl Paths {
    fn list(self) -> Vec<PathBuf> {
        match self {
            Self::One(path) => vec![path],
            Self::Several(paths) => paths,
        }
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(Error::reading(path))
}

/// Reads a model: its file, its files, or the files of its folder.
pub fn model(paths: Paths) -> Result<Model, Error> {
    let mut model: Option<Model> = None;
    for path in paths.list() {
        let files = if path.is_dir() { model_files(&path)? } else { vec![path] };
        for file in files {
            let part = Model::read(&read(&file)?).map_err(Error::of_file(&file))?;
            match &mut model {
                None => model = Some(part),
                Some(model) => model.join(part).map_err(Error::of_file(&file))?,
            }
        }
    }
    Ok(model.ok_or(smooth_clir::Error::NoFiles)?)
}

/// The files of a model in a folder: the query encoder's, the document encoders' and that of deep documents.
fn model_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::reading(folder))? {
        let path = entry.map_err(Error::reading(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_part = ["query.safetensors", "deep.safetensors"].contains(&&*name);
        if is_part || name.starts_with("document.") && name.ends_with(".safetensors") {
            files.push(path);
        }
    }
    files.sort();
    if files.is_empty() {
        let problem = "no query.safetensors or document.*.safetensors in this folder";
        return Err(Error::Other("no-files", format!("{}: {problem}", folder.display())));
    }
    Ok(files)
}

/// Reads indexes with all their texts: files, folders, or folders of segments.
pub fn indexes(paths: Paths) -> Result<Vec<Index>, Error> {
    let mut indexes = Vec::new();
    for path in paths.list() {
        if !path.is_dir() {
            // A file beside its texts is that of a folder.
            indexes.push(index(&path, path.parent())?);
            continue;
        }
        let list = path.join("segments.json");
        if list.exists() {
            for segment in segments(&list)? {
                let folder = path.join(segment);
                indexes.push(index(&folder.join(VECTORS_FILE), Some(&folder))?);
            }
        } else {
            indexes.push(index(&path.join(VECTORS_FILE), Some(&path))?);
        }
    }
    if indexes.is_empty() {
        return Err(Error::Other("no-files", "no index files were given".into()));
    }
    Ok(indexes)
}

fn index(path: &Path, folder: Option<&Path>) -> Result<Index, Error> {
    let index = Index::read_in_place(read(path)?).map_err(Error::of_file(path))?;
    let missing: Vec<usize> = index.missing_texts().collect();
    for block in missing {
        let texts = folder.unwrap_or_else(|| Path::new("")).join(texts_file(block));
        let file = BlockFile::read(read(&texts)?).map_err(Error::of_file(&texts))?;
        index.add_texts(file).map_err(Error::of_file(&texts))?;
    }
    Ok(index)
}

/// The folders of an index's segments, in order.
fn segments(list: &Path) -> Result<Vec<String>, Error> {
    let refused =
        |problem: String| Error::Other("metadata", format!("{}: {problem}", list.display()));
    let read: Value = serde_json::from_slice(&read(list)?)
        .map_err(|error| refused(format!("not a list of segments: {error}")))?;
    let names = read["segments"].as_array().ok_or_else(|| refused("no `segments`".into()))?;
    let name = |segment: &Value| {
        let name = segment["name"].as_str().unwrap_or_default();
        let number = name.strip_prefix("segment.").unwrap_or_default();
        // No path out of the folder.
        let is_number = !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit());
        match is_number {
            true => Ok(name.to_owned()),
            false => Err(refused("a segment's name must be one such as segment.1".into())),
        }
    };
    names.iter().map(name).collect()
}
