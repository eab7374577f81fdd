//! `verify`: checks files and says what they are.

use std::collections::BTreeSet;
use std::path::Path;

use smooth_clir::index::{BlockFile, Index};
use smooth_clir::model::Model;

use crate::error::Error;
use crate::files;
use crate::segments;
use clap::Args;
use serde_json::Value;
use std::path::PathBuf;

/// `verify`
#[derive(Debug, Args)]
pub struct Verify {
    /// Model and index files
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}

/// Prints what each file is; fails with the first refusal, after all were looked at.
pub fn run(arguments: &Verify) -> Result<(), Error> {
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
        // The files of a model and of an index may lie in one folder.
        let model = match files::has_model(path) || !segments::is_index(path) {
            true => Some(describe_model(&files::read_model(path)?)),
            false => None,
        };
        let index = match segments::is_index(path) {
            true => Some(describe_index(&segments::open_whole(path)?)),
            false => None,
        };
        return Ok(model.into_iter().chain(index).collect::<Vec<_>>().join("; "));
    }
    let bytes = files::read(path)?;
    let refused = |source| Error::File { path: path.into(), source };
    match Model::read(&bytes) {
        Ok(model) => Ok(describe_model(&model)),
        Err(smooth_clir::Error::Metadata { key, found, .. })
            if key == "kind" && found == "\"index\"" =>
        {
            Index::read(&bytes).map(|index| describe_index(&[index])).map_err(refused)
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
        model.query.iter().map(|side| format!("query encoder of {} words", side.vocabulary.len()));
    let documents = model.documents.iter().map(|(language, side)| {
        format!("documents in {language}: {} words", side.vocabulary.len())
    });
    // A language's own file, whose documents are read by the query encoder's rows.
    let alone =
        model.translations.iter().filter(|(language, _)| !model.documents.contains_key(*language));
    let alone =
        alone.map(|(language, table)| format!("translations into {language}: {}", table.len()));
    let sides: Vec<String> = query.chain(documents).chain(alone).collect();
    let config = &model.config;
    let provenance: Value = serde_json::from_str(&model.provenance).unwrap_or_default();
    let slim = provenance["slim"]["from"].as_str();
    let slim = slim.map_or_else(String::new, |from| format!(" (slim, of model {})", short(from)));
    format!(
        "model {}{slim}, encoder {}, dimension {}, epsilon {}, thresholds {:?}; {}",
        short(&model.space),
        config.encoder,
        config.dimension,
        config.epsilon,
        config.thresholds,
        sides.join("; ")
    )
}

/// Says what the segments of an index are, or the only one.
fn describe_index(segments: &[Index]) -> String {
    let Some(first) = segments.first() else {
        return "index in segments, without a segment".into();
    };
    let documents: usize = segments.iter().map(Index::len).sum();
    let languages: BTreeSet<&str> =
        segments.iter().flat_map(|index| &index.languages).map(String::as_str).collect();
    let languages: Vec<&str> = languages.into_iter().collect();
    let in_segments = match segments.len() {
        1 => String::new(),
        count => format!(", {count} segments"),
    };
    format!(
        "index by model {}, dimension {}{in_segments}: {documents} documents in {}",
        short(&first.model),
        first.dimension(),
        languages.join(", ")
    )
}

fn short(digest: &str) -> String {
    digest.chars().take(12).collect()
}
