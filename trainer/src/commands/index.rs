//! `index`: encodes documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use rayon::prelude::*;
use smooth_clir::encoder::Scratch;
use smooth_clir::index::{BlockFile, Builder, Document, Index, Slimming, VECTORS_FILE, texts_file};
use smooth_clir::model::{Model, QUERY_LANGUAGE};

use super::language::language_of;
use crate::data::documents::{self, English, Read, Reading, Report, Source, Wrong};
use crate::data::{builtin, collection};
use crate::deep::Vectors;
#[cfg(feature = "teacher")]
use crate::deep::{OpenTeacher, encode};
use crate::error::Error;
use crate::files;
use crate::files::mapped;
use crate::segments::{self, Appended, Making};
use crate::terminal::phase::Phase;
use crate::terminal::values::language;
use clap::{Args, ValueEnum};
use smooth_clir::encoder;
use std::path::PathBuf;

const DOCUMENTS: &str = "Documents";
const OUTPUT: &str = "Output";
const SEGMENTS: &str = "An index that grows";
const DEEP: &str = "Deep documents";

/// `index`
#[derive(Debug, Args)]
pub struct IndexOptions {
    /// A model: a file, or a folder of its files
    pub model: PathBuf,
    /// A file of documents: lines of id, title and text, .jsonl or .csv with these names; or a page: .md, .html, .txt; or a
    /// folder with a documents.tsv, or of pages; or a sitemap (.xml) beside its pages; none: the built-in corpus
    pub documents: Option<PathBuf>,
    /// A field for filters: a name in the .jsonl or .csv, in the front matter of .md, in <meta
    /// name=...> or data-pagefind-filter of .html, or a sitemap's lastmod; may be repeated
    #[arg(long = "field", value_name = "NAME", help_heading = DOCUMENTS)]
    pub fields: Vec<String>,
    /// Split documents into passages of at most this number of words [default: 200 for pages;
    /// others are whole]
    #[arg(long, requires = "documents", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true, help_heading = DOCUMENTS)]
    pub passage_words: Option<u64>,
    /// The output file, or a folder (with a slash at its end) for the vectors and the files of
    /// texts, which are fetched when they are shown
    #[arg(long, help_heading = OUTPUT)]
    pub out: PathBuf,
    /// Append the documents to the index in the folder, in segments, each of which can be searched
    /// when it is complete; documents that are already in the index are skipped
    #[arg(long, requires = "documents", help_heading = SEGMENTS)]
    pub append: bool,
    /// Documents in each segment [default: 65536]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true, requires = "append", help_heading = SEGMENTS)]
    pub segment: Option<u64>,
    /// Documents in each file of texts [default: 16, and 1000 with --append]
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true, help_heading = OUTPUT)]
    pub block: Option<u64>,
    /// The documents' language, except of those that state or are told to be in another; without it, each document's is
    /// the one that it states, or else is told by its words, as for `auto`. Repeated: only documents in these languages
    #[arg(long = "language", value_name = "LANGUAGE", value_parser = language, help_heading = DOCUMENTS)]
    pub languages: Vec<String>,
    /// What becomes of documents in English
    #[arg(long, value_enum, default_value_t = EnglishDocuments::Index, help_heading = DOCUMENTS)]
    pub english: EnglishDocuments,
    /// The beginning of all ids, such as `fr/`: it tells documents from those of another collection with the same ids
    #[arg(long, requires = "documents", value_name = "TEXT", help_heading = DOCUMENTS)]
    pub prefix: Option<String>,
    /// Stop at the first page that cannot be read, with status 1, instead of leaving it out
    #[arg(long, help_heading = DOCUMENTS)]
    pub strict: bool,
    /// The sentence encoder that the model was trained with (train --teacher), a folder or a file of compact-teacher: it reads
    /// documents, glossed into English; without it, the model's own document encoder does
    #[cfg(feature = "teacher")]
    #[arg(long, value_name = "TEACHER", help_heading = DEEP)]
    pub deep: Option<PathBuf>,
    /// Keep the vectors of --deep in a file, in the precision of the index, and compute only those that are not in it: an
    /// interrupted run goes on from there. Without --deep, the file must have them all
    #[arg(long, value_name = "FILE", conflicts_with = "append", help_heading = DEEP)]
    pub vectors: Option<PathBuf>,
    /// The precision of the stored vectors [default: i8 in a folder, and f32 in a file and with --append]
    #[arg(long, value_enum, help_heading = OUTPUT)]
    pub precision: Option<IndexPrecision>,
    /// Also write model/ in the output folder, for a web site: a smaller model, which searches this index and no other. Further
    /// documents are encoded by the full one
    #[arg(long, help_heading = OUTPUT, conflicts_with = "append")]
    pub with_model: bool,
    /// Different rows of query words in that model, at most; other words share the rows of similar ones [default: 15000]
    #[arg(long, help_heading = OUTPUT, value_name = "ROWS", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000), allow_negative_numbers = true, requires = "with_model")]
    pub query_rows: Option<u64>,
    /// A language of queries, beside English and those of the documents, whose whole file that model has; repeated
    #[arg(long, help_heading = OUTPUT, value_name = "xx", requires = "with_model")]
    pub ask: Vec<String>,
}

