//! `index`: encodes documents.

use std::fs;
use std::path::Path;

use smooth_clir::index::{BlockFile, Document, Index, Slimming, VECTORS_FILE, texts_file};
use smooth_clir::model::Model;

use super::language::language_of;
use crate::data::documents::{self, Reading, Source};
use crate::data::{builtin, collection};
use crate::deep::Vectors;
#[cfg(feature = "teacher")]
use crate::deep::{OpenTeacher, encode};
use crate::error::Error;
use crate::files;
use crate::files::mapped;
use crate::segments::{self, Appended, Making};
use crate::terminal::values::language;
use clap::{Args, ValueEnum};
use smooth_clir::encoder;
use std::path::PathBuf;

/// `index`
#[derive(Debug, Args)]
pub struct IndexOptions {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// A file of documents: lines of id, title and text, .jsonl or .csv with these names; or a folder
    /// with a documents.tsv, or of pages: .md, .html, .txt; or a sitemap (.xml) beside its pages; none:
    /// the built-in corpus
    pub documents: Option<PathBuf>,
    /// A field for filters: a name in the .jsonl or .csv, in the front matter of .md, in <meta
    /// name=...> or data-pagefind-filter of .html, or a sitemap's lastmod; may be repeated
    #[arg(long = "field", value_name = "NAME")]
    pub fields: Vec<String>,
    /// Split documents into passages of at most this number of words [default: 200 for pages;
    /// others are whole]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true)]
    pub passage_words: Option<u64>,
    /// The output file, or a folder (with a slash at its end) for the vectors and the files of
    /// texts, which are fetched when they are shown
    #[arg(long)]
    pub out: PathBuf,
    /// Append the documents to the index in the folder, in segments, each of which can be searched
    /// when it is complete; documents that are already in the index are skipped
    #[arg(long, requires = "documents")]
    pub append: bool,
    /// Documents in each segment [default: 65536]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true, requires = "append")]
    pub segment: Option<u64>,
    /// Documents in each file of texts [default: 1000]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true)]
    pub block: Option<u64>,
    /// The documents' language, if the model has several
    #[arg(long, value_parser = language)]
    pub language: Option<String>,
    /// The sentence encoder that the model was trained with (train --teacher): it reads documents, glossed into English;
    /// without it, the model's own document encoder does
    #[cfg(feature = "teacher")]
    #[arg(long, value_name = "FOLDER")]
    pub deep: Option<PathBuf>,
    /// Keep the vectors of --deep in a file, in the precision of the index, and compute only those that are not in it: an
    /// interrupted run goes on from there. Without --deep, the file must have them all
    #[arg(long, value_name = "FILE", conflicts_with = "append")]
    pub vectors: Option<PathBuf>,
    /// The precision of the stored vectors
    #[arg(long, value_enum, default_value_t = IndexPrecision::F32)]
    pub precision: IndexPrecision,
    /// Also write model/ in the output folder, for a web site: a smaller model, which searches this index and no other. Further
    /// documents are encoded by the full one
    #[arg(long, conflicts_with = "append")]
    pub with_model: bool,
    /// Different rows of query words in that model, at most; other words share the rows of similar ones [default: 15000]
    #[arg(long, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true, requires = "with_model")]
    pub query_rows: Option<u64>,
}

/// How an index stores its vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum IndexPrecision {
    /// 32-bit floating point
    F32,
    /// 8-bit integers with a scale for each document
    I8,
}

impl From<IndexPrecision> for encoder::Precision {
    fn from(precision: IndexPrecision) -> Self {
        match precision {
            IndexPrecision::F32 => encoder::Precision::F32,
            IndexPrecision::I8 => encoder::Precision::I8,
        }
    }
}

/// Documents in a file of texts: some hundred KB of sentences.
const BLOCK: u64 = 1000;
/// Documents in a segment.
const SEGMENT: u64 = 65_536;
/// The folder of the smaller model, in that of the index.
const MODEL: &str = "model";

