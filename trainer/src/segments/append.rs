//! Documents -> further segments.

use std::path::Path;
use std::sync::mpsc;
use std::thread;

use indicatif::ProgressBar;
use rayon::prelude::*;
use smooth_clir::encoder::Precision;
use smooth_clir::index::{self, Index};
use smooth_clir::model::Model;

use super::known::Known;
use super::list::{self, List};
use super::segment::{open_segment, with_texts, write_segment};
use crate::data::documents::{Document, Reading, Report, Source, Wrong};
use crate::error::Error;
use crate::terminal::progress_bar::progress_bar;

/// Segments that are made at the same time, at most: each takes memory.
const AT_ONCE: usize = 4;
/// Documents that may wait to be encoded.
const WAITING: usize = 1024;

/// How segments are made.
#[derive(Debug, Clone, Copy)]
pub struct Making {
    /// How they hold vectors.
    pub precision: Precision,
    /// Documents in a file of texts.
    pub block: usize,
    /// Documents in a segment, at most.
    pub segment: usize,
}

/// Makes an index of some documents.
pub type Build<'a> = &'a (dyn Fn(&[index::Document<'_>]) -> Result<Index, Error> + Sync);

/// What came of it.
#[derive(Debug, Default)]
pub struct Appended {
    /// Documents that are new.
    pub added: usize,
    /// Documents that were in the index already, word for word.
    pub known: usize,
    /// All documents.
    pub all: usize,
    /// What was left out.
    pub report: Report,
}

/// Adds the documents of a source to the index in a folder, which is made where it is not there. Each
/// segment can be searched as soon as it is written; where it is interrupted, the same again goes on. `build` encodes
/// documents, by a `teacher` if one is named.
pub fn append(
    folder: &Path,
    (model, teacher): (&Model, Option<&str>),
    (source, reading, wrong): (&Source, Reading<'_>, Wrong),
    (making, build): (Making, Build<'_>),
) -> Result<Appended, Error> {
    crate::files::make_folder(folder)?;
    let _lock = list::lock(folder)?;
    let mut list = List::read(folder)?.unwrap_or_else(List::new);
    list::sweep(folder, &list)?;
    let mut known = known_of(folder, &list, (model, teacher), making.precision)?;
    let progress = progress_bar(None, "{human_pos} documents, {per_sec}, {elapsed}");
    let mut appended = Appended::default();
    thread::scope(|scope| {
        let (send, receive) = mpsc::sync_channel(WAITING);
        let reader = scope.spawn(move || {
            // Whoever receives says why it stopped.
            source.each(reading, wrong, &mut |document| {
                send.send(document).map_err(|_| String::new())
            })
        });
        let size = making.segment;
        let at_once = rayon::current_num_threads().clamp(1, AT_ONCE);
        let mut waiting: Vec<Document> = Vec::new();
        let mut write = |waiting: &mut Vec<Document>| -> Result<(), Error> {
            let parts: Vec<_> = waiting
                .par_chunks(size)
                .map(|documents| encode(build, documents, making))
                .collect::<Result<_, Error>>()?;
            for (documents, files) in waiting.chunks(size).zip(parts) {
                let segment = write_segment(folder, &mut list, documents.len(), files)?;
                list.segments.push(segment);
                list.write(folder)?;
                appended.added += documents.len();
                tell(&progress, appended.added);
            }
            waiting.clear();
            Ok(())
        };
        let mut there = 0;
        for document in &receive {
            let is_new =
                known.add(&document.to_index()).map_err(|problem| Error::data(folder, problem))?;
            if !is_new {
                there += 1;
                continue;
            }
            waiting.push(document);
            if waiting.len() == size * at_once {
                write(&mut waiting)?;
            }
        }
        appended.known = there;
        let read = reader.join().unwrap_or_else(|_| {
            Err(Error::Thread { work: "the reader of documents", problem: "stopped".into() })
        });
        // A line that is wrong ends it; what came before it is kept. Not so where a field is asked for
        // that is not there: documents without it would be in the way of those with the right one.
        match read {
            Err(Error::Usage(problem)) => Err(Error::Usage(problem)),
            read => {
                write(&mut waiting)?;
                appended.report = read?;
                Ok(())
            }
        }
    })?;
    progress.finish_and_clear();
    list.write(folder)?;
    appended.all = list.documents();
    Ok(appended)
}

fn encode(
    build: Build<'_>,
    documents: &[Document],
    making: Making,
) -> Result<Vec<(String, Vec<u8>)>, Error> {
    let documents: Vec<index::Document<'_>> = documents.iter().map(Document::to_index).collect();
    Ok(build(&documents)?.write_parts(making.block))
}

/// The documents that are there; an error where another model or precision made them.
fn known_of(
    folder: &Path,
    list: &List,
    (model, teacher): (&Model, Option<&str>),
    precision: Precision,
) -> Result<Known, Error> {
    let mut known = Known::default();
    for segment in &list.segments {
        let index = with_texts(open_segment(folder, segment)?)?;
        if index.model != model.space {
            let problem = "it was made by another model: choose another folder for this one";
            return Err(Error::data(folder, problem));
        }
        if index.teacher.as_deref() != teacher {
            let found = match (&index.teacher, teacher) {
                (None, _) => "without a teacher",
                (Some(_), None) => "by a teacher",
                (Some(_), Some(_)) => "by another teacher",
            };
            let problem = format!("its documents were encoded {found}: --deep must be as it was");
            return Err(Error::data(folder, problem));
        }
        if index.vectors().precision() != precision {
            let problem = "--precision: the index in this folder has another precision";
            return Err(Error::Usage(problem.into()));
        }
        for place in 0..index.len() {
            let added = index.with_document(place, |document| known.add(document));
            added.transpose().map_err(|problem| Error::data(folder, problem))?;
        }
    }
    Ok(known)
}

/// Says how many were added: on a terminal in a line that changes, in a log in one of its own.
fn tell(bar: &ProgressBar, documents: usize) {
    bar.set_position(documents as u64);
    if bar.is_hidden() {
        eprintln!("{documents} documents added");
    }
}