/// What becomes of documents in English, where the model has no document encoder for English.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EnglishDocuments {
    /// Index them as English documents: the query encoder encodes them, and the query's own words match
    Index,
    /// Leave them out
    Skip,
    /// Take them for documents in the language of --language, the model's only one, or that of their page
    Keep,
}

impl From<EnglishDocuments> for English {
    fn from(english: EnglishDocuments) -> Self {
        match english {
            EnglishDocuments::Index => Self::Index,
            EnglishDocuments::Skip => Self::Skip,
            EnglishDocuments::Keep => Self::Keep,
        }
    }
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

/// Documents in a file of texts: a page of the web fetches those of its results, some 10 KB each.
const BLOCK: u64 = 16;
/// Documents in a file of texts of a segment: some hundred KB of sentences.
const SEGMENT_BLOCK: u64 = 1000;
/// Documents in a segment.
const SEGMENT: u64 = 65_536;
/// Documents that are encoded while the words of as many others are counted.
const AT_ONCE: usize = 4096;
/// The folder of the smaller model, in that of the index.
const MODEL: &str = "model";
/// The language that stands for that of each document.
const AUTO: &str = "auto";

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
    let languages = languages_of(arguments, &model)?;
    for language in &arguments.ask {
        model.encoder_of(language)?;
    }
    let Read { documents, report } = match &arguments.documents {
        Some(path) => {
            let source = Source::find(path, &languages)?;
            let inputs = source.files().chain([&*arguments.model, path]);
            let inputs = inputs.chain(teacher_of(arguments));
            files::check_distinct(outputs(), inputs)?;
            source.read(arguments.reading(&languages), arguments.wrong())?
        }
        None => {
            let inputs = [&*arguments.model].into_iter().chain(teacher_of(arguments));
            files::check_distinct(outputs(), inputs)?;
            let documents = builtin_documents(match arguments.only_language() {
                Some(only) => vec![language_of(&model, Some(only))?],
                None => languages,
            })?;
            Read { documents, report: Report::default() }
        }
    };
    if arguments.with_model {
        check_model_folder(arguments, &documents)?;
    }
    let documents: Vec<Document<'_>> =
        documents.iter().map(documents::Document::to_index).collect();
    let mut index = match is_deep(arguments) {
        true => deep_index(arguments, &model, &documents)?,
        false => {
            let phase = Phase::new("encoding", documents.len(), "documents");
            light_index(&model, &documents, arguments.precision(), &phase)?
        }
    };
    let mut slim = Vec::new();
    if arguments.with_model {
        let rows = arguments.query_rows.map_or(Slimming::ROWS, |rows| rows as usize);
        slim = index.slim_model(&model, Slimming { rows: Some(rows), asked: &arguments.ask })?;
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
        let phase = Phase::new("writing", parts.len() + slim.len(), "files");
        let parts = parts.into_iter().chain(slim).inspect(|_| phase.step(1));
        files::write_all(parts.map(|(name, bytes)| (arguments.out.join(name), bytes)))?;
        if let Some(before) = before {
            before.remove_texts_from(texts)?;
        }
    } else {
        files::write(&arguments.out, &index.write())?;
    }
    eprint!("{report}");
    arguments.tell_of_english(&model, &report);
    eprintln!("{}: {} documents in {}", arguments.out.display(), index.len(), counted(&index));
    Ok(())
}