/// Encodes a file of documents, or the built-in corpus in all languages of the model.
pub fn run(arguments: &IndexOptions) -> Result<(), Error> {
    let in_parts = files::names_folder(&arguments.out);
    if arguments.append {
        return append(arguments);
    }
    if segments::is_in(&arguments.out) {
        let problem = "has an index in segments: add to it with --append, or choose another folder";
        return Err(Error::data(&arguments.out, problem));
    }
    if arguments.block.is_some() && !in_parts {
        let problem =
            "--block: only an index in a folder has files of texts; end --out with a slash";
        return Err(Error::Usage(problem.into()));
    }
    if arguments.with_model && !in_parts {
        let problem = "--with-model: only an index in a folder has a model; end --out with a slash";
        return Err(Error::Usage(problem.into()));
    }
    if arguments.documents.is_none() && !arguments.fields.is_empty() {
        return Err(Error::Usage("--field: the built-in corpus has no fields".into()));
    }
    let outputs = match in_parts {
        true => vec![arguments.out.join(VECTORS_FILE), arguments.out.join(texts_file(0))],
        false => vec![arguments.out.clone()],
    };
    let outputs = || outputs.iter().chain(&arguments.vectors).map(|path| &**path);
    let model = files::read_model(&arguments.model)?;
    files::check_writable(&arguments.out)?;
    if arguments.with_model {
        check_model_folder(arguments, &model)?;
    }
    let (documents, languages) = match &arguments.documents {
        Some(path) => {
            let language = language_of(&model, arguments.language.as_deref())?;
            let source = Source::find(path, &language)?;
            let inputs = source.files().chain([&*arguments.model, path]);
            files::check_distinct(outputs(), inputs)?;
            let words = arguments.passage_words.map(|words| words as usize);
            let reading = Reading { language: &language, words, fields: &arguments.fields };
            (vec![source.read(reading)?], vec![language])
        }
        None => {
            files::check_distinct(outputs(), [&*arguments.model])?;
            builtin_documents(&model, arguments.language.as_deref())?
        }
    };
    let documents = documents.iter().zip(&languages).flat_map(|(documents, language)| {
        documents.iter().map(move |document| document.in_language(language))
    });
    let mut index = match is_deep(arguments) {
        true => deep_index(arguments, &model, &documents.collect::<Vec<_>>())?,
        false => Index::build(&model, documents, arguments.precision.into())?,
    };
    let mut slim = Vec::new();
    if arguments.with_model {
        let rows = arguments.query_rows.map_or(Slimming::ROWS, |rows| rows as usize);
        slim = index.slim_model(&model, Slimming { rows: Some(rows) })?;
    }
    if in_parts {
        files::make_folder(&arguments.out)?;
        let before = Before::find(&arguments.out)?;
        let parts = index.write_parts(arguments.block.unwrap_or(BLOCK) as usize);
        let texts = parts.len() - 1;
        if arguments.with_model {
            files::make_folder(&arguments.out.join(MODEL))?;
        }
        let slim = slim.into_iter().map(|(name, bytes)| (format!("{MODEL}/{name}"), bytes));
        let parts = parts.into_iter().chain(slim);
        files::write_all(parts.map(|(name, bytes)| (arguments.out.join(name), bytes)))?;
        if let Some(before) = before {
            before.remove_texts_from(texts)?;
        }
    } else {
        files::write(&arguments.out, &index.write())?;
    }
    let (count, languages) = (index.len(), index.languages.join(", "));
    eprintln!("{}: {count} documents in {languages}", arguments.out.display());
    Ok(())
}

/// Refuses a folder for the smaller model whose files are those of the full one, or that has files of a language that the
/// smaller one will not have: a folder has one model.
fn check_model_folder(arguments: &IndexOptions, model: &Model) -> Result<(), Error> {
    let folder = arguments.out.join(MODEL);
    if !folder.is_dir() {
        return Ok(());
    }
    let there = files::model_files(&folder)?;
    let full = match arguments.model.is_dir() {
        true => files::model_files(&arguments.model)?,
        false => vec![arguments.model.clone()],
    };
    files::check_distinct(there.iter().map(|path| &**path), full.iter().map(|path| &**path))?;
    let languages = match (&arguments.documents, &arguments.language) {
        (None, None) => model.documents.keys().cloned().collect(),
        (_, language) => vec![language_of(model, language.as_deref())?],
    };
    let is_written = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name == "query.safetensors"
            || languages.iter().any(|language| name == format!("document.{language}.safetensors"))
    };
    match there.iter().find(|path| !is_written(path)) {
        Some(path) => {
            Err(Error::data(path, "is of another model than the one to be written: remove it"))
        }
        None => Ok(()),
    }
}

#[cfg(feature = "teacher")]
fn is_deep(arguments: &IndexOptions) -> bool {
    arguments.deep.is_some() || arguments.vectors.is_some()
}

#[cfg(not(feature = "teacher"))]
fn is_deep(arguments: &IndexOptions) -> bool {
    arguments.vectors.is_some()
}

/// An index of vectors that a teacher computes, or that a file has.
fn deep_index(
    arguments: &IndexOptions,
    model: &Model,
    documents: &[Document<'_>],
) -> Result<Index, Error> {
    let path = arguments.vectors.as_deref();
    #[cfg_attr(not(feature = "teacher"), expect(unused_mut))]
    let mut vectors = Vectors::open(path, model, arguments.precision.into())?;
    #[cfg(feature = "teacher")]
    if let Some(folder) = &arguments.deep {
        encode(model, &OpenTeacher::open(folder)?, documents, &mut vectors)?;
    }
    vectors.index(model, documents)
}

/// The index that a folder had before another was written to it.
struct Before<'a> {
    folder: &'a Path,
    index: Index,
}

