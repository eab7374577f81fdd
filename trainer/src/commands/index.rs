//! `index`: encodes documents.

use std::path::Path;

use smooth_clir::index::{Document, Index};

use super::language_of;
use crate::cli;
use crate::data::{builtin, collection};
use crate::error::Error;
use crate::files;

/// Encodes a file of documents, or the built-in corpus in all languages of the model.
pub fn run(arguments: &cli::Index) -> Result<(), Error> {
    let model = files::read_model(&arguments.model)?;
    files::check_writable(&arguments.out)?;
    let (documents, languages) = match &arguments.documents {
        Some(path) => {
            let language = language_of(&model, arguments.language.as_deref())?;
            let (documents, _) = collection::read_documents(&documents_file(path))?;
            (vec![documents], vec![language])
        }
        None => builtin_documents(&model, arguments.language.as_deref())?,
    };
    let documents = documents.iter().zip(&languages).flat_map(|(documents, language)| {
        documents.iter().map(move |document| Document {
            id: &document.id,
            language,
            title: &document.title,
            text: &document.text,
        })
    });
    let precision = arguments.precision.into();
    let index = Index::build(&model, documents, precision)?;
    files::write(&arguments.out, &index.write(precision))?;
    let (count, languages) = (index.len(), index.languages.join(", "));
    eprintln!("{}: {count} documents in {languages}", arguments.out.display());
    Ok(())
}

fn documents_file(path: &Path) -> std::path::PathBuf {
    if path.is_dir() { path.join("documents.tsv") } else { path.into() }
}

type Documents = (Vec<Vec<collection::Document>>, Vec<String>);

fn builtin_documents(
    model: &smooth_clir::model::Model,
    asked: Option<&str>,
) -> Result<Documents, Error> {
    let languages: Vec<String> = match asked {
        Some(_) => vec![language_of(model, asked)?],
        None => model.documents.keys().cloned().collect(),
    };
    if let Some(language) = languages.iter().find(|l| !builtin::LANGUAGES.contains(&l.as_str())) {
        let known = builtin::LANGUAGES.join(", ");
        return Err(Error::Usage(format!(
            "the built-in corpus has no documents in {language}, but in {known}: name a file of documents"
        )));
    }
    let documents = languages.iter().map(|language| builtin::collection(language).documents);
    Ok((documents.collect(), languages))
}