/// The languages of an index, of several each with the number of its documents.
fn counted(index: &Index) -> String {
    if let [only] = &index.languages[..] {
        return only.clone();
    }
    let of =
        |language: &String| (0..index.len()).filter(|&at| index.language(at) == language).count();
    let counted = index.languages.iter().map(|language| format!("{language} ({})", of(language)));
    counted.collect::<Vec<_>>().join(", ")
}

impl IndexOptions {
    fn reading<'a>(&'a self, languages: &'a [String]) -> Reading<'a> {
        Reading {
            language: self.only_language(),
            languages,
            english: self.english.into(),
            words: self.passage_words.map(|words| words as usize),
            fields: &self.fields,
            prefix: self.prefix.as_deref().unwrap_or_default(),
        }
    }

    /// The languages that are named: none for `auto`.
    fn named(&self) -> &[String] {
        if self.languages.iter().any(|language| language == AUTO) { &[] } else { &self.languages }
    }

    /// The language of documents that state none, where one is named.
    fn only_language(&self) -> Option<&str> {
        match self.named() {
            [only] => Some(only),
            _ => None,
        }
    }

    fn precision(&self) -> encoder::Precision {
        let is_folder = files::names_folder(&self.out) && !self.append;
        let default = if is_folder { IndexPrecision::I8 } else { IndexPrecision::F32 };
        self.precision.unwrap_or(default).into()
    }

    /// Says what became of documents in English, where nobody asked for it.
    fn tell_of_english(&self, model: &Model, report: &Report) {
        let count = report.languages.get(QUERY_LANGUAGE).map_or(0, |count| count.indexed);
        let is_asked = self.named().iter().any(|language| language == QUERY_LANGUAGE);
        if count > 0 && !is_asked && !model.documents.contains_key(QUERY_LANGUAGE) {
            eprintln!(
                "{count} documents are in English: they are indexed as English documents; --english skip leaves them \
                 out, --english keep takes them for documents of --language"
            );
        }
    }

    fn wrong(&self) -> Wrong {
        if self.strict { Wrong::IsRefused } else { Wrong::IsLeftOut }
    }
}

/// The languages of the model's document encoders that are indexed: all or, of several that are named, these.
fn languages_of(arguments: &IndexOptions, model: &Model) -> Result<Vec<String>, Error> {
    if arguments.languages.len() > 1 && arguments.named().is_empty() {
        return Err(Error::Usage(format!("--language {AUTO} goes with no other --language")));
    }
    let named = arguments.named();
    // Refuses languages that the model does not have.
    named
        .iter()
        .filter(|language| *language != QUERY_LANGUAGE)
        .try_for_each(|language| language_of(model, Some(language)).map(drop))?;
    let is_indexed = |language: &&String| named.len() < 2 || named.contains(language);
    let languages: Vec<String> = model.documents.keys().filter(is_indexed).cloned().collect();
    match languages.is_empty() && named.len() < 2 {
        true => Err(Error::Model { part: "document encoder" }),
        false => Ok(languages),
    }
}