impl<'a> Before<'a> {
    /// The index of a folder; `None` where it has none, or a file of that name that is no index.
    fn find(folder: &'a Path) -> Result<Option<Self>, Error> {
        match mapped::map(&folder.join(VECTORS_FILE)) {
            Err(error) if error.is_of_missing_file() => Ok(None),
            Err(error) => Err(error),
            Ok(file) => Ok(Index::read_in_place(file).ok().map(|index| Self { folder, index })),
        }
    }

    /// Removes the index's files of texts from a number on. What else has such a name is left: a link,
    /// and any file that is not a block of texts of this index.
    fn remove_texts_from(&self, first: usize) -> Result<(), Error> {
        let numbers: Vec<usize> =
            self.index.missing_texts().filter(|&number| number >= first).collect();
        for number in numbers {
            let path = self.folder.join(texts_file(number));
            if !path.symlink_metadata().is_ok_and(|about| about.is_file()) {
                continue;
            }
            let texts = BlockFile::read(files::read(&path)?);
            let is_own = texts
                .is_ok_and(|texts| texts.number() == number && self.index.add_texts(texts).is_ok());
            if is_own {
                fs::remove_file(&path).map_err(|source| Error::Write { path, source })?;
            } else {
                eprintln!(
                    "{}: left in place, because it does not belong to the earlier index",
                    path.display()
                );
            }
        }
        Ok(())
    }
}

/// Adds to the index in a folder.
fn append(arguments: &IndexOptions) -> Result<(), Error> {
    let (out, Some(path)) = (&arguments.out, &arguments.documents) else { return Ok(()) };
    if !files::names_folder(out) {
        let problem = "--append: an index in segments is a folder; end --out with a slash";
        return Err(Error::Usage(problem.into()));
    }
    if out.join(VECTORS_FILE).exists() {
        let problem = "has an index that is not in segments: choose another folder for --append";
        return Err(Error::data(out, problem));
    }
    let model = files::read_model(&arguments.model)?;
    let language = language_of(&model, arguments.language.as_deref())?;
    let source = Source::find(path, &language)?;
    let words = arguments.passage_words.map(|words| words as usize);
    let reading = Reading { language: &language, words, fields: &arguments.fields };
    let making = Making {
        precision: arguments.precision.into(),
        block: arguments.block.unwrap_or(BLOCK) as usize,
        segment: arguments.segment.unwrap_or(SEGMENT) as usize,
    };
    let done = add_to_segments(arguments, &model, (&source, reading), making)?;
    let there = match done.known {
        0 => String::new(),
        known => format!(", {known} were in the index already"),
    };
    eprintln!("{}: {} documents, {} new{there}", out.display(), done.all, done.added);
    Ok(())
}

#[cfg(feature = "teacher")]
fn add_to_segments(
    arguments: &IndexOptions,
    model: &Model,
    read: (&Source, Reading<'_>),
    making: Making,
) -> Result<Appended, Error> {
    let Some(folder) = &arguments.deep else {
        return add_light(arguments, model, read, making);
    };
    let teacher = OpenTeacher::open(folder)?;
    let build = |documents: &[Document<'_>]| {
        let mut vectors = Vectors::open(None, model, making.precision)?;
        encode(model, &teacher, documents, &mut vectors)?;
        vectors.index(model, documents)
    };
    segments::append(&arguments.out, (model, Some(&teacher.digest)), read, (making, &build))
}

#[cfg(not(feature = "teacher"))]
use add_light as add_to_segments;

/// Adds documents that the model's own encoder reads.
fn add_light(
    arguments: &IndexOptions,
    model: &Model,
    read: (&Source, Reading<'_>),
    making: Making,
) -> Result<Appended, Error> {
    let build = |documents: &[Document<'_>]| {
        Ok(Index::build(model, documents.iter().copied(), making.precision)?)
    };
    segments::append(&arguments.out, (model, None), read, (making, &build))
}

type Documents = (Vec<Vec<documents::Document>>, Vec<String>);

fn builtin_documents(
    model: &smooth_clir::model::Model,
    requested: Option<&str>,
) -> Result<Documents, Error> {
    let languages: Vec<String> = match requested {
        Some(_) => vec![language_of(model, requested)?],
        None => model.documents.keys().cloned().collect(),
    };
    let collections = builtin::collections(&languages, builtin::GRADES)?;
    let plain = |collection::Document { id, title, text }| documents::Document {
        id,
        title,
        text,
        fields: Vec::new(),
    };
    let documents = collections
        .into_iter()
        .map(|collection| collection.documents.into_iter().map(plain).collect());
    Ok((documents.collect(), languages))
}
