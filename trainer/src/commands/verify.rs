//! `verify`: checks files and says what they are.

use std::path::Path;

use smooth_clir::index::{BlockFile, Index};
use smooth_clir::model::Model;

use crate::cli;
use crate::error::Error;
use crate::files;

/// Prints what each file is; fails with the first refusal, after all were looked at.
pub fn run(arguments: &cli::Verify) -> Result<(), Error> {
    let mut refused = None;
    for path in &arguments.files {
        match describe(path) {
            Ok(description) => println!("{}: {description}", path.display()),
            Err(error) => {
                println!("{}: refused", path.display());
                refused = refused.or(Some(error));
            }
        }
    }
    refused.map_or(Ok(()), Err)
}

fn describe(path: &Path) -> Result<String, Error> {
    if path.is_dir() {
        return files::read_model(path).map(|model| describe_model(&model));
    }
    let bytes = files::read(path)?;
    let refused = |source| Error::File { path: path.into(), source };
    match Model::read(&bytes) {
        Ok(model) => Ok(describe_model(&model)),
        Err(smooth_clir::Error::Metadata { key, found, .. })
            if key == "kind" && found == "\"index\"" =>
        {
            Index::read(&bytes).map(|index| describe_index(&index)).map_err(refused)
        }
        Err(smooth_clir::Error::Metadata { key, found, .. })
            if key == "kind" && found == "\"texts\"" =>
        {
            let describe = |file: BlockFile| {
                format!("block {} of an index's texts: {} documents", file.number(), file.len())
            };
            BlockFile::read(bytes).map(describe).map_err(refused)
        }
        Err(error) => Err(refused(error)),
    }
}

fn describe_model(model: &Model) -> String {
    let query =
        model.query.iter().map(|side| format!("query side of {} words", side.vocabulary.len()));
    let documents = model.documents.iter().map(|(language, side)| {
        format!("documents in {language}: {} words", side.vocabulary.len())
    });
    let sides: Vec<String> = query.chain(documents).collect();
    let config = &model.config;
    format!(
        "model {}, encoder {}, dimension {}, epsilon {}, thresholds {:?}; {}",
        short(&model.space),
        config.encoder,
        config.dimension,
        config.epsilon,
        config.thresholds,
        sides.join("; ")
    )
}

fn describe_index(index: &Index) -> String {
    format!(
        "index by model {}, dimension {}: {} documents in {}",
        short(&index.model),
        index.dimension(),
        index.len(),
        index.languages.join(", ")
    )
}

fn short(digest: &str) -> String {
    digest.chars().take(12).collect()
}