/// Refuses a folder for the smaller model whose files are those of the full one, or that has files of a language that the
/// smaller one will not have: a folder has one model.
fn check_model_folder(
    arguments: &IndexOptions,
    documents: &[documents::Document],
) -> Result<(), Error> {
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
    let languages: BTreeSet<&str> = documents.iter().map(|document| &*document.language).collect();
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

fn is_deep(arguments: &IndexOptions) -> bool {
    teacher_of(arguments).is_some() || arguments.vectors.is_some()
}

/// The folder or file of --deep.
#[cfg(feature = "teacher")]
fn teacher_of(arguments: &IndexOptions) -> Option<&Path> {
    arguments.deep.as_deref()
}

#[cfg(not(feature = "teacher"))]
fn teacher_of(_: &IndexOptions) -> Option<&Path> {
    None
}

/// As [`Index::build`], on all threads: the words of some documents are counted while the next are encoded.
fn light_index<'a>(
    model: &Model,
    documents: &'a [Document<'a>],
    precision: encoder::Precision,
    phase: &Phase,
) -> Result<Index, Error> {
    let dimension = model.config.dimension;
    let mut builder = Builder::new(model);
    let mut scratches: Vec<BTreeMap<&'a str, Scratch>> =
        vec![BTreeMap::new(); rayon::current_num_threads()];
    let mut encode = |documents: &'a [Document<'a>]| -> Result<Vec<f32>, Error> {
        let mut vectors = vec![0.0; documents.len() * dimension];
        // A thread keeps what it computes for words.
        let share = documents.len().div_ceil(scratches.len()).max(1);
        scratches
            .par_iter_mut()
            .zip(documents.par_chunks(share))
            .zip(vectors.par_chunks_mut(share * dimension))
            .try_for_each(|((scratches, documents), vectors)| {
                for (document, vector) in documents.iter().zip(vectors.chunks_mut(dimension)) {
                    let encoder = model.encoder_of(document.language)?;
                    let scratch = scratches.entry(document.language).or_default();
                    encoder.encode_into(document.text, scratch, vector);
                }
                Ok::<(), Error>(())
            })
            .map(|()| vectors)
    };
    let mut blocks = documents.chunks(AT_ONCE);
    let mut block = blocks.next().unwrap_or_default();
    let mut vectors = encode(block)?;
    while !block.is_empty() {
        let next = blocks.next().unwrap_or_default();
        let mut push = || -> Result<(), Error> {
            for (document, vector) in block.iter().zip(vectors.chunks(dimension)) {
                builder.push_vector(document, vector)?;
                phase.step(1);
            }
            Ok(())
        };
        let (pushed, encoded) = rayon::join(&mut push, || encode(next));
        pushed?;
        (block, vectors) = (next, encoded?);
    }
    Ok(builder.finish(precision)?)
}

/// An index of vectors that a teacher computes, or that a file has.
fn deep_index(
    arguments: &IndexOptions,
    model: &Model,
    documents: &[Document<'_>],
) -> Result<Index, Error> {
    let path = arguments.vectors.as_deref();
    #[cfg_attr(not(feature = "teacher"), expect(unused_mut))]
    let mut vectors = Vectors::open(path, model, arguments.precision())?;
    #[cfg(feature = "teacher")]
    if let Some(teacher) = &arguments.deep {
        encode(model, &OpenTeacher::open(teacher)?, documents, &mut vectors)?;
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
    let languages = languages_of(arguments, &model)?;
    let source = Source::find(path, &languages)?;
    let reading = arguments.reading(&languages);
    let making = Making {
        precision: arguments.precision(),
        block: arguments.block.unwrap_or(SEGMENT_BLOCK) as usize,
        segment: arguments.segment.unwrap_or(SEGMENT) as usize,
    };
    let done = add_to_segments(arguments, &model, (&source, reading), making)?;
    eprint!("{}", done.report);
    arguments.tell_of_english(&model, &done.report);
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
    let Some(teacher) = &arguments.deep else {
        return add_light(arguments, model, read, making);
    };
    let teacher = OpenTeacher::open(teacher)?;
    let build = |documents: &[Document<'_>]| {
        let mut vectors = Vectors::open(None, model, making.precision)?;
        encode(model, &teacher, documents, &mut vectors)?;
        vectors.index(model, documents)
    };
    let read = (read.0, read.1, arguments.wrong());
    segments::append(&arguments.out, (model, Some(teacher.digest())), read, (making, &build))
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
    let read = (read.0, read.1, arguments.wrong());
    segments::append(&arguments.out, (model, None), read, (making, &build))
}

fn builtin_documents(languages: Vec<String>) -> Result<Vec<documents::Document>, Error> {
    let collections = builtin::collections(&languages, builtin::GRADES)?;
    let documents = collections.into_iter().zip(languages).flat_map(|(collection, language)| {
        let plain = move |collection::Document { id, title, text }| {
            let language = language.clone();
            documents::Document { id, title, text, language, ..Default::default() }
        };
        collection.documents.into_iter().map(plain)
    });
    Ok(documents.collect())
}
