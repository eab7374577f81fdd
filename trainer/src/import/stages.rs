//! Work that goes on where it stopped: a folder of files beside the output, and a mark for each stage
//! that is done, which holds what it was made of.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::error::Error;
use crate::files::{self, own};

/// The file in the folder that says whose it is.
const MARK: &str = ".smooth-clir-import";
const MARK_TEXT: &str =
    "Unfinished work of `smooth-clir import`, which the same command goes on with.\n";

/// The folder `OUT.partial` beside the output.
pub struct Stages {
    folder: PathBuf,
    out: PathBuf,
    /// The names of the files that were asked for.
    names: Mutex<BTreeSet<String>>,
}

impl Stages {
    /// Makes the folder, or finds it as it was left.
    ///
    /// # Errors
    /// If it cannot be made, or a folder of that name is there that no import made.
    pub fn open(out: &Path) -> Result<Self, Error> {
        // Without the slash at its end.
        let out: PathBuf = out.components().collect();
        let mut name = out.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        let folder = out.with_file_name(name);
        if out.exists() && !out.is_dir() {
            return Err(Error::data(&out, "is not a folder"));
        }
        let stages = Self { folder, out, names: Mutex::default() };
        stages.take_folder()?;
        Ok(stages)
    }

    /// Makes the folder and marks it as this program's, or sees that it is.
    fn take_folder(&self) -> Result<(), Error> {
        let folder = &self.folder;
        if let Some(above) = folder.parent() {
            files::make_folder(above)?;
        }
        let failed = |source| Error::Write { path: folder.clone(), source };
        match fs::create_dir(folder) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => made.map_err(failed)?,
        }
        let is_empty = || fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
        let mark = self.path(MARK);
        let is_marked = || fs::read(&mark).is_ok_and(|there| there == MARK_TEXT.as_bytes());
        if !folder.is_symlink() && is_marked() {
            return Ok(());
        }
        if folder.is_symlink() || !is_empty() {
            let problem = "exists already and was not made by an import: move it away";
            return Err(Error::data(folder, problem));
        }
        files::write(&mark, MARK_TEXT.as_bytes())
    }

    /// The folder itself.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The place of a file within it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.names.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned());
        self.folder.join(name)
    }

    /// Does a stage, unless it was done with the same `key` and its `outputs` are there still.
    ///
    /// # Errors
    /// Those of `work`, and if the mark cannot be written.
    pub fn stage(
        &self,
        name: &str,
        key: &str,
        outputs: &[&str],
        work: impl FnOnce() -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mark = self.path(&format!("{name}.done"));
        let there = outputs.iter().all(|name| self.path(name).exists());
        if there && fs::read(&mark).is_ok_and(|there| there == key.as_bytes()) {
            eprintln!("{name}: done already");
            return Ok(());
        }
        match fs::remove_file(&mark) {
            Err(source) if source.kind() != ErrorKind::NotFound => {
                return Err(Error::Write { path: mark, source });
            }
            _ => {}
        }
        work()?;
        files::write(&mark, key.as_bytes())
    }

    /// Puts files into the output folder, which is made, and removes this one with the files that were
    /// asked for by [`path`](Self::path). Where it holds others, these stay.
    ///
    /// # Errors
    /// If one cannot be put there.
    pub fn finish(self, names: &[&str]) -> Result<(), Error> {
        let failed = |path: &Path| {
            let path = path.to_path_buf();
            move |source| Error::Write { path, source }
        };
        if !self.out.exists() {
            // A folder that is whole from its first moment.
            let whole = self.path("whole");
            files::make_folder(&whole)?;
            for name in names {
                fs::rename(self.path(name), whole.join(name)).map_err(failed(&whole))?;
            }
            fs::rename(&whole, &self.out).map_err(failed(&self.out))?;
        } else {
            for name in names {
                let path = self.out.join(name);
                fs::rename(self.path(name), &path).map_err(failed(&path))?;
            }
        }
        let names = self.names.into_inner().unwrap_or_else(PoisonError::into_inner);
        for path in names.iter().map(|name| self.folder.join(name)) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                // What is no file, no stage has written.
                Err(_) if path.is_dir() => {}
                removed => removed.map_err(failed(&path))?,
            }
        }
        match fs::remove_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => {
                eprintln!(
                    "{}: left in place, because it contains other files",
                    self.folder.display()
                );
                Ok(())
            }
            removed => removed.map_err(failed(&self.folder)),
        }
    }
}

/// A file that is written row by row.
pub struct Output {
    path: PathBuf,
    writer: BufWriter<File>,
}

impl Output {
    /// Makes it, empty.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(path: PathBuf) -> Result<Self, Error> {
        let file = own::create(&path);
        let file = file.map_err(|source| Error::Write { path: path.clone(), source })?;
        Ok(Self::of(path, file))
    }

    /// Writes to an open file, which is told as `path`.
    pub fn of(path: PathBuf, file: File) -> Self {
        Self { path, writer: BufWriter::with_capacity(1 << 16, file) }
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let written = self.writer.write_all(bytes);
        written.map_err(|source| Error::Write { path: self.path.clone(), source })
    }

    /// Appends a line of columns, in which tabs and ends of lines become spaces.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn row(&mut self, columns: &[&str]) -> Result<(), Error> {
        let mut line = String::new();
        for (number, column) in columns.iter().enumerate() {
            if number > 0 {
                line.push('\t');
            }
            line.extend(
                column.chars().map(|c| if matches!(c, '\t' | '\n' | '\r') { ' ' } else { c }),
            );
        }
        line.push('\n');
        self.write(line.as_bytes())
    }

    /// All is on the disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<(), Error> {
        let written = self.writer.flush().and_then(|()| self.writer.get_ref().sync_all());
        written.map_err(|source| Error::Write { path: self.path, source })
    }
}

/// Opens a file that a stage wrote.
///
/// # Errors
/// If it is not there.
pub fn reopen(path: &Path) -> Result<BufReader<File>, Error> {
    let file = File::open(path).map_err(|source| Error::Read { path: path.into(), source })?;
    Ok(BufReader::with_capacity(1 << 16, file))
}

/// Calls `take` with each line of a file that a stage wrote.
///
/// # Errors
/// Those of `take`, and if it cannot be read.
pub fn each_line(
    path: &Path,
    mut take: impl FnMut(&str) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut reader = reopen(path)?;
    let mut line = String::new();
    loop {
        line.clear();
        let read = reader.read_line(&mut line);
        if read.map_err(|source| Error::Read { path: path.into(), source })? == 0 {
            return Ok(());
        }
        take(line.trim_end_matches('\n'))?;
    }
}

/// Ends the reading of rows where something else has failed, which is kept.
pub fn stopped_by(done: Result<(), Error>, failed: &mut Option<Error>) -> Result<(), String> {
    done.map_err(|error| {
        let problem = error.to_string();
        *failed = Some(error);
        problem
    })
}
